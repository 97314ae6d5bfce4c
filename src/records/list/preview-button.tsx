// A button in the row under the pointer, or with the focus, that shows its record beside the list.

import { PanelRight } from "lucide";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { Icon } from "../../ui/primitives.tsx";
import * as styles from "./preview-button.module.css";

const ROW = "main tr[data-id]";

/** Draws one for all rows, because each element more in a row makes every list slower. Space does the same. */
export function PreviewButton() {
  const { keys } = useServices();
  const [row, setRow] = useState<HTMLElement>();
  useEffect(() => {
    const rowOf = (one: EventTarget | null) => (one instanceof Element ? one.closest<HTMLElement>(ROW) : null);
    let next = 0;
    // It follows in the next frame: the focus is also moved while React draws, and the pointer crosses many elements within one.
    const follow = ({ target }: Event) => {
      cancelAnimationFrame(next);
      next = requestAnimationFrame(() => setRow(rowOf(target) ?? rowOf(document.activeElement) ?? undefined));
    };
    document.addEventListener("pointerover", follow);
    document.addEventListener("focusin", follow);
    return () => {
      cancelAnimationFrame(next);
      document.removeEventListener("pointerover", follow);
      document.removeEventListener("focusin", follow);
    };
  }, []);
  const name = row?.isConnected ? row.querySelector<HTMLElement>(":scope > th") : null;
  const link = name?.querySelector("a");
  if (!name || !link) return null;
  const show = () => {
    link.focus();
    keys.run("preview");
  };
  return createPortal(
    <button
      type="button"
      className={styles.preview}
      tabIndex={-1}
      title={t("Preview (Space)")}
      aria-label={t("Preview of {name}", { name: link.textContent ?? "" })}
      onMouseDown={(event) => event.preventDefault()}
      onClick={show}
    >
      <Icon of={PanelRight} />
    </button>,
    name,
  );
}
