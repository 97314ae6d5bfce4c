// Items of a table belong to their record: those of a record that comes again replace the stored ones.

import type { Client } from "../../client/http-client.ts";
import type { ValueHolder } from "../../core/contract/lookup.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { MAX_FILTER_VALUES } from "../../core/dictionary/filters.ts";
import { KIND_TRAITS, textOfValue, type Value } from "../../core/dictionary/kinds.ts";
import { isProblem, validateValue } from "../../core/dictionary/validate.ts";
import type { FixedBlock, TableRecord } from "../../layouts/formats/read-fixed.ts";
import type { ItemRecords } from "../../layouts/layouts/layout.ts";
import { isInFirstItem, ownerField } from "../../layouts/layouts/variable-table.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import { hashOf, KeySet } from "../../pipeline/model/key-set.ts";
import type { RowMode } from "../../pipeline/model/plan.ts";
import { lookUp } from "../../pipeline/sending/find-records.ts";
import type { Reading } from "../files/choose-reader.ts";
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

/**
 * Reads what is stored of the records in the file while its rows are read for the first time. Without a table, or when the mode only creates,
 * the reading stays as it is. Unless `isRun`, what is stored is read only where it may be a reason to refuse the file.
 */
export function replaceItems(
  reading: Reading,
  collection: Collection,
  collections: readonly Collection[],
  { client, signal, isRun }: { client: Client; signal: AbortSignal; isRun: boolean },
): Reading {
  const table = tableOf(reading);
  if (!table || reading.plan.mode === "create") return reading;
  const found = parentOf(table, collection, collections);
  if (!found) return reading;
  const { at, field, lookup, names, known, matchBy, parent, exported } = found;
  const isPlanned = isRun || known.length > 0;
  const keeps = table.gone === "kept";
  const items: ItemPlan = [];
  let isWhole = false;
  const context = { client, collections, signal };
  function keysOf({ records }: FixedBlock, seen: KeySet): string[] {
    const keys = records.map(({ cells }) => canonical(field, cells[at] ?? "") ?? "");
    for (const [i, key] of keys.entries()) {
      if (key === "" || seen.add(lookup ? hashOf(key) : Number(key))) continue;
      throw new FileError(
        `This file has the items of ${parent.noun} ${key} twice.`,
        `Record ${records[i]?.number} has them again, and only one of both can be right. Ask the sender for a file with each ${parent.noun} once.`,
      );
    }
    return keys;
  }
  async function plan(block: FixedBlock, keys: readonly string[], refuseMoved: ReturnType<typeof refuseMoves>): Promise<ItemPlan> {
    const stored = new Map<string, Stored[]>();
    const wanted = [...new Set(keys.filter((key) => key !== ""))];
    for (let from = 0; from < wanted.length; from += MAX_FILTER_VALUES) {
      const some = wanted.slice(from, from + MAX_FILTER_VALUES);
      const ids = await readIds(context, parent, lookup?.by ?? parent.key.name, some);
      const query = { [`${exported.reference.name}[in]`]: [...ids.values()].join(","), sort: exported.reference.name };
      const rows = ids.size > 0 ? await readItems(context, exported, names, query) : new Map<number, Stored[]>();
      for (const [key, id] of ids) stored.set(key, (rows.get(id) ?? []) as Stored[]);
    }
    const columns = names.map((name) => [name, block.header.indexOf(name), fieldOf(name, collection, collections)] as const);
    const textOf = (text: string, of: Field | undefined) => canonical(of, text) ?? text;
    let row = 0;
    const numbers: ItemPlan = [];
    for (const [i, record] of block.records.entries()) {
      const rows = Array.from({ length: record.rows }, (_, n) => row + n);
      row += record.rows;
      const texts = rows.map((n) => Object.fromEntries(columns.map(([name, at, of]) => [name, textOf(block.rows[n]?.[at] ?? "", of)])));
      const isReadable = rows.every((n) => !block.malformed.has(n));
      const { ids, left } = match(texts, stored.get(keys[i] ?? "") ?? [], { by: matchBy, keeps });
      const gone = isReadable && !keeps ? left : [];
      refuseMoved(texts, gone, record);
      numbers.push(...ids, ...gone.map(({ id }) => -id));
    }
    return numbers;
  }
  async function* openRows() {
    if (isWhole) return yield* withItems(reading, collection, items);
    items.length = 0;
    const [seen, refuseMoved] = [new KeySet(), refuseMoves(collection, known)];
    yield* spread(reading, collection, async (block) => {
      const numbers = await plan(block, keysOf(block, seen), refuseMoved);
      for (const number of numbers) items.push(number);
      return numbers;
    });
    isWhole = true;
  }
  async function* openChecked() {
    const seen = new KeySet();
    for await (const block of reading.openRows?.() ?? []) {
      keysOf(block as FixedBlock, seen);
      yield block;
    }
  }
  return isPlanned ? { ...reading, plan: planFor(reading, collection), openRows, items } : { ...reading, openRows: openChecked };
}

/**
 * Compares the items that a file names with those that would be deleted, by the fields of which no two items have the same value: one that
 * the file has with another record now would be lost. `left`: stored items that the record has no more. Throws FileError.
 */
function refuseMoves({ noun, byName }: Collection, known: readonly string[]) {
  const [named, gone] = [new KeySet(true), new Set<number>()];
  return (texts: readonly Stored["texts"][], left: readonly Stored[], { number }: TableRecord): void => {
    const all = [...left.map((one) => [one.texts, true] as const), ...texts.map((one) => [one, false] as const)];
    const ofThisRecord: number[] = []; // an item of it may take the value of another one that it had
    for (const name of known) {
      for (const [{ [name]: text = "" }, isGone] of all) {
        if (text === "") continue;
        const hash = hashOf(`${name} ${text}`);
        const isNew = named.add(hash);
        if (isGone ? !isNew : gone.has(hash))
          throw new FileError(
            `The ${noun} with ${byName.get(name)?.title} ${text} is stored with another record than in this file.`,
            `Record ${number} is one of both. It would be deleted from the one and lost to the other: move or delete it in the service, then load the file again.`,
          );
        if (isGone) ofThisRecord.push(hash);
      }
    }
    for (const hash of ofThisRecord) gone.add(hash);
  };
}

/** Reads the file as the run did that began with such a plan. */
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

/** Adds the key of a replaced item as one more column, unless the file has it. */
function planFor({ plan }: Reading, { key }: Collection): Reading["plan"] {
  return { ...plan, columns: plan.columns.includes(key.name) ? plan.columns : [...plan.columns, key.name], clears: true };
}

interface Found {
  parent: Collection;
  exported: ExportTable;
  /** The index of the column with the key of the record, or with a unique field of it: then `lookup`. */
  at: number;
  field: Field | undefined;
  lookup: { fills: string; by: string } | undefined;
  /** Lists the fields of an item that the file has. */
  names: string[];
  /** Lists those of them of which no two stored items have the same value. */
  known: string[];
  /** Names the field by which an item is known; undefined: by its place. */
  matchBy: string | undefined;
}

/** Returns undefined when no field outside of the table says which record the items belong to. */
function parentOf(table: ItemRecords, collection: Collection, collections: readonly Collection[]): Found | undefined {
  const owner = ownerField(table, collection);
  const lookup = collection.lookups.get(owner?.name ?? "");
  const reference = collection.references.find(({ name }) => name === (lookup?.fills ?? owner?.name));
  const parent = collections.find((one) => one.name === reference?.reference.collection);
  if (!owner || !reference || !parent) return undefined;
  const stored = table.fields.filter(({ skip }) => !skip);
  const names = stored.filter((field) => isInFirstItem(table, field)).map((field) => field.name);
  const known = names.filter((name) => name === collection.key.name || collection.byName.get(name)?.unique);
  const matchBy = known.includes(collection.key.name) ? collection.key.name : (table.key ?? known[0]);
  const exported = { table, collection, reference };
  const field = fieldOf(owner.name, collection, collections);
  return { parent, exported, at: stored.indexOf(owner), field, lookup, names, known, matchBy };
}

/** Returns the field whose values a column has. Of `product.code` that is the code of products. */
function fieldOf(name: string, { byName, lookups, references }: Collection, collections: readonly Collection[]): Field | undefined {
  const lookup = lookups.get(name);
  if (!lookup) return byName.get(name);
  const reference = references.find((field) => field.name === lookup.fills)?.reference;
  return collections.find((one) => one.name === reference?.collection)?.byName.get(lookup.by);
}

/**
 * Resolves to the keys of the records that have these values. Throws FileError where one was merged into another record, because the items that
 * it brings would replace those of the other, too.
 */
async function readIds(
  { client, signal }: { client: Client; signal: AbortSignal },
  parent: Collection,
  by: string,
  texts: readonly string[],
): Promise<Map<string, number>> {
  const field = parent.byName.get(by) ?? parent.key;
  const values = texts.flatMap((text) => KIND_TRAITS[field.kind].fromText(text) ?? []);
  const found = values.length > 0 ? await lookUp(client, parent, by, values, signal) : [];
  const textOf = ({ value }: ValueHolder) => textOfValue(field, value as Value);
  const merged = found.find(({ mergedFrom }) => mergedFrom !== undefined);
  if (merged)
    throw new FileError(
      `${field.title} ${textOf(merged)} was taken away by a merge: the ${parent.noun} is ${merged.id} now.`,
      `It is not known which of its items belong to which of the two, and this file would replace them all. Take the merge apart, or ask the sender to send only ${merged.id}.`,
    );
  return new Map(found.map((one) => [textOf(one), one.id]));
}

interface Match {
  /** Has the key of the stored item that each one replaces, or 0 for a new one. */
  ids: number[];
  /** Stored items that none replaces. */
  left: Stored[];
}

/** Matches by the field that names an item; else those that are as they were first, and, unless stored ones are kept, the others by their place. */
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
  return { ids, left };
}

/** Writes the value as the service gives it back, so that 0042 and 42 are the same number. Undefined for a value that the field refuses. */
function canonical(field: Field | undefined, text: string): string | undefined {
  if (!field || text === "") return text;
  const value = validateValue({ ...field, required: false }, text, "text");
  return value === null ? "" : isProblem(value) ? undefined : textOfValue(field, value);
}

/** Gives each row its mode, and puts a row before the items of a record for each that it has no more: another one may have its unique value now. */
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
      const ids = numbers.slice(at, at + record.rows);
      for (at += record.rows; (numbers[at] ?? 0) < 0; at++) {
        const cells = header.map((name) => (name === key.name ? String(-(numbers[at] as number)) : ""));
        add(cells, record, undefined, "delete");
      }
      for (let n = 0; n < record.rows; n++, row++) {
        const [cells, id] = [block.rows[row] as string[], ids[n] ?? 0];
        const wrong = block.malformed.get(row);
        if (wrong !== undefined) malformed.set(into.rows.length, wrong);
        const keyed = keyAt < 0 ? [...cells, id > 0 ? String(id) : ""] : cells;
        add(keyed, record, block.items[row], id > 0 ? "update" : keyAt < 0 ? "create" : undefined);
      }
    }
    first += into.rows.length;
    yield { ...into, modes };
  }
}
