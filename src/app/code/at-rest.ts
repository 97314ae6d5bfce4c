export const AT_REST = 2_000; // ms after a page or a part was first wanted

/**
 * Runs each as soon as the page is at rest and the browser has nothing else to do, one after the other. Never where the user asks to
 * save data. Returns how to give it up.
 */
export function whenAtRest(...runs: readonly (() => void)[]): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => {};
  let timer = setTimeout(next, AT_REST, 0);
  let idle: number | undefined;
  function next(i: number): void {
    const run = runs[i];
    if (!run) return;
    const go = () => {
      run();
      timer = setTimeout(next, 0, i + 1);
    };
    if ("requestIdleCallback" in window) idle = requestIdleCallback(go);
    else go(); // WebKit has none
  }
  return () => {
    clearTimeout(timer);
    if (idle !== undefined) cancelIdleCallback(idle);
  };
}
