import { type ReactNode, useLayoutEffect, useRef } from "react";

/** Props of a dialog that can open over any page. */
export interface OverlayProps {
  /** `next` runs after the focus has returned to where it was. */
  onClose: (next?: () => void) => void;
}

interface ModalProps {
  /** The id of its heading. Without a heading, pass `label`. */
  labelledBy?: string;
  label?: string;
  className?: string | undefined;
  onClose: () => void;
  /** Is asked when it is about to be closed by Escape or by a click beside it. */
  mayClose?: () => boolean;
  children: ReactNode;
}

export function Modal({ labelledBy, label, className, onClose, mayClose = () => true, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []); // at once: until it is open, keys are the page's
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key that closes it is Escape, which the browser sees to
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      aria-label={label}
      className={className}
      onClose={onClose}
      onCancel={(event) => event.target === dialog.current && !mayClose() && event.preventDefault()}
      onClick={(event) => event.target === dialog.current && isBackdrop(event, dialog.current) && mayClose() && onClose()}
    >
      {children}
    </dialog>
  );
}

/** A click on the dialog's padding has the dialog as its target too, so compare coordinates. */
function isBackdrop({ clientX, clientY }: React.MouseEvent, dialog: HTMLDialogElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
