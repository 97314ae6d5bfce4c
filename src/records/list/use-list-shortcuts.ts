import type { RefObject } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import type { RowEdit } from "./edit-row.tsx";
import type { Picking } from "./record-table.tsx";

interface ListKeysParts {
  collection: Collection;
  searchBox: RefObject<HTMLInputElement | null>;
  mayCreate: boolean;
  picking: Picking | undefined;
  onPreview: (id: number) => void;
  /** Is undefined for those who may not change records. */
  onEdit: ((edit: RowEdit) => void) | undefined;
  /** Is undefined when nothing is selected. */
  onEscape: (() => void) | undefined;
}

const PAGE_ROWS = 10; // PageUp and PageDown
const ROW = "tr[data-id]";

export function useListShortcuts({ collection, searchBox, mayCreate, picking, onPreview, onEdit, onEscape }: ListKeysParts): void {
  const { keys } = useServices();
  const navigate = useNavigate();
  const inRows = (by: number) => () => rowAt() >= 0 && moveBy(by);
  /** A letter also moves the focus into the rows; an arrow key works only inside them. */
  const toRow = (by: number) => (event?: KeyboardEvent) => (event?.key.length === 1 || rowAt() >= 0) && moveBy(by);
  useShortcuts(keys, {
    search() {
      searchBox.current?.focus();
      searchBox.current?.select();
    },
    create: mayCreate ? () => void navigate({ to: "/$collection/new", params: { collection: collection.name } }) : undefined,
    nextRow: toRow(1),
    previousRow: toRow(-1),
    rowsOn: inRows(PAGE_ROWS),
    rowsBack: inRows(-PAGE_ROWS),
    firstRow: inRows(Number.NEGATIVE_INFINITY),
    lastRow: inRows(Number.POSITIVE_INFINITY),
    editRow: onEdit && (() => editFocused(onEdit)),
    preview: () => previewFocused(onPreview),
    select: picking && ((event) => pickRow(picking, event?.shiftKey ?? false)),
    unselect: onEscape,
  });
}

function pickRow(picking: Picking, isRange: boolean): boolean {
  const id = focusedId();
  if (id) picking.onPick(Number(id), isRange);
  return id !== undefined;
}

/** Begins with the first row where none has the focus, as after a search. A row that is edited already stays so. */
function editFocused(onEdit: (edit: RowEdit) => void): boolean {
  const id = focusedId() ?? (rowAt() < 0 ? document.querySelector<HTMLElement>(ROW)?.dataset.id : undefined);
  if (id) onEdit({ id: Number(id) });
  return id !== undefined;
}

const PREVIEW_ROOM = "(width > 75em)"; // --desktop of src/ui/styles/breakpoints.css

/** Does nothing where there is no room beside the list. */
function previewFocused(onPreview: (id: number) => void): boolean {
  const id = matchMedia(PREVIEW_ROOM).matches ? focusedId() : undefined;
  if (id) onPreview(Number(id));
  return id !== undefined;
}

function focusedId(): string | undefined {
  return document.activeElement?.closest<HTMLElement>(`${ROW} a`)?.closest("tr")?.dataset.id;
}

function rows(): Element[] {
  return [...document.querySelectorAll(ROW)];
}

/** Returns the index of the focused row, or -1. */
function rowAt(): number {
  return rows().indexOf(document.activeElement?.closest(ROW) as Element);
}

/** Leads from outside of the rows to the first one. Returns false when there are no rows. */
function moveBy(by: number): boolean {
  const all = rows();
  all[Math.min(all.length - 1, Math.max(0, rowAt() + by))]?.querySelector("a")?.focus(); // the first link opens the record, others what it refers to
  return all.length > 0;
}
