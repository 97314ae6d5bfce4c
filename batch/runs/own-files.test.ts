// The state folder is this user's alone, and links in it are not followed.

import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { batch, customersCsv, makeFolder } from "../testing/process.ts";
import { prepareFolder, syncFolder } from "./own-files.ts";
import { openRuns } from "./run-registry.ts";

const folder = makeFolder();
afterAll(folder.remove);
const at = (...names: string[]) => join(folder.path, ...names);
const isPosix = process.platform !== "win32";

/** A folder of somebody else, whoever runs the test. */
function foreignFolder(): string {
  if (process.getuid?.() !== 0) return "/usr";
  mkdirSync(at("foreign"));
  chownSync(at("foreign"), 12_345, 12_345);
  return at("foreign");
}

test.runIf(isPosix)("a state folder that others own, may write to, or have linked elsewhere is not used", async () => {
  mkdirSync(at("wide"));
  chmodSync(at("wide"), 0o770);
  mkdirSync(at("target"));
  symlinkSync(at("target"), at("link"));
  writeFileSync(at("file"), "");
  writeFileSync(at("a.csv"), customersCsv(1));
  for (const [state, why] of [
    [foreignFolder(), "it belongs to another user"],
    [at("wide"), "other users may write to it (chmod go-w ends that)"],
    [at("link"), "it is a symbolic link"],
    [at("file"), "it is no folder"],
  ] as const) {
    const sentence = `The state folder ${state} cannot be used: ${why}. Name another one with --state.`;
    await expect(prepareFolder(state)).rejects.toThrow(sentence);
    await expect(openRuns(state).list()).rejects.toThrow(sentence);
    for (const args of [["run", at("a.csv")], ["resume", at("a.csv")], ["undo", "x"], ["status"]])
      expect(await batch("http://127.0.0.1:1", [...args, "--state", state])).toEqual({ code: 1, out: "", stderr: sentence });
  }
  expect(readdirSync(at("target"))).toEqual([]);
  await prepareFolder(at("new"));
  await prepareFolder(at("new"));
  expect(statSync(at("new")).mode & 0o777).toBe(0o700);
});

test.runIf(isPosix)("links in the place of a journal or a run are not followed", async () => {
  const runs = openRuns(at("links"));
  await prepareFolder(runs.folder);
  writeFileSync(at("victim"), "untouched");
  symlinkSync(at("victim"), at("links", "r1.batches"));
  await expect(runs.makeJournal("r1")).rejects.toThrow("ELOOP");
  await expect(runs.journal("r1")).rejects.toThrow("ELOOP");
  symlinkSync(at("victim"), at("links", "r1.json"));
  await expect(runs.list()).rejects.toThrow("ELOOP");
  await runs.put({ id: "r1", plan: {}, fingerprint: { size: 0, blocks: new Uint8Array() } } as never);
  expect(lstatSync(at("links", "r1.json")).isFile()).toBe(true); // the link is replaced, not what it leads to
  expect(readFileSync(at("victim"), "utf8")).toBe("untouched");
});

test("new names in a folder that cannot be opened are not taken for durable", async () => {
  await expect(syncFolder(at("not-there"))).rejects.toThrow("ENOENT");
  await prepareFolder(at("there"));
  await expect(syncFolder(at("there"))).resolves.toBeUndefined();
});
