// A block of cells of a list: selected with Shift and the arrow keys or by dragging, copied, pasted and filled down.

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { WireRecord } from "../../../../core/contract/records.ts";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import type { Field } from "../../../../core/dictionary/fields.ts";
import { t } from "../../../../core/i18n/translate.ts";
import type { CellPlace } from "../../../../pipeline/correction/correction-state.ts";
import { openedPart } from "../../../app/code/lazy-page.tsx";
import { useMay } from "../../../app/services/permissions.ts";
import { useServices } from "../../../app/services/services.ts";
import { idOf } from "../../../service/records.ts";
import * as buttonStyles from "../../../ui/button.module.css";
import { keyName } from "../../../ui/keyboard/key-name.ts";
import { useShortcuts } from "../../../ui/keyboard/shortcuts.ts";
import * as textStyles from "../../../ui/text.module.css";
import { type Block, blockOf, isWithin, sizeOf, targetOf } from "../../../values/cell-block.ts";
import { fromClipboard, toClipboard } from "../../../values/clipboard-text.ts";
import { count, formatNumber } from "../../../values/format.ts";
import { countOf, nameOf } from "../../../values/record-name.ts";
import type { GivenChange } from "../../bulk/bulk-dialog.tsx";
import * as barStyles from "../selection-bar.module.css";
import * as styles from "./cell-block.module.css";
import { type CellEvents, focusedRow, focusRow, listenToCells, rowElements } from "./cell-events.ts";
import { cellText, type PastedValues, readPasted } from "./pasted-values.ts";

const BulkDialog = openedPart(() => import("../../bulk/bulk-dialog.tsx"), "BulkDialog");

interface CellBlockProps {
  collection: Collection;
  columns: readonly Field[];
  records: readonly WireRecord[];
}

interface Selected {
  at: CellPlace;
  from: CellPlace;
}

export function CellBlock({ collection, columns, records }: CellBlockProps) {
  const { keys } = useServices();
  const mayUpdate = useMay(collection)("update") ?? false;
  const [selected, setSelected] = useState<Selected>();
  const [pasted, setPasted] = useState<PastedValues>();
  const [outcome, setOutcome] = useState("");
  const place = useRef<HTMLSpanElement>(null);
  const block = selected && blockOf(selected.at, selected.from, columns.length);
  const cells = { collection, columns, records };
  useCleared(cells, () => setSelected(undefined));
  useMarks(block);

  function go(from: CellPlace, at: CellPlace): void {
    setSelected({ from, at });
    setOutcome("");
    if (focusedRow() !== at.index) focusRow(at.index);
  }

  function textsOf({ rows, fields }: Block): string[][] {
    const shown = columns.slice(fields[0], fields[1] + 1);
    return records.slice(rows[0], rows[1] + 1).map((record) => shown.map((field) => cellText(record, field)));
  }

  /** A block of one row has what stands above it, as in a spreadsheet. */
  function fillDown(): boolean {
    if (!block || !mayUpdate) return false;
    const [first, last] = block.rows;
    const from = first === last ? Math.max(0, first - 1) : first;
    setPasted(readPasted(cells, { ...block, rows: [from, last] }, textsOf({ ...block, rows: [from, from] })));
    return true;
  }

  const clear = () => {
    setSelected(undefined);
    return selected !== undefined;
  };
  const within = ({ index, field }: CellPlace): CellPlace => ({
    index: Math.min(records.length - 1, Math.max(0, index)),
    field: Math.min(columns.length - 1, Math.max(0, field)),
  });
  const step = ({ index, field }: CellPlace, rows: number, fields: number) => within({ index: index + rows, field: field + fields });
  const events: CellEvents = {
    extend(rows, fields) {
      const from = selected?.from ?? { index: focusedRow(), field: 0 };
      go(from, selected || rows !== 0 ? step(selected?.at ?? from, rows, fields) : from);
    },
    move(rows, fields) {
      if (selected) go(step(selected.at, rows, fields), step(selected.at, rows, fields));
      return selected !== undefined;
    },
    select: go,
    clear,
    fillDown,
  };
  useListening(place, events);
  useClipboard({
    isActive: block !== undefined,
    copied: () => {
      if (!block) return "";
      const n = sizeOf(block);
      setOutcome(count(n, "{n} cell copied.", "{n} cells copied."));
      return toClipboard(textsOf(block));
    },
    paste(text) {
      const texts = fromClipboard(text);
      if (block && mayUpdate) setPasted(readPasted(cells, targetOf(block, texts), texts));
    },
  });
  const handledByCell = () => false; // listenToCells acts on them; the help lists them
  useShortcuts(keys, { selectCells: handledByCell, fillDown: mayUpdate ? handledByCell : undefined });

  return (
    <>
      <span ref={place} hidden />
      {block && (
        <BlockBar
          words={outcome || describe(cells, block)}
          onCopy={() => document.execCommand("copy")}
          onFillDown={mayUpdate ? fillDown : undefined}
          onClear={clear}
        />
      )}
      {pasted && (
        <BulkDialog
          collection={collection}
          verb="change"
          given={givenChange(collection, pasted)}
          selection={new Map(records.filter((one) => pasted.changes.has(idOf(collection, one))).map((one) => [idOf(collection, one), one]))}
          onSelect={() => {}}
          onClose={() => setPasted(undefined)}
        />
      )}
    </>
  );
}

interface BlockBarProps {
  words: string;
  onCopy: () => void;
  onFillDown: (() => void) | undefined;
  onClear: () => void;
}

function BlockBar({ words, onCopy, onFillDown, onClear }: BlockBarProps) {
  return (
    <section className={barStyles.bar} data-selection-bar="" aria-label={t("Selected cells")}>
      <span role="status" className={styles.cell}>
        {words}
      </span>
      <span className={textStyles.hint}>{onFillDown && t("Paste with {keys}.", { keys: keyName("Mod+v") })}</span>
      <span className={barStyles.actions}>
        <button type="button" onClick={onCopy}>
          {t("Copy")}
        </button>
        {onFillDown && (
          <button type="button" onClick={onFillDown}>
            {t("Fill down")}
          </button>
        )}
        <button type="button" className={buttonStyles.quiet} onClick={onClear}>
          {t("Clear")}
        </button>
      </span>
    </section>
  );
}

/** One cell is read out with its value; of more it is said how many there are. */
function describe({ columns, records }: CellBlockProps, block: Block): string {
  const n = sizeOf(block);
  const [record, field] = [records[block.rows[0]], columns[block.fields[0]]];
  if (n > 1 || !record || !field) return count(n, "{n} cell selected", "{n} cells selected");
  return `${field.title}: ${cellText(record, field) || t("empty")}`;
}

const MOST_NAMES = 5;

/** Says in parentheses where the cells are. */
function namesOf(collection: Collection, records: readonly WireRecord[]): string {
  const names = [...new Set(records.map((record) => nameOf(collection, record)))];
  const more = names.length - MOST_NAMES;
  return `(${[...names.slice(0, MOST_NAMES), ...(more > 0 ? [t("and {n} more", { n: formatNumber(more) })] : [])].join(", ")})`;
}

function givenChange(collection: Collection, { changes, refused, beyondRows, beyondColumns }: PastedValues): GivenChange {
  const cells = [...changes.values()].reduce((sum, values) => sum + Object.keys(values).length, 0);
  const notes = [
    ...[...refused].map(([why, of]) =>
      [count(of.length, "{n} cell stays as it is.", "{n} cells stay as they are."), why, namesOf(collection, of)].join(" "),
    ),
    ...(beyondRows > 0 ? [count(beyondRows, "{n} row did not fit.", "{n} rows did not fit.")] : []),
    ...(beyondColumns > 0 ? [count(beyondColumns, "{n} column did not fit.", "{n} columns did not fit.")] : []),
  ];
  return {
    values: (id) => changes.get(id) ?? {},
    note: (
      <div className={textStyles.note}>
        <p>
          {count(cells, "{n} cell changes in {records}.", "{n} cells change in {records}.", { records: countOf(collection, changes.size) })}
        </p>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    ),
  };
}

/** The cells of other rows or columns are others. */
function useCleared({ collection, columns, records }: CellBlockProps, clear: () => void): void {
  const shown = [...records.map((record) => idOf(collection, record)), ...columns.map(({ name }) => name)].join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other cells are when to clear
  useEffect(clear, [shown]);
}

/** Marks the cells in the page itself: no row has to be drawn anew. */
function useMarks(block: Block | undefined): void {
  useLayoutEffect(() => {
    if (!block) return;
    const edgesOf = (index: number, field: number) =>
      [
        index === block.rows[0] && "top",
        index === block.rows[1] && "bottom",
        field === block.fields[0] && "start",
        field === block.fields[1] && "end",
      ].filter(Boolean);
    const marked = rowElements().flatMap((row, index) =>
      [...row.querySelectorAll<HTMLElement>(":scope > [data-at]")].filter((cell) => {
        const field = Number(cell.dataset.at);
        const isIn = isWithin(block, { index, field });
        if (isIn) cell.dataset.block = edgesOf(index, field).join(" ");
        return isIn;
      }),
    );
    return () => {
      for (const cell of marked) delete cell.dataset.block;
    };
  });
}

function useListening(place: React.RefObject<HTMLElement | null>, events: CellEvents): void {
  const latest = useRef(events);
  latest.current = events;
  useEffect(() => {
    const main = place.current?.closest("main");
    return main ? listenToCells(main, () => latest.current) : undefined;
  }, [place]);
}

/** Copies and pastes where no text is selected or typed. */
function useClipboard(acts: { isActive: boolean; copied: () => string; paste: (text: string) => void }): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const isElsewhere = ({ target }: Event) =>
      !latest.current.isActive ||
      (target instanceof Element && target.closest("input, textarea, select, dialog") !== null) ||
      getSelection()?.isCollapsed === false;
    const copy = (event: ClipboardEvent) => {
      if (isElsewhere(event)) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", latest.current.copied());
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text === "" || isElsewhere(event)) return;
      event.preventDefault();
      latest.current.paste(text);
    };
    document.addEventListener("copy", copy);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("paste", paste);
    };
  }, []);
}
