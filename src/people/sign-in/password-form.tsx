import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { hasCookie } from "../../../client/sessions.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { meQuery } from "../../service/me.ts";
import { whyNoPasskeys } from "../../service/passkeys.ts";
import { signInWithPassword } from "../../service/sign-in.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { PasswordInput } from "../../ui/password-input.tsx";
import { Notice } from "../../ui/primitives.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";

export function PasswordForm({ hasPasskeys }: { hasPasskeys: boolean }) {
  const { client, session } = useServices();
  // This is the person whose session has ended: after a sign-out the cache is empty.
  const known = useQueryClient().getQueryData(meQuery(client).queryKey)?.email ?? "";
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  const [staySignedIn, setStaySignedIn] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [areRefused, setRefused] = useState(false);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const offersPasskeys = hasPasskeys && whyNoPasskeys() === undefined;

  async function submit(event: React.FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    if (email.trim() === "" || password === "") {
      setWrong(t("Enter your e-mail address and your password."));
      setRefused(false);
      return (email.trim() === "" ? emailInput : passwordInput).current?.focus();
    }
    setBusy(true);
    setWrong(undefined);
    try {
      await signInWithPassword(client, session, { email: email.trim(), password }, staySignedIn);
    } catch (error) {
      setWrong((error as Error).message);
      setRefused(error instanceof ApiError && error.status === 401); // else nothing is known about them
      setBusy(false);
      passwordInput.current?.select();
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      {wrong && <Notice tone="wrong">{wrong}</Notice>}
      <div className={formStyles.field}>
        <label htmlFor="email">{t("E-mail")}</label>
        <input
          id="email"
          ref={emailInput}
          type="email"
          autoComplete={offersPasskeys ? "username webauthn" : "username"}
          aria-invalid={wrong !== undefined && (areRefused || email.trim() === "")}
          // biome-ignore lint/a11y/noAutofocus: the page has this one purpose, and a dialog's first field takes the focus
          autoFocus={known === ""}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </div>
      <div className={formStyles.field}>
        <label htmlFor="password">{t("Password")}</label>
        <PasswordInput
          id="password"
          ref={passwordInput}
          autoComplete="current-password"
          autoFocus={known !== ""}
          aria-invalid={wrong !== undefined && (areRefused || password === "")}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </div>
      {!hasCookie(client) && (
        <label className={formStyles.choice}>
          <input type="checkbox" checked={staySignedIn} onChange={({ target }) => setStaySignedIn(target.checked)} />
          {t("Stay signed in until this tab closes")}
        </label>
      )}
      <button type="submit" className={buttonStyles.primary} aria-disabled={isBusy}>
        {t("Sign in")}
      </button>
      {offersPasskeys && <PasskeySignIn storeForTab={staySignedIn} />}
    </form>
  );
}
