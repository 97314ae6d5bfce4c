// Runs that are stopped, refused, killed, or lose disk space or token; how they continue or are undone.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { ChangePage } from "../../core/contract/history.ts";
import { resumeRun } from "../commands/resume.ts";
import { runAll } from "../commands/run-all.ts";
import { readArguments } from "../console/arguments.ts";
import { createProgressWriter } from "../console/progress.ts";
import type { RunReport } from "../reports/report-files.ts";
import { batch, customersCsv, KEY, startBatch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";
import { readConnection } from "./connection.ts";
import { openRuns } from "./run-registry.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, proxy, headers, plain, service, stopMidway, stored, storedOnce, write } = testService;

function reportOf(path: string): RunReport {
  return JSON.parse(readFileSync(`${path}.report.json`, "utf8")) as RunReport;
}

/** Counts what the change feed has of a run, by operation. */
async function changesOf(run: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let after = "";
  for (let count = 1; count > 0; ) {
    const reply = await fetch(`${service.url}/v1/changes?run=${run}&limit=1000${after}`, { headers });
    const { changes, next } = (await reply.json()) as ChangePage;
    for (const { operation } of changes) counts[operation] = (counts[operation] ?? 0) + 1;
    count = changes.length;
    after = `&after=${next}`;
  }
  return counts;
}

test("when the service refuses too many records midway, the run stops, and continues when more are allowed", async () => {
  expect((await batch(service.url, ["run", write("some.csv", "id,Last name,Account ID\n800001,Ek,b0\n800002,Ek,b0\n")])).code).toBe(0);
  const rows = Array.from({ length: 8_000 }, (_, i) => `${800_001 + i},Ek,b${1 + i}`);
  const path = write("beyond.csv", `id,Last name,Account ID\n${rows.join("\n")}\n`);
  proxy.letThrough(1);
  const running = startBatch(proxy.url, ["run", path, "--max-rejects", "1"]);
  await running.untilOutput("Stopping");
  proxy.open();
  const { code, out, stderr } = await running.ended;
  expect([code, plain(stderr).replace(/^Stopped: [\d,]+/, "Stopped: SOME")]).toEqual([
    3,
    "Stopped: SOME of 8,000 records of beyond.csv are stored. 2 were refused, more than --max-rejects allows. Continue with: intake-batch resume /in/beyond.csv --max-rejects none, or take it back with: intake-batch undo RUN --state /in/.intake",
  ]);
  expect(out).toContain("\nMore records are refused than --max-rejects allows. Stopping: the batches that were sent are finished first.\n");
  expect(reportOf(path)).toMatchObject({ exitCode: 3, rejects: 2, outcomes: { failed: 2 } });
  const resumed = await batch(service.url, ["resume", path, "--max-rejects", "none"]);
  expect([resumed.code, resumed.stderr]).toEqual([
    2,
    `7,998 of 8,000 records of beyond.csv are in customers (7,998 created); 2 refused. See beyond.csv.2.rejects.csv. Correct beyond.csv.2.rejects, then load it with: intake-batch run ${path}.2.rejects`,
  ]);
  expect(readFileSync(`${path}.2.rejects.csv`, "utf8").match(/objectId,ALREADY_EXISTS/g)).toHaveLength(2); // also of the first part
}, 180_000);

test("resume goes on with the run as it is when nobody else has its lock any more, not as it was before", async () => {
  expect((await batch(service.url, ["run", write("taken.csv", "id,Last name,Account ID\n829999,Ek,late\n")])).code).toBe(0);
  const rows = Array.from({ length: 10_000 }, (_, i) => `${820_000 + i},Ek,c${i}`);
  const path = write("late.csv", `id,Last name,Account ID\n${rows.join("\n")}\n`);
  expect((await stopMidway(["run", path])).code).toBe(3);
  const runs = openRuns(join(folder, ".intake"));
  let opened = 0;
  const decrypt = async (file: string) => {
    opened += 1;
    const [run] = await runs.at(file);
    // The run has been found by now, and the lock is not taken yet: as if another process had resumed it with --max-rejects none.
    if (opened === 2 && run) await runs.put({ ...run, limit: null });
    return new Blob([readFileSync(file)]);
  };
  const silent = { write: () => true };
  const connection = await readConnection({ INTAKE_URL: service.url, INTAKE_KEY: KEY }, undefined);
  const context = {
    connection,
    progress: createProgressWriter(silent, silent, false),
    signal: new AbortController().signal,
    now: Date.now,
    decrypt,
  };
  const exit = await resumeRun(path, readArguments(["resume", path]).options, context);
  expect([opened, exit.code, (await runs.at(path))[0]?.limit]).toEqual([2, 2, null]);
}, 180_000);

// At most five requests are in flight, so that these files have unsent batches when the proxy holds them back.
test("a stopped command finishes the batches that it sent; resume stores the rest once, and undo takes everything back", async () => {
  const path = write("long.csv", customersCsv(10_000, "long"));
  const stopped = await stopMidway(["run", path]);
  expect([stopped.code, plain(stopped.stderr).replace(/^Stopped: [\d,]+/, "Stopped: SOME")]).toEqual([
    3,
    "Stopped: SOME of 10,000 records of long.csv are stored. The command was asked to stop. Continue with: intake-batch resume /in/long.csv",
  ]);
  expect(stopped.out).toContain("\nStopping: the batches that were sent are finished first.\n");
  const open = await batch(service.url, ["run", path]);
  expect([open.code, plain(open.stderr)]).toEqual([
    3,
    "long.csv was begun on DAY and is not finished (run RUN). Continue with: intake-batch resume /in/long.csv",
  ]);
  const listed = await batch(service.url, ["status", path]);
  expect(plain(listed.out)).toMatch(/^DAY {2}RUN {2}long\.csv {2}customers, create: 10,000 records, [\d,]+ stored; NOT FINISHED\n$/);
  const resumed = await batch(service.url, ["resume", path]);
  expect([resumed.code, resumed.stderr]).toEqual([0, "All 10,000 records of long.csv are in customers: 10,000 created."]);
  expect(await storedOnce("long")).toEqual([10_000, 10_000]);
  expect((await batch(service.url, ["resume", path])).code).toBe(0); // nothing is left to do
  const status = await batch(service.url, ["status", path, "--json"]);
  const [run] = status.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; fileName: string });
  const undone = await batch(service.url, ["undo", run?.id ?? "", "--state", join(folder, ".intake")]);
  expect([undone.code, undone.stderr]).toEqual([0, "10,000 records of long.csv taken back; the store is as it was before."]);
  expect(await stored("long")).toEqual([]);
  expect(await changesOf(run?.id ?? "")).toEqual({ created: 10_000, deleted: 10_000 });
  expect((await batch(service.url, ["run", path, "--dry-run"])).code).toBe(0); // no duplicate any more
}, 180_000);

test("a revoked token is renewed with the key; a deleted key stops the run, and another key continues it", async () => {
  const made = await fetch(`${service.url}/v1/keys`, { method: "POST", headers, body: '{"scope":"write"}' });
  const { key, id } = (await made.json()) as { key: string; id: string };
  const path = write("token.csv", customersCsv(12_000, "token"));
  proxy.letThrough(2);
  const running = startBatch(proxy.url, ["run", path], { INTAKE_KEY: key });
  await proxy.untilHeld();
  const [, secret = ""] = key.split(".");
  const body = new URLSearchParams({ client_id: id, client_secret: secret, token: proxy.token() });
  expect((await fetch(`${service.url}/v1/oauth/revoke`, { method: "POST", body })).status).toBe(200);
  proxy.letThrough(6); // what waits is refused, comes again with a new token, and some of it is stored
  await proxy.untilHeld();
  expect((await fetch(`${service.url}/v1/keys/${id}`, { method: "DELETE", headers })).ok).toBe(true);
  proxy.open();
  const stopped = await running.ended;
  expect([stopped.code, plain(stopped.stderr).replace(/^Stopped: [\d,]+/, "Stopped: SOME")]).toEqual([
    3,
    "Stopped: SOME of 12,000 records of token.csv are stored. The service does not accept the API key any more. Continue with: intake-batch resume /in/token.csv",
  ]);
  expect((await batch(service.url, ["resume", path])).code).toBe(0);
  expect(await storedOnce("token")).toEqual([12_000, 12_000]);
}, 180_000);

test("when the journal cannot be written nothing more is sent; the run continues when it can", async () => {
  const path = write("room.csv", customersCsv(24_000, "room"));
  const full = startBatch(service.url, ["run", path], {}, "ulimit -f 40"); // × 512 bytes, less than the journal will have
  const { code, stderr } = await full.ended;
  expect([code, plain(stderr)]).toEqual([
    3,
    "Stopped: the journal /in/.intake/RUN.batches cannot be written: it would exceed the file size limit of this account. Continue with: intake-batch resume /in/room.csv",
  ]);
  expect((await batch(service.url, ["resume", path])).code).toBe(0);
  expect(await storedOnce("room")).toEqual([24_000, 24_000]);
}, 180_000);

test("a second run of a file at the same time is refused; a changed file is resumed only when it is as it was", async () => {
  const path = write("twice.csv", customersCsv(6_000, "twice"));
  proxy.letThrough(0);
  const first = startBatch(proxy.url, ["run", path]);
  await proxy.untilHeld();
  const second = await batch(service.url, ["run", path]);
  expect([second.code, second.stderr]).toEqual([5, `twice.csv is being loaded already: process ${first.child.pid} works on it.`]);
  const resume = await batch(service.url, ["resume", path]);
  expect([resume.code, resume.stderr]).toEqual([second.code, second.stderr]);
  const undo = await batch(service.url, ["undo", path]);
  expect(undo.code).not.toBe(5); // it was to do something, and has not
  first.child.kill("SIGKILL");
  await first.ended;
  proxy.open();
  write("twice.csv", customersCsv(6_000, "other"));
  const { code, stderr } = await batch(service.url, ["resume", path]);
  expect([code, plain(stderr)]).toEqual([
    1,
    "twice.csv is not the file that run RUN began with. It is as long as before and differs within its first MiB. Put it back as it was, or take back what is stored with: intake-batch undo RUN --state /in/.intake",
  ]);
  write("twice.csv", customersCsv(6_000, "twice"));
  expect((await batch(service.url, ["resume", path])).code).toBe(0);
  expect(await stored("twice")).toHaveLength(6_000);
}, 180_000);

test("an uncaught error ends the command with exit code 3 and the command to resume; nothing is stored twice", async () => {
  const path = write("uncaught.csv", customersCsv(8_000, "uncaught"));
  const lost = join(folder, "lost");
  // Operators do so to watch their processes: it is code of others, within the command's own process.
  const agent = write(
    "agent.mjs",
    `import { existsSync } from "node:fs";
     setInterval(() => { if (existsSync(${JSON.stringify(lost)})) throw new Error("The agent lost its collector."); }, 20).unref();`,
  );
  proxy.letThrough(2);
  const running = startBatch(proxy.url, ["run", path], { NODE_OPTIONS: `--import ${pathToFileURL(agent)}` });
  await proxy.untilHeld();
  write("lost", "");
  const { code, stderr } = await running.ended;
  expect(code).toBe(3);
  expect(stderr.split("\n")[0]).toBe(
    "Stopped: The program failed unexpectedly, which is a fault of it: please report the lines below. Error: The agent lost its collector. If records had been sent already, continue with: intake-batch resume FILE",
  );
  proxy.open();
  expect((await batch(service.url, ["resume", path])).code).toBe(0);
  expect(await storedOnce("uncaught")).toEqual([8_000, 8_000]);
}, 180_000);

test("a run is gone on with by one process alone, and its record is never replaced by a note of its begin", async () => {
  const path = write("alone.csv", customersCsv(10_000, "alone"));
  expect((await stopMidway(["run", path])).code).toBe(3);
  const [run] = await openRuns(join(folder, ".intake")).list(({ fileName }) => fileName === "alone.csv");
  const { options } = readArguments(["run", path]);
  const silent = { write: () => undefined };
  const context = {
    connection: await readConnection({ INTAKE_URL: service.url, INTAKE_KEY: KEY }, undefined),
    progress: createProgressWriter(silent, silent, false),
    signal: new AbortController().signal,
    now: Date.now,
  };
  // A resume that found only the note of the run, before the run began to send.
  await expect(runAll(path, { ...options, id: run?.id as string }, context)).rejects.toThrow("Continue with: intake-batch resume");
  expect(await openRuns(join(folder, ".intake")).list(({ id }) => id === run?.id)).toEqual([run]);
  const both = await Promise.all([batch(service.url, ["resume", path]), batch(service.url, ["resume", path])]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 5]);
  expect(await storedOnce("alone")).toEqual([10_000, 10_000]);
}, 180_000);
