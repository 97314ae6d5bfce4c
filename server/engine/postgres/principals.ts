// The people and API keys that wrote records, in PostgreSQL.

import type { Principal } from "../../../core/contract/principals.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import { createMemory, memoryKey, type StoredRecord, withPrincipals } from "../../people/store/principals.ts";
import type { Connections } from "./connections.ts";
import type { Query } from "./pool.ts";

export interface Principals {
  /** Returns the records with their principals, changed in place. `read` queries for those that are not remembered. */
  name(read: Query, records: readonly StoredRecord[]): Promise<WireRecord[]>;
  /** Returns the number of the principal in the tables; assigned at its first write, in a transaction of its own. */
  numberOf(principal: Principal): Promise<number>;
  /** Returns undefined where no number is stored: then a failover has lost it. */
  find(read: Query, principal: Principal): Promise<number | undefined>;
}

const BY_NUMBER = `SELECT p.number, p.type, p.id, coalesce(u.name, nullif(k.name, ''), p.id)
  FROM principals p LEFT JOIN keys k ON p.type = 'key' AND k.id = p.id LEFT JOIN users u ON p.type = 'user' AND u.id = p.id WHERE p.number = ANY($1::integer[])`;

/**
 * Several processes may assign numbers at once. Two that take the same one wait for each other here, and the later one finds what
 * the first has stored: there is one row for each principal without a unique index on it.
 */
const ASSIGN = `INSERT INTO principals (number, type, id) SELECT coalesce(max(number), 0) + 1, $1, $2 FROM principals
  HAVING NOT EXISTS (SELECT 1 FROM principals WHERE id = $2 AND type = $1) ON CONFLICT DO NOTHING`;

const FIND = "SELECT number FROM principals WHERE id = $2 AND type = $1 ORDER BY number LIMIT 1";

export function createPrincipals({ read, transact }: Connections): Principals {
  const memory = createMemory();
  const find = async (query: Query, { type, id }: Principal) => (await query(FIND, [type, id])).rows[0]?.[0] as number | undefined;

  async function assign(principal: Principal): Promise<number> {
    for (;;) {
      const number = await find(read, principal);
      if (number !== undefined) return number;
      await transact((query) => query(ASSIGN, [principal.type, principal.id]));
    }
  }
  return {
    async name(query, records) {
      const { byNumber } = memory();
      const unknown = new Set<number>();
      for (const { createdBy, updatedBy } of records) {
        if (createdBy !== null && !byNumber.has(createdBy)) unknown.add(createdBy);
        if (updatedBy !== null && !byNumber.has(updatedBy)) unknown.add(updatedBy);
      }
      if (unknown.size > 0) {
        const { rows } = await query(BY_NUMBER, [[...unknown]]);
        for (const [number, type, id, name] of rows as [number, Principal["type"], string, string][])
          byNumber.set(number, { type, id, name });
      }
      return withPrincipals(records, (number) => byNumber.get(number));
    },
    async numberOf(principal) {
      const { numbers } = memory();
      const key = memoryKey(principal);
      const number = numbers.get(key) ?? (await assign(principal));
      numbers.set(key, number);
      return number;
    },
    find,
  };
}
