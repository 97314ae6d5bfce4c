// Puts the texts of some selected cells into the cells beside them: the same again, or what comes after them.

import type { CellPlace, GridRow } from "../../../pipeline/correction/correction-state.ts";
import type { Block } from "../../values/cell-block.ts";
import { count } from "../../values/format.ts";
import { continueSeries } from "./continue-series.ts";
import type { Moves } from "./use-moves.ts";

export interface FillActs {
  fillDown(): void;
  /** Continues the selected rows up or down to this one, column by column. */
  fillTo(index: number): void;
  /** Continues the series that the first two selected rows begin. */
  fillSeries(): void;
}

interface FillTools {
  selected: Block;
  /** Fetches them with all edits before now: what is drawn may not yet have what was typed last. */
  fetchAnew(from: number, to: number): Promise<GridRow[]>;
  textsOf(rows: readonly GridRow[], block: Block): string[][];
  edit(texts: string[][], block: Block): Promise<unknown>;
  watchMoves: Moves["watchMoves"];
  onSelect(from: CellPlace, to: CellPlace): void;
  onOutcome(sentence: string): void;
}

export function fillActs({ selected, fetchAnew, textsOf, edit, watchMoves, onSelect, onOutcome }: FillTools): FillActs {
  const [first, last] = selected.rows;
  const textsFrom = async (from: number, to: number) => textsOf(await fetchAnew(from, to), { ...selected, rows: [from, to] });

  /** Fills below the rows `from`–`to` down to a row, or above them up to one. */
  async function fill(from: number, to: number, end: number): Promise<void> {
    const isUp = end < from;
    const rows: [number, number] = isUp ? [end, from - 1] : [to + 1, end];
    const source = await textsFrom(from, to);
    const texts = isUp ? source.reverse() : source;
    const n = rows[1] - rows[0] + 1;
    const columns = (texts[0] ?? []).map((_, i) =>
      continueSeries(
        texts.map((line) => line[i] ?? ""),
        n,
      ),
    );
    const filled = Array.from({ length: n }, (_, i) => columns.map((column) => column[i] ?? ""));
    await edit(isUp ? filled.reverse() : filled, { ...selected, rows });
  }

  return {
    async fillDown() {
      await edit(await textsFrom(first, first), selected);
    },
    async fillTo(index) {
      if (index >= first && index <= last) return;
      const hasMoved = watchMoves();
      await fill(first, last, index);
      const [from, to] = selected.fields;
      if (!hasMoved()) onSelect({ index: Math.min(first, index), field: from }, { index: Math.max(last, index), field: to });
      const n = (to - from + 1) * (index > last ? index - last : first - index);
      onOutcome(count(n, "{n} cell filled.", "{n} cells filled."));
    },
    async fillSeries() {
      await fill(first, first + 1, last);
    },
  };
}
