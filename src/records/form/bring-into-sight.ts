/** Moves the focus to a notice and scrolls as little as shows it, or its beginning if it is taller than the window. */
export function bringIntoSight(notice: HTMLElement | null): void {
  if (!notice) return;
  notice.focus();
  notice.scrollIntoView({ block: "nearest" }); // it may have had the focus all along, out of sight
  if (notice.getBoundingClientRect().top < 0) notice.scrollIntoView();
}
