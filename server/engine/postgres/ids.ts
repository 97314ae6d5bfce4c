// Ids that the service assigns. Each process reserves them in blocks, so that processes do not wait for each other.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { columnOf, tableOf } from "../columns.ts";
import { firstAssignedId } from "../plan-write.ts";
import type { Connections } from "./connections.ts";

export interface Ids {
  /** Ids that were free when their block was reserved, ascending. A client may have used one since; then draw another. */
  draw(collection: Collection, count: number): Promise<number[]>;
  /** Returns ids that were not used, so that a dry run and the write after it get the same ones. */
  giveBack(collection: Collection, ids: readonly number[]): void;
}

const BLOCK = 1_000; // ids, and blocks at least; a process that ends loses the rest of its block, so a small id space has smaller blocks

export function createIds({ read, transact }: Connections): Ids {
  const free = new Map<string, number[]>();
  const refilling = new Map<string, Promise<void>>();
  const freeOf = (collection: Collection) => {
    const ids = free.get(collection.name) ?? [];
    free.set(collection.name, ids);
    return ids;
  };

  /** Reserves blocks until there are `count` free ids. While whole blocks are in use it skips ahead twice as far each time. */
  async function refill(collection: Collection, count: number): Promise<void> {
    const first = firstAssignedId(collection.key);
    const space = Number(collection.key.maximum ?? Number.MAX_SAFE_INTEGER) - first + 1;
    const size = Math.max(count, Math.min(BLOCK, Math.ceil(space / BLOCK)), 1);
    const ids = freeOf(collection);
    for (let skip = 0; ids.length < count; skip = skip * 2 + size) {
      const to = await transact(async (query) => {
        const { rows } = await query(
          `INSERT INTO sequences (collection, next) VALUES ($1, $2::bigint + $3::bigint)
           ON CONFLICT (collection) DO UPDATE SET next = sequences.next + $4::bigint + $3::bigint RETURNING next`,
          [collection.name, first, size, skip],
        );
        return Number(rows[0]?.[0]);
      });
      const key = columnOf(collection.key);
      const { rows } = await read(
        `SELECT ${key} FROM ${tableOf(collection)} WHERE ${key} >= $1 AND ${key} < $2
         UNION SELECT id FROM tombstones WHERE collection = $3 AND id >= $1 AND id < $2`,
        [to - size, to, collection.name],
      );
      const used = new Set(rows.map(([id]) => id));
      for (let id = to - size; id < to; id++) if (!used.has(id)) ids.push(id);
    }
  }

  return {
    async draw(collection, count) {
      const ids = freeOf(collection);
      while (ids.length < count) {
        const running = refilling.get(collection.name) ?? refill(collection, count).finally(() => refilling.delete(collection.name));
        refilling.set(collection.name, running);
        await running;
      }
      return ids.splice(0, count);
    },
    giveBack(collection, ids) {
      const all = freeOf(collection);
      all.unshift(...ids);
      all.sort((a, b) => a - b);
    },
  };
}
