// Erasing a record for good: what is left of it in answers, search and history, and in the files.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Change } from "../../../core/contract/history.ts";
import { StoreFull, StoreTooCostly, StoreUnavailable } from "../../engine/store.ts";
import { DICTIONARY, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
let service: TestService;
let writer: string; // a token
beforeAll(async () => {
  database = await createTestDatabase();
  service = await openTestService(DICTIONARY, {}, database);
  writer = await service.tokenFor("read write");
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const PATH = "/v1/customers";

/** A value of one record alone. Neither SQLite's pages nor its search index shorten what follows the first letters. */
const secretOf = (id: number, what: string) => createHash("sha256").update(`${id} ${what}`).digest("hex").slice(0, 24);
const VALUES = ["first", "last", "changed", "account"];
const tracesOf = (id: number) => VALUES.map((what) => secretOf(id, what).slice(8));
const recordOf = (objectId: number) => ({
  objectId,
  firstName: secretOf(objectId, "first"),
  lastName: secretOf(objectId, "last"),
  accountID: secretOf(objectId, "account"),
});
const post = (ids: readonly number[], key: string) =>
  service.call("POST", PATH, ids.map(recordOf), { authorization: `Bearer ${writer}`, "idempotency-key": key });
const erase = (id: number) => service.call("POST", `${PATH}/${id}/erasure`);

/** A batch again, past the check of the documented form: values of erased records are null, also those that every record has. */
async function repeat(ids: readonly number[], key: string) {
  const headers = { authorization: `Bearer ${writer}`, "content-type": "application/json", "idempotency-key": key };
  const reply = await service.app.inject({ method: "POST", url: PATH, headers, payload: JSON.stringify(ids.map(recordOf)) });
  return { isReplayed: reply.headers["idempotent-replayed"] === "true", text: reply.payload, records: reply.json().customers };
}

/** Says which traces of these records are in the bytes. */
function found(bytes: Buffer, ids: readonly number[]): string[] {
  const text = bytes.toString("latin1");
  return ids.flatMap((id) => tracesOf(id).filter((trace) => text.includes(trace)));
}

/** The bytes of the engine's files: with PostgreSQL those of all tables and indexes, as they are on the disk. */
async function storedBytes(): Promise<Buffer> {
  if (!database.url) {
    const file = join(database.folder, "intake.db");
    return Buffer.concat([file, `${file}-wal`].filter((path) => existsSync(path)).map((path) => readFileSync(path)));
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("CHECKPOINT");
  const files = `SELECT pg_read_binary_file(pg_relation_filepath(oid)) FROM pg_class WHERE relkind IN ('r', 'i')
    AND relnamespace = current_schema()::regnamespace UNION ALL SELECT pg_read_binary_file(pg_relation_filepath(reltoastrelid)) FROM pg_class
    WHERE reltoastrelid <> 0 AND relnamespace = current_schema()::regnamespace`;
  const { rows } = await client.query<[Buffer]>({ text: files, rowMode: "array" });
  await client.end();
  return Buffer.concat(rows.map(([bytes]) => bytes));
}

test("nothing of an erased record is left in answers, and after a rewrite not in the files, the log and a backup either", {
  timeout: 240_000,
}, async () => {
  const ids = Array.from({ length: 900 }, (_, i) => i + 1);
  for (let from = 0; from < ids.length; from += 100) {
    expect((await post(ids.slice(from, from + 100), `batch-${from}`)).status).toBe(201);
    for (const id of ids.slice(from, from + 100)) {
      if (id % 2 === 0)
        await service.call("PATCH", `${PATH}/${id}`, { lastName: secretOf(id, "changed") }, { "idempotency-key": `p${id}` });
      if (id % 3 === 0) await service.call("DELETE", `${PATH}/${id}`);
      if (id % 31 === 0) await service.call("GET", `${PATH}.csv?limit=1&lastName=${secretOf(id, "last")}`); // which is noted with its words
    }
  }
  const erased = ids.filter((id) => id % 31 === 0);
  const rows = ids.map((id, i) => ({
    ...{
      row: i + 1,
      line: i + 2,
      outcome: "failed",
      reason: `${secretOf(id, "last")} is wrong.`,
      fields: ["lastName"],
      codes: ["PATTERN"],
    },
    values: { lastName: secretOf(id, "last"), accountID: secretOf(id, "account") },
  }));
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 900, inDoubt: 0, notSent: 0 };
  const report = { state: "stopped", counts, rowsRead: 900, seconds: 1, why: `${secretOf(31, "account")} was refused.`, rows };
  const run = { collection: "customers", fileName: "a.csv", file: "", meaning: { mode: "create" }, round: 0, upload: "erased" };
  expect((await service.call("PUT", "/v1/runs/erased", { ...run, report })).json.run.keptRows).toBe(900);
  const kept = ids.filter((id) => id % 31 !== 0 && id % 3 !== 0);
  for (const id of erased) {
    const answer = await erase(id);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ collection: "customers", objectId: id, by: { type: "key" } });
  }
  for (const id of erased) {
    const texts = [
      await service.call("GET", `${PATH}/${id}`),
      await service.call("GET", `${PATH}/${id}/history`),
      await service.call("GET", `${PATH}/${id}/copy`),
      await service.call("GET", `${PATH}?q=${secretOf(id, "account")}`),
      await service.call("GET", "/v1/runs/erased"),
      await service.call("GET", "/v1/runs/erased/rows"),
    ];
    expect(texts[0]?.status).toBe(404);
    expect(texts[3]?.json.customers).toEqual([]);
    expect(found(Buffer.from(texts.map(({ text }) => text).join()), [id])).toEqual([]);
  }
  expect((await service.call("GET", `${PATH}?deleted=true&limit=1000`)).text).not.toContain(tracesOf(erased[2] as number)[0]);
  const again = await repeat(ids.slice(0, 100), "batch-0");
  expect(again.isReplayed).toBe(true);
  expect(again.records[30]).toMatchObject({ objectId: 31, version: 1, lastName: null, accountID: null });
  expect(again.records[31]).toMatchObject(recordOf(32));
  expect(found(Buffer.from(again.text), erased)).toEqual([]);
  const before = await storedBytes();
  const left = found(before, erased).length;
  if (database.url) expect(left).toBeGreaterThan(0);
  else expect(left).toBeLessThan(erased.length / 5); // copies that SQLite left behind when it moved rows
  expect((await service.call("POST", "/v1/rewrite")).status).toBe(204);
  const after = await storedBytes();
  expect(found(after, erased)).toEqual([]);
  expect(found(after, kept).length).toBeGreaterThan(kept.length); // otherwise nothing was looked for
  expect(after.length).toBeLessThanOrEqual(before.length);
  expect((await service.call("GET", `${PATH}/${kept[0]}`)).json).toMatchObject({ accountID: secretOf(kept[0] as number, "account") });
  if (database.url) return; // no backup
  const backup = await service.app.inject({ url: "/v1/backup", headers: { authorization: `Bearer ${await service.tokenFor("admin")}` } });
  expect(found(backup.rawPayload, erased)).toEqual([]);
});

test("while the files are rewritten, twice at once, nothing is lost that others write", async () => {
  const ids = Array.from({ length: 60 }, (_, i) => 5_001 + i);
  const rewrite = () => service.call("POST", "/v1/rewrite");
  const put = (id: number) => service.call("PUT", `${PATH}/${id}`, recordOf(id));
  const answers = await Promise.all([...ids.slice(0, 30).map(put), rewrite(), rewrite(), ...ids.slice(30).map(put)]);
  expect(answers.map(({ status }) => status).filter((status) => status !== 201)).toEqual([204, 204]);
  for (const id of ids) expect((await service.call("GET", `${PATH}/${id}`)).json).toMatchObject(recordOf(id));
  expect((await service.call("GET", `${PATH}?q=${secretOf(5_060, "account")}`)).json.customers).toHaveLength(1);
  expect((await service.call("POST", "/v1/rewrite", undefined, { authorization: `Bearer ${writer}` })).status).toBe(403);
  for (const [why, status, code] of [
    [new StoreTooCostly(), 409, "REWRITE_TOO_LONG"],
    [new StoreFull(), 507, "STORE_FULL"],
    [new StoreUnavailable(), 503, "UNAVAILABLE"],
  ] as const) {
    vi.spyOn(service.store, "rewrite").mockRejectedValueOnce(why);
    expect((await rewrite()).json).toMatchObject({ status, code });
  }
});

test("that it was erased stays, when and by whom, and whoever follows the changes hears of it", async () => {
  const id = 2_001;
  await post([id], "2001");
  const person = await service.newPerson("administrator");
  const cursor = (await service.call("GET", "/v1/changes?after=now")).json.next;
  const headers = { authorization: `Bearer ${person.token}` };
  const answer = await service.call("POST", `${PATH}/${id}/erasure`, undefined, headers);
  expect(answer.json).toMatchObject({ objectId: id, version: 2, by: { type: "user", id: person.id } });
  const { history } = (await service.call("GET", `${PATH}/${id}/history`)).json;
  expect(history).toEqual([expect.objectContaining({ operation: "erased", version: 2, at: answer.json.at, changes: {} })]);
  await vi.waitFor(
    async () => {
      const { changes } = (await service.call("GET", `/v1/changes?after=${cursor}&include=record,changes`)).json;
      expect(changes.filter((change: Change) => change.objectId === id)).toContainEqual(
        expect.objectContaining({ operation: "erased", record: null, changes: {} }),
      );
    },
    { timeout: 60_000 },
  );
  expect((await service.call("POST", `${PATH}/${id}/restore`, { version: 1 })).status).toBe(404);
  expect((await service.call("POST", `${PATH}/${id}/restore`, { version: 2 })).status).toBe(404);
  // Erased again: nothing more happens. A new record under the id goes on above it.
  expect((await erase(id)).json).toEqual(answer.json);
  const created = await service.call("PUT", `${PATH}/${id}`, recordOf(id));
  expect([created.status, created.json.version]).toEqual([201, 3]);
  const entries = (await service.call("GET", `${PATH}/${id}/history`)).json.history;
  expect(entries.map(({ operation }: Change) => operation)).toEqual(["created", "erased"]);
});

test("an id that never was cannot be erased, and only administrators erase", async () => {
  expect((await erase(99_999)).status).toBe(404);
  expect((await service.call("GET", `${PATH}/99999/copy`)).status).toBe(404);
  await post([2_002], "2002");
  const headers = { authorization: `Bearer ${writer}` };
  expect((await service.call("POST", `${PATH}/2002/erasure`, undefined, headers)).status).toBe(403);
  expect((await service.call("GET", `${PATH}/2002/copy`, undefined, headers)).status).toBe(403);
});

test("the copy has the record and all of its history", async () => {
  const id = 2_003;
  await post([id], "2003");
  for (let i = 0; i < 120; i++) await service.call("PATCH", `${PATH}/${id}`, { lastName: `Name ${i}` });
  const { json, headers } = await service.call("GET", `${PATH}/${id}/copy`);
  expect(json).toMatchObject({ collection: "customers", objectId: id, record: { lastName: "Name 119", version: 121 } });
  expect(json.history).toHaveLength(121);
  expect(json.history.at(-1).changes.lastName).toEqual([null, secretOf(id, "last")]);
  expect(headers["content-disposition"]).toContain(`customers-${id}.json`);
  await service.call("DELETE", `${PATH}/${id}`);
  const gone = (await service.call("GET", `${PATH}/${id}/copy`)).json;
  expect([gone.record, gone.history[0].operation]).toEqual([null, "deleted"]);
});

test("pages of changes and of activity leave out nothing but what was erased", async () => {
  const ids = Array.from({ length: 12 }, (_, i) => 3_001 + i);
  const cursor = (await service.call("GET", "/v1/changes?after=now")).json.next;
  // Each alone, and all together: some writes will have nothing left, others less than they had.
  for (const id of ids) await service.call("PUT", `${PATH}/${id}`, recordOf(id));
  const renamed = ids.map((objectId) => ({ objectId, lastName: `Again ${objectId}` }));
  await service.call("POST", `${PATH}?onConflict=update`, renamed);
  const gone = ids.filter((_, i) => i % 3 !== 1);
  for (const id of gone) await erase(id);
  const kept = ids.filter((id) => !gone.includes(id));

  const seen: string[] = [];
  let after = cursor;
  await vi.waitFor(
    async () => {
      const { json } = await service.call("GET", `/v1/changes?limit=1&after=${after}`);
      after = json.next;
      const own = json.changes.filter(({ objectId }: Change) => ids.includes(objectId));
      seen.push(...own.map(({ operation, objectId }: Change) => `${operation} ${objectId}`));
      expect(seen.length).toBeGreaterThanOrEqual(2 * kept.length + gone.length);
    },
    { timeout: 60_000, interval: 1 },
  );
  const erased = gone.map((id) => `erased ${id}`);
  expect(seen).toEqual([...kept.map((id) => `created ${id}`), ...kept.map((id) => `updated ${id}`), ...erased]);

  for (const operation of ["created", "updated"]) {
    const lines: { objectId: number; size: number }[] = [];
    for (let query = ""; lines.length < 100; ) {
      const { activity, next } = (await service.call("GET", `/v1/activity?limit=1&operation=${operation}${query}`)).json;
      lines.push(...activity.filter(({ objectId }: Change) => ids.includes(objectId)));
      if (next === null) break;
      query = `&before=${next}`;
    }
    const sizes = lines.map(({ size }) => size);
    expect([operation, ...sizes]).toEqual([operation, ...(operation === "created" ? kept.map(() => 1) : [kept.length])]);
  }
});
