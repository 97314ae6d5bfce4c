// Keys and the mouse over the cells of a list. They are listened to at the page, so that its rows know nothing of blocks.

import type { CellPlace } from "../../../../pipeline/correction/correction-state.ts";

export interface CellEvents {
  /** Extends the block by these steps, from the focused row where there is none. */
  extend(rows: number, columns: number): void;
  /** Selects one cell instead, by these steps. False where there is no block. */
  move(rows: number, columns: number): boolean;
  select(from: CellPlace, at: CellPlace): void;
  clear(): boolean;
  fillDown(): boolean;
}

const ROW = "main tr[data-id]";
const STEPS: Readonly<Record<string, [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function rowElements(): HTMLTableRowElement[] {
  return [...document.querySelectorAll<HTMLTableRowElement>(ROW)];
}

/** Returns the row that has the focus; -1 if none has it. */
export function focusedRow(): number {
  const link = document.activeElement?.closest(`${ROW} a`);
  return link ? rowElements().indexOf(link.closest("tr") as HTMLTableRowElement) : -1;
}

export function focusRow(index: number): void {
  rowElements()[index]?.querySelector("a")?.focus();
}

export function listenToCells(main: HTMLElement, events: () => CellEvents): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  main.addEventListener(
    "keydown",
    (event) => {
      if (focusedRow() !== -1 && onKey(event, events())) event.preventDefault();
    },
    { signal },
  );
  listenToMouse(main, events, signal);
  main.addEventListener("pointermove", showWhole, { signal });
  main.addEventListener("scroll", markSideways, { capture: true, signal });
  return () => listening.abort();
}

function onKey(event: KeyboardEvent, events: CellEvents): boolean {
  const { key, shiftKey } = event;
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return key.toLowerCase() === "d" && !shiftKey && events.fillDown();
  if (key === "Escape") return events.clear();
  const by = STEPS[key];
  if (!by) return false;
  const [rows, columns] = by;
  const isTurned = columns !== 0 && getComputedStyle(document.documentElement).direction === "rtl";
  const sideways = isTurned ? -columns : columns;
  if (!shiftKey) return events.move(rows, sideways);
  events.extend(rows, sideways);
  return true;
}

/** A mouse that is dragged over cells selects them. A finger scrolls, and a plain press opens the record. */
function listenToMouse(main: HTMLElement, events: () => CellEvents, signal: AbortSignal): void {
  let from: CellPlace | undefined;
  let isDragged = false;
  const end = () => {
    if (isDragged) swallowClick();
    from = undefined;
    isDragged = false;
  };
  main.addEventListener(
    "pointerdown",
    (event) => {
      const { button, pointerType, ctrlKey, metaKey, shiftKey, altKey, target } = event;
      const isPlain = button === 0 && pointerType === "mouse" && !ctrlKey && !metaKey && !shiftKey && !altKey;
      if ((target as Element).closest(ROW)) events().clear();
      from = isPlain && !(target as Element).closest("input, button, select, textarea") ? placeAt(event) : undefined;
    },
    { signal },
  );
  main.addEventListener("dragstart", (event) => from && event.preventDefault(), { signal });
  main.addEventListener(
    "pointermove",
    (event) => {
      const at = from && placeAt(event);
      if (!from || !at || (!isDragged && at.index === from.index && at.field === from.field)) return;
      isDragged = true;
      events().select(from, at);
    },
    { signal },
  );
  window.addEventListener("pointerup", end, { signal });
  window.addEventListener("pointercancel", end, { signal });
}

/** The click that ends dragging within one row would open its record. It comes before any timer. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", swallow, true);
  setTimeout(() => window.removeEventListener("click", swallow, true));
}

/** Returns the cell below the pointer, over which lies the link of its row. */
function placeAt({ clientX, clientY }: PointerEvent): CellPlace | undefined {
  const cell = document.elementsFromPoint(clientX, clientY).find((one) => one.matches(`${ROW} > [data-at]`)) as HTMLElement | undefined;
  const index = cell ? rowElements().indexOf(cell.closest("tr") as HTMLTableRowElement) : -1;
  return index === -1 ? undefined : { index, field: Number(cell?.dataset.at) };
}

/**
 * The link of a row lies over all its cells, so it has the title of the cell below the pointer: a text that is cut, or a time in full.
 */
function showWhole({ target, clientX, clientY }: PointerEvent): void {
  const link = (target as Element).closest(`${ROW} a`);
  if (!(link instanceof HTMLElement)) return;
  const cell = document.elementsFromPoint(clientX, clientY).find((one) => one.matches("th, td"));
  const value = cell?.querySelector<HTMLElement>("bdi, time");
  const text = value && [value, value.closest("td") ?? value].some(isCut) ? value.textContent : "";
  link.title = value?.title || text || "";
}

/** A text of several lines is cut below, a pill and a narrowed column at the side. */
function isCut({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean {
  return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
}

/** While scrolled sideways, the sticky column gets an edge. */
function markSideways({ target }: Event): void {
  if (target instanceof Element) target.toggleAttribute("data-scrolled", target.scrollLeft !== 0);
}
