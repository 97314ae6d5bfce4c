// A run that is killed or stopped in its first pass is known to status, and resume loads its file.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { rounds } from "../../server/testing/rounds.ts";
import { batch, customersCsv, makeFolder, type Running, startBatch, startService, startUnreachable } from "../testing/process.ts";

const ROUNDS = rounds(2, 40);
const ROWS = rounds(30_000, 60_000);
const LONG = "-".repeat(201); // a first name has at most 200 characters
const DAILY = {
  ...{ kind: "fixed", collection: "customers", recordLength: 11, lineEnd: "lf", recordType: { start: 1, length: 1 } },
  header: { type: "H", businessDate: { start: 2, length: 8, format: "YYYYMMDD", zone: "UTC", days: 0 } },
  detail: {
    type: "D",
    fields: [
      { name: "objectId", start: 2, length: 6 },
      { name: "accountID", start: 8, length: 4 },
      { name: "lastName", constant: "Ek" },
    ],
  },
};
const folder = makeFolder();
const STATE = join(folder.path, ".intake");
let service: Started;
beforeAll(async () => {
  service = await startService(join(folder.path, "store"));
});
afterAll(() => {
  service.child.kill("SIGKILL");
  folder.remove();
});

function write(name: string, text: string): string {
  writeFileSync(join(folder.path, name), text);
  return join(folder.path, name);
}

/** The runs of a file in a state folder that are still in their first pass. */
function begun(fileName: string, state = STATE): unknown[] {
  const names = existsSync(state) ? readdirSync(state).filter((name) => name.endsWith(".json")) : [];
  return names.map((name) => JSON.parse(readFileSync(join(state, name), "utf8"))).filter((run) => run.fileName === fileName && run.begun);
}

async function killOnceBegun({ child, ended }: Running, fileName: string, state = STATE): Promise<void> {
  while (begun(fileName, state).length === 0 && child.exitCode === null) await sleep(5);
  child.kill("SIGKILL");
  await ended;
}

async function countOf(prefix: string): Promise<number> {
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const reply = await fetch(`${service.url}/v1/customers?accountID[prefix]=${prefix}&limit=1&count=exact`, { headers });
  return ((await reply.json()) as { total: number }).total;
}

/** Answers nothing, so that a command waits for its sign-in until it is killed. */
async function startSilent(): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => socket.on("error", () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

describe("killed in the first pass", { timeout: rounds(300_000, 1_800_000) }, () => {
  test("the pair of commands for cron loads the file: resume begins again, with the options of the run", async () => {
    const file = write("cron.csv", `${customersCsv(3, "cron")}${LONG},Long,cron9\n`);
    const silent = await startSilent();
    await killOnceBegun(startBatch(silent.url, ["run", file, "--max-rejects", "1"]), "cron.csv");
    silent.close();
    const status = await batch(service.url, ["status", file]);
    expect(status.out).toMatch(/ cron\.csv {2}create: NOT FINISHED, nothing was sent\n$/);
    expect((await batch(service.url, ["status", file, "--json"])).out).toContain('"begun"');
    const undone = await batch(service.url, ["undo", file]);
    expect([undone.code, undone.stderr]).toEqual([1, expect.stringContaining("has no run that could be taken back")]);
    const resumed = await batch(service.url, ["resume", file]);
    expect([resumed.code, await countOf("cron")]).toEqual([2, 3]);
    expect((await batch(service.url, ["resume", file])).code).toBe(0); // nothing is left to do
    expect([begun("cron.csv"), await countOf("cron")]).toEqual([[], 3]);
  });

  test("so does the same command, and a file that was changed since is not loaded by resume", async () => {
    const file = write("again.csv", customersCsv(2, "again"));
    const silent = await startSilent();
    await killOnceBegun(startBatch(silent.url, ["run", file]), "again.csv");
    silent.close();
    const [{ id }] = begun("again.csv") as [{ id: string }];
    writeFileSync(file, customersCsv(3, "again"));
    const other = await batch(service.url, ["resume", id, "--state", STATE]);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("nothing of that was sent")]);
    const byName = await batch(service.url, ["resume", file]);
    expect([byName.code, byName.stderr]).toEqual([5, expect.stringContaining("has no run that stopped midway")]);
    writeFileSync(file, customersCsv(2, "again"));
    expect((await batch(service.url, ["run", file])).code).toBe(0);
    expect([begun("again.csv"), await countOf("again")]).toEqual([[], 2]);
  });

  test("the note of a run that is alive stays: another run, a resume and a dry run leave it alone", async () => {
    const file = write("alive.csv", customersCsv(3, "alive"));
    const silent = await startSilent();
    const running = startBatch(silent.url, ["run", file]);
    while (begun("alive.csv").length === 0) await sleep(5);
    const noted = begun("alive.csv");
    for (const words of [["resume"], ["run"], ["resume"], ["run", "--dry-run"]]) {
      const other = await batch(service.url, [words[0] as string, file, ...words.slice(1)]);
      expect([words, other.code, other.stderr]).toEqual([words, 5, expect.stringContaining("is being loaded already")]);
      expect(begun("alive.csv")).toEqual(noted);
    }
    await killOnceBegun(running, "alive.csv");
    silent.close();
    expect((await batch(service.url, ["run", file, "--dry-run"])).code).toBe(0);
    expect(begun("alive.csv")).toEqual(noted);
    expect([(await batch(service.url, ["resume", file])).code, await countOf("alive")]).toEqual([0, 3]);
  });

  test("the business date is compared with the day on which the run began", async () => {
    const layout = write("day.json", JSON.stringify(DAILY));
    const file = write("day.dat", `H20240315  \nD000901day1\n`);
    const atNight = () => Date.UTC(2024, 2, 15, 22);
    const unreachable = await startUnreachable();
    expect((await batch(unreachable.url, ["run", file, "--layout", layout], {}, atNight)).code).toBe(4);
    const nextDay = () => Date.UTC(2024, 2, 16, 2);
    expect((await batch(unreachable.url, ["resume", file], {}, nextDay)).code).toBe(4);
    unreachable.close();
    const resumed = await batch(service.url, ["resume", file], {}, nextDay);
    expect([resumed.code, resumed.stderr, await countOf("day")]).toEqual([0, expect.any(String), 1]);
  });

  test("a watcher goes on with the file, by its rule", async () => {
    const inbox = join(folder.path, "inbox");
    const rules = write("rules.json", JSON.stringify([{ files: "*.csv", maxRejects: 1 }]));
    mkdirSync(inbox);
    writeFileSync(join(inbox, "in.csv"), `${customersCsv(2, "inbox")}${LONG},Long,inbox9\n`);
    writeFileSync(join(inbox, "in.csv.done"), "");
    const state = join(inbox, ".intake");
    await killOnceBegun(startBatch(service.url, ["watch", inbox, "--rules", rules]), "in.csv", state);
    const watched = await batch(service.url, ["watch", inbox, "--rules", rules, "--once"]);
    expect([watched.code === 0 || watched.code === 2, await countOf("inbox")]).toEqual([true, 2]);
  });

  test(`at whatever moment, in ${ROUNDS} rounds, status knows the run and resume stores each record once`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const name = `round${round}x`;
      const file = write(`${name}.csv`, customersCsv(ROWS, name));
      await killOnceBegun(startBatch(service.url, ["run", file]), `${name}.csv`);
      expect((await batch(service.url, ["status", file])).out).toContain("NOT FINISHED");
      expect((await batch(service.url, ["resume", file])).code).toBe(0);
      expect(await countOf(name)).toBe(ROWS);
    }
  });
});

describe("ended in the first pass", { timeout: 60_000 }, () => {
  test("without a service the run stays for resume; of a refused file and a dry run nothing stays", async () => {
    const file = write("later.csv", customersCsv(2, "later"));
    const unreachable = await startUnreachable();
    expect((await batch(unreachable.url, ["run", file])).code).toBe(4);
    unreachable.close();
    expect(begun("later.csv")).toHaveLength(1);
    expect([(await batch(service.url, ["resume", file])).code, await countOf("later")]).toEqual([0, 2]);
    const wrong = write("wrong.csv", `${customersCsv(2, "wrong")}${LONG},Long,wrong9\n`);
    expect((await batch(service.url, ["run", wrong])).code).toBe(1);
    expect((await batch(service.url, ["resume", wrong])).code).toBe(5);
    const dry = write("dry.csv", customersCsv(2, "dry"));
    expect((await batch(service.url, ["run", dry, "--dry-run"])).code).toBe(0);
    expect([begun("wrong.csv"), begun("dry.csv")]).toEqual([[], []]);
  });
});
