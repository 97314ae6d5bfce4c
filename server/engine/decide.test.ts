// Every write op on every stored state, as a table; and the ids that the store assigns.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Principal } from "../../core/contract/principals.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import { decide, type OpWithId } from "./decide.ts";
import { assignIds, firstAssignedId } from "./plan-write.ts";

const read = readDataPackage({
  resources: [
    {
      name: "things",
      singular: "thing",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "a", type: "string", constraints: { required: true } },
          { name: "b", type: "string" },
        ],
        primaryKey: "id",
      },
    },
  ],
});
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;
const NOW = "2026-02-02T00:00:00.000Z";
const OLD = "2026-01-01T00:00:00.000Z";
const ANN: Principal = { type: "user", id: "u1", name: "Ann" };
const BATCH: Principal = { type: "key", id: "k1", name: "nightly" };
const STAMP = { at: NOW, by: BATCH };
const stored = {
  id: 7,
  a: "x",
  b: "y",
  createdAt: OLD,
  updatedAt: OLD,
  createdBy: ANN,
  updatedBy: ANN,
  version: 3,
} as unknown as WireRecord;

const whole = { id: null, a: "x", b: null };
const post = (given: object, onConflict = "error", onMissing = "create", rest = {}) =>
  ({ verb: "post", id: 7, given, onConflict, onMissing, ...rest }) as OpWithId;
const put = (given: object, rest = {}) => ({ verb: "put", id: 7, given, ...rest }) as OpWithId;
const patch = (given: object, rest = {}) => ({ verb: "patch", id: 7, given, ...rest }) as OpWithId;
const remove = (rest = {}) => ({ verb: "delete", id: 7, ...rest }) as OpWithId;
const created = (version = 1) => ({
  outcome: "created",
  record: { id: 7, a: "x", createdAt: NOW, updatedAt: NOW, createdBy: BATCH, updatedBy: BATCH, version },
});
const failed = (code: string) => ({ outcome: "failed", failure: { code } });

test.each<[string, OpWithId, "nothing" | "a tombstone" | "a record", object]>([
  ["post", post(whole), "nothing", created()],
  ["post", post(whole), "a tombstone", created(6)],
  ["post", post(whole), "a record", failed("ALREADY_EXISTS")],
  ["post, skip", post(whole, "skip"), "nothing", created()],
  ["post, skip", post(whole, "skip"), "a record", { outcome: "skipped", record: stored }],
  ["post, update, complete", post({ a: "x" }, "update"), "nothing", created()],
  ["post, update, incomplete", post({ b: "x" }, "update"), "nothing", failed("VALIDATION")],
  ["post, update, missing is an error", post({ a: "x" }, "update", "error"), "nothing", failed("NOT_FOUND")],
  [
    "post, update",
    post({ b: "z" }, "update"),
    "a record",
    {
      outcome: "updated",
      record: { a: "x", b: "z", version: 4, createdAt: OLD, updatedAt: NOW, createdBy: ANN, updatedBy: BATCH },
      changes: { b: ["y", "z"] },
    },
  ],
  ["post, update to the same", post({ b: "y" }, "update"), "a record", { outcome: "unchanged", record: stored }],
  ["post, update, old version", post({ b: "z" }, "update", "create", { ifMatch: [2] }), "a record", failed("PRECONDITION_FAILED")],
  ["post, update, this version", post({ b: "z" }, "update", "create", { ifMatch: [3] }), "a record", { outcome: "updated" }],
  ["post, update, a version of nothing", post({ a: "z" }, "update", "create", { ifMatch: [3] }), "nothing", failed("PRECONDITION_FAILED")],
  ["put", put(whole), "nothing", created()],
  ["put", put(whole), "a tombstone", created(6)],
  ["put", put(whole), "a record", { outcome: "updated", record: { b: null, version: 4 }, changes: { b: ["y", null] } }],
  ["put the same", put({ id: 7, a: "x", b: "y" }), "a record", { outcome: "unchanged" }],
  ["put, any version", put(whole, { ifMatch: "any" }), "nothing", failed("PRECONDITION_FAILED")],
  ["put, only new", put(whole, { ifNoneMatch: "any" }), "nothing", created()],
  ["put, only new", put(whole, { ifNoneMatch: "any" }), "a record", failed("PRECONDITION_FAILED")],
  ["put, not this version", put(whole, { ifNoneMatch: [3] }), "a record", failed("PRECONDITION_FAILED")],
  ["put, not another version", put(whole, { ifNoneMatch: [2] }), "a record", { outcome: "updated" }],
  ["patch", patch({ b: null }), "a record", { outcome: "updated", changes: { b: ["y", null] } }],
  ["patch nothing", patch({}), "a record", { outcome: "unchanged", record: stored }],
  ["patch", patch({ b: "z" }), "nothing", failed("NOT_FOUND")],
  ["patch, any version", patch({ b: "z" }, { ifMatch: "any" }), "nothing", failed("NOT_FOUND")],
  ["patch, old version", patch({ b: "z" }, { ifMatch: [1, 2] }), "a record", failed("PRECONDITION_FAILED")],
  ["delete", remove(), "a record", { outcome: "deleted", record: stored }],
  ["delete", remove(), "a tombstone", { outcome: "gone" }],
  ["delete, old version", remove({ ifMatch: [2] }), "a tombstone", { outcome: "gone" }],
  ["delete", remove(), "nothing", failed("NOT_FOUND")],
  ["delete, old version", remove({ ifMatch: [2] }), "a record", failed("PRECONDITION_FAILED")],
])("%s (%#) on %3$s", (_, op, state, decision) => {
  const current = state === "a record" ? stored : undefined;
  const tombstone = state === "a tombstone" ? 5 : undefined;
  expect(decide(collection, op, { current, tombstone }, STAMP)).toMatchObject(decision);
});

test("decide never changes its arguments", () => {
  const before = structuredClone(stored);
  decide(collection, patch({ a: "new" }), { current: stored, tombstone: undefined }, STAMP);
  expect(stored).toEqual(before);
});

test("assigned ids are free, different and ascending, whatever is taken", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.uniqueArray(fc.integer({ min: 1, max: 600 })), (count, used) => {
      const taken = (from: number, to: number) => new Set(used.filter((id) => id >= from && id <= to));
      const { ids, next } = assignIds(count, 1, taken);
      expect(ids).toHaveLength(count);
      expect(ids.some((id) => used.includes(id))).toBe(false);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      expect(next).toBeGreaterThan(ids.at(-1) as number);
    }),
  );
});

test("a million ids in use cost only a few queries", () => {
  let queries = 0;
  const { ids } = assignIds(1, 1, (from, to) => {
    queries++;
    return new Set(Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((id) => id <= 1_000_000));
  });
  expect(ids[0]).toBeGreaterThan(1_000_000);
  expect(queries).toBeLessThan(20);
});

test("assigned ids stay within the key's minimum and maximum", () => {
  const { key } = collection;
  expect(firstAssignedId(key)).toBe(1_000_000_001);
  expect(firstAssignedId({ ...key, maximum: 99_999 })).toBe(1);
  expect(firstAssignedId({ ...key, minimum: 500, maximum: 99_999 })).toBe(500);
});
