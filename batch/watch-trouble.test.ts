// A watched folder in trouble: what is the file's fault is put away, whatever else is in the way leaves it where it is.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, readAll, type Started } from "../server/test-process.ts";
import { withLock } from "./lock.ts";
import { digestOf } from "./runs.ts";
import { fingerprintOf, openSource } from "./source.ts";
import { batch, customersCsv, makeFolder, startBatch, startService } from "./test-command.ts";
import { type Gate, openGate } from "./test-gate.ts";

const folder = makeFolder();
let service: Started;
let gate: Gate;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await startService(join(folder.path, "store"));
  gate = await openGate(service.url);
  headers = await authorize(service.url, "preset", ADMIN_SECRET);
});
afterAll(() => {
  gate.close();
  service.child.kill("SIGKILL");
  folder.drop();
});

function makeDrop(name: string): { drop: string; write(file: string, text: string): string; within(place: string): string[] } {
  const drop = join(folder.path, name);
  mkdirSync(drop);
  const write = (file: string, text: string) => {
    writeFileSync(join(drop, file), text);
    writeFileSync(join(drop, `${file}.done`), "");
    return join(drop, file);
  };
  return { drop, write, within: (place) => readdirSync(join(drop, place)).filter((file) => !/\.(report|rejects)\b/.test(file)) };
}

function watchOnce(url: string, drop: string, ...more: string[]) {
  return batch(url, ["watch", drop, "--once", "--settle", "0", ...more]);
}

test("a file that somebody works on, or that a busy service did not want to judge, stays and is loaded the next time", async () => {
  const { drop, write, within } = makeDrop("inbox");
  const source = await openSource(write("a.csv", customersCsv(3, "held")));
  mkdirSync(join(drop, ".intake"));
  const locked = await withLock(join(drop, ".intake", `${digestOf(await fingerprintOf(source))}.lock`), () => watchOnce(service.url, drop));
  expect([locked.code, locked.said]).toEqual([1, `a.csv is being loaded already: process ${process.pid} works on it.`]);
  expect([within("processing"), within("rejected")]).toEqual([["a.csv"], []]);
  gate.refuse();
  const busy = await watchOnce(gate.url, drop, "--rehearse");
  gate.open();
  expect([busy.code, busy.said]).toEqual([4, "Nothing of a.csv was stored. The service asked us to wait 15 minutes. Run this again."]);
  expect([within("processing"), within("rejected")]).toEqual([["a.csv"], []]);
  expect((await watchOnce(service.url, drop)).code).toBe(0);
  expect(await readAll(service.url, headers, "&accountID[prefix]=held")).toHaveLength(3);
});

test("a file that is put away stands for no other: with --again the same bytes under the same name are loaded again", async () => {
  const { drop, write, within } = makeDrop("again");
  for (const times of [1, 2]) {
    write("a.csv", customersCsv(3, "again"));
    expect((await watchOnce(service.url, drop, "--again")).code).toBe(0);
    expect(await readAll(service.url, headers, "&accountID[prefix]=again")).toHaveLength(3 * times);
    rmSync(join(drop, "archive", "a.csv"));
    for (const output of readdirSync(join(drop, "archive"))) rmSync(join(drop, "archive", output));
  }
  expect(within("processing")).toEqual([]);
});

test("too many refused midway puts a file away; the same bytes again are put away, too, and what was told goes on with the first", async () => {
  const { drop, write, within } = makeDrop("refused");
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `${from + i},Ek,refused`).join("\n");
  write("a.csv", `id,Last name,Account ID\n${ids(900_001, 900_003)}\n`);
  expect((await watchOnce(service.url, drop)).code).toBe(0);
  const text = `id,Last name,Account ID\n${ids(900_001, 908_001)}\n`;
  write("b.csv", text);
  gate.letThrough(1);
  const running = startBatch(gate.url, ["watch", drop, "--once", "--settle", "0", "--json"]);
  await running.says('"step":"stopping"');
  gate.open();
  const { code, said } = await running.ended;
  expect([code, within("rejected")]).toEqual([3, ["b.csv"]]);
  write("b.csv", text);
  write("c.csv", customersCsv(2, "next"));
  const again = await watchOnce(service.url, drop);
  expect([again.code, again.said]).toEqual([
    3,
    expect.stringMatching(/^b\.2\.csv was begun as \S+rejected\/b\.csv on .* and is not finished /),
  ]);
  expect([within("rejected"), within("archive"), within("processing")]).toEqual([["b.2.csv", "b.csv"], ["a.csv", "c.csv"], []]);
  const [, words = ""] = said.match(/Go on with: npm run batch -- (.*), or take/) ?? [];
  expect((await batch(service.url, words.split(" "))).code).toBe(2);
  expect(await readAll(service.url, headers, "&accountID=refused")).toHaveLength(8_000);
}, 60_000);
