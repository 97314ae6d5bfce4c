// The keys of a list: search, new, moving from row to row, selecting. Moves the focus; the rows themselves are the table's.

import { useNavigate } from "@tanstack/react-router";
import type { RefObject } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import { type Shortcut, useShortcuts } from "../ui/keys.ts";
import { useDeps } from "./deps.ts";
import type { Picking } from "./record-table.tsx";

interface ListKeysParts {
  collection: Collection;
  searchBox: RefObject<HTMLInputElement | null>;
  mayWrite: boolean;
  picking: Picking | undefined;
  onEscape: () => boolean;
}

const PAGE_ROWS = 10; // PageUp and PageDown

export function useListKeys({ collection, searchBox, mayWrite, picking, onEscape }: ListKeysParts): void {
  const { keys } = useDeps();
  const navigate = useNavigate();
  const inRows = (label: string, key: string, by: number): Shortcut => ({ key, label, run: () => rowAt() >= 0 && moveBy(by) });
  useShortcuts(keys, [
    {
      key: "/",
      label: "Search",
      run() {
        searchBox.current?.focus();
        searchBox.current?.select();
        return true;
      },
    },
    {
      key: "n",
      label: `New ${collection.noun}`,
      run() {
        if (mayWrite) navigate({ to: "/$collection/new", params: { collection: collection.name } });
        return mayWrite;
      },
    },
    { key: "j", label: "Next row", run: () => moveBy(1) },
    { key: "k", label: "Previous row", run: () => moveBy(-1) },
    inRows("Next row", "ArrowDown", 1),
    inRows("Previous row", "ArrowUp", -1),
    inRows("First row of the page", "Home", Number.NEGATIVE_INFINITY),
    inRows("Last row of the page", "End", Number.POSITIVE_INFINITY),
    inRows(`${PAGE_ROWS} rows on`, "PageDown", PAGE_ROWS),
    inRows(`${PAGE_ROWS} rows back`, "PageUp", -PAGE_ROWS),
    {
      key: " ",
      label: "Select the row",
      run(event) {
        const id = document.activeElement?.closest<HTMLElement>(".list tbody a")?.closest("tr")?.dataset.id;
        if (!id || !picking) return false;
        picking.onPick(Number(id), event.shiftKey);
        return true;
      },
    },
    { key: "Escape", label: "Clear the selection", run: onEscape },
  ]);
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(".list tbody tr[data-id] a")];
}

/** The row that has the focus, or -1. */
function rowAt(): number {
  const row = document.activeElement?.closest(".list tbody tr[data-id]");
  return row ? [...document.querySelectorAll(".list tbody tr[data-id]")].indexOf(row) : -1;
}

/** False where there are no rows. */
function moveBy(by: number): boolean {
  const links = rows();
  const at = rowAt();
  const to = at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by));
  links[to]?.focus();
  return links.length > 0;
}
