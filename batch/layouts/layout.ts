// The types of a layout, as in layout.schema.json.

import type { UsualDelimiter } from "../../pipeline/model/dialect.ts";
import type { LayoutEncoding } from "./character-sets.ts";
import type { Usage } from "./cobol-numbers.ts";

/** In bytes; the first byte of a record is 1. */
export interface Place {
  start: number;
  length: number;
}

/** With a `usage`, the bytes hold a packed or binary number instead of characters. */
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
  constant?: string;
  format?: string;
  zone?: string;
  decimals?: number;
  sign?: "overpunch";
  digits?: number;
  null?: string | readonly string[];
  values?: Readonly<Record<string, string>>;
  skip?: boolean;
}

export const ACTIONS = ["add", "change", "delete"] as const;
export type Action = (typeof ACTIONS)[number];
export type ActionCodes = Partial<Record<Action, string | readonly string[]>>;

export const CONTROLS = ["sender", "fileId", "sequence"] as const;
export type ControlName = (typeof CONTROLS)[number];

export type Header = { type: string } & Partial<Record<ControlName, Control>>;

export interface Trailer {
  type: string;
  count?: NumberPlace & { of?: "detail" | "all" };
  totals?: readonly (NumberPlace & { of: string })[];
}

export interface FixedLayout {
  kind: "fixed";
  title?: string;
  collection: string;
  encoding?: LayoutEncoding;
  recordLength: number;
  lineEnd: "none" | "lf" | "crlf" | "nl";
  trimmed?: boolean;
  recordType?: Place;
  header?: Header;
  detail: { type?: string; fields: readonly LayoutField[] };
  trailer?: Trailer;
  ignoredTypes?: readonly string[];
  action?: Place & ActionCodes;
}

export interface DelimitedLayout {
  kind: "delimited";
  title?: string;
  collection: string;
  encoding?: LayoutEncoding;
  delimiter?: UsualDelimiter;
  quote?: '"' | "'" | "none";
  headingLine?: number;
  columns?: readonly (string | null)[];
  action?: { column: string | number } & ActionCodes;
}

export type Layout = FixedLayout | DelimitedLayout;

/** An action or a null marker has no code, one code or a list of codes. */
export function codesOf(code: string | readonly string[] | undefined): readonly string[] {
  return code === undefined ? [] : [code].flat();
}
