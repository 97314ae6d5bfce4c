// Tests what the log says of a file that grew after it was taken: what is not stored, and how the rest is undone.

import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createProgressWriter } from "../console/progress.ts";
import { openRuns } from "../runs/run-registry.ts";
import { batch, startBatch } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";
import { GrowthWatch } from "./growth.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, proxy, service, stored, write } = testService;

const TEXT = "Last name,Account ID\nEk,g0\n"; // 27 bytes
const MORE = "Al,g1\n"; // 6 bytes
const PREVENTION = "A sender that writes under another name first, or a marker with --done, prevents this.";
const TEN_MINUTES = 600_000;

/** The lines that it writes are collected. */
function watchGrowth(state: string): { growth: GrowthWatch; lines: string[] } {
  const lines: string[] = [];
  const screen = { write: (text: string | Uint8Array) => lines.push(String(text)) };
  return { growth: new GrowthWatch(state, createProgressWriter(screen, screen, false), async () => true), lines };
}

test("a file that was loaded and has grown is named, with the command that takes its run back", async () => {
  const path = write("loaded/a.csv", TEXT);
  const state = join(folder, "loaded", ".intake");
  expect((await batch(service.url, ["run", path])).code).toBe(0);
  const [run] = await openRuns(state).at(path);
  appendFileSync(path, MORE);
  const { growth, lines } = watchGrowth(state);
  expect(await growth.add(path, TEXT.length, 0)).toBe(true);
  expect(lines).toEqual([
    `a.csv: grew from 27 bytes to 33 bytes after it was taken, and what was added is not stored. ${PREVENTION} Before you put the whole file into the folder again, take back what is stored of it with: intake-batch undo ${run?.id} --state ${state}\n`,
  ]);
  expect((await batch(service.url, ["undo", String(run?.id), "--state", state])).code).toBe(0);
  expect(await stored("g")).toEqual([]);
});

test("a file without a run needs no command; one that is as it was, gone or watched long enough is not named", async () => {
  const { growth, lines } = watchGrowth(join(folder, "none"));
  const [grown, same, gone, late] = ["grown", "same", "gone", "late"].map((name) => write(`growth/${name}.csv`, "1")) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [grown, same, gone]) expect(await growth.add(path, 1, TEN_MINUTES)).toBe(false);
  expect(await growth.add(late, 1, 0)).toBe(false);
  expect(await growth.inspect(TEN_MINUTES)).toBe(false); // the last time for late.csv
  appendFileSync(grown, "23");
  appendFileSync(late, "23");
  rmSync(gone);
  expect(await growth.inspect(TEN_MINUTES + 9_999)).toBe(false); // not yet again
  expect(await growth.inspect(TEN_MINUTES + 10_000)).toBe(true);
  expect(lines).toEqual([
    `grown.csv: grew from 1 byte to 3 bytes after it was taken, and what was added is not stored. ${PREVENTION} Put the whole file into the folder again.\n`,
  ]);
  expect(await growth.inspect(TEN_MINUTES + 20_000)).toBe(false); // named once
});

test("with --once a file that grew while it was sent ends the watch with exit code 2", async () => {
  const { path: inbox, put } = makeInbox(folder, "once");
  put("a.csv", TEXT);
  proxy.letThrough(0);
  const watcher = startBatch(proxy.url, ["watch", inbox, "--once", "--settle", "0"]);
  await proxy.untilHeld();
  appendFileSync(join(inbox, "processing", "a.csv"), MORE);
  proxy.open();
  const { code, out, stderr } = await watcher.ended;
  expect([code, stderr]).toEqual([
    2,
    "A file grew after it was taken, and what was added is not stored: see the line above that names it.",
  ]);
  expect(out).toContain("\na.csv: grew from 27 bytes to 33 bytes after it was taken, and what was added is not stored. ");
}, 180_000);
