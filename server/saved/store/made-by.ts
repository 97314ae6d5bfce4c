// Who made and who last changed what people keep beside the records: recipes and views. Times in ms since 1970.

import type { Principal } from "../../../core/contract/principals.ts";
import { ask, type Cell, type Script } from "../../engine/script/script.ts";

export interface Made {
  createdAt: number;
  createdBy: Principal;
  updatedAt: number;
  updatedBy: Principal;
}

export const MADE_COLUMNS = "created_at, created_type, created_by, updated_at, updated_type, updated_by";

const nameOf = (user: string, key: string, id: string) => `coalesce(${user}.name, nullif(${key}.name, ''), ${id})`;

/** Of a table that the statement calls `t`, with JOIN_MAKERS. */
export const SELECT_MADE = `t.created_at, t.created_type, t.created_by, ${nameOf("cu", "ck", "t.created_by")},
    t.updated_at, t.updated_type, t.updated_by, ${nameOf("uu", "uk", "t.updated_by")}`;

export const JOIN_MAKERS = `
    LEFT JOIN users cu ON t.created_type = 'user' AND cu.id = t.created_by LEFT JOIN keys ck ON t.created_type = 'key' AND ck.id = t.created_by
    LEFT JOIN users uu ON t.updated_type = 'user' AND uu.id = t.updated_by LEFT JOIN keys uk ON t.updated_type = 'key' AND uk.id = t.updated_by`;

/** `cells`: as SELECT_MADE orders them. */
export function toMade(cells: readonly Cell[]): Made {
  const [createdAt, createdType, createdBy, createdName, updatedAt, updatedType, updatedBy, updatedName] = cells;
  return {
    createdAt: Number(createdAt),
    createdBy: { type: createdType, id: createdBy, name: createdName } as Principal,
    updatedAt: Number(updatedAt),
    updatedBy: { type: updatedType, id: updatedBy, name: updatedName } as Principal,
  };
}

/**
 * How many rows of a table have the same maker: a person together with all their API keys, whether these still live or not, or a key of the
 * organisation. `condition`, with `parameters`, says which rows count.
 */
export function* countOfMaker(
  table: string,
  { type, id }: Pick<Principal, "type" | "id">,
  condition = "1 = 1",
  parameters: readonly Cell[] = [],
): Script<number> {
  const person = type === "user" ? id : (yield* ask("SELECT user_id FROM keys WHERE id = $1", id)).rows[0]?.[0];
  const place = `$${parameters.length + 1}`;
  const isTheirs = person
    ? `(created_type = 'user' AND created_by = ${place} OR created_type = 'key' AND created_by IN (SELECT id FROM keys WHERE user_id = ${place}))`
    : `created_type = 'key' AND created_by = ${place}`;
  const sql = `SELECT count(*) FROM ${table} WHERE ${condition} AND ${isTheirs}`;
  return Number((yield* ask(sql, ...parameters, person ?? id)).rows[0]?.[0]);
}

/** In the order of MADE_COLUMNS. */
export function cellsOfMade({ createdAt, createdBy, updatedAt, updatedBy }: Made): Cell[] {
  return [createdAt, createdBy.type, createdBy.id, updatedAt, updatedBy.type, updatedBy.id];
}

/** As people and programs are told it. */
export function madeOnWire({ createdAt, updatedAt }: Made): { createdAt: string; updatedAt: string } {
  return { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}
