// Items of a table belong to their record: those of a record that comes again replace the stored ones.

import type { Client } from "../../client/http-client.ts";
import { allRecords } from "../../client/read-records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { MAX_FILTER_VALUES } from "../../core/dictionary/filters.ts";
import { textOfValue, type Value } from "../../core/dictionary/kinds.ts";
import { validateValue } from "../../core/dictionary/validate.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import type { RowMode } from "../../pipeline/model/plan.ts";
import type { Reading } from "../formats/choose-reader.ts";
import type { FixedBlock, TableRecord } from "../formats/read-fixed.ts";
import type { ItemRecords } from "../layouts/layout.ts";
import { type ExportTable, readItems } from "./exported-records.ts";

/**
 * Holds what becomes of the items, decided in the first pass and kept with the run, so that `resume` sends the same rows. For each item in the
 * order of the file: the key of the stored record that it replaces, or 0 for a new one; behind the items of a record, as numbers below 0,
 * the keys of stored items that it has no more.
 */
export type ItemPlan = number[];

interface Stored {
  id: number;
  texts: Readonly<Record<string, string>>;
}

/** Reads what is stored of the records in the file while its rows are read for the first time. Without a table, or when the mode only creates, the reading stays as it is. */
export function replaceItems(
  reading: Reading,
  collection: Collection,
  collections: readonly Collection[],
  { client, signal }: { client: Client; signal: AbortSignal },
): Reading {
  const table = tableOf(reading);
  if (!table || reading.plan.mode === "create") return reading;
  const found = parentOf(table, collection, collections);
  if (!found) return reading;
  const keeps = table.gone === "kept";
  const items: ItemPlan = [];
  let isWhole = false;
  const seen = new Set<string>();
  const context = { client, collections, signal };
  async function plan(block: FixedBlock): Promise<ItemPlan> {
    const { at, lookup, names, matchBy, parent, exported } = found as Found;
    const keyOf = ({ cells }: TableRecord) => canonical(found?.field, cells[at] ?? "");
    const keys = block.records.map(keyOf);
    for (const [i, key] of keys.entries()) {
      if (key !== "" && seen.has(key))
        throw new FileError(
          `This file has the items of ${parent.noun} ${key} twice.`,
          `Record ${block.records[i]?.number} has them again, and only one of both can be right. Ask the sender for a file with each ${parent.noun} once.`,
        );
      seen.add(key);
    }
    const stored = new Map<string, Stored[]>();
    const wanted = [...new Set(keys.filter((key) => key !== ""))];
    for (let from = 0; from < wanted.length; from += MAX_FILTER_VALUES) {
      const some = wanted.slice(from, from + MAX_FILTER_VALUES);
      const ids = lookup ? await readIds(context, parent, lookup.by, some) : new Map(some.map((key) => [key, Number(key)]));
      const query = { [`${exported.reference.name}[in]`]: [...ids.values()].join(","), sort: exported.reference.name };
      const rows = ids.size > 0 ? await readItems(context, exported, names, query) : new Map<number, Stored[]>();
      for (const [key, id] of ids) stored.set(key, (rows.get(id) ?? []) as Stored[]);
    }
    let row = 0;
    const numbers: ItemPlan = [];
    for (const [i, record] of block.records.entries()) {
      const rows = Array.from({ length: record.rows }, (_, n) => row + n);
      row += record.rows;
      const textsOf = (n: number) =>
        Object.fromEntries(
          names.map((name) => [name, canonical(collection.byName.get(name), block.rows[n]?.[block.header.indexOf(name)] ?? "")]),
        );
      const isReadable = rows.every((n) => !block.malformed.has(n));
      const matched = match(rows.map(textsOf), stored.get(keys[i] ?? "") ?? [], { by: matchBy, keeps });
      numbers.push(...matched.ids, ...(isReadable && !keeps ? matched.left.map((id) => -id) : []));
    }
    return numbers;
  }
  async function* openRows() {
    if (isWhole) return yield* withItems(reading, collection, items);
    items.length = 0;
    seen.clear();
    yield* spread(reading, collection, async (block) => {
      const numbers = await plan(block);
      for (const number of numbers) items.push(number);
      return numbers;
    });
    isWhole = true;
  }
  return { ...reading, plan: planFor(reading, collection), openRows, items };
}

/** The reading of a run that began with such a plan. */
export function readItemPlan(reading: Reading, collection: Collection, items: ItemPlan): Reading {
  return { ...reading, openRows: () => withItems(reading, collection, items), items };
}

function withItems(reading: Reading, collection: Collection, items: ItemPlan): AsyncGenerator<FixedBlock> {
  let next = 0;
  return spread(reading, collection, (block) => {
    const from = next;
    for (const { rows } of block.records) {
      next += rows;
      while ((items[next] ?? 0) < 0) next++;
    }
    return items.slice(from, next);
  });
}

function tableOf({ layout }: Reading): ItemRecords | undefined {
  return layout?.is.kind === "fixed" ? layout.is.detail.table : undefined;
}

/** The key of a replaced item is one more column, unless the file has it. */
function planFor({ plan }: Reading, { key }: Collection): Reading["plan"] {
  return { ...plan, columns: plan.columns.includes(key.name) ? plan.columns : [...plan.columns, key.name], clears: true };
}

interface Found {
  parent: Collection;
  exported: ExportTable;
  /** The column with the key of the record, or with a unique field of it: then `lookup`. */
  at: number;
  field: Field | undefined;
  lookup: { fills: string; by: string } | undefined;
  /** The fields of an item that the file has. */
  names: string[];
  /** The field by which an item is known; undefined: by its place. */
  matchBy: string | undefined;
}

/** Undefined when no field outside of the table says which record the items belong to. */
function parentOf(table: ItemRecords, collection: Collection, collections: readonly Collection[]): Found | undefined {
  const stored = table.fields.filter(({ skip }) => !skip);
  const isShared = ({ start = 0 }: { start?: number }) =>
    start > 0 && (start < table.start || start >= table.start + table.length * table.max);
  const referring = (name = "") => collection.references.find((field) => field.name === (collection.lookups.get(name)?.fills ?? name));
  const at = stored.findIndex((field) => isShared(field) && referring(field.name));
  const name = stored[at]?.name ?? "";
  const reference = referring(name);
  const parent = collections.find((one) => one.name === reference?.reference.collection);
  if (!reference || !parent) return undefined;
  const lookup = collection.lookups.get(name);
  const own = stored.filter((field) => field.start !== undefined && !isShared(field) && !collection.lookups.has(field.name));
  const names = own.map((field) => field.name);
  const unique = names.find((one) => collection.byName.get(one)?.unique && one !== collection.key.name);
  const matchBy = table.key ?? (names.includes(collection.key.name) ? collection.key.name : unique);
  const exported = { table, collection, reference };
  return { parent, exported, at, field: collection.byName.get(name), lookup, names, matchBy };
}

/** The keys of the records that have these values in a unique field. */
async function readIds(
  { client, signal }: { client: Client; signal: AbortSignal },
  { name, key, byName }: Collection,
  by: string,
  texts: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const kind = byName.get(by)?.kind ?? "string";
  const query = { [`${by}[in]`]: texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(",") };
  for await (const records of allRecords(client, name, query, signal))
    for (const record of records) found.set(textOfValue(kind, record[by] as Value), record[key.name] as number);
  return found;
}

interface Match {
  /** Has the key of the stored item that each one replaces, or 0 for a new one. */
  ids: number[];
  /** Stored items that none replaces. */
  left: number[];
}

/** By the field that names an item; else those that are as they were first, and, unless stored ones are kept, the others by their place. */
function match(
  items: readonly Stored["texts"][],
  stored: readonly Stored[],
  { by, keeps }: { by: string | undefined; keeps: boolean },
): Match {
  const left = [...stored];
  const take = (isIt: (one: Stored) => boolean) => {
    const at = left.findIndex(isIt);
    return at < 0 ? 0 : (left.splice(at, 1)[0]?.id ?? 0);
  };
  const isSame = (texts: Stored["texts"]) => (one: Stored) => Object.keys(texts).every((name) => texts[name] === (one.texts[name] ?? ""));
  const known = items.map((texts) => take(by === undefined ? isSame(texts) : (one) => one.texts[by] === texts[by]));
  const ids = by === undefined && !keeps ? known.map((id) => id || take(() => true)) : known;
  return { ids, left: left.map(({ id }) => id) };
}

/** As the service gives the value back, so that 0042 and 42 are the same number; a text that is no such value stays as it is. */
function canonical(field: Field | undefined, text: string): string {
  if (!field || text === "") return text;
  const value = validateValue({ ...field, required: false }, text, "text");
  return value === null ? "" : typeof value === "object" ? text : textOfValue(field.kind, value);
}

/** Gives each row its mode, and puts a row behind the items of a record for each that it has no more. */
async function* spread(
  { openRows }: Reading,
  { key }: Collection,
  numbersOf: (block: FixedBlock) => ItemPlan | Promise<ItemPlan>,
): AsyncGenerator<FixedBlock> {
  let first = 1;
  for await (const given of openRows?.() ?? []) {
    const block = given as FixedBlock;
    const numbers = await numbersOf(block);
    const keyAt = block.header.indexOf(key.name);
    const header = keyAt < 0 ? [...block.header, key.name] : block.header;
    const malformed = new Map<number, NonNullable<ReturnType<FixedBlock["malformed"]["get"]>>>();
    const into: FixedBlock = { ...block, header, first, malformed, rows: [], lines: [], offsets: [], ends: [], actions: [], items: [] };
    const modes: (RowMode | undefined)[] = [];
    const add = (cells: string[], record: TableRecord, item: number | undefined, mode: RowMode | undefined) => {
      into.rows.push(cells);
      into.lines.push(record.number);
      into.offsets.push(record.offset);
      into.ends.push(record.end);
      into.actions.push(undefined);
      into.items.push(item);
      modes.push(mode);
    };
    let [row, at] = [0, 0];
    for (const record of block.records) {
      for (let n = 0; n < record.rows; n++, row++) {
        const [cells, id] = [block.rows[row] as string[], numbers[at++] ?? 0];
        const wrong = block.malformed.get(row);
        if (wrong !== undefined) malformed.set(into.rows.length, wrong);
        const keyed = keyAt < 0 ? [...cells, id > 0 ? String(id) : ""] : cells;
        add(keyed, record, block.items[row], id > 0 ? "update" : keyAt < 0 ? "create" : undefined);
      }
      while ((numbers[at] ?? 0) < 0) {
        const cells = header.map((name) => (name === key.name ? String(-(numbers[at] as number)) : ""));
        add(cells, record, undefined, "delete");
        at++;
      }
    }
    first += into.rows.length;
    yield { ...into, modes };
  }
}
