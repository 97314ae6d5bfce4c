// Batches that are committed together: each is answered as if it were alone.

import type { Database } from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { createTestDatabase, SOMEBODY, type TestDatabase } from "../../testing/store.ts";
import type { Batch, ToAnswer, WriteOp } from "../store.ts";
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

test("new records of one batch are stored together with what else the batch does, whatever their number", () => {
  const op = post(null, "").ops[0] as Extract<WriteOp, { verb: "post" }>;
  const creates = (from: number, to: number): WriteOp[] =>
    Array.from({ length: to - from }, (_, i) => ({ ...op, id: from + i, given: { name: `n${from + i}` } }));
  write([post(1, "changed"), post(2, "deleted"), post(3, "back")]);
  const remove = (id: number): WriteOp => ({ verb: "delete", id });
  write([post(null, "", { ops: [remove(3)] })]);
  // 46 of them: more than two statements hold.
  const ops: WriteOp[] = [
    ...creates(10, 31),
    { verb: "patch", id: 1, given: { name: "other" } },
    { ...op, id: 40, given: { name: "changed" } },
    remove(2),
    { ...op, id: 41, given: { name: "deleted" } },
    { ...op, id: 3, given: { name: "back" } },
    ...creates(50, 72),
  ];
  expect(bodies([post(null, "", { ops })])).toEqual([
    ops.map(({ verb }) => ({ patch: "updated", delete: "deleted" })[verb as string] ?? "created").join(),
  ]);
  const named = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `n${from + i}`);
  expect(stored()).toEqual(["other", "back", ...named(10, 31), "changed", "deleted", ...named(50, 72)]);
  expect(db.prepare("SELECT rowid FROM s_things").pluck().all()).toHaveLength(stored().length);
  const last = db
    .prepare("SELECT id, version, operation FROM history WHERE write = (SELECT max(write) FROM history) ORDER BY id")
    .raw()
    .all();
  expect(last).toHaveLength(ops.length);
  expect(last.slice(0, 4)).toEqual([
    [1, 2, "updated"],
    [2, 2, "deleted"],
    [3, 3, "created"],
    [10, 1, "created"],
  ]);
});
