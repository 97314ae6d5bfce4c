// Tells whether two processes, or a store and its dictionary, compute values alike.

import { createHash } from "node:crypto";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { formulasOf } from "../../core/dictionary/computed.ts";
import { withFieldNames } from "../../core/dictionary/package-rules.ts";
import { ask, type Script } from "./script/script.ts";

const texts = new WeakMap<Collection, string>();

/** Returns one text for the same formulas, whatever their fields are called; an empty one where nothing is computed. */
export function formulasText(collection: Collection): string {
  const known = texts.get(collection);
  if (known !== undefined) return known;
  const columns = new Map(collection.fields.flatMap((field) => [field.name, ...(field.formerNames ?? [])].map((name) => [name, field])));
  for (const field of collection.fields) columns.set(field.name, field);
  const nameOf = (name: string) => columnName(columns.get(name) ?? { name });
  const all = formulasOf(collection).map(({ field }) => [
    columnName(field),
    withFieldNames(field.computed ?? "", nameOf),
    ...[field.kind, field.decimals ?? null],
  ]);
  const text = all.length === 0 ? "" : JSON.stringify(all.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  texts.set(collection, text);
  return text;
}

/** Stands for the formulas of a collection in the store. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

const ROW = "formulas";
const MOST_KEPT = 20; // a process hears of others within a second

/** `hashes`: of the formulas of a collection, the newest last. `changes` counts how often they were changed. */
interface KeptFormulas {
  hashes: string[];
  changes: number;
}

function* readFormulas(): Script<Map<string, KeptFormulas>> {
  const { rows } = yield* ask(`SELECT name, value FROM settings WHERE name LIKE '${ROW} %'`);
  return new Map(
    rows.map(([name, value]) => [String(name).slice(ROW.length + 1), JSON.parse(Buffer.from(value as Uint8Array).toString())]),
  );
}

/** Reads how often the formulas of each collection were changed; nothing of one that never had any. */
export function* countFormulaChanges(): Script<Map<string, number>> {
  return new Map([...(yield* readFormulas())].map(([collection, { changes }]) => [collection, changes]));
}

/** Keeps by which formulas values are computed now, and by which they were, in the transaction that brings the store to a dictionary. */
export function* noteFormulas(collections: readonly Collection[]): Script<void> {
  const kept = yield* readFormulas();
  for (const collection of collections) {
    const now = hashOf(formulasText(collection));
    const { hashes, changes } = kept.get(collection.name) ?? { hashes: [hashOf("")], changes: 0 };
    if (hashes.at(-1) === now) continue;
    const next: KeptFormulas = { hashes: [...hashes.filter((one) => one !== now), now].slice(-MOST_KEPT), changes: changes + 1 };
    const sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    yield* ask(sql, `${ROW} ${collection.name}`, Buffer.from(JSON.stringify(next)));
  }
}

/** Returns what selects, in PostgreSQL, a row of the settings where these formulas are those of before: another process has brought others. */
export function oldFormulas(collection: Collection, name: string): string {
  const own = hashOf(formulasText(collection));
  const hashes = "convert_from(value, 'UTF8')::jsonb -> 'hashes'";
  return `settings WHERE name = '${ROW} ' || ${name} AND ${hashes} ? '${own}' AND ${hashes} ->> -1 <> '${own}'`;
}
