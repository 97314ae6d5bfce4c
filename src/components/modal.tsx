import { type ReactNode, useEffect, useRef } from "react";

/** Of a dialog that stands over any page. */
export interface OverlayProps {
  /** `next` is done with the focus where it was before: what was chosen there. */
  onClose: (next?: () => void) => void;
}

interface ModalProps {
  /** The id of its heading, or its name where it shows none. */
  labelledBy?: string;
  label?: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}

export function Modal({ labelledBy, label, className, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key that closes it is Escape, which the browser sees to
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      aria-label={label}
      className={className}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && isBackdrop(event, dialog.current) && onClose()}
    >
      {children}
    </dialog>
  );
}

/** A click on the padding is one on the dialog, too; only one outside of its box is beside it. */
function isBackdrop({ clientX, clientY }: React.MouseEvent, dialog: HTMLDialogElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
