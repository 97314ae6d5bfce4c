// Asks before a form with unsaved text is left by a link, by going back or by closing the tab.

import { useCallback, useEffect, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { type StaysOn, useBlocker } from "../router/use-blocker.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useUnsavedChanges } from "./unsaved-changes.ts";

/** `staysOn`: "path" where the form stays, whatever the search parameters are. */
export function useLeaveGuard(staysOn?: StaysOn) {
  const isDirty = useUnsavedChanges();
  const [{ isTyped, isKept, hasFiles }, setLost] = useState({ isTyped: true, isKept: true, hasFiles: false });
  const [answer, setAnswer] = useState<(mayLeave: boolean) => void>();
  useBlocker(
    () => isDirty.current,
    () => new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => setAnswer(undefined)),
    staysOn,
  );
  const onDirty = useCallback(
    (isTyped: boolean, isKept = true, hasFiles = false) => {
      isDirty.current = isTyped || hasFiles;
      setLost({ isTyped, isKept, hasFiles });
    },
    [isDirty],
  );
  useEffect(() => () => onDirty(false), [onDirty]);
  const dialog = answer && (
    <ConfirmDialog
      title={t("Leave without saving?")}
      confirmLabel={t("Leave")}
      cancelLabel={t("Stay")}
      onConfirm={() => answer(true)}
      onCancel={() => answer(false)}
    >
      {hasFiles && <>{t("A file that you chose is not stored yet. It will have to be chosen again.")} </>}
      {!isTyped && hasFiles
        ? null
        : isKept
          ? t("What you typed is not saved yet. It stays on this computer for a week and is offered when you return.")
          : t("What you typed is not saved yet and will be lost: this browser does not keep it.")}
    </ConfirmDialog>
  );
  return { onDirty, allow: () => onDirty(false), dialog };
}
