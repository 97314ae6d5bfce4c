// Tests that --keep-days deletes what a watcher put away long ago, and nothing else.

import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readArguments } from "../console/arguments.ts";
import { batch, customersCsv, startBatch } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, proxy, service } = testService;

const DAY = 86_400_000;

/** Makes everything in a folder as old as this. */
function age(path: string, days: number): void {
  const then = new Date(Date.now() - days * DAY);
  for (const name of readdirSync(path)) utimesSync(join(path, name), then, then);
}

const watchOnce = (inbox: string, ...more: string[]) => batch(service.url, ["watch", inbox, "--once", "--settle", "0", ...more]);

test("files that were put away are deleted with their reports after so many days, and each is named", async () => {
  const { path: inbox, put, write, within } = makeInbox(folder, "old");
  put("a.csv", customersCsv(2, "old-a"));
  put("b.csv", "Last name,Account ID\n,x\nEk,old-b\n"); // one record is wrong
  expect((await watchOnce(inbox)).code).toBe(1);
  for (const place of ["archive", "rejected"]) {
    writeFileSync(join(inbox, place, "mine.csv"), "somebody's own");
    writeFileSync(join(inbox, place, "mine.report.json"), "{}");
    writeFileSync(join(inbox, place, "other.csv"), "beside a report that another program wrote");
    writeFileSync(join(inbox, place, "other.csv.report.json"), '{"file":"/elsewhere/other.csv","exitCode":0}');
    mkdirSync(join(inbox, place, "c.csv.report.json"));
    age(join(inbox, place), 31);
  }
  write("waits.csv.part", "not whole");
  age(inbox, 31);
  put("young.csv", customersCsv(1, "old-young"));
  const kept = ["c.csv.report.json", "mine.csv", "mine.report.json", "other.csv", "other.csv.report.json"];
  const { code, out } = await watchOnce(inbox, "--keep-days", "30");
  expect(code).toBe(0);
  expect(out.split("\n").filter((line) => line.includes("--keep-days"))).toEqual([
    "a.csv: deleted from archive with its reports, as --keep-days says after 30 days.",
    "b.csv: deleted from rejected with its reports, as --keep-days says after 30 days.",
  ]);
  expect(within("archive")).toEqual([...kept, "young.csv", "young.csv.report.json", "young.csv.report.txt"]);
  expect(within("rejected")).toEqual(kept);
  expect(existsSync(join(inbox, "waits.csv.part"))).toBe(true);

  expect((await watchOnce(inbox, "--keep-days", "30")).out).not.toContain("--keep-days"); // nothing is left to delete
  put("again.csv", customersCsv(2, "old-a"));
  const again = await watchOnce(inbox, "--keep-days", "30");
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining("again.csv was loaded on")]); // its run stays known
});

test("a file whose run is not finished stays, and so does everything without the option", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "open");
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `${from + i},Ek,kept`).join("\n");
  put("a.csv", `id,Last name,Account ID\n${ids(900_001, 900_003)}\n`);
  expect((await watchOnce(inbox)).code).toBe(0);
  put("b.csv", `id,Last name,Account ID\n${ids(900_001, 908_001)}\n`); // too many are refused midway
  proxy.letThrough(1);
  const running = startBatch(proxy.url, ["watch", inbox, "--once", "--settle", "0", "--json"]);
  await running.untilOutput('"step":"stopping"');
  proxy.open();
  expect((await running.ended).code).toBe(3);
  for (const place of ["archive", "rejected"]) age(join(inbox, place), 400);
  expect((await watchOnce(inbox)).code).toBe(0);
  expect([filesWithin("archive"), filesWithin("rejected")]).toEqual([["a.csv"], ["b.csv"]]);
  expect((await watchOnce(inbox, "--keep-days", "1")).code).toBe(0);
  expect([filesWithin("archive"), filesWithin("rejected")]).toEqual([[], ["b.csv"]]);
}, 180_000);

test("days are a whole number from 1 on", () => {
  expect(() => readArguments(["watch", "in", "--keep-days", "0"])).toThrow("--keep-days is a whole number from 1 on.");
  expect(() => readArguments(["watch", "in", "--keep-days", "soon"])).toThrow('--keep-days is a whole number, not "soon".');
  expect(() => readArguments(["validate", "a.csv", "--keep-days", "9"])).toThrow("validate has no option --keep-days.");
});

test("a single run deletes old reports and rejects of such runs, of files that ended, and no file", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "single");
  const reports = join(folder, "single-reports");
  mkdirSync(reports);
  const run = (name: string, ...more: string[]) =>
    batch(service.url, ["run", join(inbox, name), "--max-rejects", "1", "--out", reports, ...more]);
  put("a.csv", `${customersCsv(2, "single-a")},,wrong\n`);
  put("b.csv", customersCsv(1, "single-b"));
  put("c.csv", customersCsv(1, "single-c"));
  expect([(await run("a.csv")).code, (await run("b.csv")).code]).toEqual([2, 0]);
  writeFileSync(join(reports, "mine.csv.report.json"), "{}");
  writeFileSync(join(reports, "other.csv.report.json"), '{"file":"/data/processing/other.csv","exitCode":0}'); // a watcher's
  age(reports, 31);
  const { code, out } = await run("c.csv", "--keep-days", "30");
  expect([code, out.split("\n").filter((line) => line.includes("--keep-days"))]).toEqual([
    0,
    ["a.csv", "b.csv"].map((name) => `${name}: its reports are deleted from ${reports}, as --keep-days says after 30 days.`),
  ]);
  expect(readdirSync(reports).sort()).toEqual(["c.csv.report.json", "c.csv.report.txt", "mine.csv.report.json", "other.csv.report.json"]);
  expect(filesWithin("")).toEqual(expect.arrayContaining(["a.csv", "b.csv", "c.csv"]));
});
