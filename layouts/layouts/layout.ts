// The types of a layout, as in layout.schema.json.

import type { UsualDelimiter } from "../../pipeline/model/dialect.ts";
import type { LayoutEncoding } from "./character-sets.ts";
import type { Usage } from "./cobol-numbers.ts";
import type { Sign } from "./signs.ts";
import type { Disambiguation } from "./time-zones.ts";

/** Counts in bytes; the first byte of a record is 1. */
export interface Place {
  start: number;
  length: number;
}

/** Holds with a `usage` the bytes of a packed or binary number instead of characters. */
export interface NumberPlace extends Place {
  usage?: Usage;
}

export interface Filling {
  pad?: string;
  justify?: "left" | "right";
}

export interface Control extends Place, Filling {
  constant?: string;
}

export interface LayoutField extends Partial<NumberPlace>, Filling {
  name: string;
  /** National characters of COBOL, in a record of any encoding. */
  encoding?: "utf-16be";
  constant?: string;
  format?: string;
  pivot?: number;
  zone?: string;
  disambiguation?: Disambiguation;
  decimals?: number;
  sign?: Sign;
  digits?: number;
  /** COBOL's PICTURE of a number that is edited for printing. */
  picture?: string;
  null?: string | readonly string[];
  values?: Readonly<Record<string, string>>;
  skip?: boolean;
}

export const ACTIONS = ["add", "change", "delete"] as const;
export type Action = (typeof ACTIONS)[number];
export type ActionCodes = Partial<Record<Action, string | readonly string[]>>;

/** The day that the file is about, which may be so many days before or after today in the zone. */
export interface BusinessDate extends Place, Filling {
  format: string;
  pivot?: number;
  zone: string;
  days: number;
  constant?: undefined;
}

export const CONTROLS = ["sender", "fileId", "sequence", "businessDate"] as const;
export type ControlName = (typeof CONTROLS)[number];

export type Header = { type: string; businessDate?: BusinessDate } & Partial<Record<Exclude<ControlName, "businessDate">, Control>>;

export interface Trailer {
  type: string;
  count?: NumberPlace & { of?: "detail" | "all" };
  /** `type`: the detail records whose field is added up; default: those of `detail`. */
  totals?: readonly (NumberPlace & { of: string; type?: string })[];
}

/** Bytes before each record that say how long it is. Those of GnuCOBOL are its COB_VARSEQ_FORMAT. */
export const RECORD_FORMATS = [
  "rdw",
  "bdw+rdw",
  "sdw",
  "bdw+sdw",
  "rdw-little-endian",
  "gnucobol-0",
  "gnucobol-1",
  "gnucobol-2",
  "gnucobol-3",
] as const;
export type RecordFormat = (typeof RECORD_FORMATS)[number];

/** OCCURS DEPENDING ON. Places of a layout count the bytes of a record in which the table is full. */
export interface VariableTable extends Place {
  /** `length` is that of one item. */
  max: number;
  dependingOn: NumberPlace;
  /** Says whether what stands behind the table moves up when it is not full. Default: true. */
  slides?: boolean;
}

/**
 * OCCURS whose items are records of a collection of their own. A field within the first item stands in every item, a field outside of
 * the table is the same for all of them, such as the parent's key.
 */
export interface ItemRecords extends Place {
  collection: string;
  /** `length` is that of one item. */
  max: number;
  fields: readonly LayoutField[];
  /** A field without which an item is none. An item of nothing but blanks or bytes 00 is none either. */
  presentBy?: string;
  /** The field by which an item of a record is known when it comes again. Without it a unique field, else its place. */
  key?: string;
  /** Holds what becomes of stored items that a record has no more. Kept, where a file brings only what is new. Default: deleted. */
  gone?: "deleted" | "kept";
  /** The collection of the records that the items belong to. Not in the file: `selectDetail` says it. */
  owner?: string;
}

export interface Detail {
  type?: string;
  /** The bytes that a record has at least, where it may be shorter than others. */
  minLength?: number;
  fields: readonly LayoutField[];
  occurs?: readonly VariableTable[];
  children?: readonly ItemRecords[];
  /** Its records are the items of this table. Not in the file: `selectDetail` says it. */
  table?: ItemRecords;
}

export interface OtherDetail extends Detail {
  type: string;
  collection: string;
  action?: Place & ActionCodes;
}

export interface FixedLayout {
  kind: "fixed";
  title?: string;
  collection: string;
  encoding?: LayoutEncoding;
  encodingIsSure?: boolean;
  recordLength: number;
  lineEnd: "none" | "lf" | "crlf" | "nl";
  trimmed?: boolean;
  recordFormat?: RecordFormat;
  recordType?: Place;
  header?: Header;
  detail: Detail;
  trailer?: Trailer;
  /** Other kinds of detail records, each for a collection of its own. They count for the trailer like those of `detail`. */
  otherDetails?: readonly OtherDetail[];
  ignoredTypes?: readonly string[];
  action?: Place & ActionCodes;
}

/** A cell of a header or trailer in a delimited file; the first column is 1. */
export interface ColumnControl {
  column: number;
  constant?: string;
}

export interface DelimitedLayout {
  kind: "delimited";
  title?: string;
  collection: string;
  encoding?: LayoutEncoding;
  encodingIsSure?: boolean;
  delimiter?: UsualDelimiter;
  quote?: '"' | "'" | "none";
  headingLine?: number;
  columns?: readonly (string | null)[];
  /** With it the first column says what a record is. */
  detail?: { type: string };
  header?: { type: string } & Partial<Record<ControlName, ColumnControl>>;
  trailer?: { type: string; count?: ColumnControl & { of?: "detail" | "all" }; totals?: readonly (ColumnControl & { of: string })[] };
  ignoredTypes?: readonly string[];
  action?: { column: string | number } & ActionCodes;
}

export type Layout = FixedLayout | DelimitedLayout;

/** COBOL's names for a field that is one byte over and over; `pad` and `null` may be one of them. */
const FIGURATIVE: Readonly<Record<string, number>> = { "LOW-VALUES": 0x00, "HIGH-VALUES": 0xff };

/** Returns the byte of a figurative constant; undefined for other text. A single NUL means LOW-VALUES, too. */
export function figurativeByte(text: string | undefined): number | undefined {
  return text === "\u0000" ? 0 : FIGURATIVE[text ?? ""];
}

/** Returns the figurative constant that fills these bytes. One byte FF may also be a letter. */
export function figurativeOf(bytes: Uint8Array): string | undefined {
  const [first] = bytes;
  if (first !== 0x00 && (first !== 0xff || bytes.length === 1)) return undefined;
  return bytes.every((byte) => byte === first) ? (first === 0 ? "LOW-VALUES" : "HIGH-VALUES") : undefined;
}

/** An action or a null marker has no code, one code or a list of codes. */
export function codesOf(code: string | readonly string[] | undefined): readonly string[] {
  return code === undefined ? [] : [code].flat();
}
