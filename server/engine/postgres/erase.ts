// Erasing in PostgreSQL. The bytes of deleted rows stay in its files until VACUUM: see docs/erasure.md.

import type { Source } from "../../../core/contract/history.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import {
  type EngineSql,
  eraseRecord,
  finishErasure,
  type PendingErasure,
  pendingErasures,
  removeEntries,
} from "../../erasure/erase-record.ts";
import { redactAnswers } from "../../erasure/stored-answers.ts";
import { OWN_XID } from "../../history/store/home-postgres.ts";
import { OPERATION_BITS } from "../../history/store/reads.ts";
import { forgetImportWords } from "../../imports/store/imports.ts";
import { forgetRunRows } from "../../runs/store/runs.ts";
import { tableOf } from "../columns.ts";
import { runOn } from "../script/run-postgres.ts";
import type { Script } from "../script/script.ts";
import { type InUse, StoreTooCostly, StoreUnavailable } from "../store.ts";
import type { Connections } from "./connections.ts";
import type { Query } from "./pool.ts";
import type { Principals } from "./principals.ts";

const ENGINE: EngineSql = {
  addWrite: `INSERT INTO writes (collection, at, by, source, run, size, operations, xid)
    VALUES ($1, $2::bigint, $3::integer, $4, $5, 1, ${OPERATION_BITS.erased}, ${OWN_XID})`,
  writeNumber: `SELECT max(number) FROM writes WHERE xid = ${OWN_XID}`,
  lock: " FOR UPDATE",
};
const PATIENCE = 60_000; // ms
const PAUSE = 20; // ms

export function createEraser({ read, transact }: Connections, principals: Principals, collections: readonly Collection[]) {
  const inTransaction = <T>(script: () => Script<T>) => transact((query) => runOn(query, script()));

  async function finish(erasure: PendingErasure): Promise<void> {
    const { collection: name, id } = erasure;
    const collection = collections.find((one) => one.name === name);
    while (await inTransaction(() => removeEntries(erasure)));
    await olderTransactions(read);
    while (await inTransaction(forgetRunRows));
    await inTransaction(forgetImportWords);
    for (let after: string | undefined = collection && ""; after !== undefined && collection; ) {
      const from: string = after;
      after = await inTransaction(() => redactAnswers(collection, id, from));
    }
    await inTransaction(() => finishErasure(erasure));
  }

  async function finishAll(): Promise<void> {
    for (const erasure of await inTransaction(pendingErasures)) await finish(erasure);
  }

  return {
    async erase(collection: Collection, id: number, by: Principal, source: Source): Promise<boolean | InUse> {
      const number = await principals.numberOf(by);
      const stamp = { now: Date.now(), by: number, source };
      const outcome = await inTransaction(() => eraseRecord(collection, id, stamp, ENGINE, collections));
      if (outcome === true) await finishAll();
      return outcome;
    },
    /** Finishes the erasures that a process which ended has left half done. */
    finishAll,
  };
}

const REWRITTEN = [
  "history",
  "tombstones",
  "replies",
  "exports",
  "runs",
  "run_rows",
  "imports",
  "import_batches",
  "file_uploads",
  "settings",
  "webhooks",
];

/** Does what `Store.rewrite` says, table after table; each has `ms`, for nobody reads or writes it meanwhile. */
export async function rewriteTables({ read, readWithin }: Connections, collections: readonly Collection[], ms: number): Promise<void> {
  await olderTransactions(read); // rows that one of them may still see would stay
  const tables = [...collections.map(tableOf), ...REWRITTEN];
  const foreign = "SELECT oid::regclass FROM pg_class WHERE oid = ANY($1::regclass[]) AND NOT pg_has_role(relowner, 'USAGE')";
  const [name] = (await read(foreign, [tables])).rows[0] ?? [];
  if (name !== undefined) throw new StoreTooCostly(`the role of the service does not own ${name}`); // PostgreSQL would pass over it with a warning
  for (const table of tables) await readWithin(ms)(`VACUUM (FULL) ${table}`);
}

/** Waits until all transactions that run now have ended: one that saw the record may be storing an answer with it. */
async function olderTransactions(read: Query): Promise<void> {
  const now = (await read("SELECT pg_snapshot_xmax(pg_current_snapshot())::text", [])).rows[0]?.[0];
  const isOver = "SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8";
  for (const end = Date.now() + PATIENCE; (await read(isOver, [now])).count === 0; ) {
    if (Date.now() > end) throw new StoreUnavailable("older transactions are still running");
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
