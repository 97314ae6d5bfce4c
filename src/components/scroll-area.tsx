import type { ReactNode } from "react";

/** What may be wider than the page scrolls by itself, also by keyboard (WCAG 2.1.1). */
export function ScrollArea({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll only what has the focus
    <section className="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
