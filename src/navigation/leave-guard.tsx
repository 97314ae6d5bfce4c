// Asks before a form with unsaved text is left by a link, by going back or by closing the tab.

import { useBlocker } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { t } from "../../core/i18n/translate.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useUnsavedChanges } from "./unsaved-changes.ts";

export function useLeaveGuard() {
  const isDirty = useUnsavedChanges();
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty.current,
    enableBeforeUnload: () => isDirty.current,
    withResolver: true,
  });
  const onDirty = useCallback(
    (dirty: boolean) => {
      isDirty.current = dirty;
    },
    [isDirty],
  );
  useEffect(() => () => onDirty(false), [onDirty]);
  const dialog = blocker.status === "blocked" && (
    <ConfirmDialog
      title={t("Leave without saving?")}
      confirmLabel={t("Leave")}
      cancelLabel={t("Stay")}
      onConfirm={blocker.proceed}
      onCancel={blocker.reset}
    >
      {t("What you typed is not saved yet. It stays on this computer for a week and is offered when you return.")}
    </ConfirmDialog>
  );
  return { onDirty, allow: () => onDirty(false), dialog };
}
