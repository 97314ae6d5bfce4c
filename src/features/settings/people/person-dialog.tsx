import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { NewLink, Role, User } from "../../../../core/contract/people.ts";
import { t } from "../../../../core/i18n/translate.ts";
import { changeUser, createLink, invalidatePeople } from "../../../api/people.ts";
import * as buttonStyles from "../../../components/button.module.css";
import { Modal } from "../../../components/modal.tsx";
import * as pageStyles from "../../../components/page.module.css";
import { Failure } from "../../../components/primitives.tsx";
import { useRestoreFocus } from "../../../components/restore-focus.ts";
import * as textStyles from "../../../components/text.module.css";
import { TextField } from "../../../components/text-field.tsx";
import { useServices } from "../../../context/services.ts";
import { ConfirmDialog } from "../../../navigation/confirm-dialog.tsx";
import * as styles from "../keys/keys.module.css";
import { RoleChoice } from "./role-choice.tsx";

interface PersonDialogProps {
  user: User;
  roles: readonly Role[];
  onMade: (made: { user: User; link: NewLink }) => void;
  onClose: () => void;
}

export function PersonDialog({ user, roles, onMade, onClose }: PersonDialogProps) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const [name, setName] = useState(user.name);
  const [chosen, setChosen] = useState(user.roles);
  const [isDisabling, setDisabling] = useState(false);
  useRestoreFocus();
  const change = useMutation({
    mutationFn: (body: Parameters<typeof changeUser>[2]) => changeUser(client, user.id, body),
    onSuccess() {
      onClose();
      toasts.show({ message: t("{name} is changed.", { name: name.trim() }) });
      return invalidatePeople(queries);
    },
  });
  const link = useMutation({ mutationFn: () => createLink(client, user.id), onSuccess: (made) => onMade({ user, link: made }) });
  const error = change.error ?? link.error;
  const isBusy = change.isPending || link.isPending;

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    if (name.trim() !== "" && !isBusy) change.mutate({ name: name.trim(), roles: chosen });
  }

  if (isDisabling) {
    return (
      <ConfirmDialog
        title={t("Disable {name}?", { name: user.name })}
        confirmLabel={t("Disable")}
        onConfirm={() => {
          setDisabling(false);
          change.mutate({ status: "disabled" });
        }}
        onCancel={() => setDisabling(false)}
      >
        {t(
          "All sessions of this person end at once, and nobody can sign in with the account. What the person has entered stays. You can enable the account again.",
        )}
      </ConfirmDialog>
    );
  }
  return (
    <Modal labelledBy="person" className={styles.dialog} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <h2 id="person" dir="auto">
          {user.name}
        </h2>
        <p className={textStyles.note}>{user.email}</p>
        {error && <Failure error={error} />}
        <TextField
          id="person-name"
          label={t("Name")}
          dir="auto"
          maxLength={100}
          value={name}
          onChange={setName}
          error={name.trim() === "" ? t("Enter a name.") : undefined}
        />
        <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
        <div className={pageStyles.tools}>
          <button type="submit" className={buttonStyles.primary} aria-disabled={isBusy}>
            {t("Save")}
          </button>
          <button type="button" onClick={onClose}>
            {t("Cancel")}
          </button>
        </div>
        <div className={pageStyles.tools}>
          {user.status !== "disabled" && (
            <button type="button" className={buttonStyles.link} onClick={() => isBusy || link.mutate()}>
              {user.status === "invited" ? t("Make a new invitation") : t("Make a link for a new password")}
            </button>
          )}
          {user.status === "disabled" ? (
            <button type="button" className={buttonStyles.link} onClick={() => isBusy || change.mutate({ status: "active" })}>
              {t("Enable the account")}
            </button>
          ) : (
            <button type="button" className={buttonStyles.link} onClick={() => setDisabling(true)}>
              {t("Disable the account…")}
            </button>
          )}
        </div>
      </form>
    </Modal>
  );
}
