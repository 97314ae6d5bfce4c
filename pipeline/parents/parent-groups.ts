// The parents that are missing as the page shows them: in groups, with what was decided about each.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { closestAlone } from "../../core/text/similarity.ts";
import type { ParentRule } from "../model/corrections.ts";
import type { Plan } from "../model/plan.ts";
import type { FindNear } from "../sending/responses.ts";
import { columnsOfParent, lackingFields } from "./create-parents.ts";
import type { MissingParents, ParentColumn } from "./find-missing.ts";

/** A stored parent that a value may mean. */
export interface NearParent {
  key: number;
  /** The values of its label, and the value by which the file would have to name it. */
  record: Fields;
  value: Value;
}

export interface MissingValue {
  text: string;
  rows: number;
  to: ParentRule["to"] | undefined;
  near: NearParent | undefined;
  /** Says in a sentence why it cannot be created. */
  refused: string | undefined;
}

/** Parents of one column that are not there. Its counts are of values, but for `rows`. */
export interface ParentGroup {
  field: string;
  title: string;
  /** The name of the parent's collection. */
  parent: string;
  distinct: number;
  rows: number;
  /** Rows of values about which nothing was decided. */
  openRows: number;
  /** Counts the values that are decided so; of those that are created, without those that the service would refuse. */
  created: number;
  mapped: number;
  leftOut: number;
  /** Values that are beyond those that are kept. */
  more: number;
  /** The first values, those of most rows first. */
  examples: readonly { text: string; rows: number }[];
  /** They can be created: the file says all that the dictionary requires, and whoever uploads may. */
  mayCreate: boolean;
  /** The titles of what the file would have to say. */
  lacking: readonly string[];
  /** The titles of what a new parent gets out of the file. */
  gets: readonly string[];
  /** Values with a proposal that nobody has answered. */
  proposed: number;
  /** Parents that were chosen and that the service would refuse, by its reasons. */
  refused: readonly { reason: string; values: number; example: string }[];
}

/** Holds what is known of the parents that a file lacks. */
export interface KnownMissing {
  all: readonly MissingParents[];
  /** Both go by field, then by text. */
  near: ReadonlyMap<string, ReadonlyMap<string, NearParent>>;
  refused: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export const NOTHING_MISSING: KnownMissing = { all: [], near: new Map(), refused: new Map() };

const SHOWN = 5; // values

export function parentGroups(known: KnownMissing, collection: Collection, plan: Plan): ParentGroup[] {
  return known.all.flatMap((missing) => (missing.values.size > 0 ? [groupOf(missing, known, collection, plan)] : []));
}

function groupOf(missing: MissingParents, known: KnownMissing, collection: Collection, plan: Plan): ParentGroup {
  const { column, more } = missing;
  const values = missingValues(missing, known, plan);
  const lacking = lackingFields(column, collection, plan.columns);
  const count = (is: (value: MissingValue) => boolean) => values.filter(is).length;
  const rowsOf = (some: readonly MissingValue[]) => some.reduce((sum, { rows }) => sum + rows, 0);
  const reasons = new Map<string, { reason: string; values: number; example: string }>();
  for (const { text, refused: reason, to } of values) {
    if (reason === undefined || to !== "new") continue;
    const group = reasons.get(reason) ?? { reason, values: 0, example: text };
    group.values++;
    reasons.set(reason, group);
  }
  return {
    field: column.field.name,
    title: column.field.title,
    parent: column.collection.name,
    distinct: values.length,
    rows: rowsOf(values),
    openRows: rowsOf(values.filter(({ to }) => to === undefined)),
    created: count(({ to, refused }) => to === "new" && refused === undefined),
    mapped: count(({ to }) => typeof to === "number"),
    leftOut: count(({ to }) => to === null),
    more,
    examples: values.slice(0, SHOWN).map(({ text, rows }) => ({ text, rows })),
    mayCreate: column.mayCreate && lacking.length === 0,
    lacking: column.mayCreate ? lacking : [],
    gets: columnsOfParent(column, collection, plan.columns).map(({ field }) => field.title),
    proposed: count(({ to, near }) => to === undefined && near !== undefined),
    refused: [...reasons.values()],
  };
}

/** Lists those of most rows first; of equal ones in the order of the file. */
export function missingValues({ column, values }: MissingParents, { near, refused }: KnownMissing, { fixes }: Plan): MissingValue[] {
  const { name } = column.field;
  const rules = new Map(fixes?.parents?.flatMap(({ field, from, to }) => (field === name ? [[from, to] as const] : [])));
  const all = [...values].map(([text, { rows }]): MissingValue => {
    return { text, rows, to: rules.get(text), near: near.get(name)?.get(text), refused: refused.get(name)?.get(text) };
  });
  return all.sort((a, b) => b.rows - a.rows);
}

const MOST_ASKED = 50; // values of one column: nobody compares more by eye

/** Looks for stored parents whose value is nearly the same. Numbers in a text must be the same, because another one is another parent. */
export async function findNear(
  missing: MissingParents,
  ask: FindNear,
  signal: AbortSignal,
  before: ReadonlyMap<string, NearParent> = new Map(),
): Promise<Map<string, NearParent>> {
  const { column, values } = missing;
  const found = new Map<string, NearParent>();
  const most = [...values].sort(([, a], [, b]) => b.rows - a.rows).slice(0, MOST_ASKED);
  for (const [text] of most) {
    if (signal.aborted) break;
    const near = before.get(text) ?? nearest(text, column, await ask(column.collection, column.by, text, signal));
    if (near) found.set(text, near);
  }
  return found;
}

function nearest(text: string, { collection, by }: ParentColumn, records: readonly Fields[]): NearParent | undefined {
  const like = records.filter((record) => numbersIn(String(record[by.name])) === numbersIn(text));
  const meanings = new Map(like.map((record) => [String(record[by.name]), String(record[collection.key.name])]));
  const meant = closestAlone(text, meanings);
  const record = meant === undefined ? undefined : like.find((one) => String(one[collection.key.name]) === meant);
  return record && { key: Number(meant), record, value: record[by.name] as Value };
}

function numbersIn(text: string): string {
  return (text.match(/\d+/g) ?? []).map((digits) => digits.replace(/^0+(?=\d)/, "")).join(" ");
}
