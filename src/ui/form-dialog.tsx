import { type ReactNode, useRef, useState } from "react";
import { t } from "../../core/i18n/translate.ts";
import * as buttonStyles from "./button.module.css";
import { useRestoreFocus } from "./focus/restore-focus.ts";
import * as styles from "./form.module.css";
import { Modal } from "./modal.tsx";
import * as pageStyles from "./page.module.css";
import { Failure, Notice } from "./primitives.tsx";

interface FormDialogProps {
  title: ReactNode;
  submitLabel: string;
  /** It loses something for good. */
  isDangerous?: boolean;
  isBusy: boolean;
  /** Holds what the service refused, but for what the fields themselves say. */
  error: Error | null;
  /** Is called when the user submits, unless it is busy. */
  onSubmit: () => void;
  onClose: () => void;
  /** Below the two buttons. */
  more?: ReactNode;
  children: ReactNode;
}

const scrollIntoSight = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

/** Keeps a dialog with fields open when it is about to be closed for the first time since something was typed, and says so in it. */
export function useTypedGuard(): { onInput: () => void; mayClose: () => boolean; warning: ReactNode } {
  const isTyped = useRef(false);
  const [isWarned, setWarned] = useState(false);
  return {
    onInput() {
      isTyped.current = true;
      setWarned(false);
    },
    mayClose() {
      if (!isTyped.current || isWarned) return true;
      setWarned(true);
      return false;
    },
    warning: isWarned && (
      <div ref={scrollIntoSight}>
        <Notice tone="doubt">{t("What you typed is not saved. Press Escape once more, or Cancel, to discard it.")}</Notice>
      </div>
    ),
  };
}

/**
 * Draws a dialog with fields, and a button that does what they say. The focus returns to where it was. What was typed is lost by Cancel,
 * but not by the first Escape or click beside it; in a dangerous dialog it only confirms.
 */
export function FormDialog({ title, submitLabel, isDangerous = false, isBusy, error, onSubmit, onClose, more, children }: FormDialogProps) {
  useRestoreFocus();
  const { onInput, mayClose, warning } = useTypedGuard();
  // In a dangerous dialog the button that loses nothing stands first, as in ConfirmDialog.
  const cancel = (
    <button type="button" className={isDangerous ? buttonStyles.primary : undefined} onClick={onClose}>
      {t("Cancel")}
    </button>
  );
  return (
    <Modal labelledBy="form-dialog" className={styles.dialog} onClose={onClose} mayClose={() => isDangerous || mayClose()}>
      <form
        noValidate
        onInput={onInput}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onSubmit();
        }}
      >
        <h2 id="form-dialog" dir="auto">
          {title}
        </h2>
        {error && <Failure error={error} />}
        {children}
        <div className={pageStyles.tools}>
          {isDangerous && cancel}
          <button type="submit" className={isDangerous ? buttonStyles.danger : buttonStyles.primary} aria-disabled={isBusy}>
            {submitLabel}
          </button>
          {!isDangerous && cancel}
        </div>
        {warning}
        {more && <div className={pageStyles.tools}>{more}</div>}
      </form>
    </Modal>
  );
}
