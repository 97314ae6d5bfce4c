// The first records of a file, field by field: the bytes, the text that is read from them, and what is wrong with it.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { FixedBlock, FixedFile } from "../../layouts/formats/read-fixed.ts";
import type { RawRecord } from "../../layouts/formats/split-records.ts";
import { dumpOf } from "../../layouts/layouts/cobol-numbers.ts";
import { openCell, placeOf } from "../../layouts/layouts/field-codec.ts";
import type { Action, FixedLayout, LayoutField } from "../../layouts/layouts/layout.ts";
import { inItem } from "../../layouts/layouts/variable-table.ts";
import { createRowValidator, loadForms, type ValidateRow } from "../../pipeline/checking/validate-row.ts";
import { rowsOf } from "../../pipeline/containers/row-source.ts";
import type { RowProblem } from "../../pipeline/model/plan.ts";
import type { RowBlock } from "../../pipeline/reading/csv-rows.ts";
import { printable } from "../console/printable.ts";
import { fileWords } from "../console/problem-words.ts";
import { type Reading, ROW_MODES } from "./choose-reader.ts";
import type { Source } from "./source-file.ts";

/** One field of a record as it is read. */
export interface FieldView {
  /** The field of the collection; null for a column that is not used. */
  name: string | null;
  /** Holds what the file calls it, where it says that. */
  heading: string | undefined;
  /** Says where it is in the record; the first byte is 1. Undefined where the file has no fixed places. */
  place: { start: number; length: number } | undefined;
  bytes: Uint8Array | undefined;
  /** Holds what the cell of an upload would have; empty for no value. */
  text: string;
  problem: string | undefined;
}

export interface RecordView {
  /** Holds the number of the record in a fixed-width file, in any other the line or row. */
  number: number;
  /** Counts bytes from 0; undefined where the file has no fixed places. */
  offset: number | undefined;
  action: Action | undefined;
  fields: FieldView[];
  /** Says what is wrong with the record as a whole. */
  problems: string[];
}

/** Yields at most `most` records, in the order of the file; `onlyWrong`: those with a problem. Throws FileError. */
export async function* viewRecords(
  source: Source,
  collection: Collection,
  reading: Reading,
  { most, onlyWrong = false }: { most: number; onlyWrong?: boolean },
): AsyncGenerator<RecordView> {
  const { plan, layout } = reading;
  const check: Check = {
    validate: createRowValidator(collection, plan, { readForm: await loadForms(plan, collection) }),
    words: (problem) => fileWords(problem, collection),
    onlyWrong,
  };
  const views =
    layout?.is.kind === "fixed" && layout.of.fixed
      ? viewFixed(source.file, { layout: layout.is, fixed: layout.of.fixed }, collection, check)
      : viewCells(source.file, reading, check);
  let left = most;
  if (left === 0) return;
  for await (const view of views) {
    yield view;
    if (--left === 0) return;
  }
}

interface Check {
  validate: ValidateRow;
  words: (problem: RowProblem) => string;
  onlyWrong: boolean;
}

async function* viewFixed(
  file: Blob,
  { layout, fixed }: { layout: FixedLayout; fixed: FixedFile },
  collection: Collection,
  check: Check,
): AsyncGenerator<RecordView> {
  for await (const block of fixed.openRows()) {
    for (const [i, cells] of block.rows.entries()) {
      const [offset, end, action] = [block.offsets[i] as number, block.ends[i] as number, block.actions[i]];
      const { problems, byField } = validateRow(block, i, check, action && ROW_MODES[action]);
      if (check.onlyWrong && problems.length + byField.size === 0) continue;
      const { record, cut } = fixed.openCopy(new Uint8Array(await file.slice(offset, end).arrayBuffer()));
      const textOf = (field: LayoutField) =>
        field.skip ? (openCell(field, collection, layout.encoding).cut(cut) ?? "") : (cells[block.header.indexOf(field.name)] ?? "");
      const { table } = layout.detail;
      const item = block.items[i];
      const own = table && item !== undefined ? table.fields.map((field) => inItem(field, table, item)) : layout.detail.fields;
      const fields = own.map((field) => ({
        ...placeAndBytes(field, record),
        name: field.skip ? null : field.name,
        heading: field.skip ? `${field.name} (for a total only)` : undefined,
        text: textOf(field),
        problem: field.skip ? undefined : byField.get(field.name),
      }));
      yield { number: block.lines[i] as number, offset, action, fields, problems };
    }
  }
}

function placeAndBytes({ start, length }: LayoutField, { bytes, absent = [] }: RawRecord): Pick<FieldView, "place" | "bytes"> {
  if (start === undefined || length === undefined) return { place: undefined, bytes: undefined };
  const { from, to } = placeOf({ start, length });
  const end = absent.find(([first, last]) => first < to && from < last)?.[0] ?? to; // the file has no more of it
  return { place: { start, length }, bytes: bytes.subarray(from, Math.max(from, end)) };
}

async function* viewCells(file: Blob, { plan, openRows, layout }: Reading, check: Check): AsyncGenerator<RecordView> {
  for await (const block of rowsOf({ file, plan, openRows })) {
    const actions = "actions" in block ? (block.actions as FixedBlock["actions"]) : [];
    for (const [i, cells] of block.rows.entries()) {
      const { problems, byField } = validateRow(block, i, check, block.modes?.[i]);
      if (check.onlyWrong && problems.length + byField.size === 0) continue;
      const hasHeading = layout === undefined ? plan.dialect.headingLine > 0 : block.header.length > 0;
      const fields = cells.map((text, at) => {
        const name = plan.columns[at] ?? null;
        const heading = hasHeading ? block.header[at] : undefined;
        return { name, heading, place: undefined, bytes: undefined, text, problem: name === null ? undefined : byField.get(name) };
      });
      const missing = [...byField].filter(([name]) => !fields.some((field) => field.name === name)).map(([, message]) => message);
      yield { number: block.lines[i] as number, offset: undefined, action: actions[i], fields, problems: [...problems, ...missing] };
    }
  }
}

function validateRow(
  block: RowBlock,
  i: number,
  { validate, words }: Check,
  mode: Parameters<ValidateRow>[4],
): { problems: string[]; byField: Map<string, string> } {
  const found = validate(block.first + i, block.rows[i] as string[], block.malformed.get(i), undefined, mode) ?? [];
  if (found[0]?.code === "LEFT_OUT") return { problems: [], byField: new Map() };
  const problems = found.filter(({ field }) => field === "").map(words);
  return { problems, byField: new Map(found.filter(({ field }) => field !== "").map((problem) => [problem.field, words(problem)])) };
}

const MOST_BYTES = 20;

/** Writes the bytes of a field in the notation of COBOL, cut when there are many. */
export function dumpStart(bytes: Uint8Array): string {
  return dumpOf(bytes.subarray(0, MOST_BYTES)) + (bytes.length > MOST_BYTES ? "…" : "");
}

/** @example "record 3 (byte offset 120), lastName (bytes 27–46, X'40404040'): Last name has no value, and each record needs one." */
export function describeWrong({ number, offset, fields, problems }: RecordView): string {
  const wrong = fields.find(({ problem }) => problem !== undefined);
  const record = offset === undefined ? `line ${number}` : `record ${number} (byte offset ${offset})`;
  if (!wrong || problems.length > 0) return problems[0]?.startsWith("Record ") ? problems[0] : `${record}: ${problems[0] ?? ""}`;
  const { name, place, bytes, text, problem } = wrong;
  const where = place && bytes ? ` (bytes ${place.start}–${place.start + place.length - 1}, ${dumpStart(bytes)})` : "";
  return `${record}, ${name}${where}${text === "" ? "" : ` “${printable(text.slice(0, 40))}${text.length > 40 ? "…" : ""}”`}: ${problem}`;
}
