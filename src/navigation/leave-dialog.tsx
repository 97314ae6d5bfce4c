// Asks before something is lost: leaving a form with unsaved text, signing out over a running upload.

import { type ReactNode, useEffect, useRef } from "react";
import { t } from "../../core/i18n/translate.ts";
import { useFocusBack } from "../components/focus-return.ts";

interface LeaveDialogProps {
  title: string;
  children: ReactNode;
  /** What the button that loses something says. */
  leave: string;
  onLeave: () => void;
  onStay: () => void;
}

export function LeaveDialog({ title, children, leave, onLeave, onStay }: LeaveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useFocusBack();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="leave" onClose={onStay}>
      <div className="form">
        <h2 id="leave">{title}</h2>
        <p className="small dim">{children}</p>
        <div className="tools">
          {/* biome-ignore lint/a11y/noAutofocus: the first choice of a dialog has the focus, and it is the one that loses nothing */}
          <button type="button" className="button primary" autoFocus onClick={onStay}>
            {t("Stay")}
          </button>
          <button type="button" className="button danger" onClick={onLeave}>
            {leave}
          </button>
        </div>
      </div>
    </dialog>
  );
}
