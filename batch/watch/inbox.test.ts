// Old markers and names that are in use do not confuse the watcher.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
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
  const inbox = new Inbox(path, { stableMs: 600_000, order: "name" });
  await inbox.prepare();
  const at = (file: string) => join(path, file);
  return { inbox, at, write: (file, text = "x") => writeFileSync(at(file), text) };
}

/** Writes a file with a later change time than another one, however coarse the clock of the file system is. */
function writeAfter(path: string, earlier: string, text: string): void {
  do writeFileSync(path, text);
  while (statSync(path).ctimeMs <= statSync(earlier).ctimeMs);
}

test("an old marker does not complete a file that came after it", async () => {
  const { inbox, write, at } = await makeInbox("stale");
  write("a.csv.done", "");
  writeAfter(at("a.csv"), at("a.csv.done"), "half");
  expect((await inbox.scan(0, Date.now())).whole).toEqual([]);
  writeAfter(at("a.csv.done"), at("a.csv"), "");
  expect((await inbox.scan(0, Date.now())).whole).toEqual(["a.csv"]);
});

test("a file is complete when it has not changed for long enough, however the clock is set meanwhile", async () => {
  const { inbox, write } = await makeInbox("settled");
  write("a.csv");
  expect((await inbox.scan(0, Date.now())).whole).toEqual([]);
  expect((await inbox.scan(599_999, Date.now() + HOUR)).whole).toEqual([]);
  expect((await inbox.scan(600_000, Date.now() - HOUR)).whole).toEqual(["a.csv"]);
});

test("a checksum whose file has not come for an hour is named, and stays", async () => {
  const { inbox, write, at } = await makeInbox("lone");
  for (const name of ["a.csv", "a.csv.sha256", "b.csv.md5"]) write(name);
  expect((await inbox.scan(0, Date.now())).lone).toEqual([]);
  expect((await inbox.scan(0, Date.now() + 2 * HOUR)).lone).toEqual(["b.csv.md5"]);
  expect(existsSync(at("b.csv.md5"))).toBe(true);
});

test("a marker is deleted with its file; one that came too late is deleted after a while", async () => {
  const { inbox, write, at } = await makeInbox("late");
  write("a.csv");
  write("a.csv.done", "");
  await inbox.take("a.csv");
  expect(existsSync(at("a.csv.done"))).toBe(false);
  write("a.csv.done", "");
  write("data.done", "somebody's own");
  await inbox.scan(0, Date.now());
  expect(existsSync(at("a.csv.done"))).toBe(true);
  await inbox.scan(0, Date.now() + 2 * HOUR);
  expect([existsSync(at("a.csv.done")), existsSync(at("data.done"))]).toEqual([false, true]);
});

test("a file never takes a name whose report exists, and moving it overwrites nothing", async () => {
  const { inbox, write, at } = await makeInbox("names");
  write("rejected/g.csv.rejects", "of an earlier file");
  write("g.csv", "second");
  expect(await inbox.take("g.csv")).toBe(at("processing/g.2.csv"));
  write("processing/g.2.csv.report.txt", "ours");
  write("archive/g.2.csv", "came meanwhile");
  write("archive/g.2.csv.report.txt", "came meanwhile");
  const { to } = await inbox.moveProcessed(at("processing/g.2.csv"), "archive");
  expect(readFileSync(at(to), "utf8")).toBe("second");
  const texts = readdirSync(at("archive")).map((name) => readFileSync(at(`archive/${name}`), "utf8"));
  expect(texts.sort()).toEqual(["came meanwhile", "came meanwhile", "ours", "second"]);
});

test("after a restart a number is taken off a name only where this program may have put it there", async () => {
  const { inbox, write, at } = await makeInbox("numbered");
  for (const name of ["bank.dat", "bank.001.dat", "bank.20260131.dat"]) write(`archive/${name}`);
  const names = ["bank.2.dat", "bank.1234.dat", "bank.1.dat", "bank.002.dat", "bank.20260201.dat", "shop.2.dat"];
  expect(names.map((name) => inbox.nameOf(at(`processing/${name}`)))).toEqual(["bank.dat", "bank.dat", ...names.slice(2)]);
  write("bank.dat");
  const taken = (await inbox.take("bank.dat")) as string;
  expect([taken, inbox.nameOf(taken)]).toEqual([at("processing/bank.2.dat"), "bank.dat"]);
});

test("a folder of the inbox that somebody replaces by a link is not followed", async () => {
  const { inbox, write, at } = await makeInbox("replaced");
  mkdirSync(join(folder.path, "elsewhere"));
  write("a.csv");
  write("processing/b.csv");
  rmdirSync(at("archive"));
  symlinkSync(join(folder.path, "elsewhere"), at("archive"));
  await expect(inbox.prepare()).rejects.toThrow(`${at("archive")} is no folder, so ${inbox.path} cannot be watched.`);
  await expect(inbox.take("a.csv")).rejects.toThrow("is no folder");
  await expect(inbox.moveProcessed(at("processing/b.csv"), "archive")).rejects.toThrow("is no folder");
  expect(readdirSync(join(folder.path, "elsewhere"))).toEqual([]);
});
