// Asking for an account, where the service offers it (SIGN_UP).

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { MAX_ACCESS_MESSAGE, MAX_PERSON_NAME, type SignInWays } from "../../../core/contract/people.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { askForAccess } from "../../service/sign-in.ts";
import { signInWaysQuery } from "../../service/sign-in-ways.ts";
import { takeFocus } from "../../ui/focus/restore-focus.ts";
import * as formStyles from "../../ui/form.module.css";
import { Failure, Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { lengthError, TextField } from "../../ui/text-field.tsx";

export function AskForAccess() {
  const { client } = useServices();
  const { data } = useQuery(signInWaysQuery(client));
  if (!data?.hasUsers || data.signUp === "invite") return null;
  return (
    <details>
      <summary>{t("No account yet? Ask for access")}</summary>
      <AccessForm ways={data} />
    </details>
  );
}

const askForWhole = () => t("Enter your whole e-mail address, such as anna.berg@example.org.");

function AccessForm({ ways }: { ways: SignInWays }) {
  const { client } = useServices();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [message, setMessage] = useState("");
  const [wrong, setWrong] = useState<Partial<Record<string, string>>>({});
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => askForAccess(client, { email: email.trim(), name: name.trim(), message }),
    onError(failure) {
      const problems = failure instanceof ApiError ? failure.problems : [];
      const messageOf = ({ field, message }: (typeof problems)[number]) => (field === "email" ? askForWhole() : message);
      setWrong(Object.fromEntries(problems.map((problem) => [problem.field, messageOf(problem)])));
    },
  });

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const wrongName = name.trim() === "" ? t("Enter your name.") : lengthError(t("Name"), name, MAX_PERSON_NAME);
    const wrongMessage = lengthError(t("Message"), message, MAX_ACCESS_MESSAGE);
    const found = {
      ...(!/.@./.test(email) && { email: askForWhole() }),
      ...(wrongName && { name: wrongName }),
      ...(wrongMessage && { message: wrongMessage }),
    };
    setWrong(found);
    const [first] = Object.keys(found);
    if (first) document.getElementById(`access-${first}`)?.focus();
    else if (!isPending) mutate();
  }

  if (isSuccess)
    return (
      <div ref={takeFocus} tabIndex={-1}>
        <Notice>{whatFollows(ways)}</Notice>
      </div>
    );
  return (
    <form onSubmit={submit} noValidate>
      {error && Object.keys(wrong).length === 0 && <Failure error={error} />}
      <TextField
        id="access-email"
        type="email"
        label={t("Your e-mail address")}
        autoComplete="email"
        value={email}
        onChange={setEmail}
        error={wrong.email}
      />
      <TextField
        id="access-name"
        label={t("Your name")}
        autoComplete="name"
        dir="auto"
        value={name}
        onChange={setName}
        error={wrong.name}
      />
      <div className={formStyles.field}>
        <label htmlFor="access-message">{t("Message")}</label>
        <textarea
          id="access-message"
          rows={3}
          dir="auto"
          aria-describedby="access-message-hint"
          aria-invalid={wrong.message !== undefined}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
        <span className={wrong.message ? textStyles.error : textStyles.hint} id="access-message-hint">
          {wrong.message ?? t("Who you are, and what you need it for.")}
        </span>
      </div>
      <button type="submit" aria-disabled={isPending}>
        {t("Ask for access")}
      </button>
    </form>
  );
}

function whatFollows({ signUp, canMailLinks }: SignInWays): string {
  if (signUp === "open") return t("A mail with a link is on its way. With it you choose a password and sign in.");
  if (canMailLinks) return t("An administrator decides about it. If you get access, a mail with a link comes to you.");
  return t("An administrator decides about it. If you get access, they send you a link.");
}
