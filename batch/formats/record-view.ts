// The first records of a file, field by field: the bytes, the text that is read from them, and what is wrong with it.

import type { Collection } from "../../core/dictionary/collections.ts";
import { createRowValidator, loadForms, type ValidateRow } from "../../pipeline/checking/validate-row.ts";
import { rowsOf } from "../../pipeline/containers/row-source.ts";
import type { RowBlock } from "../../pipeline/reading/csv-rows.ts";
import { openCell, placeOf } from "../layouts/field-codec.ts";
import type { Action, FixedLayout, LayoutField } from "../layouts/layout.ts";
import { type Reading, ROW_MODES } from "./choose-reader.ts";
import type { FixedBlock, FixedFile } from "./read-fixed.ts";
import type { Source } from "./source-file.ts";
import type { RawRecord } from "./split-records.ts";

/** One field of a record as it is read. */
export interface FieldView {
  /** The field of the collection; null for a column that is not used. */
  name: string | null;
  /** What the file calls it, where it says that. */
  heading: string | undefined;
  /** Where it is in the record; the first byte is 1. Undefined where the file has no fixed places. */
  place: { start: number; length: number } | undefined;
  bytes: Uint8Array | undefined;
  /** As the cell of an upload would have it; empty for no value. */
  text: string;
  problem: string | undefined;
}

export interface RecordView {
  /** Of a fixed-width file the number of the record, of any other the line or row. */
  number: number;
  /** In bytes from 0; undefined where the file has no fixed places. */
  offset: number | undefined;
  action: Action | undefined;
  fields: FieldView[];
  /** Of the record as a whole. */
  problems: string[];
}

/** At most `most` records, in the order of the file. Throws FileError. */
export async function* viewRecords(source: Source, collection: Collection, reading: Reading, most: number): AsyncGenerator<RecordView> {
  const { plan, layout } = reading;
  const validate = createRowValidator(collection, plan, { readForm: await loadForms(plan) });
  const views =
    layout?.is.kind === "fixed" && layout.of.fixed
      ? viewFixed(source.file, { layout: layout.is, fixed: layout.of.fixed }, collection, validate)
      : viewCells(source.file, reading, validate);
  let left = most;
  if (left === 0) return;
  for await (const view of views) {
    yield view;
    if (--left === 0) return;
  }
}

async function* viewFixed(
  file: Blob,
  { layout, fixed }: { layout: FixedLayout; fixed: FixedFile },
  collection: Collection,
  validate: ValidateRow,
): AsyncGenerator<RecordView> {
  for await (const block of fixed.openRows()) {
    for (const [i, cells] of block.rows.entries()) {
      const [offset, end, action] = [block.offsets[i] as number, block.ends[i] as number, block.actions[i]];
      const { record, cut } = fixed.openCopy(new Uint8Array(await file.slice(offset, end).arrayBuffer()));
      const { problems, byField } = validateRow(block, i, validate, action && ROW_MODES[action]);
      const textOf = (field: LayoutField) =>
        field.skip ? (openCell(field, collection, layout.encoding).cut(cut) ?? "") : (cells[block.header.indexOf(field.name)] ?? "");
      const fields = layout.detail.fields.map((field) => ({
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

async function* viewCells(file: Blob, { plan, openRows, layout }: Reading, validate: ValidateRow): AsyncGenerator<RecordView> {
  for await (const block of rowsOf({ file, plan, openRows })) {
    const actions = "actions" in block ? (block.actions as FixedBlock["actions"]) : [];
    for (const [i, cells] of block.rows.entries()) {
      const { problems, byField } = validateRow(block, i, validate, block.modes?.[i]);
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
  validate: ValidateRow,
  mode: Parameters<ValidateRow>[4],
): { problems: string[]; byField: Map<string, string> } {
  const found = validate(block.first + i, block.rows[i] as string[], block.malformed.get(i), undefined, mode) ?? [];
  const problems = found.filter(({ field }) => field === "").map(({ message }) => message);
  return { problems, byField: new Map(found.filter(({ field }) => field !== "").map(({ field, message }) => [field, message])) };
}
