/**
 * Runs when what was drawn last is on the screen, in a task of its own; in a tab that nobody sees, when it is seen. Returns how to give
 * it up. What asks for places or sets the focus then finds the page laid out, and a slow processor answers in between.
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
