// Decides what a merged record gets unless somebody chooses otherwise.

import { MOST_MERGED } from "../../../core/contract/merges.ts";
import { isIdText } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { readFileValue } from "../../../core/dictionary/files.ts";
import { type Item, isSame, itemsOf, KIND_TRAITS, type Value } from "../../../core/dictionary/kinds.ts";
import { idOf } from "../../service/records.ts";
import { textOf } from "../../values/field-text.ts";
import { fieldValue } from "../../values/field-value.ts";

/** The value of a field comes from the record with this key, or is all values together. */
export type Pick = number | "all";

/** Field → from where its value comes. */
export type Picks = Readonly<Record<string, Pick>>;

/** Returns the keys that an address names, each once. */
export function idsIn(text: string | undefined): number[] {
  const ids = (text ?? "").split(",").filter(isIdText).map(Number);
  return [...new Set(ids)].slice(0, MOST_MERGED);
}

/** Returns the fields that a merge may set. */
export function mergedFields({ form, key }: Collection): Field[] {
  return form.filter((field) => field !== key && !field.readOnly && field.computed === undefined && field.autoNumber === undefined);
}

/** The record that has been there for the longest time stays: most links lead to it. */
export function firstSurvivor(collection: Collection, records: readonly WireRecord[]): number | undefined {
  const [oldest] = [...records].sort(
    (one, other) => one.createdAt.localeCompare(other.createdAt) || idOf(collection, one) - idOf(collection, other),
  );
  return oldest && idOf(collection, oldest);
}

export const SOURCES = ["survivor", "latest", "longest"] as const;

/** Says whose value counts where several records have one: the survivor's, that of the record which was changed last, or the longest text. */
export type Source = (typeof SOURCES)[number];

/** A value goes before none, whatever counts, and several values go together. Of equally long ones the one that was changed last counts. */
export function preselect(collection: Collection, records: readonly WireRecord[], source: Source, survivor: number): Picks {
  const newest = [...records].sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  const rank = (record: WireRecord, field: Field): number => {
    if (source === "survivor") return Number(idOf(collection, record) === survivor);
    return source === "longest" && KIND_TRAITS[field.kind].isText ? textOf(field, fieldValue(record, field)).length : 0;
  };
  const picks = mergedFields(collection).map((field): [string, Pick] => {
    const filled = newest.filter((record) => fieldValue(record, field) !== null);
    const isTogether = field.item !== undefined && filled.length > 1;
    const [first = newest[0] as WireRecord] = filled.sort((one, other) => rank(other, field) - rank(one, field));
    return [field.name, isTogether ? "all" : idOf(collection, first)];
  });
  return Object.fromEntries(picks);
}

/** Says whether the records have different values. */
export function differs(field: Field, records: readonly WireRecord[]): boolean {
  const [first, ...others] = records.map((record) => fieldValue(record, field));
  return others.some((value) => !isSame(value, first ?? null));
}

export function pickedValue(collection: Collection, field: Field, records: readonly WireRecord[], pick: Pick | undefined): Value | null {
  if (pick !== "all") {
    const record = records.find((one) => idOf(collection, one) === pick);
    return record ? fieldValue(record, field) : null;
  }
  const all = new Set(records.flatMap((record) => itemsOf(fieldValue(record, field))));
  const contents = new Map([...all].map((item): [Item, Item] => [readFileValue(item)?.hash ?? item, item])); // each once, by one of its names
  const items: Item[] = field.file ? [...contents.values()] : [...all];
  return items.length > 0 ? (items as Value) : null;
}

/** Returns what the survivor gets: the chosen values that it does not have already. */
export function changedValues(
  collection: Collection,
  records: readonly WireRecord[],
  survivor: number,
  picks: Picks,
): Record<string, Value | null> {
  const own = records.find((one) => idOf(collection, one) === survivor);
  if (!own) return {};
  const pairs = mergedFields(collection).map((field) => [field, pickedValue(collection, field, records, picks[field.name])] as const);
  return Object.fromEntries(
    pairs.filter(([field, value]) => !isSame(value, fieldValue(own, field))).map(([{ name }, value]) => [name, value]),
  );
}
