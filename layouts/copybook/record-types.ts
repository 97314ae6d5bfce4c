// Tells header, detail and trailer records of a copybook apart, by their names and record types.

import type { CopybookRecord, Item } from "./record-tree.ts";

export interface TypedRecord {
  record: CopybookRecord;
  /** The item that says which record it is, and what it says. */
  type: { item: Item; code: string } | undefined;
}

export interface RecordRoles {
  header: TypedRecord | undefined;
  detail: TypedRecord;
  trailer: TypedRecord | undefined;
  /** Records that one layout does not read. */
  others: TypedRecord[];
}

const HEADER = /(^|-)(HEADER|HEAD|HDR|HD)(-|\d|$)/;
const TRAILER = /(^|-)(TRAILER|TRAIL|TRLR|TRL|FOOTER|FTR|TR)(-|\d|$)/;

/** Returns undefined when there is no record at all. `wanted`: the name of the record with the details. */
export function rolesOf(records: readonly CopybookRecord[], wanted?: string): RecordRoles | undefined {
  const typed = records.map((record) => ({ record, type: records.length > 1 ? typeOf(record.item) : undefined }));
  const header = typed.find(({ record }) => HEADER.test(record.name) && record.name !== wanted);
  const trailer = typed.find((one) => TRAILER.test(one.record.name) && one.record.name !== wanted && one !== header);
  const rest = typed.filter((one) => one !== header && one !== trailer);
  const detail = wanted === undefined ? rest[0] : rest.find(({ record }) => record.name === wanted);
  if (!detail) return undefined;
  const hasTypes = [header, detail, trailer].every((one) => !one || samePlace(one, detail));
  const role = (one: TypedRecord | undefined) => (hasTypes ? one : undefined);
  const others = typed.filter((one) => one !== detail && (!hasTypes || (one !== header && one !== trailer)));
  return { header: role(header), detail, trailer: role(trailer), others };
}

function samePlace({ type }: TypedRecord, other: TypedRecord): boolean {
  return type !== undefined && type.item.start === other.type?.item.start && type.item.length === other.type.item.length;
}

/** Returns the type by the first item with a VALUE, or with one 88 level of one value, if it is among the first of the record. */
function typeOf(top: Item): TypedRecord["type"] {
  for (const item of leavesOf(top).slice(0, 3)) {
    const [value] = item.entry.values;
    const [only, second] = item.conditions;
    const named = !second && only?.values.length === 1 ? only.values[0] : undefined;
    const code = value?.from ?? (named?.through === undefined ? named?.from : undefined);
    const isText = item.storage?.picture !== undefined && item.storage.keys.usage === undefined;
    if (code !== undefined && isText && code.length === item.length) return { item, code };
  }
  return undefined;
}

/** Returns the elementary items in order. */
export function leavesOf(item: Item): Item[] {
  return item.children.length === 0 ? [item] : item.children.flatMap(leavesOf);
}
