// Tests what is deleted of old runs, what stays, and that an index hides no change.

import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { makeFolder } from "../testing/process.ts";
import type { Runs, StoredRun } from "./run-registry.ts";

const temporary = makeFolder();
afterAll(temporary.remove);

const DAY = 86_400_000; // ms
const NOW = Date.UTC(2024, 5, 1);

const OPEN: StoredRun = {
  id: "20261120-214928-685e15263957",
  collection: "customers",
  fileName: "old.csv",
  path: "/in/old.csv",
  startedAt: Date.UTC(2026, 10, 20),
  plan: { dialect: { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 }, columns: ["lastName"], mode: "create" },
  dictionary: null,
  rowsTotal: 2,
  rejected: 0,
  leftOut: 0,
  limit: 0,
  notes: [],
  problems: [],
  fingerprint: { size: 67, blocks: new Uint8Array(32) },
};

/** Another process: nothing is remembered. */
async function openAnew(folder: string): Promise<Runs> {
  vi.resetModules();
  const { openRuns } = await import("./run-registry.ts");
  return openRuns(folder);
}

async function stateWith(name: string, more: readonly Partial<StoredRun>[]): Promise<{ folder: string; runs: Runs }> {
  const folder = join(temporary.path, name);
  const runs = await openAnew(folder);
  for (const each of more) await runs.put({ ...OPEN, ...each });
  return { folder, runs };
}

test("after 90 days an ended run has no journal and no item plan; one that resume needs keeps both, and all stay known", async () => {
  const old = { startedAt: NOW - 100 * DAY };
  const { folder, runs } = await stateWith("old", [
    { ...old, id: "ended", endedAt: NOW - 91 * DAY },
    { ...old, id: "open" },
    { ...old, id: "unreported", endedAt: NOW - 91 * DAY, isUnreported: true },
    { ...old, id: "later", endedAt: NOW - 89 * DAY },
  ]);
  const files = ["ended", "open", "unreported", "later", "orphan"].flatMap((id) => [`${id}.batches`, `${id}.items`]);
  const others = ["ended.json.0123456789ab.new", "somebody.lock.0123456789ab", "notes.txt"];
  for (const name of [...files, ...others]) {
    writeFileSync(join(folder, name), "[]");
    utimesSync(join(folder, name), (NOW - 95 * DAY) / 1000, (NOW - 95 * DAY) / 1000);
  }
  writeFileSync(join(folder, "fresh.batches"), ""); // of a run that another process is about to store
  await runs.tidy(NOW);
  expect(
    readdirSync(folder)
      .filter((name) => !name.endsWith(".json"))
      .sort(),
  ).toEqual(
    [
      "fresh.batches",
      "later.batches",
      "later.items",
      "notes.txt",
      "open.batches",
      "open.items",
      "runs.count",
      "somebody.lock.0123456789ab",
    ].concat(["unreported.batches", "unreported.items"]),
  );
  expect((await runs.list()).map(({ id }) => id).sort()).toEqual(["ended", "later", "open", "unreported"]);
});

test("a run that another process forgets while the folder is read is passed over", async () => {
  const { folder, runs } = await stateWith("shared", [{ id: "run-1" }, { id: "run-2" }, { id: "run-3" }]);
  const forget = (id: string) => rmSync(join(folder, `${id}.json`), { force: true });
  const found = await runs.list(({ id }) => {
    forget(id === "run-1" ? "run-2" : "run-3");
    return true;
  });
  expect(found.map(({ id }) => id)).toEqual(["run-1"]);
  expect((await runs.summaries()).map(({ id }) => id)).toEqual(["run-1"]);
  expect([(await runs.get("run-1"))?.id, await runs.get("run-2")]).toEqual(["run-1", undefined]);
  forget("run-1");
  const meanwhile = await openAnew(folder);
  await meanwhile.forget("run-1");
  expect(await meanwhile.list()).toEqual([]);
});

test("many runs are read once; what another process changed since is seen, and a damaged index is written anew", async () => {
  const many = Array.from({ length: 60 }, (_, i) => ({ id: `run-${i}`, startedAt: NOW + i, fileName: `f${i}.csv`, path: `/in/f${i}.csv` }));
  const { folder } = await stateWith("many", many);
  const index = join(folder, "runs.index");
  expect(await (await openAnew(folder)).list(() => false)).toEqual([]);
  const { form, runs } = JSON.parse(readFileSync(index, "utf8"));
  expect(runs).toHaveLength(60);
  writeFileSync(index, JSON.stringify({ form: form - 1, runs: runs.map((one: object) => ({ ...one, path: "/in/other.csv" })) }));
  expect(await (await openAnew(folder)).at("/in/other.csv")).toEqual([]); // of a version with other properties
  writeFileSync(index, JSON.stringify({ form, runs }));
  const other = await openAnew(folder);
  const [run] = await other.list(({ id }) => id === "run-7");
  await other.put({ ...(run as StoredRun), path: "/in/archive/f7.csv" });
  rmSync(join(folder, "run-8.json"));
  const anew = await openAnew(folder);
  expect((await anew.at("/in/archive/f7.csv")).map(({ id }) => id)).toEqual(["run-7"]);
  expect([await anew.at("/in/f7.csv"), await anew.at("/in/f8.csv"), (await anew.list()).length]).toEqual([[], [], 59]);
  for (const text of ["{", "null", '[{"id":"run-1"}]', `{"form":${form},"runs":[{"id":"run-1"},{"id":"../x"}]}`]) {
    writeFileSync(index, text);
    expect((await (await openAnew(folder)).at("/in/f1.csv")).map(({ id }) => id)).toEqual(["run-1"]);
  }
  rmSync(index);
  await (await openAnew(folder)).list();
  expect(existsSync(index)).toBe(true);
});

test("a process that looks for runs by their bytes finds those that another one begins meanwhile", async () => {
  const { folder, runs: own } = await stateWith("two", [{ id: "first" }]);
  const other = await openAnew(folder);
  const idsOf = async (runs: Runs) => (await runs.of(OPEN.fingerprint)).map(({ id }) => id).sort();
  expect([await idsOf(own), await idsOf(other)]).toEqual([["first"], ["first"]]);
  await own.put({ ...OPEN, id: "second" });
  await other.put({ ...OPEN, id: "third" });
  expect([await idsOf(own), await idsOf(other)]).toEqual([
    ["first", "second", "third"],
    ["first", "second", "third"],
  ]);
  const begun = { ...OPEN, id: "fourth", begun: {} as NonNullable<StoredRun["begun"]> };
  await other.put(begun);
  await other.forget("fourth");
  expect(await idsOf(own)).toEqual(["first", "second", "third"]);
  await other.put(begun);
  expect(await idsOf(own)).toEqual(["first", "fourth", "second", "third"]);
  rmSync(join(folder, "first.json"));
  expect(await idsOf(own)).toEqual(["fourth", "second", "third"]);
});
