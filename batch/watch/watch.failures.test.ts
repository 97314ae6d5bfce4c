// A watcher rejects a file that is wrong itself, and keeps a file that something else prevents it from loading.

import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { fingerprintOf, openSource } from "../files/source-file.ts";
import { withLock } from "../runs/lock-file.ts";
import { digestOf } from "../runs/run-registry.ts";
import { batch, customersCsv, startBatch } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, plain, proxy, service, stopMidway, stored } = testService;

function watchOnce(url: string, inbox: string, ...more: string[]) {
  return batch(url, ["watch", inbox, "--once", "--settle", "0", ...more]);
}

test("a file that another process loads, or that a busy service did not check, stays in processing and is loaded the next time", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "inbox");
  const source = await openSource(put("a.csv", customersCsv(3, "held")));
  mkdirSync(join(inbox, ".intake", "locks"), { mode: 0o700, recursive: true });
  const locked = await withLock(join(inbox, ".intake", "locks", `${digestOf(await fingerprintOf(source))}.lock`), () =>
    watchOnce(service.url, inbox),
  );
  const works = `a.csv is being loaded already: process ${process.pid} works on it.`;
  expect([locked.code, locked.stderr]).toEqual([5, works]);
  expect(locked.out.trim().split("\n")).toEqual([
    `Watching ${inbox}`,
    "a.csv: taken",
    `a.csv: exit code 5, stays in processing. ${works} The next watch tries again.`,
  ]);
  expect([filesWithin("processing"), filesWithin("rejected")]).toEqual([["a.csv"], []]);
  proxy.reject();
  const busy = await watchOnce(proxy.url, inbox, "--rehearse");
  proxy.open();
  expect([busy.code, busy.stderr]).toEqual([4, "Nothing of a.csv was stored. The service asked us to wait 15 minutes. Run this again."]);
  expect(busy.out).toContain(
    "\na.csv: exit code 4, stays in processing. Nothing of a.csv was stored. The service asked us to wait 15 minutes. The next watch tries again.\n",
  );
  expect([filesWithin("processing"), filesWithin("rejected")]).toEqual([["a.csv"], []]);
  expect((await watchOnce(service.url, inbox)).code).toBe(0);
  expect(await stored("held")).toHaveLength(3);
});

test("a notice that fails neither hides why a file stays, nor lets the next one overtake it", async () => {
  const { path: inbox, put, filesWithin, within } = makeInbox(folder, "overtaken");
  const source = await openSource(put("a.csv", customersCsv(3, "overtaken")));
  put("b.csv", customersCsv(3, "overtaking"));
  mkdirSync(join(inbox, ".intake", "locks"), { mode: 0o700, recursive: true });
  const locked = await withLock(join(inbox, ".intake", "locks", `${digestOf(await fingerprintOf(source))}.lock`), () =>
    watchOnce(service.url, inbox, "--on-end", "false"),
  );
  expect([locked.code, locked.out]).toEqual([5, expect.stringContaining("a.csv: the command of --on-end ended with code 1")]);
  expect([filesWithin("processing"), within(".")]).toEqual([["a.csv"], expect.arrayContaining(["b.csv"])]);
});

test("a watcher that goes on says when it tries again; one that is stopped midway says only what is stored", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "patient");
  const source = await openSource(put("a.csv", customersCsv(12_000, "patient")));
  mkdirSync(join(inbox, ".intake", "locks"), { mode: 0o700, recursive: true });
  await withLock(join(inbox, ".intake", "locks", `${digestOf(await fingerprintOf(source))}.lock`), async () => {
    const watcher = startBatch(service.url, ["watch", inbox, "--settle", "0"]);
    await watcher.untilOutput("tried again");
    watcher.child.kill("SIGTERM");
    const { code, out, stderr } = await watcher.ended;
    expect([code, stderr]).toEqual([0, `No longer watching ${inbox}. What is in processing goes on with the next watch.`]);
    expect(out).toContain(
      `\na.csv: exit code 5, stays in processing. a.csv is being loaded already: process ${process.pid} works on it. It is tried again in 30 seconds.\n`,
    );
  });
  const { code, out } = await stopMidway(["watch", inbox, "--settle", "0"]);
  expect([code, filesWithin("processing")]).toEqual([0, ["a.csv"]]);
  expect(out).toMatch(
    /\na\.csv: exit code 3, stays in processing\. Stopped: \d+,000 of 12,000 records of a\.csv are stored\. The command was asked to stop\.\n$/,
  );
}, 180_000);

test("a file with more rows or bytes than are allowed is rejected before anything of it is stored, also one that is packed", async () => {
  const { path: inbox, put, write, within, filesWithin } = makeInbox(folder, "sizes");
  put("a.csv", customersCsv(101, "rows"));
  put("b.csv", customersCsv(99, "fits"));
  writeFileSync(join(inbox, "c.csv.gz"), gzipSync(customersCsv(100, "packed") + " ".repeat(100_000)));
  write("c.csv.gz.done", "");
  const { code, out } = await watchOnce(service.url, inbox, "--max-rows", "100", "--max-bytes", "50000");
  expect(code).toBe(1);
  expect(out).toContain("Nothing of a.csv was stored: it has more than 100 rows, which --max-rows allows. Divide the file, or allow more.");
  expect(out).toContain("Nothing of c.csv.gz was stored: it has more than 50,000 bytes unpacked, which --max-bytes allows.");
  expect([filesWithin("rejected"), filesWithin("archive"), filesWithin("processing")]).toEqual([["a.csv", "c.csv.gz"], ["b.csv"], []]);
  expect(within("rejected")).toContain("a.csv.report.json");
  expect([await stored("rows"), await stored("packed")]).toEqual([[], []]);
  expect(await stored("fits")).toHaveLength(99);

  put("a.csv", customersCsv(101, "rows"));
  put("d.csv", customersCsv(3_000, "large"));
  const again = await watchOnce(service.url, inbox, "--max-rows", "none", "--max-bytes", "60000");
  expect(again.out).toContain("Nothing of d.csv was stored: it has more than 60,000 bytes unpacked, which --max-bytes allows.");
  expect(await stored("rows")).toHaveLength(101);
});

test("a link that somebody puts into processing is moved away, and what it leads to is not loaded", async () => {
  const { path: inbox, within } = makeInbox(folder, "linked");
  const secret = join(folder, "somebody-elses.csv");
  writeFileSync(secret, customersCsv(3, "linked"));
  mkdirSync(join(inbox, "processing"));
  symlinkSync(secret, join(inbox, "processing", "a.csv"));
  expect(await watchOnce(service.url, inbox)).toMatchObject({
    code: 1,
    stderr: "Nothing of a.csv was stored: it is a link. Put the file itself into the folder.",
  });
  expect([within("processing"), within("rejected"), await stored("linked")]).toEqual([[], ["a.csv"], []]);
});

test("with --again a file with the bytes and the name of an archived one is loaded again", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "again");
  for (const times of [1, 2]) {
    put("a.csv", customersCsv(3, "again"));
    expect((await watchOnce(service.url, inbox, "--again")).code).toBe(0);
    expect(await stored("again")).toHaveLength(3 * times);
    rmSync(join(inbox, "archive", "a.csv"));
    for (const output of readdirSync(join(inbox, "archive"))) rmSync(join(inbox, "archive", output));
  }
  expect(filesWithin("processing")).toEqual([]);
});

test("a file with too many rejects midway is moved to rejected, and so are its bytes when they come again; the run can be resumed", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "refused");
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `${from + i},Ek,refused`).join("\n");
  put("a.csv", `id,Last name,Account ID\n${ids(900_001, 900_003)}\n`);
  expect((await watchOnce(service.url, inbox)).code).toBe(0);
  const text = `id,Last name,Account ID\n${ids(900_001, 908_001)}\n`;
  put("b.csv", text);
  proxy.letThrough(1);
  const running = startBatch(proxy.url, ["watch", inbox, "--once", "--settle", "0", "--json"]);
  await running.untilOutput('"step":"stopping"');
  proxy.open();
  const { code, stderr } = await running.ended;
  expect([code, filesWithin("rejected")]).toEqual([3, ["b.csv"]]);
  put("b.csv", text);
  put("c.csv", customersCsv(2, "next"));
  const again = await watchOnce(service.url, inbox);
  expect([again.code, plain(again.stderr)]).toEqual([
    3,
    "b.2.csv was begun as /in/refused/rejected/b.csv on DAY and is not finished (run RUN). Continue with: intake-batch resume RUN --state /in/refused/.intake",
  ]);
  expect([filesWithin("rejected"), filesWithin("archive"), filesWithin("processing")]).toEqual([
    ["b.2.csv", "b.csv"],
    ["a.csv", "c.csv"],
    [],
  ]);
  const [, words = ""] = stderr.match(/Continue with: intake-batch (.*), or take/) ?? [];
  expect((await batch(service.url, words.split(" "))).code).toBe(2);
  expect(await stored("refused")).toHaveLength(8_000);
}, 180_000);

test("a file that somebody takes out of processing is not waited for: the next one is loaded", async () => {
  const { path: inbox, put } = makeInbox(folder, "taken-out");
  const source = await openSource(put("a.csv", customersCsv(3, "out-a")));
  mkdirSync(join(inbox, ".intake", "locks"), { mode: 0o700, recursive: true });
  await withLock(join(inbox, ".intake", "locks", `${digestOf(await fingerprintOf(source))}.lock`), async () => {
    const watcher = startBatch(service.url, ["watch", inbox, "--settle", "0"]);
    await watcher.untilOutput("tried again");
    put("b.csv", customersCsv(2, "out-b"));
    rmSync(join(inbox, "processing", "a.csv"));
    await watcher.untilOutput("b.csv: exit code 0");
    watcher.child.kill("SIGTERM");
    const { code, out } = await watcher.ended;
    expect([code, out]).toEqual([0, expect.stringContaining("\na.csv: not loaded, because it is no longer in processing.\n")]);
  });
  expect([await stored("out-a"), await stored("out-b")]).toMatchObject([{ length: 0 }, { length: 2 }]);
});
