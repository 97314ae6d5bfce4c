// Counts by the day how often requests used fields' former names. Both engines use the same statements.

import type { Principal } from "../../../core/contract/principals.ts";
import { ask, type Cell, type Script } from "../../engine/script/script.ts";

/** `day`: in days since 1970. `by`: who used it last on that day. */
export interface UsesOfDay {
  collection: string;
  name: string;
  day: number;
  uses: number;
  by: Principal;
}

/** `uses`: on all days from one on. */
export interface UsesOfName {
  collection: string;
  name: string;
  uses: number;
  lastDay: number;
  lastBy: Principal;
}

/** Adds to what is there, and forgets the days before `since`. */
function* addUses(all: readonly UsesOfDay[], since: number): Script<void> {
  const sql = `INSERT INTO former_name_uses (collection, name, day, uses, by_type, by_id) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (collection, name, day) DO UPDATE SET
      uses = former_name_uses.uses + excluded.uses, by_type = excluded.by_type, by_id = excluded.by_id`;
  for (const { collection, name, day, uses, by } of all) yield* ask(sql, collection, name, day, uses, by.type, by.id);
  yield* ask("DELETE FROM former_name_uses WHERE day < $1", since);
}

function* listUses(since: number): Script<UsesOfName[]> {
  const sql = `SELECT f.collection, f.name, f.uses, f.day, f.by_type, f.by_id, coalesce(u.name, nullif(k.name, ''), f.by_id)
    FROM former_name_uses f LEFT JOIN users u ON f.by_type = 'user' AND u.id = f.by_id
    LEFT JOIN keys k ON f.by_type = 'key' AND k.id = f.by_id WHERE f.day >= $1 ORDER BY f.day`;
  const names = new Map<string, UsesOfName>();
  for (const row of (yield* ask(sql, since)).rows) {
    const day = toUses(row);
    const key = `${day.collection} ${day.name}`;
    names.set(key, { ...day, uses: day.uses + (names.get(key)?.uses ?? 0) });
  }
  return [...names.values()];
}

function toUses([collection, name, uses, day, type, id, by]: readonly Cell[]): UsesOfName {
  const lastBy = { type, id, name: by } as Principal;
  return { collection: String(collection), name: String(name), uses: Number(uses), lastDay: Number(day), lastBy };
}

export const FORMER_NAME_SCRIPTS = { reads: { listUses }, writes: { addUses } };
