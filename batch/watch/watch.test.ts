// Tests what a watcher takes, in which order, where it goes, and what happens when the watcher ends midway.

import { appendFileSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { batch, customersCsv, type Running, startBatch } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, proxy, service, stored, storedOnce } = testService;

/** The files that the watcher moved, in order. */
function movedFiles(out: string): { file: string; exitCode: number; to: string }[] {
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { step: string; file: string; exitCode: number; to: string });
  return lines.filter(({ step }) => step === "put away").map(({ file, exitCode, to }) => ({ file, exitCode, to }));
}

test("files are loaded one by one in the order of their names and moved with their reports", async () => {
  const { path: inbox, write, put, within } = makeInbox(folder, "inbox");
  put("2.csv", customersCsv(3, "w2-"));
  put("1.csv", customersCsv(2, "w1-"));
  put("3.csv", "Last name,Account ID\n,x\nEk,w3-0\n");
  put("4.csv", customersCsv(2, "w1-"));
  write("5.csv.part", customersCsv(1, "w5-"));
  const { code, out } = await batch(service.url, ["watch", inbox, "--once", "--settle", "0", "--json"]);
  expect(movedFiles(out)).toEqual([
    { file: "1.csv", exitCode: 0, to: "archive/1.csv" },
    { file: "2.csv", exitCode: 0, to: "archive/2.csv" },
    { file: "3.csv", exitCode: 1, to: "rejected/3.csv" },
    { file: "4.csv", exitCode: 5, to: "rejected/4.csv" },
  ]);
  expect(code).toBe(1); // of the first file that was not all right
  expect(within("archive")).toEqual(["1.csv", "1.csv.report.json", "1.csv.report.txt", "2.csv", "2.csv.report.json", "2.csv.report.txt"]);
  expect(within("rejected")).toEqual([
    "3.csv",
    "3.csv.rejects",
    "3.csv.rejects.csv",
    "3.csv.report.json",
    "3.csv.report.txt",
    "4.csv",
    "4.csv.report.json",
    "4.csv.report.txt",
  ]);
  expect(within("processing")).toEqual([]);

  renameSync(join(inbox, "5.csv.part"), join(inbox, "5.csv"));
  write("5.csv.done", "");
  put("1.csv", customersCsv(1, "w6-")); // a name that the archive has already
  expect(movedFiles((await batch(service.url, ["watch", inbox, "--once", "--settle", "0", "--json"])).out)).toEqual([
    { file: "1.2.csv", exitCode: 0, to: "archive/1.2.csv" },
    { file: "5.csv", exitCode: 0, to: "archive/5.csv" },
  ]);
}, 180_000);

test("a file that still grows is not loaded; one with a marker is loaded at once", async () => {
  const { path: inbox, write, within } = makeInbox(folder, "growing");
  const watcher = startBatch(service.url, ["watch", inbox, "--settle", "600", "--json"]);
  await watcher.untilOutput('"step":"watching"');
  write("slow.csv", customersCsv(1, "slow"));
  write("quick.csv", customersCsv(1, "quick"));
  write("quick.csv.done", "");
  await watcher.untilOutput('"to":"archive/quick.csv"');
  expect(within(".").filter((name) => name.includes("csv"))).toEqual(["slow.csv"]); // and no marker
  appendFileSync(join(inbox, "slow.csv"), "Ola,Ek,slow1\n");
  write("slow.csv.done", "");
  await watcher.untilOutput('"to":"archive/slow.csv"');
  watcher.child.kill("SIGTERM");
  expect((await watcher.ended).code).toBe(0);
  expect(await stored("slow")).toHaveLength(2);
}, 180_000);

async function watchUntilHeld(inbox: string): Promise<Running> {
  proxy.letThrough(2);
  const watcher = startBatch(proxy.url, ["watch", inbox, "--settle", "0", "--json"]);
  await proxy.untilHeld();
  return watcher;
}

test("a watcher that was stopped or killed midway is continued by the next one", async () => {
  const { path: inbox, put, within } = makeInbox(folder, "stopped");
  put("a.csv", customersCsv(12_000, "stop-"));
  put("b.csv", customersCsv(2, "after-"));
  const first = await watchUntilHeld(inbox);
  const second = await batch(service.url, ["watch", inbox, "--once", "--state", join(folder, "elsewhere")]);
  expect([second.code, second.stderr]).toEqual([1, `${inbox} is watched already: process ${first.child.pid} works on it.`]);
  first.child.kill("SIGTERM");
  await first.untilOutput('"step":"stopping"');
  proxy.open();
  expect((await first.ended).code).toBe(0);
  expect(within("processing")).toEqual(["a.csv"]);

  const killed = await watchUntilHeld(inbox);
  killed.child.kill("SIGKILL");
  await killed.ended;
  proxy.open();
  expect(within("processing")).toEqual(["a.csv"]);
  const last = await batch(service.url, ["watch", inbox, "--once", "--settle", "0", "--json"]);
  expect(movedFiles(last.out)).toEqual([
    { file: "a.csv", exitCode: 0, to: "archive/a.csv" },
    { file: "b.csv", exitCode: 0, to: "archive/b.csv" },
  ]);
  expect(await storedOnce("stop-")).toEqual([12_000, 12_000]);
  const report = JSON.parse(readFileSync(join(inbox, "archive", "a.csv.report.json"), "utf8")) as { outcomes: { created: number } };
  expect(report.outcomes.created).toBe(12_000);
  expect([...within("."), ...within(".intake/locks")].filter((name) => name.includes(".lock"))).toEqual([]);
}, 180_000);
