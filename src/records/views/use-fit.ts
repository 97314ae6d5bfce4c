import { type RefObject, useLayoutEffect, useState } from "react";

/** Counts the items of a list that wraps which stand in its first line. `content`: whatever changes with the width of an item. */
export function useFit(list: RefObject<HTMLElement | null>, content: string): number {
  const [fits, setFits] = useState(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items are measured anew when their content changes
  useLayoutEffect(() => {
    const { current } = list;
    if (!current || current.children.length < 2) return; // measuring makes the browser lay the page out
    const measure = () => {
      const items = [...current.children] as HTMLElement[];
      const inFirstLine = items.filter(({ offsetTop }) => offsetTop === items[0]?.offsetTop);
      setFits(Math.max(1, inFirstLine.length));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [list, content]);
  return fits;
}
