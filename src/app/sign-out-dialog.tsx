// Asks before signing out loses work. Loaded when it is needed.

import { t } from "../../core/i18n/translate.ts";
import { ConfirmDialog } from "../navigation/confirm-dialog.tsx";

interface SignOutDialogProps {
  /** What would be lost. */
  asking: "upload" | "unsaved";
  /** Percent of the running upload. */
  progress: number | undefined;
  onConfirm: () => void;
  onCancel: () => void;
}

export function SignOutDialog({ asking, progress, ...actions }: SignOutDialogProps) {
  if (asking === "unsaved") {
    return (
      <ConfirmDialog title={t("Sign out without saving?")} confirmLabel={t("Sign out")} {...actions}>
        {t("What you typed is not saved yet. Signing out deletes it from this computer.")}
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog title={t("Stop the upload and sign out?")} confirmLabel={t("Stop and sign out")} {...actions}>
      {progress !== undefined && `${t("The upload is at {n} %.", { n: progress })} `}
      {t("Rows already stored are kept, and the report is under Uploads.")}
    </ConfirmDialog>
  );
}
