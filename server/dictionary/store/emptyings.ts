// Keeps what is being emptied for good, each in a row of the settings. Both engines use the same statements.

import type { Principal } from "../../../core/contract/principals.ts";
import { ask, type Script } from "../../engine/script/script.ts";

export interface Emptying {
  /** Is the id of the field or collection. */
  id: string;
  collection: string;
  /** Its column; null for a whole collection. */
  column: string | null;
  by: Pick<Principal, "type" | "id">;
  /** Lists what is emptied now, one after the other. */
  phase: "records" | "history" | "deletions" | "answers" | "done";
  /** The last place of the phase that was emptied. */
  place: string;
}

export function* listEmptyings(): Script<Emptying[]> {
  const { rows } = yield* ask("SELECT value FROM settings WHERE name LIKE 'emptying %' ORDER BY name");
  return rows.map(([value]) => JSON.parse(Buffer.from(value as Uint8Array).toString()) as Emptying);
}

export function* putEmptying(emptying: Emptying): Script<void> {
  const sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  yield* ask(sql, `emptying ${emptying.id}`, Buffer.from(JSON.stringify(emptying)));
}

/** Nothing is left to be emptied. What converted the field is forgotten with it. */
function* endEmptying({ id, collection, column }: Emptying): Script<void> {
  yield* ask("DELETE FROM settings WHERE name = $1", `emptying ${id}`);
  if (column !== null) yield* ask("DELETE FROM settings WHERE name = $1", `conversion ${collection} ${column}`);
}

export const EMPTYING_SCRIPTS = { reads: { listEmptyings }, writes: { putEmptying, endEmptying } };
