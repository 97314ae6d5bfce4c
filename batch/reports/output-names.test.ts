// Reports and rejects get unused names and the access rights of their source file.

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "../testing/process.ts";
import { closeOutputs, createOutputs, removeOutputs, tryFolder } from "./output-names.ts";
import { describeUnwritten } from "./report-files.ts";

const folder = makeFolder();
afterAll(folder.remove);

test("of many that take names at once no two get the same, and what is given up is gone", async () => {
  const path = join(folder.path, "a.csv");
  writeFileSync(path, "");
  writeFileSync(`${path}.2.rejects`, "of an earlier run");
  const kinds = [true, false, true, false];
  const taken = await Promise.all(kinds.map((hasRejects) => createOutputs({ path, out: undefined }, hasRejects)));
  expect(taken.map(({ json }) => basename(json.path)).sort()).toEqual(["", ".3", ".4", ".5"].map((n) => `a.csv${n}.report.json`).sort());
  for (const outputs of taken) await removeOutputs(outputs);
  expect(readdirSync(folder.path).sort()).toEqual(["a.csv", "a.csv.2.rejects"]);
});

test("outputs beside a private file are private, too", async () => {
  const path = join(folder.path, "own.csv");
  writeFileSync(path, "");
  chmodSync(path, 0o400);
  const outputs = await createOutputs({ path, out: undefined }, true);
  const { json, text, rejects } = outputs;
  const modes = [json, text, rejects?.bytes, rejects?.list].map((file) => statSync(String(file?.path)).mode & 0o777);
  await closeOutputs(outputs);
  expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
});

test("links that somebody puts in the place of outputs are not followed", async () => {
  const path = join(folder.path, "linked.csv");
  const victim = join(folder.path, "victim");
  writeFileSync(path, "");
  writeFileSync(victim, "untouched");
  symlinkSync(victim, `${path}.report.txt`);
  symlinkSync(join(folder.path, "nowhere"), `${path}.2.report.json`);
  const outputs = await createOutputs({ path, out: undefined }, false);
  expect(basename(outputs.json.path)).toBe("linked.csv.3.report.json");
  rmSync(outputs.text.path);
  symlinkSync(victim, outputs.text.path); // while the report is being written
  await outputs.text.handle.writeFile("a report");
  await closeOutputs(outputs);
  expect(readFileSync(victim, "utf8")).toBe("untouched");
  expect(readdirSync(folder.path)).not.toContain("nowhere");
});

test("a folder that cannot be written is reported before anything is sent", async () => {
  await expect(tryFolder({ path: "/x.csv", out: "/proc/self" })).rejects.toThrow(
    /^The folder \/proc\/self cannot be used .* Name another one with --out\.$/,
  );
  await tryFolder({ path: join(folder.path, "a.csv"), out: undefined });
  expect(readdirSync(folder.path).filter((name) => name.startsWith("."))).toEqual([]);
});

test("what cannot be deleted of a report is named", async () => {
  const path = join(folder.path, "stuck.csv");
  writeFileSync(path, "");
  const outputs = await createOutputs({ path, out: undefined }, true);
  rmSync(outputs.text.path);
  mkdirSync(outputs.text.path); // a folder in its place cannot be deleted as a file
  const left = await removeOutputs(outputs);
  expect(left).toEqual([outputs.text.path]);
  expect(describeUnwritten({ path, out: undefined }, "the disk is full", left)).toBe(
    `But the report could not be written to ${folder.path}: the disk is full. What was begun of it could not be deleted either: stuck.csv.report.txt.`,
  );
  expect(describeUnwritten({ path, out: "/out" }, "the disk is full", [])).toBe(
    "But the report could not be written to /out: the disk is full.",
  );
});
