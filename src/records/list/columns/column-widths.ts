// The chosen widths of columns, as a style sheet: no cell is rendered again while an edge is dragged.

import { useLayoutEffect, useRef } from "react";
import type { Field } from "../../../../core/dictionary/fields.ts";
import type { ColumnWidths } from "../../query/views.ts";

const NARROWEST = 3; // rem
const WIDEST = 60; // rem

/** Returns a width that a column can have, in rem; undefined for what is no width. */
export function readWidth(width: unknown): number | undefined {
  if (typeof width !== "number" || !Number.isFinite(width)) return undefined;
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)) * 100) / 100;
}

/** Returns a function that shows other widths for the moment. */
export function useColumnWidths(columns: readonly Field[], widths: ColumnWidths = {}): (widths: ColumnWidths) => void {
  const sheet = useRef<CSSStyleSheet>(undefined);
  function show(given: ColumnWidths): void {
    const table = document.querySelector<HTMLTableElement>("main table[aria-label]");
    const head = table?.querySelector("thead tr");
    if (!table || !head || !sheet.current) return;
    sheet.current.replaceSync(rulesOf(columns, given, head.children.length - columns.length));
    markWide(table);
  }
  useLayoutEffect(() => {
    sheet.current = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet.current);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet.current);
    };
  }, []);
  useLayoutEffect(() => show(widths));
  return show;
}

/** `before`: how many cells of a row stand before the columns. */
function rulesOf(columns: readonly Field[], widths: ColumnWidths, before: number): string {
  const sized = columns.map((field) => readWidth(widths[field.name]));
  if (sized.every((width) => width === undefined)) return "";
  const rules = sized.map((width, i) => {
    const style = width ? `width:${width}rem;min-width:${width}rem;max-width:${width}rem` : "";
    return `main table tr > :nth-child(${before + i + 1}) { ${style} }`;
  });
  const table = "main table[aria-label] { width: max-content; max-width: none }";
  return `@media (width > 40em) { ${table} ${rules.join(" ")} }`;
}

/** A table that is wider than the page scrolls in an area of its own. */
function markWide(table: HTMLTableElement): void {
  const area = table.parentElement;
  if (area && table.offsetWidth > area.clientWidth + 1) area.dataset.wide = "true";
}
