// References that lead round in a circle or go over several collections, and a dictionary that gets a reference.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ProblemBody } from "../../core/contract/problems.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { createTestDatabase, outcomesOf, type TestDatabase, writeEach } from "../testing/store.ts";
import { MOST_DEPENDENTS } from "./find-relations.ts";
import type { Store, WriteOp } from "./store.ts";

type OnDelete = "restrict" | "cascade" | "clear";

interface Referring {
  name: string;
  fields: Record<string, [resource: string, onDelete: OnDelete]>;
}

function collectionsOf(...resources: Referring[]): Collection[] {
  const read = readDataPackage({
    resources: resources.map(({ name, fields }) => ({
      name,
      schema: {
        primaryKey: "id",
        fields: ["id", ...Object.keys(fields)].map((field) => ({ name: field, type: "integer" })),
        foreignKeys: Object.entries(fields).map(([field, [resource, onDelete]]) => ({
          fields: field,
          reference: { resource, fields: "id" },
          as: `${field}_parent`,
          onDelete,
        })),
      },
    })),
  });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections;
}

/** Firms have people, one of whom leads a firm; jobs are for people. */
const FIRMS = (lead: OnDelete) =>
  collectionsOf(
    { name: "firms", fields: { lead: ["members", lead] } },
    { name: "members", fields: { firm: ["firms", "cascade"] } },
    { name: "jobs", fields: { person: ["members", "restrict"] } },
  );

const created = (id: number, given: Record<string, number | null> = {}): WriteOp => ({
  verb: "post",
  id,
  given: { id, ...given },
  onConflict: "error",
  onMissing: "create",
});
const deleted = (id: number): WriteOp => ({ verb: "delete", id });
const changed = (id: number, given: Record<string, number | null>): WriteOp => ({ verb: "patch", id, given });

let database: TestDatabase;
let store: Store;
let collections: Collection[];

const named = (name: string) => collections.find((one) => one.name === name) as Collection;
const write = async (name: string, ...ops: WriteOp[]) => outcomesOf(await writeEach(store, named(name), ops));
const stored = async (name: string, id: number) => {
  const record = await store.read(named(name), id);
  return record && Object.fromEntries(Object.entries(record).filter(([field]) => !/^(created|updated)/.test(field)));
};

describe.each(["clear", "restrict"] as const)("firms whose lead is one of their people (%s)", (lead) => {
  beforeAll(async () => {
    database = await createTestDatabase();
    collections = FIRMS(lead);
    store = await database.open(collections);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });
  beforeEach(async () => {
    for (const name of ["jobs", "firms", "members", "firms"]) {
      const page = { limit: 100, words: [], sort: [{ name: "id", descending: false }] };
      const { records } = await store.list(named(name), page);
      if (name === "firms") await write(name, ...records.map(({ id }) => changed(id as number, { lead: null })));
      await write(name, ...records.map(({ id }) => deleted(id as number)));
    }
    await write("firms", created(1), created(2));
    await write("members", created(11, { firm: 1 }), created(12, { firm: 1 }), created(21, { firm: 2 }));
  });

  test("a firm goes with its people, though one of them leads it", async () => {
    await write("firms", changed(1, { lead: 11 }));
    expect(await write("firms", deleted(1))).toEqual(["deleted"]);
    expect([await stored("members", 11), await stored("members", 12)]).toEqual([undefined, undefined]);
    expect(await stored("members", 21)).toMatchObject({ firm: 2 });
  });

  test("a job of one of its people keeps the firm", async () => {
    await write("jobs", created(5, { person: 12 }));
    const [result] = await writeEach(store, named("firms"), [deleted(1)]);
    expect((result?.problem as ProblemBody | undefined)?.errors).toMatchObject([{ code: "IN_USE", count: 1, href: "/v1/jobs?person=12" }]);
    expect(await stored("members", 11)).toMatchObject({ firm: 1 });
    await write("jobs", deleted(5));
    expect(await write("firms", deleted(1))).toEqual(["deleted"]);
  });

  test("a firm that is led by somebody of another keeps that one, or loses its lead", async () => {
    const before = Number((await stored("firms", 2))?.version);
    await write("firms", changed(2, { lead: 11 }));
    expect(await write("firms", deleted(1))).toEqual([lead === "clear" ? "deleted" : "IN_USE"]);
    const [kept, version] = lead === "clear" ? [null, before + 2] : [11, before + 1];
    expect(await stored("firms", 2)).toEqual({ id: 2, lead: kept, version });
  });

  test("in one request a record may not refer to what an earlier one deletes, nor be deleted after an earlier one refers to it", async () => {
    expect(await write("firms", deleted(1), changed(2, { lead: 11 }))).toEqual(["deleted", "REFERENCE_NOT_FOUND"]);
    await write("firms", created(1));
    await write("members", created(11, { firm: 1 }));
    expect(await write("firms", changed(2, { lead: 11 }), deleted(1))).toEqual(["updated", "IN_USE"]);
    expect(await stored("firms", 2)).toMatchObject({ lead: 11 });
    expect(await stored("members", 11)).toMatchObject({ firm: 1 });
  });

  test("of two firms in one request the one whose lead goes along comes first", async () => {
    await write("firms", changed(2, { lead: 11 }));
    expect(await write("firms", deleted(1), deleted(2))).toEqual(["IN_USE", "deleted"]);
    await write("firms", created(2, { lead: 11 }));
    expect(await write("firms", deleted(2), deleted(1))).toEqual(["deleted", "deleted"]);
  });
});

test("more than may go along in one request keep their parent, and say so", { timeout: 60_000 }, async () => {
  database = await createTestDatabase();
  collections = collectionsOf({ name: "firms", fields: {} }, { name: "members", fields: { firm: ["firms", "cascade"] } });
  store = await database.open(collections);
  try {
    await write("firms", created(1));
    await write("members", ...Array.from({ length: MOST_DEPENDENTS + 1 }, (_, i) => created(i + 1, { firm: 1 })));
    const [result] = await writeEach(store, named("firms"), [deleted(1)]);
    expect((result?.problem as ProblemBody | undefined)?.detail).toBe(
      `${MOST_DEPENDENTS + 1} records of members refer to this firm; so many are not deleted or changed along with it. Delete or change them first.`,
    );
    await write("members", deleted(1));
    expect(await write("firms", deleted(1))).toEqual(["deleted"]);
    expect(await store.count(named("members"), { words: [] })).toBe(0);
  } finally {
    await store.close();
    await database.drop();
  }
});

test("a dictionary gets a reference only if every stored value has its parent", async () => {
  database = await createTestDatabase();
  const without = collectionsOf({ name: "firms", fields: {} }, { name: "members", fields: { firm: ["firms", "restrict"] } });
  const [firms, people] = without as [Collection, Collection];
  const free = [firms, { ...people, references: [] }];
  const openWith = async (next: Collection[]) => {
    collections = next;
    store = await database.open(next);
  };
  try {
    await openWith(free);
    await write("firms", created(1));
    await write("members", created(11, { firm: 1 }), created(12, { firm: 7 }));
    await store.close();
    await expect(database.open(without)).rejects.toThrow(
      'members.firm: 1 record has a value that no record of "firms" has as its key, but the field refers to it now',
    );
    await openWith(free);
    await write("members", changed(12, { firm: 1 }));
    await store.close();
    await openWith(without);
    expect(await write("members", changed(12, { firm: 7 }))).toEqual(["REFERENCE_NOT_FOUND"]);
    await store.close();
    await openWith(free); // what is written now is not checked
    await write("members", changed(12, { firm: 7 }));
    await store.close();
    await expect(database.open(without)).rejects.toThrow("refers to it now");
    await openWith(free);
  } finally {
    await store.close();
    await database.drop();
  }
});
