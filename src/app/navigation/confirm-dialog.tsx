// Asks before something is lost.

import { type ReactNode, useEffect, useRef } from "react";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useRestoreFocus } from "../../ui/focus/restore-focus.ts";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import * as textStyles from "../../ui/text.module.css";

interface ConfirmDialogProps {
  title: ReactNode;
  children: ReactNode;
  /** The label of the button that loses something. */
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  onCancel: () => void;
  /** Is called by the first button, if that does not do what Escape does. */
  onFirst?: () => void;
}

export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  cancelLabel = t("Cancel"),
  onConfirm,
  onCancel,
  onFirst = onCancel,
}: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useRestoreFocus();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="leave" onClose={onCancel}>
      <div className={formStyles.form}>
        <h2 id="leave">{title}</h2>
        <div className={textStyles.note}>{children}</div>
        <div className={pageStyles.tools}>
          {/* biome-ignore lint/a11y/noAutofocus: the first choice of a dialog has the focus, and it is the one that loses nothing */}
          <button type="button" className={buttonStyles.primary} autoFocus onClick={onFirst}>
            {cancelLabel}
          </button>
          <button type="button" className={buttonStyles.danger} onClick={onConfirm}>
            {confirmLabel}
          </button>
        </div>
      </div>
    </dialog>
  );
}
