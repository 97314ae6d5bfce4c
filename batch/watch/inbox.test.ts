// Old markers and names that are in use do not confuse the watcher.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "../testing/process.ts";
import { Inbox } from "./inbox.ts";

const folder = makeFolder();
afterAll(folder.remove);

const HOUR = 3_600_000;

async function makeInbox(name: string): Promise<{ inbox: Inbox; write(file: string, text?: string): void; at(file: string): string }> {
  const path = join(folder.path, name);
  mkdirSync(path);
  const inbox = new Inbox(path, 600_000, "name");
  await inbox.prepare();
  const at = (file: string) => join(path, file);
  return { inbox, at, write: (file, text = "x") => writeFileSync(at(file), text) };
}

/** Until the clock of the file system has gone on. */
function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}

test("a marker that was left behind does not make a file whole that came after it", async () => {
  const { inbox, write } = await makeInbox("stale");
  write("a.csv.done", "");
  await tick();
  write("a.csv", "half");
  expect((await inbox.scan(Date.now())).whole).toBeUndefined();
  await tick();
  write("a.csv.done", "");
  expect((await inbox.scan(Date.now())).whole).toBe("a.csv");
});

test("a marker goes with its file; one that came too late is cleared away once nobody can be about to use it", async () => {
  const { inbox, write, at } = await makeInbox("late");
  write("a.csv");
  write("a.csv.done", "");
  await inbox.take("a.csv");
  expect(existsSync(at("a.csv.done"))).toBe(false);
  write("a.csv.done", "");
  write("data.done", "somebody's own");
  await inbox.scan(Date.now());
  expect(existsSync(at("a.csv.done"))).toBe(true);
  await inbox.scan(Date.now() + 2 * HOUR);
  expect([existsSync(at("a.csv.done")), existsSync(at("data.done"))]).toEqual([false, true]);
});

test("a file gets no name whose report lies there already, and nothing that is put away writes over what is there", async () => {
  const { inbox, write, at } = await makeInbox("names");
  write("rejected/g.csv.rejects", "of an earlier file");
  write("g.csv", "second");
  expect(await inbox.take("g.csv")).toBe(at("processing/g.2.csv"));
  write("processing/g.2.csv.report.txt", "ours");
  write("archive/g.2.csv", "came meanwhile");
  write("archive/g.2.csv.report.txt", "came meanwhile");
  const to = await inbox.moveProcessed(at("processing/g.2.csv"), "archive");
  expect(readFileSync(at(to), "utf8")).toBe("second");
  const texts = readdirSync(at("archive")).map((name) => readFileSync(at(`archive/${name}`), "utf8"));
  expect(texts.sort()).toEqual(["came meanwhile", "came meanwhile", "ours", "second"]);
});
