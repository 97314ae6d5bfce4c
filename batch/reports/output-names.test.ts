// Reports and rejects get unused names and the access rights of their source file.

import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "../testing/process.ts";
import { removeOutputs, reserveNames, tryFolder } from "./output-names.ts";

const folder = makeFolder();
afterAll(folder.remove);

test("of many that take names at once no two get the same, and what is given up is gone", async () => {
  const path = join(folder.path, "a.csv");
  writeFileSync(path, "");
  writeFileSync(`${path}.2.rejects`, "of an earlier run");
  const kinds = [true, false, true, false];
  const taken = await Promise.all(kinds.map((hasRejects) => reserveNames({ path, out: undefined }, hasRejects)));
  expect(taken.map(({ json }) => basename(json)).sort()).toEqual(["", ".3", ".4", ".5"].map((n) => `a.csv${n}.report.json`).sort());
  for (const [i, names] of taken.entries()) await removeOutputs(names, kinds[i] as boolean);
  expect(readdirSync(folder.path).sort()).toEqual(["a.csv", "a.csv.2.rejects"]);
});

test("outputs beside a private file are private, too", async () => {
  const path = join(folder.path, "own.csv");
  writeFileSync(path, "");
  chmodSync(path, 0o400);
  const { rejects, list, json, text } = await reserveNames({ path, out: undefined }, true);
  expect([rejects, list, json, text].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600, 0o600, 0o600]);
});

test("a folder that cannot be written is reported before anything is sent", async () => {
  await expect(tryFolder({ path: "/x.csv", out: "/proc/self" })).rejects.toThrow(
    /^The folder \/proc\/self cannot be used .* Name another one with --out\.$/,
  );
  await tryFolder({ path: join(folder.path, "a.csv"), out: undefined });
  expect(readdirSync(folder.path).filter((name) => name.startsWith("."))).toEqual([]);
});
