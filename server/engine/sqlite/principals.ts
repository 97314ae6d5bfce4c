// The people and API keys that wrote records, in SQLite.

import type { Database } from "libsql";
import type { Principal } from "../../../core/contract/principals.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import { createMemory, type StoredRecord, withPrincipals } from "../../people/store/principals.ts";

export interface Principals {
  /** Returns the records with their principals, changed in place. */
  name(records: readonly StoredRecord[]): WireRecord[];
  /**
   * Returns the number of the principal in the tables, assigned at its first write. Inside the caller's transaction, and not remembered:
   * what a transaction has assigned is gone when it is rolled back.
   */
  numberOf(principal: Principal): number;
  /** Call it after a renaming; otherwise the old name stays for a quarter of a second. */
  forget(): void;
}

/** Each thread that has a connection has its own. */
export function createPrincipals(db: Database): Principals {
  let memory = createMemory();
  const byNumber = db.prepare(`SELECT p.type, p.id, coalesce(u.name, nullif(k.name, ''), p.id) AS name
    FROM principals p LEFT JOIN keys k ON p.type = 'key' AND k.id = p.id LEFT JOIN users u ON p.type = 'user' AND u.id = p.id WHERE p.number = ?`);
  const byId = db.prepare("SELECT number FROM principals WHERE id = ? AND type = ?");
  const insert = db.prepare("INSERT INTO principals (type, id) VALUES (?, ?)");

  function find(known: Map<number, Principal>, number: number): Principal | undefined {
    const remembered = known.get(number);
    if (remembered) return remembered;
    const row = byNumber.get([number]) as Principal | undefined;
    const principal = row && { type: row.type, id: row.id, name: row.name };
    if (principal) known.set(number, principal);
    return principal;
  }
  return {
    name(records) {
      const { byNumber: current } = memory();
      return withPrincipals(records, (number) => find(current, number));
    },
    numberOf({ type, id }) {
      const row = byId.get(id, type) as { number: number } | undefined;
      return row?.number ?? Number(insert.run(type, id).lastInsertRowid);
    },
    forget() {
      memory = createMemory();
    },
  };
}
