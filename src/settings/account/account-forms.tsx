import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { MAX_PERSON_NAME } from "../../../core/contract/people.ts";
import { t } from "../../../core/i18n/translate.ts";
import { AccessToEnd } from "../../app/services/access-to-end.tsx";
import { useServices } from "../../app/services/services.ts";
import { accessQuery } from "../../service/lasting-access.ts";
import { changeOwnName, changeOwnPassword, invalidatePeople } from "../../service/people.ts";
import * as formStyles from "../../ui/form.module.css";
import { NewPasswordField, passwordError } from "../../ui/new-password-field.tsx";
import * as pageStyles from "../../ui/page.module.css";
import { PasswordInput } from "../../ui/password-input.tsx";
import { Failure } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { lengthError, TextField } from "../../ui/text-field.tsx";

export function NameForm({ name }: { name: string }) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeOwnName(client, typed.trim()),
    onSuccess() {
      toasts.show({ message: t("Your name is changed.") });
      return invalidatePeople(queries);
    },
  });
  const wrong = typed.trim() === "" ? t("Enter your name.") : lengthError(t("Name"), typed, MAX_PERSON_NAME);
  return (
    <form
      className={formStyles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrong && !isPending) mutate();
      }}
    >
      <h2>{t("Name")}</h2>
      {error && <Failure error={error} />}
      <TextField id="own-name" label={t("Your name")} autoComplete="name" dir="auto" value={typed} onChange={setTyped} error={wrong} />
      <div className={pageStyles.tools}>
        <button type="submit" aria-disabled={isPending}>
          {t("Save the name")}
        </button>
      </div>
    </form>
  );
}

export function OwnPasswordForm({ email }: { email: string }) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [wrongCurrent, setWrongCurrent] = useState<string>();
  const { data: access } = useQuery(accessQuery(client));
  const [kept, setKept] = useState<string[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeOwnPassword(client, { current, password, keep: kept }),
    onSuccess() {
      setCurrent("");
      setPassword("");
      setKept([]);
      toasts.show({ message: t("Your password is changed. What you did not keep has ended.") });
      return invalidatePeople(queries);
    },
    onError(failure) {
      const problems = failure instanceof ApiError ? failure.problems : [];
      const of = (name: string) => problems.find(({ field }) => field === name)?.message;
      setWrong(of("password"));
      setWrongCurrent(of("current"));
      if (problems.length > 0) document.getElementById(of("current") ? "current-password" : "new-password")?.focus();
    },
  });
  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const tooShort = passwordError(password);
    setWrong(tooShort);
    setWrongCurrent(undefined);
    if (tooShort) document.getElementById("new-password")?.focus();
    else if (!isPending) mutate();
  }
  return (
    <form className={formStyles.form} noValidate onSubmit={submit}>
      <h2>{t("Password")}</h2>
      {error && !wrong && !wrongCurrent && <Failure error={error} />}
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <div className={formStyles.field}>
        <label htmlFor="current-password">{t("Current password")}</label>
        <PasswordInput
          id="current-password"
          autoComplete="current-password"
          aria-describedby="current-password-hint"
          aria-invalid={wrongCurrent !== undefined}
          value={current}
          onChange={({ target }) => setCurrent(target.value)}
        />
        <span className={textStyles.error} id="current-password-hint">
          {wrongCurrent}
        </span>
      </div>
      <NewPasswordField label={t("New password")} value={password} onChange={setPassword} error={wrong} />
      <AccessToEnd access={access} kept={kept} onChange={setKept} />
      <div className={pageStyles.tools}>
        <button type="submit" aria-disabled={isPending}>
          {t("Change the password")}
        </button>
      </div>
    </form>
  );
}
