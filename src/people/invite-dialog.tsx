import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../client/errors.ts";
import { MAX_PERSON_NAME, type NewLink, type Role, type User } from "../../core/contract/people.ts";
import { LANGUAGE_TAGS, LANGUAGES, type Language } from "../../core/i18n/languages.ts";
import { currentCatalogue, t } from "../../core/i18n/translate.ts";
import { useServices } from "../app/services/services.ts";
import { invalidatePeople, inviteUser } from "../service/people.ts";
import * as formStyles from "../ui/form.module.css";
import { FormDialog } from "../ui/form-dialog.tsx";
import { lengthError, TextField } from "../ui/text-field.tsx";
import { RoleChoice } from "./role-choice.tsx";

interface InviteDialogProps {
  roles: readonly Role[];
  /** The service sends the link by mail, too. */
  isMailed: boolean;
  onMade: (made: { user: User; link: NewLink }) => void;
  onClose: () => void;
}

export function InviteDialog({ roles, isMailed, onMade, onClose }: InviteDialogProps) {
  const { client } = useServices();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [language, setLanguage] = useState(currentCatalogue().language as Language);
  const [wrong, setWrong] = useState<Partial<Record<string, string>>>({});
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => inviteUser(client, { email: email.trim(), name: name.trim(), roles: chosen, language }),
    onSuccess(made) {
      onMade(made);
      return invalidatePeople(queries);
    },
    onError(failure) {
      const problems = failure instanceof ApiError ? failure.problems : [];
      setWrong(Object.fromEntries(problems.map((problem) => [problem.field, problem.message])));
    },
  });

  function submit(): void {
    const wrongName = name.trim() === "" ? t("Enter a name.") : lengthError(t("Name"), name, MAX_PERSON_NAME);
    const found = {
      ...(!/.@./.test(email) && { email: t("Enter an e-mail address.") }),
      ...(wrongName && { name: wrongName }),
      ...(chosen.length === 0 && { roles: t("Choose at least one role.") }),
    };
    setWrong(found);
    document.getElementById(found.email ? "person-email" : found.name ? "person-name" : "")?.focus();
    if (Object.keys(found).length === 0) mutate();
  }

  return (
    <FormDialog
      title={t("Invite someone")}
      submitLabel={t("Invite")}
      isBusy={isPending}
      error={Object.keys(wrong).length === 0 ? error : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        id="person-email"
        type="email"
        label={t("E-mail")}
        autoComplete="off"
        autoFocus
        value={email}
        onChange={setEmail}
        error={wrong.email}
      />
      <TextField id="person-name" label={t("Name")} dir="auto" autoComplete="off" value={name} onChange={setName} error={wrong.name} />
      {isMailed && <MailLanguage language={language} onChange={setLanguage} />}
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} error={wrong.roles} />
    </FormDialog>
  );
}

function MailLanguage({ language, onChange }: { language: Language; onChange: (language: Language) => void }) {
  return (
    <div className={formStyles.field}>
      <label htmlFor="person-language">{t("Language of the mail")}</label>
      <select id="person-language" value={language} onChange={({ target }) => onChange(target.value as Language)}>
        {LANGUAGE_TAGS.map(
          (tag) =>
            LANGUAGES[tag].name && (
              <option key={tag} value={tag}>
                {LANGUAGES[tag].name}
              </option>
            ),
        )}
      </select>
    </div>
  );
}
