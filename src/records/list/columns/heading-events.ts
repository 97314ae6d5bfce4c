// The mouse and the keyboard on the headings of a list: a heading is dragged to another place, its edge to another width.

/** Columns are counted from 0; widths are in rem. */
export interface HeadingActs {
  move(from: number, to: number): void;
  /** Runs while the edge is being dragged. Undefined: the saved one again. */
  showWidth(column: number, width: number | undefined): void;
  /** Undefined: as wide as it needs. */
  size(column: number, width: number | undefined): void;
}

const EDGE = 10; // px at the end of a heading
const DRAG_FROM = 6; // px; less is a click
const STEP = 1; // rem, of a key

interface Heading {
  cell: HTMLElement;
  column: number;
}

interface Drag extends Heading {
  is: "move" | "size";
  x: number;
  width: number; // px
  by: number; // px; where the pointer was last seen, since a pointer outside the window may end anywhere
  target: Heading | undefined;
  hasMoved: boolean;
}

/** Listens on the whole page, whose table comes and goes. Returns a function that ends it. */
export function listenToHeadings(main: HTMLElement, acts: HeadingActs): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  const drag = createDrag(main, acts);
  main.addEventListener("pointerdown", drag.begin, { signal });
  main.addEventListener("pointermove", (event) => drag.go(event), { signal });
  main.addEventListener("pointerup", drag.drop, { signal });
  main.addEventListener("pointercancel", drag.cancel, { signal });
  main.addEventListener("keydown", ({ key }) => key === "Escape" && drag.cancel(), { signal });
  for (const type of ["click", "dblclick"] as const)
    main.addEventListener(type, (event) => clickAtEdge(acts, event), { signal, capture: true });
  return () => listeners.abort();
}

function createDrag(main: HTMLElement, acts: HeadingActs) {
  let drag: Drag | undefined;

  function end(): void {
    drag?.cell.removeAttribute("data-dragged");
    drag?.target?.cell.removeAttribute("data-drop");
    drag = undefined;
  }

  return {
    begin(event: PointerEvent): void {
      const heading = headingAt(event.target);
      if (!heading || event.button !== 0 || event.pointerType === "touch") return;
      const { width } = heading.cell.getBoundingClientRect();
      const is = isAtEdge(heading.cell, event.clientX) ? "size" : "move";
      drag = { ...heading, is, x: event.clientX, width, by: 0, target: undefined, hasMoved: false };
    },
    go(event: PointerEvent): void {
      if (!drag) return;
      const by = event.clientX - drag.x;
      if (!drag.hasMoved) {
        if (Math.abs(by) < (drag.is === "move" ? DRAG_FROM : 1)) return;
        drag.hasMoved = true;
        main.setPointerCapture(event.pointerId); // the heading gets no click
        drag.cell.dataset.dragged = drag.is;
      }
      drag.by = by;
      if (drag.is === "size") acts.showWidth(drag.column, widthOf(drag));
      else this.aim(drag, event.clientX);
    },
    aim(drag: Drag, x: number): void {
      drag.target?.cell.removeAttribute("data-drop");
      drag.target = headings(main).find(({ cell }) => isOver(cell, x));
      if (!drag.target || drag.target.column === drag.column) return;
      drag.target.cell.dataset.drop = drag.target.column < drag.column ? "before" : "after";
      drag.target.cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    drop(): void {
      const ended = drag;
      end();
      if (!ended?.hasMoved) return;
      if (ended.is === "size") acts.size(ended.column, widthOf(ended));
      else if (ended.target && ended.target.column !== ended.column) acts.move(ended.column, ended.target.column);
    },
    cancel(): void {
      if (drag?.is === "size") acts.showWidth(drag.column, undefined);
      end();
    },
  };
}

/** The edge is no part of the button that sorts. A double click on it takes the width back. */
function clickAtEdge(acts: HeadingActs, event: MouseEvent): void {
  const heading = headingAt(event.target);
  if (!heading || event.detail === 0 || !isAtEdge(heading.cell, event.clientX)) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.type === "dblclick") acts.size(heading.column, undefined);
}

/** Shift with an arrow key moves the focused heading. False when there is none, or no place for it there. */
export function moveByKey(acts: HeadingActs, event: KeyboardEvent | undefined): boolean {
  const heading = headingAt(document.activeElement);
  const main = heading?.cell.closest("main");
  if (!heading || !main || !event) return false;
  const to = heading.column + ((event.key === "ArrowRight") === isRightToLeft(heading.cell) ? -1 : 1);
  if (to < 0 || to >= headings(main).length) return false;
  acts.move(heading.column, to);
  return true;
}

/** Plus and minus change the width of the focused heading's column. False when there is none. */
export function sizeByKey(acts: HeadingActs, event: KeyboardEvent | undefined): boolean {
  const heading = headingAt(document.activeElement);
  if (!heading || !event) return false;
  acts.size(heading.column, inRem(heading.cell.offsetWidth) + (event.key === "+" ? STEP : -STEP));
  return true;
}

/** Returns the headings that stand over columns. */
function headings(main: HTMLElement): Heading[] {
  const cells = [...main.querySelectorAll<HTMLElement>("table[aria-label] thead th:not(:has(input))")];
  return cells.map((cell, column) => ({ cell, column }));
}

function headingAt(target: EventTarget | null): Heading | undefined {
  const cell = target instanceof Element ? target.closest("thead th") : null;
  const main = cell?.closest("main");
  return main ? headings(main).find((one) => one.cell === cell) : undefined;
}

function isAtEdge(cell: HTMLElement, x: number): boolean {
  const { left, right } = cell.getBoundingClientRect();
  return left < right && (isRightToLeft(cell) ? x - left : right - x) <= EDGE;
}

function isOver(cell: HTMLElement, x: number): boolean {
  const { left, right } = cell.getBoundingClientRect();
  return left <= x && x < right;
}

/** Returns rem. */
function widthOf({ cell, width, by }: Drag): number {
  return inRem(width + (isRightToLeft(cell) ? -by : by));
}

function inRem(px: number): number {
  return px / Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

function isRightToLeft(cell: HTMLElement): boolean {
  return getComputedStyle(cell).direction === "rtl";
}
