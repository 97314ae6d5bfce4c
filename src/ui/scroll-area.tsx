import type { ReactNode } from "react";
import * as tableStyles from "./table.module.css";

/** Draws content that may be wider than the page. It can be scrolled by keyboard too (WCAG 2.1.1). */
export function ScrollArea({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll only what has the focus
    <section className={tableStyles.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
