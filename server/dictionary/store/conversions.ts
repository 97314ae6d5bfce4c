// Conversions of fields, each in a row of the settings. Both engines use the same statements.

import type { ConversionState } from "../../../core/contract/dictionary.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import type { ConvertedFrom } from "../../../core/dictionary/fields.ts";
import { ask, lockByName, type Script } from "../../engine/script/script.ts";

/** Names two fields of a collection by their ids. The values of `from` are converted into those of `to`. */
export interface Pair {
  collection: string;
  from: string;
  to: string;
}

/** Times in ms since 1970. Besides the texts whose meaning somebody has typed (`reads.values`) no value of a record stands in it. */
export interface StoredConversion extends Pair {
  id: string;
  /** The column of the field `to`, by which a process that does not know of the conversion finds that it must not write. */
  column: string;
  /** The name of the field, and the kinds, when it began. */
  name: string;
  fromKind: string;
  toKind: string;
  reads: Pick<ConvertedFrom, "forms" | "values">;
  undoes: string | null;
  by: Pick<Principal, "type" | "id">;
  at: number;
  state: ConversionState;
  /** The key of the last record that was looked at. */
  after: number | null;
  seen: number;
  total: number;
  converted: number;
  left: number;
  empty: number;
  leftRecords: number[];
  detail: string;
  /** Says when a process last went on with it. */
  touchedAt: number;
}

const ROW = "conversion";

function rowOf({ collection, column }: Pick<StoredConversion, "collection" | "column">): string {
  return `${ROW} ${collection} ${column}`;
}

/** Lists the latest first. */
function* readConversions(): Script<StoredConversion[]> {
  const { rows } = yield* ask(`SELECT value FROM settings WHERE name LIKE '${ROW} %'`);
  const found = rows.map(([value]) => JSON.parse(Buffer.from(value as Uint8Array).toString()) as StoredConversion);
  return found.sort((a, b) => b.at - a.at);
}

/** Does the same, with the name of who began each. */
function* listConversions(): Script<(StoredConversion & { by: Principal })[]> {
  const named: (StoredConversion & { by: Principal })[] = [];
  for (const one of yield* readConversions()) {
    const table = one.by.type === "user" ? "users" : "keys";
    const name = (yield* ask(`SELECT name FROM ${table} WHERE id = $1`, one.by.id)).rows[0]?.[0];
    named.push({ ...one, by: { ...one.by, name: String(name || one.by.id) } as Principal });
  }
  return named;
}

function* put(conversion: StoredConversion): Script<void> {
  const sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  yield* ask(sql, rowOf(conversion), Buffer.from(JSON.stringify(conversion)));
}

/** Returns "busy" where another conversion of one of its fields runs. */
function* addConversion(conversion: StoredConversion): Script<"added" | "busy"> {
  yield* lockByName("conversions");
  const own = [conversion.from, conversion.to];
  const isBusy = (yield* readConversions()).some(({ state, from, to }) => state === "running" && (own.includes(from) || own.includes(to)));
  if (isBusy) return "busy";
  yield* put(conversion);
  return "added";
}

/** Keeps how far it has come, unless another process has gone on with it, or somebody has ended it. */
function* saveConversion(conversion: StoredConversion, after: number | null): Script<boolean> {
  yield* lockByName("conversions");
  const stored = (yield* readConversions()).find(({ id }) => id === conversion.id);
  if (stored?.state !== "running" || stored.after !== after) return false;
  yield* put(conversion);
  return true;
}

export const CONVERSION_SCRIPTS = { reads: { listConversions, readConversions }, writes: { addConversion, saveConversion } };
