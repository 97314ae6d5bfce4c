// Tests markers and checksums beside a file, and files that grow while nobody waits for them.

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { batch, customersCsv, startBatch } from "../testing/process.ts";
import { makeInbox, type TestInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";
import { Inbox } from "./inbox.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, service, stored } = testService;

const hashOf = (algorithm: string, text: string) => createHash(algorithm).update(text).digest("hex");

function watchOnce({ path }: TestInbox, ...more: string[]) {
  return batch(service.url, ["watch", path, "--once", "--settle", "0", ...more]);
}

test("a file waits for its checksum or .ok file; it is loaded when the checksum is right, and the checksum goes with it", async () => {
  const inbox = makeInbox(folder, "right");
  const { write, within, filesWithin } = inbox;
  for (const name of ["a", "b", "c", "d"]) write(`${name}.csv`, customersCsv(2, `right-${name}`));
  write("a.csv.sha256", hashOf("sha256", "").slice(0, 20)); // half written
  expect((await watchOnce(inbox, "--done")).code).toBe(0);
  expect(filesWithin("archive")).toEqual([]);
  write("a.csv.sha256", `${hashOf("sha256", customersCsv(2, "right-a"))}  a.csv\n`);
  write("b.csv.md5", `MD5 (b.csv) = ${hashOf("md5", customersCsv(2, "right-b")).toUpperCase()}\n`);
  write("c.csv.ok", "");
  expect((await watchOnce(inbox, "--done")).code).toBe(0);
  expect(filesWithin("archive")).toEqual(["a.csv", "a.csv.sha256", "b.csv", "b.csv.md5", "c.csv"]);
  expect([filesWithin("processing"), within(".").filter((name) => name.includes("csv"))]).toEqual([[], ["d.csv"]]);
  expect(await stored("right")).toHaveLength(6);
});

test("digits in the name of a file are not taken for its checksum", async () => {
  const inbox = makeInbox(folder, "named-by-digits");
  const [name, text] = [`${"0123456789abcdef".repeat(2)}.csv`, customersCsv(2, "named-by-digits")];
  inbox.put(name, text);
  inbox.write(`${name}.md5`, `MD5 (${name}) = ${hashOf("md5", text)}\n`);
  expect((await watchOnce(inbox)).code).toBe(0);
  expect(await stored("named-by-digits")).toHaveLength(2);
});

test.each([
  ["sha256", "0".repeat(64)],
  ["md5", "1".repeat(32)],
])("a file with a wrong %s checksum is refused with both values, and nothing of it is lost", async (algorithm, wrong) => {
  const inbox = makeInbox(folder, `wrong-${algorithm}`);
  const { put, write, within } = inbox;
  const text = customersCsv(2, `wrong-${algorithm}`);
  put("a.csv", text);
  write(`a.csv.${algorithm}`, `${wrong} *a.csv\n`);
  put("b.csv", customersCsv(1, `next-${algorithm}`));
  const { code, stderr } = await watchOnce(inbox);
  const sentence = `Nothing of a.csv was stored: its ${algorithm} checksum is ${hashOf(algorithm, text)}, and a.csv.${algorithm} says ${wrong}. Have the file sent again.`;
  expect([code, stderr]).toEqual([1, sentence]);
  expect(within("rejected")).toEqual(["a.csv", "a.csv.report.json", "a.csv.report.txt", `a.csv.${algorithm}`].sort());
  expect(readFileSync(join(inbox.path, "rejected", "a.csv.report.txt"), "utf8")).toBe(`${sentence}\n`);
  expect([await stored(`wrong-${algorithm}`), await stored(`next-${algorithm}`)]).toMatchObject([[], [{}]]);

  put("a.csv", text); // sent again, under a name that is taken now
  write(`a.csv.${algorithm}`, hashOf(algorithm, text));
  expect((await watchOnce(inbox)).code).toBe(0);
  expect(within("archive")).toContain(`a.2.csv.${algorithm}`);
  expect(await stored(`wrong-${algorithm}`)).toHaveLength(2);
});

test("a checksum file without a checksum refuses its file", async () => {
  const inbox = makeInbox(folder, "empty");
  inbox.put("a.csv", customersCsv(2, "empty"));
  inbox.write("a.csv.sha256", "");
  expect(await watchOnce(inbox)).toMatchObject({ code: 1, stderr: "Nothing of a.csv was stored: a.csv.sha256 has no sha256 checksum." });
});

test("a kill between checksum and file leaves neither alone", async () => {
  const { path, write, within } = makeInbox(folder, "killed");
  const inbox = new Inbox(path, { stableMs: undefined, order: "name" });
  await inbox.prepare();
  write("a.csv", "x");
  write("processing/a.csv.sha256", "taken before the kill");
  expect(await inbox.leftovers()).toEqual([]);
  expect([within("processing"), existsSync(join(path, "a.csv.sha256"))]).toEqual([[], true]);
  expect(await inbox.take("a.csv")).toBe(join(path, "processing", "a.csv"));
  expect(within("processing")).toEqual(["a.csv", "a.csv.sha256"]);
  expect(await inbox.leftovers()).toEqual([join(path, "processing", "a.csv")]);
});

test("with --once a file that still grows is named, left whole to the next watch, and keeps nobody waiting", async () => {
  const inbox = makeInbox(folder, "growing");
  const { path, write, filesWithin } = inbox;
  write("slow.csv", customersCsv(1, "growing"));
  const sender = setInterval(() => appendFileSync(join(path, "slow.csv"), "Ola,Ek,growing-more\n"), 50);
  const watcher = startBatch(service.url, ["watch", path, "--once", "--settle", "1"]);
  const { code, out } = await watcher.ended.finally(() => clearInterval(sender));
  expect([code, filesWithin("archive"), filesWithin("processing")]).toEqual([0, [], []]);
  expect(out).toContain("\nslow.csv: stays where it is, because it still grows. The next watch takes it.\n");
  expect((await watchOnce(inbox)).code).toBe(0);
  const lines = readFileSync(join(path, "archive", "slow.csv"), "utf8")
    .trim()
    .split("\n").length;
  expect(await stored("growing")).toHaveLength(lines - 1);
});

test("what is added to a file after a watch with --once has ended is named by the next one, once", async () => {
  const inbox = makeInbox(folder, "grown");
  inbox.put("a.csv", customersCsv(1, "grown"));
  expect((await watchOnce(inbox)).code).toBe(0);
  expect((await watchOnce(inbox)).code).toBe(0);
  appendFileSync(join(inbox.path, "archive", "a.csv"), "Ola,Ek,grown-more\n");
  const { code, out, stderr } = await watchOnce(inbox);
  expect([code, stderr]).toEqual([2, expect.stringContaining("A file grew after it was taken")]);
  expect(out).toContain("a.csv: grew from ");
  expect((await watchOnce(inbox)).code).toBe(0);
  writeFileSync(join(inbox.path, ".intake", "watch.notes"), "{ not JSON"); // a note that a power cut left half written
  expect((await watchOnce(inbox)).code).toBe(0);
});
