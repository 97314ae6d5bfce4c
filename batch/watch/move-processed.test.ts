// A watcher that ends between putting a file away and noting where: the next one finds it, says so, and takes no other file for it.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { KeptRun } from "../runs/run-registry.ts";
import { makeDrop } from "../testing/inbox.ts";
import { batch, customersCsv } from "../testing/process.ts";
import { openStage } from "../testing/stage.ts";

const stage = await openStage();
afterAll(stage.close);
const { folder, service, stored } = stage;

function watchOnce(drop: string, ...more: string[]) {
  return batch(service.url, ["watch", drop, "--once", "--settle", "0", "--json", ...more]);
}

/** As a power cut leaves it: the file has its place, and its run is noted where it was loaded. */
function forgetMove(drop: string): KeptRun {
  const state = join(drop, ".intake");
  const [name = ""] = readdirSync(state).filter((each) => each.endsWith(".json"));
  const run = JSON.parse(readFileSync(join(state, name), "utf8")) as KeptRun;
  writeFileSync(join(state, name), JSON.stringify({ ...run, path: join(drop, "processing", run.fileName) }));
  return run;
}

test("the next watcher says what became of the file, and its run is known where it lies", async () => {
  const { path: drop, put, filesWithin } = makeDrop(folder, "told");
  put("a.csv", customersCsv(3, "told"));
  expect((await watchOnce(drop)).code).toBe(0);
  const { id } = forgetMove(drop);
  const { code, out } = await watchOnce(drop);
  expect(code).toBe(0);
  expect(out).toContain('"step":"put away","file":"a.csv","to":"archive/a.csv","exitCode":0');
  expect((await batch(service.url, ["undo", id, "--state", join(drop, ".intake")])).code).toBe(0);
  expect([await stored("told"), filesWithin("archive")]).toEqual([[], ["a.csv"]]);
  expect((await watchOnce(drop)).out).not.toContain("put away"); // once
});

test("a file with the same bytes and name is loaded again where that is wished, and otherwise rejected", async () => {
  const { path: drop, put, filesWithin } = makeDrop(folder, "same");
  for (const [times, more] of [
    [1, []],
    [2, ["--again"]],
    [2, []],
  ] as const) {
    put("a.csv", customersCsv(3, "same"));
    const { code } = await watchOnce(drop, ...more);
    expect([code, await stored("same")]).toEqual([
      times === 2 && more.length === 0 ? 5 : 0,
      expect.objectContaining({ length: 3 * times }),
    ]);
    forgetMove(drop);
    for (const name of readdirSync(join(drop, "archive"))) rmSync(join(drop, "archive", name)); // somebody tidies up
  }
  expect(filesWithin("rejected")).toEqual(["a.csv"]);
});
