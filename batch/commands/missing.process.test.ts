// `missing`: what the service has and a file has not is listed, and deleted only when asked, as one run.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { batch, serveDictionary } from "../testing/process.ts";
import { openServiceProxy } from "../testing/service-proxy.ts";

const DICTIONARY = {
  resources: [
    {
      name: "units",
      singular: "unit",
      schema: {
        fields: [
          { name: "id", title: "Id", type: "integer" },
          { name: "code", title: "Code", type: "string", constraints: { unique: true, caseless: true } },
          { name: "name", title: "Name", type: "string" },
          { name: "city", title: "City", type: "string" },
          { name: "above", title: "Above", type: "integer" },
        ],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["above"], reference: { resource: "units", fields: ["id"] }, as: "parent" }],
      },
    },
  ],
};

const { folder, service, headers, fileOf } = await serveDictionary(DICTIONARY);

let lists = 0;
const newList = () => join(folder, `missing${++lists}.jsonl`);
const missing = (...words: string[]) => batch(service.url, ["missing", ...words]);
const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
async function stored(): Promise<number[]> {
  const answer = await fetch(`${service.url}/v1/units?sort=id&limit=1000`, { headers });
  return ((await answer.json()) as { units: { id: number }[] }).units.map(({ id }) => id);
}
async function store(...units: object[]): Promise<void> {
  const before = await stored();
  const body = JSON.stringify({ units: before.map((id) => ({ id })) });
  for (let tries = 0; tries < 5 && (await stored()).length > 0; tries++)
    await fetch(`${service.url}/v1/units/deletions?onError=continue`, { method: "POST", headers, body });
  const made = await fetch(`${service.url}/v1/units`, { method: "POST", headers, body: JSON.stringify(units) });
  expect([made.status, await stored()]).toEqual([201, units.map((unit) => (unit as { id: number }).id)]);
}

let next = 1;
/** Three units, of which the third is below the second. */
async function storeThree(): Promise<[number, number, number]> {
  const ids: [number, number, number] = [next++, next++, next++];
  const [one, two, three] = ids;
  await store(
    { id: one, code: `Aa${one}`, name: "One", city: "Bonn" },
    { id: two, code: `B${two}`, name: "Two", city: "Ulm" },
    { id: three, name: "Three", city: "Bonn", above: two },
  );
  return ids;
}

test("the records that a file lacks are listed as they are, and loaded again from the list after they were deleted", async () => {
  const [one, two, three] = await storeThree();
  const list = newList();
  const file = fileOf("Id,Name", `${one},Other`);
  const listed = await missing(file, list);
  expect([listed.code, listed.stderr]).toEqual([0, expect.stringContaining("2 stored records of units are not in")]);
  expect(linesOf(list)).toEqual([
    { id: two, code: `B${two}`, name: "Two", city: "Ulm", above: null },
    { id: three, code: null, name: "Three", city: "Bonn", above: two },
  ]);
  expect(await stored()).toEqual([one, two, three]);
  const again = await missing(file, list);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is there already")]);

  const few = await missing(file, newList(), "--delete", "1");
  expect([few.code, few.stderr]).toEqual([1, expect.stringContaining("None was deleted: --delete allows 1.")]);
  expect(await stored()).toEqual([one, two, three]);

  // The third refers to the second, which goes all the same.
  const deleted = await missing(file, newList(), "--delete", "2", "--json"); // each line is as its schema says
  expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringContaining("2 records deleted.")]);
  expect(await stored()).toEqual([one]);
  const figures = deleted.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(figures.find(({ step }) => step === "missing")).toMatchObject({ records: 2, unnamed: 0 });
  expect(figures.findLast(({ step }) => step === "deleting")).toMatchObject({ records: 2, deleted: 2 });
  expect((await missing(fileOf("Id", `${one}`, `${two}`), newList(), "--json")).code).toBe(5);
  const nothing = await missing(file, newList(), "--delete", "2");
  expect([nothing.code, nothing.stderr]).toEqual([5, expect.stringContaining("has every stored unit. Nothing was written.")]);

  const [, run = ""] = /undo (\S+)$/.exec(deleted.stderr) ?? [];
  expect((await batch(service.url, ["undo", run])).code).toBe(0);
  expect(await stored()).toEqual([one, two, three]);
});

test("what somebody changes after it was listed is not deleted, and is named", async () => {
  const [one, two, three] = await storeThree();
  const proxy = await openServiceProxy(service.url);
  try {
    proxy.letThrough(0);
    const running = batch(proxy.url, ["missing", fileOf("Id", String(one)), newList(), "--delete", "2"]);
    await proxy.untilHeld();
    const changed = await fetch(`${service.url}/v1/units/${two}`, { method: "PATCH", headers, body: JSON.stringify({ city: "Kiel" }) });
    expect(changed.status).toBe(200);
    proxy.open();
    const { code, stderr } = await running;
    expect([code, stderr]).toEqual([2, expect.stringContaining("1 record deleted. 1 record not deleted, for the reasons below.")]);
    expect(stderr).toContain("1: Somebody changed the record meanwhile.");
  } finally {
    proxy.close();
  }
  expect(await stored()).toEqual([one, two]);
  expect(three).toBeGreaterThan(two);
});

test("only stored records of a filter are compared, and what is no filter is refused", async () => {
  const [one, two, three] = await storeThree();
  const list = newList();
  const found = await missing(fileOf("Id", String(two)), list, "--where", "city=Bonn&name[prefix]=T");
  expect([found.code, linesOf(list).map(({ id }) => id)]).toEqual([0, [three]]);
  const unknown = await missing(fileOf("Id", String(two)), newList(), "--where", "town=Bonn");
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("--where is no filter of units")]);
  for (const [where, words] of [
    ["city=Bonn&city=Ulm", 'has "city" twice'],
    ["deleted=true", '"deleted" is none'],
    ["fields=id", '"fields" is none'],
  ]) {
    const refused = await missing(fileOf("Id", String(two)), newList(), "--where", where as string, "--delete", "9");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(words as string)]);
  }
  expect(await stored()).toEqual([one, two, three]);
});

test("rows are compared by a unique field whatever their case, and what it cannot name is not missing", async () => {
  const [one, two, three] = await storeThree();
  const list = newList();
  const found = await missing(fileOf("Code,Name", `aA${one},x`), list, "--match-by", "code");
  expect([found.code, found.stderr]).toEqual([0, expect.stringContaining("1 stored record cannot be named by such a file")]);
  expect(linesOf(list).map(({ id }) => id)).toEqual([two]);
  expect(await stored()).toEqual([one, two, three]);
});

test("a record is not missing that the file names by what a merge took away, a key or a unique value", async () => {
  const [one, two, three] = await storeThree();
  const merge = { survivor: one, others: [two], values: {}, versions: { [one]: 1, [two]: 1 } };
  const merged = await fetch(`${service.url}/v1/units/merges`, { method: "POST", headers, body: JSON.stringify(merge) });
  expect([merged.status, await stored()]).toEqual([201, [one, three]]);
  for (const [rows, by] of [
    [["Id,Name", `${two},x`, `${three},x`], []],
    [
      ["Code,Name", `b${two},x`],
      ["--match-by", "code"],
    ],
  ] as const) {
    const list = newList();
    const compared = await missing(fileOf(...rows), list, ...by, "--delete", "9");
    expect([compared.code, compared.stderr, existsSync(list)]).toEqual([5, expect.stringContaining("has every stored unit"), false]);
  }
  const other = newList();
  await missing(fileOf("Id,Name", `${two},x`), other);
  expect(linesOf(other).map(({ id }) => id)).toEqual([three]);
  expect(await stored()).toEqual([one, three]);
});

test("a file of which it is not known what it has is refused, and nothing is listed", async () => {
  const ids = await storeThree();
  for (const [rows, words] of [
    [["Id,Name", `${ids[0]},x`, ",New"], "Line 3 of"],
    [["Id,Name", "seven,x"], "Line 2 of"],
    [["Id,Name", `${ids[0]},x,y`], "Line 2 of"],
    [["Id,Name"], "no rows"],
    [["Name", "x"], "no column is matched with Id"],
  ] as const) {
    const list = newList();
    const refused = await missing(fileOf(...rows), list, "--delete", "100");
    expect([refused.code, refused.stderr, existsSync(list)]).toEqual([1, expect.stringContaining(words), false]);
  }
  expect(await stored()).toEqual(ids);
});
