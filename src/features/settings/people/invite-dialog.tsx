import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../../client/errors.ts";
import type { NewLink, Role, User } from "../../../../core/contract/people.ts";
import { t } from "../../../../core/i18n/translate.ts";
import { invalidatePeople, inviteUser } from "../../../api/people.ts";
import * as buttonStyles from "../../../components/button.module.css";
import { Modal } from "../../../components/modal.tsx";
import * as pageStyles from "../../../components/page.module.css";
import { Failure } from "../../../components/primitives.tsx";
import { useRestoreFocus } from "../../../components/restore-focus.ts";
import { TextField } from "../../../components/text-field.tsx";
import { useServices } from "../../../context/services.ts";
import * as styles from "../keys/keys.module.css";
import { RoleChoice } from "./role-choice.tsx";

interface InviteDialogProps {
  roles: readonly Role[];
  onMade: (made: { user: User; link: NewLink }) => void;
  onClose: () => void;
}

export function InviteDialog({ roles, onMade, onClose }: InviteDialogProps) {
  const { client } = useServices();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [wrong, setWrong] = useState<Partial<Record<string, string>>>({});
  useRestoreFocus();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => inviteUser(client, { email: email.trim(), name: name.trim(), roles: chosen }),
    onSuccess(made) {
      onMade(made);
      return invalidatePeople(queries);
    },
    onError(failure) {
      const problems = failure instanceof ApiError ? failure.problems : [];
      setWrong(Object.fromEntries(problems.map((problem) => [problem.field, problem.message])));
    },
  });

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const found = {
      ...(!/.@./.test(email) && { email: t("Enter an e-mail address.") }),
      ...(name.trim() === "" && { name: t("Enter a name.") }),
      ...(chosen.length === 0 && { roles: t("Choose at least one role.") }),
    };
    setWrong(found);
    document.getElementById(found.email ? "person-email" : found.name ? "person-name" : "")?.focus();
    if (Object.keys(found).length === 0 && !isPending) mutate();
  }

  return (
    <Modal labelledBy="invite" className={styles.dialog} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <h2 id="invite">{t("Invite someone")}</h2>
        {error && Object.keys(wrong).length === 0 && <Failure error={error} />}
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
        <TextField
          id="person-name"
          label={t("Name")}
          dir="auto"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={setName}
          error={wrong.name}
        />
        <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} error={wrong.roles} />
        <div className={pageStyles.tools}>
          <button type="submit" className={buttonStyles.primary} aria-disabled={isPending}>
            {t("Invite")}
          </button>
          <button type="button" onClick={onClose}>
            {t("Cancel")}
          </button>
        </div>
      </form>
    </Modal>
  );
}
