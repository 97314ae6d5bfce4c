import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { resetPassword } from "../../service/sign-in.ts";
import { takeFocus } from "../../ui/focus/restore-focus.ts";
import { Failure, Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";

/** `canMail`: whether the service can send a link. Otherwise only an administrator can make one. */
export function ForgottenPassword({ canMail }: { canMail: boolean }) {
  return (
    <details>
      <summary>{t("Forgot your password?")}</summary>
      {canMail ? (
        <ResetForm />
      ) : (
        <p className={textStyles.note}>{t("Ask an administrator for a link with which you can set a new one.")}</p>
      )}
    </details>
  );
}

/** Has a link sent to an address. */
export function ResetForm() {
  const { client } = useServices();
  const [email, setEmail] = useState("");
  const [wrong, setWrong] = useState<string>();
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: () => resetPassword(client, email.trim()) });

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const isAddress = /.@./.test(email);
    setWrong(isAddress ? undefined : t("Enter your whole e-mail address, such as anna.berg@example.org."));
    if (!isAddress) document.getElementById("reset-email")?.focus();
    else if (!isPending) mutate();
  }

  if (isSuccess) {
    return (
      <div ref={takeFocus} tabIndex={-1}>
        <Notice>{t("If somebody signs in with this address and a password, a mail with a link for a new one is on its way.")}</Notice>
      </div>
    );
  }
  return (
    <form onSubmit={submit} noValidate>
      {error && <Failure error={error} />}
      <TextField
        id="reset-email"
        type="email"
        label={t("Your e-mail address")}
        autoComplete="username"
        value={email}
        onChange={setEmail}
        error={wrong}
      />
      <button type="submit" aria-disabled={isPending}>
        {t("Send a link")}
      </button>
    </form>
  );
}
