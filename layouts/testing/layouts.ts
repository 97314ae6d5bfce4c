// Layouts and files of customers and employees in every encoding, for tests.

import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import customersPackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import employeesPackage from "../../core/dictionary/employees.example.json" with { type: "json" };
import { FileError } from "../../pipeline/model/file-error.ts";
import { openFixed } from "../formats/read-fixed.ts";
import { FixedWriter } from "../formats/write-fixed.ts";
import { createCodec, type LayoutEncoding } from "../layouts/character-sets.ts";
import type { Action, FixedLayout } from "../layouts/layout.ts";

export const customers = firstOf(customersPackage);
export const employees = firstOf(employeesPackage);

function firstOf(dataPackage: unknown): Collection {
  const read = readDataPackage(dataPackage);
  const collection = "collections" in read ? read.collections[0] : undefined;
  if (!collection) throw new Error("A data package of the tests is wrong.");
  return collection;
}

/** Records of 64 bytes with header and trailer. The trailer has a count and a total of the object ids. */
export function customersLayout(change: Partial<FixedLayout> = {}): FixedLayout {
  return {
    kind: "fixed",
    collection: "customers",
    encoding: "utf-8",
    recordLength: 64,
    lineEnd: "lf",
    recordType: { start: 1, length: 1 },
    header: {
      type: "H",
      sender: { start: 2, length: 8, constant: "HOST1" },
      fileId: { start: 10, length: 8 },
      sequence: { start: 18, length: 6 },
    },
    detail: {
      type: "D",
      fields: [
        { name: "objectId", start: 2, length: 10, null: "0000000000" },
        { name: "firstName", start: 12, length: 20 },
        { name: "lastName", start: 32, length: 20 },
        { name: "accountID", start: 52, length: 10 },
      ],
    },
    trailer: {
      type: "T",
      count: { start: 2, length: 9 },
      totals: [{ of: "objectId", start: 11, length: 10 }],
    },
    ...change,
  };
}

/** Every encoding with line ends that its systems use. */
export const ENCODINGS_AND_LINE_ENDS: readonly [LayoutEncoding, FixedLayout["lineEnd"]][] = [
  ["utf-8", "lf"],
  ["utf-8", "crlf"],
  ["iso-8859-1", "none"],
  ["windows-1252", "crlf"],
  ["cp037", "none"],
  ["cp037", "nl"],
  ["cp500", "lf"],
  ["cp500", "nl"],
  ["cp1047", "nl"],
  ["cp1140", "none"],
  ["cp1141", "lf"],
];

export type FieldTexts = Record<string, string>;

export const THREE_CUSTOMERS: readonly FieldTexts[] = [
  { objectId: "100482", firstName: "Märta", lastName: "Ångström", accountID: "00071-A" },
  { objectId: "7", firstName: "", lastName: "O'Neill", accountID: "00072" },
  { objectId: "9000000001", firstName: "José", lastName: "Núñez", accountID: "A" },
];

/** Header, details and trailer. */
export function recordsOf(
  layout: FixedLayout,
  rows: readonly FieldTexts[] = THREE_CUSTOMERS,
  actions: readonly Action[] = [],
): Uint8Array[] {
  const writer = new FixedWriter(layout, customers);
  const records = [writer.header({ fileId: "CUST", sequence: "42" }), ...rows.map((texts, i) => writer.detail(texts, actions[i]))];
  return [...records, writer.trailer()].filter(({ length }) => length > 0);
}

export function fileOf(...parts: readonly Uint8Array[]): Blob {
  return new Blob(parts.map((part) => new Uint8Array(part)));
}

/** A file of three customers that a test can break. `at`: the byte offset of a record by its number. */
export interface EditableFile {
  layout: FixedLayout;
  records: Uint8Array[];
  at(number: number): number;
  put(record: number, start: number, text: string): void;
}

export function editableFile(encoding: FixedLayout["encoding"], lineEnd: FixedLayout["lineEnd"]): EditableFile {
  const layout = customersLayout({ lineEnd, ...(encoding && { encoding }) });
  const records = recordsOf(layout).map((record) => new Uint8Array(record));
  const codec = createCodec(layout.encoding ?? "utf-8");
  return {
    layout,
    records,
    at: (number) => (number - 1) * (records[0]?.length as number),
    put: (record, start, text) => records[record - 1]?.set(codec.encode(text) as Uint8Array, start - 1),
  };
}

export interface Reading {
  rows: string[][];
  /** The number of each record, where it begins, and where the next one begins. */
  places: [number: number, offset: number, end: number][];
  malformed: [row: number, why: string][];
  actions: (Action | undefined)[];
  refused: string | undefined;
}

/** Reads the file to its end, or until it is refused. */
export async function readAll(file: Blob, layout: FixedLayout, collection = customers): Promise<Reading> {
  const reading: Reading = { rows: [], places: [], malformed: [], actions: [], refused: undefined };
  try {
    for await (const { rows, first, lines, offsets, ends, malformed, actions } of openFixed(file, layout, collection).openRows()) {
      for (const [i, why] of malformed) reading.malformed.push([first + i, String(why)]);
      for (const [i, line] of lines.entries()) reading.places.push([line, offsets[i] as number, ends[i] as number]);
      reading.rows.push(...rows);
      reading.actions.push(...actions);
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    reading.refused = error.message;
  }
  return reading;
}
