// Holds what the API says of stored records that break rules of today.

import type { Principal } from "./principals.ts";
import type { WireRecord } from "./records.ts";

/**
 * Names as a data package has them. "characters": a line break where the field takes one line. "foreignKey": the parent does not agree (`where`).
 * "requiredIf" and "choicesIf" are conditions over the whole record.
 */
export const CONSTRAINTS = [
  "required",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "pattern",
  "format",
  "decimals",
  "enum",
  "characters",
  "foreignKey",
  "requiredIf",
  "choicesIf",
] as const;
export type Constraint = (typeof CONSTRAINTS)[number];

/** Counts the stored records that break rules of today, and lists them. */
export function violationsPath(collection: string): string {
  return `/${collection}/violations`;
}

/** One constraint of a field that a record breaks, or a rule of its collection, which stands at its first field. */
export type Broken = { constraint: Constraint; rule?: never; field: string } | { rule: string; constraint?: never; field: string };

/**
 * Stored records that break one constraint of a field, or one rule of the collection. `exceptions`: how many others do so on purpose. `since`: the
 * day (YYYY-MM-DD in UTC) since which each count found some, if one did.
 */
export type ViolationCount = Broken & { count: number; exceptions?: number; since?: string };

export interface ViolationCounts {
  /** Has only what some record breaks, in the order of the fields. A rule stands at the first of its fields. */
  rules: ViolationCount[];
  /** All values were read. Otherwise there may be more than was counted. */
  complete: boolean;
}

/** The records that break one of them, in the order of their keys. */
export interface ViolationPage {
  records: WireRecord[];
  /** The cursor of the next page, if there may be one. */
  next: string | undefined;
  /** Has one for each record where exceptions were asked for. */
  exceptions: Exception[];
}

/** A record that breaks a rule on purpose. It ends when a field that the rule reads changes. */
export interface Exception {
  id: number;
  /** Is empty where a warning was confirmed with a write. */
  reason: string;
  /** RFC 3339 UTC with ms. */
  at: string;
  by: Principal;
}

/** The counts of one day in UTC (YYYY-MM-DD), only of what some record broke. */
export interface ViolationDay {
  day: string;
  rules: ViolationCount[];
}

export const TREND_DAYS = 90;

export const MOST_REASON = 500; // characters

/** Leaves a record as it is though it breaks a rule. */
export function exceptionPath(collection: string, rule: string, id: number | string): string {
  return `${violationsPath(collection)}/${rule}/exceptions/${id}`;
}

export function isConstraint(text: string): text is Constraint {
  return (CONSTRAINTS as readonly string[]).includes(text);
}
