// Batches that are committed together: each is answered as if it were alone.

import type { Database } from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { createTestDatabase, SOMEBODY, type TestDatabase } from "../../testing/store.ts";
import type { Batch, ToAnswer } from "../store.ts";
import { connect } from "./file.ts";
import { createWriter, type Writer } from "./write.ts";

const fields = [
  { name: "id", type: "integer" },
  { name: "name", type: "string", constraints: { unique: true } },
];
const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: "id" } }] });
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;

/** The outcomes as text. It fails for a batch whose request is named so. */
const toAnswer: ToAnswer = ({ form }, decisions) => {
  if (form.requestId === "fails") throw new Error("no answer");
  return { status: 200, headers: {}, body: decisions.map(({ outcome }) => outcome).join() };
};

const post = (id: number | null, name: string, more: Partial<Batch> & { requestId?: string } = {}): Batch => ({
  collection,
  by: SOMEBODY,
  source: { type: "api", run: null },
  ops: [{ verb: "post", id, given: { name }, onConflict: "error", onMissing: "create" }],
  atomic: false,
  form: { kind: "record", instance: "", requestId: more.requestId ?? "" } as Batch["form"],
  ...more,
});

let database: TestDatabase;
let db: Database;
let write: Writer;
beforeEach(async () => {
  database = await createTestDatabase();
  await (await database.open([collection])).close();
  db = connect(`${database.folder}/intake.db`, 1_024);
  write = createWriter(db, [collection], toAnswer);
});
afterEach(async () => {
  db.close();
  await database.drop();
});

const stored = () => db.prepare("SELECT name FROM c_things ORDER BY id").pluck().all();
const bodies = (batches: readonly Batch[]) =>
  write(batches).map((result) => {
    if (result.status === "rejected") return String(result.reason.message);
    return "rejected" in result.value ? result.value.rejected : result.value.answer.body + (result.value.replayed ? " again" : "");
  });

test("batches written together see each other, in their order", () => {
  expect(bodies([post(1, "a"), post(1, "b"), post(2, "a"), post(2, "c")])).toEqual(["created", "failed", "failed", "created"]);
  expect(stored()).toEqual(["a", "c"]);
});

test("one that fails is not written, and takes nothing from the others", () => {
  expect(bodies([post(1, "a"), post(2, "b", { requestId: "fails" }), post(3, "c")])).toEqual(["created", "no answer", "created"]);
  expect(stored()).toEqual(["a", "c"]);
});

test("two with one idempotency key have one effect and one answer", () => {
  const idempotency = { key: "k", fingerprint: "f" };
  const other = { key: "k", fingerprint: "other" };
  expect(bodies([post(null, "a", { idempotency }), post(null, "a", { idempotency }), post(null, "b", { idempotency: other })])).toEqual([
    "created",
    "created again",
    "reused",
  ]);
  expect(stored()).toEqual(["a"]);
});

test("a trial and an atomic batch that fails leave nothing behind, not even the ids that they were given", () => {
  const next = () => db.prepare("SELECT next FROM sequences").pluck().all();
  expect(bodies([post(7, "x")])).toEqual(["created"]);
  const two = (atomic: boolean): Batch => ({ ...post(null, "new", { atomic }), ops: [...post(null, "new").ops, ...post(7, "y").ops] });
  expect(bodies([post(null, "trial", { dryRun: true }), two(true)])).toEqual(["created", "created,failed"]);
  expect([stored(), next()]).toEqual([["x"], []]);
  expect(bodies([two(false), post(null, "last")])).toEqual(["created,failed", "created"]);
  expect(stored()).toEqual(["x", "new", "last"]);
});
