// Opens the command palette or the shortcuts help over any page. Each is loaded when it is first needed.

import { type ReactNode, useEffect, useRef, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { Modal, type OverlayProps } from "../../ui/modal.tsx";
import { whenAtRest } from "../code/at-rest.ts";
import { openedPart } from "../code/lazy-page.tsx";

const CommandPalette = openedPart(() => import("../palette/command-palette.tsx"), "CommandPalette", whileFetched);
const ShortcutsHelp = openedPart(() => import("../palette/shortcuts-help.tsx"), "ShortcutsHelp", whileFetched);

function whileFetched(waiting: ReactNode, { onClose }: OverlayProps) {
  return (
    <Modal label={t("Loading…")} onClose={() => onClose()}>
      {waiting}
    </Modal>
  );
}

export function useOverlay() {
  const [is, setIs] = useState<{ name: "palette" | "help"; at: number }>();
  // A loading dialog opens first, so the browser cannot restore the focus by itself.
  const before = useRef<{ focus: Element | null; next?: (() => void) | undefined }>(undefined);
  useEffect(() => whenAtRest(CommandPalette.preload, ShortcutsHelp.preload), []);
  const open = (name: "palette" | "help") => () => {
    before.current ??= { focus: document.activeElement };
    setIs({ name, at: performance.now() });
  };
  useEffect(() => {
    if (is || !before.current) return;
    const { focus, next } = before.current;
    before.current = undefined;
    // The dialog's close event comes late: a shortcut may have moved the focus since.
    if (focus instanceof HTMLElement && document.activeElement === document.body) focus.focus();
    next?.();
  }, [is]);
  // A dialog's close event comes late: by then another shortcut may have opened the other overlay, or the same one again.
  const close = (next?: () => void) => {
    if (before.current && next) before.current.next = next;
    setIs((now) => (now === is ? undefined : now));
  };
  const Shown = is && { palette: CommandPalette, help: ShortcutsHelp }[is.name];
  return { palette: open("palette"), help: open("help"), shown: Shown && <Shown key={is.at} onClose={close} /> };
}
