import { useRef, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { signInWithKey } from "../../service/sign-in.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { PasswordInput } from "../../ui/password-input.tsx";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";

export function KeyForm() {
  const { client, session } = useServices();
  const [key, setKey] = useState("");
  const [staySignedIn, setStaySignedIn] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [isRefused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function submit(event: React.FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    if (!/^ink_[^.]+\../.test(key.trim())) {
      setWrong(t("Enter the whole API key. It starts with ink_ and has a dot in the middle."));
      setRefused(true);
      return input.current?.focus();
    }
    setBusy(true);
    setWrong(undefined);
    try {
      await signInWithKey(client, session, key, staySignedIn);
    } catch (error) {
      setWrong((error as Error).message);
      setRefused(error instanceof ApiError && error.status < 429); // else nothing is known about it
      setBusy(false);
      input.current?.focus();
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      {wrong && <Notice tone="wrong">{wrong}</Notice>}
      <div className={formStyles.field}>
        <label htmlFor="api-key">{t("API key")}</label>
        <PasswordInput
          id="api-key"
          ref={input}
          autoComplete="current-password" // so that a password manager offers to keep it
          placeholder="ink_…"
          aria-describedby="api-key-hint"
          aria-invalid={wrong !== undefined && isRefused}
          autoFocus
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <span className={textStyles.hint} id="api-key-hint">
          {t("From your administrator. It is not stored on this computer.")}
        </span>
      </div>
      <label className={formStyles.choice}>
        <input type="checkbox" checked={staySignedIn} onChange={(event) => setStaySignedIn(event.target.checked)} />
        {t("Stay signed in until this tab closes")}
      </label>
      <button type="submit" className={buttonStyles.primary} aria-disabled={isBusy}>
        {t("Sign in")}
      </button>
    </form>
  );
}
