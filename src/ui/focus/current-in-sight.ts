import { type RefObject, useEffect } from "react";
import { afterPaint } from "./after-paint.ts";

/** Scrolls a line of links sideways (`sideways` in tabs.module.css) until the current one is in its middle, whenever `at` changes. */
export function useCurrentInSight(line: RefObject<HTMLElement | null>, at: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is the current one at another address
  useEffect(
    () =>
      afterPaint(() => {
        const link = line.current?.querySelector<HTMLElement>("[aria-current]");
        if (line.current && link) line.current.scrollLeft = link.offsetLeft - (line.current.clientWidth - link.offsetWidth) / 2;
      }),
    [line, at],
  );
}
