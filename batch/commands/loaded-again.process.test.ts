// A file that comes again after another was loaded: it counts as loaded only where loading it could store something twice.

import { afterAll, expect, test } from "vitest";
import type { StoredRun } from "../runs/run-registry.ts";
import { batch } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";
import { partsLeft } from "./run-all.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, plain, service, stopMidway, stored, storedOnce, write } = testService;

const snapshot = (first: number, names: string[], account = `s${first}-`) =>
  `id,Last name,Account ID\n${names.map((name, i) => `${first + i},${name},${account}${i}\n`).join("")}`;

async function namesOf(account: string): Promise<unknown[]> {
  return (await stored(account)).map((record) => (record as { lastName?: unknown }).lastName);
}

async function outcome(...args: string[]): Promise<string> {
  const { code, stderr } = await batch(service.url, args);
  return `${code} ${plain(stderr)}`;
}

test("snapshots A, B and A again: the service has what the last one says, and the same one twice is not loaded", async () => {
  const [a, b] = [write("snap/a.csv", snapshot(100, ["Old", "Ek"])), write("snap/b.csv", snapshot(100, ["New", "Ek"]))];
  const run = (path: string, ...more: string[]) => outcome("run", path, "--mode", "upsert", ...more);
  expect(await run(a)).toBe("0 All 2 records of a.csv are in customers: 2 created.");
  const loaded = "5 a.csv was loaded on DAY as a.csv (run RUN, 2 records). To load it once more, add --again.";
  expect(await run(a)).toBe(loaded);
  expect(await run(b)).toBe("0 All 2 records of b.csv are in customers: 1 updated, 1 there already.");
  expect(await run(a)).toBe(loaded); // the old file is sent again by mistake
  const c = write("snap/c.csv", snapshot(100, ["Old", "Ek"]));
  expect(await run(c)).toBe("0 All 2 records of c.csv are in customers: 1 updated, 1 there already.");
  expect(await namesOf("s100-")).toEqual(["Old", "Ek"]);
  expect(await run(c)).toContain("5 c.csv was loaded on DAY as c.csv");
  const d = write("snap/d.csv", snapshot(100, ["New", "Ek"]));
  expect(await run(d, "--mode", "update")).toContain("0 All 2 records of d.csv");
  expect(await outcome("undo", d)).toContain("0 1 record of d.csv taken back");
  expect(await run(write("snap/e.csv", snapshot(100, ["Old", "Ek"])))).toContain("5 e.csv was loaded on DAY as c.csv"); // d was taken back
});

test("so it is where every snapshot has the same name", async () => {
  const run = (name: string) => outcome("run", write("same/daily.csv", snapshot(150, [name])), "--mode", "upsert");
  expect(await run("Old")).toContain("0 ");
  expect(await run("New")).toContain("0 ");
  expect(await run("Old")).toBe("0 The one record of daily.csv is in customers: 1 updated.");
  expect(await run("Old")).toContain("5 daily.csv was loaded on DAY");
  expect(await namesOf("s150-")).toEqual(["Old"]);
});

test("files that only create, or have records without a key, are loaded once whatever came after them", async () => {
  const other = write("once/other.csv", snapshot(200, ["Other"]));
  const create = write("once/create.csv", "Last name,Account ID\nEk,o1\n");
  const keyless = write("once/first.csv", "id,Last name,Account ID\n210,Ek,o2\n,Bo,o3\n");
  expect(await outcome("run", create)).toContain("0 ");
  expect(await outcome("run", keyless, "--mode", "upsert")).toContain("0 ");
  expect(await outcome("run", other, "--mode", "upsert")).toContain("0 ");
  const loaded = "5 create.csv was loaded on DAY as create.csv (run RUN, 1 record). To load it once more, add --again.";
  expect(await outcome("run", create)).toBe(loaded);
  expect(await outcome("run", create, "--mode", "upsert")).toBe(loaded);
  const again = write("once/keyless.csv", "id,Last name,Account ID\n210,Ek,o2\n,Bo,o3\n");
  const why = "1 of its records has no key and would be created once more. To load it all the same, add --again.";
  const since = "was loaded on DAY as first.csv (run RUN, 2 records), and another file after it.";
  expect(await outcome("run", again, "--mode", "upsert")).toBe(`1 keyless.csv ${since} ${why}`);
  expect(await outcome("run", again)).toBe(
    `1 keyless.csv ${since} Its records would be created once more. To load it all the same, add --again.`,
  );
  expect(await storedOnce("o")).toEqual([3, 3]);
});

test("what is loaded again and stopped midway is resumed, and stored once", { timeout: 180_000 }, async () => {
  const names = (name: string) => Array.from({ length: 9_000 }, () => name);
  const [a, b] = [write("mid/a.csv", snapshot(10_000, names("A"))), write("mid/b.csv", snapshot(10_000, names("B")))];
  for (const path of [a, b]) expect(await outcome("run", path, "--mode", "upsert")).toContain("0 All 9,000");
  const again = write("mid/again.csv", snapshot(10_000, names("A")));
  expect((await stopMidway(["run", again, "--mode", "upsert"])).code).toBe(3);
  expect(await outcome("run", again, "--mode", "upsert")).toContain("3 again.csv was begun on DAY and is not finished");
  expect(await outcome("resume", again)).toBe("0 All 9,000 records of again.csv are in customers: 9,000 updated.");
  expect(new Set(await namesOf("s10000-"))).toEqual(new Set(["A"]));
  expect(await outcome("run", again, "--mode", "upsert")).toContain("5 again.csv was loaded");
});

test("a file with actions may come again, too, and a watcher archives it", { timeout: 180_000 }, async () => {
  const action = { column: "Do", add: "A", change: "C", delete: "D" };
  const layout = write("actions.json", JSON.stringify({ kind: "delimited", collection: "customers", action }));
  const { path: inbox, put, filesWithin } = makeInbox(folder, "inbox");
  const watch = () => outcome("watch", inbox, "--once", "--layout", layout, "--max-rejects", "none");
  const files = { on: "Do,id,Last name,Account ID\nA,300,Ek,w0\n", off: "Do,id,Last name,Account ID\nD,300,,\n" };
  for (const [i, text] of [files.on, files.off, files.on].entries()) {
    put(`${i}.csv`, text);
    expect(await watch()).toContain("0 No longer watching");
  }
  expect(await namesOf("w")).toEqual(["Ek"]);
  put("3.csv", files.on);
  expect(await watch()).toContain("5 3.csv was loaded on DAY as 2.csv");
  expect([filesWithin("archive"), filesWithin("rejected")]).toEqual([["0.csv", "1.csv", "2.csv"], ["3.csv"]]);
});

test("of a file that was loaded again only in part, what is left is that of the latest time", () => {
  const run = (id: string, collection: string) => ({ id, collection, parts: ["customers", "orders"] }) as unknown as StoredRun;
  const first = [run("2", "orders"), run("1", "customers")]; // the latest comes first
  expect(partsLeft(first)).toEqual([]);
  expect(partsLeft([run("3", "customers"), ...first])).toEqual(["orders"]);
  expect(partsLeft([run("4", "orders"), run("3", "customers"), ...first])).toEqual([]);
  expect(partsLeft([run("1", "customers")])).toEqual(["orders"]);
});
