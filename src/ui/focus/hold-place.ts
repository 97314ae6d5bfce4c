import { flushSync } from "react-dom";

/** Changes the page, and scrolls by as much as what has the focus was moved. Not from within an effect. */
export function holdPlace(change: () => void): void {
  const focused = document.activeElement === document.body ? null : document.activeElement;
  const before = focused?.getBoundingClientRect().top ?? 0;
  flushSync(change);
  if (focused?.isConnected) window.scrollBy(0, focused.getBoundingClientRect().top - before);
}
