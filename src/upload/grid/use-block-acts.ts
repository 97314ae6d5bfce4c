// Changes the selected block: copy, paste, clear, fill down, restore, leave out. Each is one step for undo.

import { type ClipboardEvent, useEffect, useRef, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import type { CellPlace, GridRow } from "../../../pipeline/correction/correction-state.ts";
import { useServices } from "../../app/services/services.ts";
import { type Block, sizeOf, targetOf } from "../../values/cell-block.ts";
import { fromClipboard, toClipboard } from "../../values/clipboard-text.ts";
import { count } from "../../values/format.ts";
import { shownText } from "./cell-text.ts";
import { type FillActs, fillActs } from "./fill-acts.ts";
import type { GridSource } from "./use-grid.ts";
import type { GridRows } from "./use-grid-rows.ts";
import type { Moves } from "./use-moves.ts";

interface Selection {
  selected: Block;
  gridRows: GridRows;
  watchMoves: Moves["watchMoves"];
  /** Selects these cells. */
  onSelect: (from: CellPlace, to: CellPlace) => void;
}

export interface BlockActs extends FillActs {
  /** Both handle the clipboard events of the grid. */
  copy(event: ClipboardEvent): void;
  paste(event: ClipboardEvent): void;
  clear(): void;
  restore(): void;
  leaveOut(isOut: boolean): void;
  /** Says what the latest act did, where the cells alone do not say it. */
  outcome: string;
}

export function useBlockActs(source: GridSource, { selected, gridRows, watchMoves, onSelect }: Selection): BlockActs {
  const { uploadManager } = useServices();
  const [outcome, setOutcome] = useState("");
  const { shown } = source;
  const rowsOf = useSelectedRows(source, selected, gridRows);
  const columnsIn = ({ fields: [first, last] }: Block) => shown.slice(first, last + 1).map(({ column }) => column);

  async function edit(texts: (string | null)[][], block = selected): Promise<GridRow[]> {
    const rows = await rowsOf.fetch(block);
    uploadManager.act({ do: "editCells", rows: rows.map(({ row }) => row), columns: columnsIn(block), texts });
    return rows;
  }

  function textsOf(rows: readonly GridRow[], { fields: [first, last] }: Block = selected): string[][] {
    return rows.map((row) => shown.slice(first, last + 1).map(({ field }, i) => shownText(row, field, first + i)));
  }

  async function pasteText(text: string): Promise<void> {
    const texts = fromClipboard(text);
    const block = targetOf(selected, texts);
    const hasMoved = watchMoves();
    const rows = await edit(texts, block);
    const last = { index: block.rows[0] + rows.length - 1, field: Math.min(block.fields[1], shown.length - 1) };
    if (!hasMoved()) onSelect({ index: block.rows[0], field: block.fields[0] }, last);
    setOutcome(describePaste(block, rows.length, shown.length));
  }

  const filling = fillActs({ selected, fetchAnew: rowsOf.fetchAnew, textsOf, edit, watchMoves, onSelect, onOutcome: setOutcome });
  return {
    ...filling,
    outcome,
    copy(event) {
      const rows = rowsOf.current();
      if (event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      if (!rows) return setOutcome(t("The cells are still being fetched. Copy again."));
      event.clipboardData.setData("text/plain", toClipboard(textsOf(rows)));
      const n = sizeOf(selected);
      setOutcome(count(n, "{n} cell copied.", "{n} cells copied."));
      if (event.type === "cut") void edit([[""]]);
    },
    paste(event) {
      if (event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      const text = event.clipboardData.getData("text/plain");
      if (text !== "") void pasteText(text);
    },
    clear: () => void edit([[""]]),
    restore: () => void edit([[null]]),
    async leaveOut(isOut) {
      const rows = await rowsOf.fetch(selected);
      uploadManager.act({ do: "leaveOut", rows: rows.map(({ row }) => row), isOut });
    },
  };
}

/** Says how many cells were pasted, and what did not fit into the grid. */
function describePaste({ rows, fields }: Block, written: number, fieldCount: number): string {
  const [beyondRows, beyondFields] = [rows[1] - rows[0] + 1 - written, Math.max(0, fields[1] - (fieldCount - 1))];
  const cells = written * (fields[1] - fields[0] + 1 - beyondFields);
  const sentences = [count(cells, "{n} cell pasted.", "{n} cells pasted.")];
  if (beyondRows > 0) sentences.push(count(beyondRows, "{n} row did not fit.", "{n} rows did not fit."));
  if (beyondFields > 0) sentences.push(count(beyondFields, "{n} column did not fit.", "{n} columns did not fit."));
  return sentences.join(" ");
}

/**
 * Keeps the rows of the selection. They are fetched when the selection changes, because a browser accepts what is copied only at
 * once. `current`: undefined while they are being fetched.
 */
function useSelectedRows({ filter, first, revision }: GridSource, { rows: [from, to] }: Block, gridRows: GridRows) {
  const { uploadManager } = useServices();
  const fetched = useRef<{ rows: GridRow[]; from: number; to: number; filter: GridSource["filter"]; revision: number }>(undefined);
  const isDrawn = gridRows.rowAt(from) !== undefined && gridRows.rowAt(to) !== undefined;
  /** Returns the rows as the user sees them, or as they were fetched. */
  function known(start: number, end: number): GridRow[] | undefined {
    const drawn = Array.from({ length: end - start + 1 }, (_, i) => gridRows.rowAt(start + i));
    if (drawn.every((row) => row !== undefined)) return drawn;
    const latest = fetched.current;
    const isSame = latest?.from === start && latest.to === end && latest.filter === filter && latest.revision === revision;
    return isSame ? latest.rows : undefined;
  }
  useEffect(() => {
    if (isDrawn) return;
    const timer = setTimeout(async () => {
      const { rows } = await uploadManager.query({ for: "rows", filter, first, from, to: to + 1 });
      fetched.current = { rows, from, to, filter, revision };
    }, SETTLING);
    return () => clearTimeout(timer);
  }, [isDrawn, uploadManager, filter, first, from, to, revision]);
  const ask = async (start: number, end: number): Promise<GridRow[]> =>
    (await uploadManager.query({ for: "rows", filter, first, from: start, to: end + 1 })).rows;
  return {
    current: () => known(from, to),
    fetch: async ({ rows: [start, end] }: Block) => known(start, end) ?? (await ask(start, end)),
    /** Asks with all edits before now. */
    fetchAnew: ask,
  };
}

const SETTLING = 100; // ms without another change of the selection
