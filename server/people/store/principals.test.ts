import { expect, test } from "vitest";
import type { Principal } from "../../../core/contract/principals.ts";
import { createMemory, memoryKey, REMEMBERED_FOR, type StoredRecord, withPrincipals } from "./principals.ts";

test("what is remembered of the principals is never older than a quarter of a second", () => {
  let now = 0;
  const memory = createMemory(() => now);
  const first = memory();
  now = REMEMBERED_FOR - 1;
  expect(memory()).toBe(first);
  now = REMEMBERED_FOR;
  expect(memory()).not.toBe(first);
  first.byNumber.set(1, { type: "key", id: "k", name: "read by a request that took long" });
  expect(memory().byNumber.size).toBe(0);
});

test("records get the principals of their numbers, and nobody for a number that is not stored", () => {
  const ann: Principal = { type: "user", id: "u", name: "Ann" };
  const record = (createdBy: number | null, updatedBy: number | null) => ({ id: 1, createdBy, updatedBy }) as unknown as StoredRecord;
  const records = [record(null, null), record(null, 1), record(1, 1), record(1, 2)];
  const found = withPrincipals(records, (number) => (number === 1 ? ann : undefined));
  expect(found.map(({ createdBy, updatedBy }) => [createdBy, updatedBy])).toEqual([
    [null, null],
    [null, ann],
    [ann, ann],
    [ann, null],
  ]);
});

test("a person and a key with the same id are two", () => {
  const one = { id: "a", name: "A" };
  expect(memoryKey({ type: "user", ...one })).not.toBe(memoryKey({ type: "key", ...one }));
});
