// The next watcher recovers when one ended between moving a file and recording its new place.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { StoredRun } from "../runs/run-registry.ts";
import { batch, customersCsv } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, service, stored } = testService;

function watchOnce(inbox: string, ...more: string[]) {
  return batch(service.url, ["watch", inbox, "--once", "--settle", "0", "--json", ...more]);
}

/** Makes it as a power cut leaves it: the file has its place, and its run is noted where it was loaded. */
function forgetMove(inbox: string): StoredRun {
  const state = join(inbox, ".intake");
  const [name = ""] = readdirSync(state).filter((each) => each.endsWith(".json"));
  const run = JSON.parse(readFileSync(join(state, name), "utf8")) as StoredRun;
  writeFileSync(join(state, name), JSON.stringify({ ...run, path: join(inbox, "processing", run.fileName) }));
  return run;
}

test("the next watcher reports the file, and its run has the new path", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "moved");
  put("a.csv", customersCsv(3, "moved"));
  expect((await watchOnce(inbox)).code).toBe(0);
  const { id } = forgetMove(inbox);
  const { code, out } = await watchOnce(inbox);
  expect(code).toBe(0);
  expect(out).toContain('"step":"put away","file":"a.csv","to":"archive/a.csv","exitCode":0');
  expect((await batch(service.url, ["undo", id, "--state", join(inbox, ".intake")])).code).toBe(0);
  expect([await stored("moved"), filesWithin("archive")]).toEqual([[], ["a.csv"]]);
  expect((await watchOnce(inbox)).out).not.toContain("put away"); // once
});

test("a file with the same bytes and name is loaded again with --again, and rejected without it", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "same");
  for (const [times, more] of [
    [1, []],
    [2, ["--again"]],
    [2, []],
  ] as const) {
    put("a.csv", customersCsv(3, "same"));
    const { code } = await watchOnce(inbox, ...more);
    expect([code, await stored("same")]).toEqual([
      times === 2 && more.length === 0 ? 5 : 0,
      expect.objectContaining({ length: 3 * times }),
    ]);
    forgetMove(inbox);
    for (const name of readdirSync(join(inbox, "archive"))) rmSync(join(inbox, "archive", name)); // somebody tidies up
  }
  expect(filesWithin("rejected")).toEqual(["a.csv"]);
});
