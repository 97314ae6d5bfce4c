// Two processes read from a replica, and nobody misses a write, whether it lags, stands still, stops or is promoted.

import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type PostgresPair, startPostgresPair } from "../../testing/postgres/postgres-pair.ts";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";

const READS = rounds(300, 10_000);
const CLIENTS = 8;
const RECORDS = 50; // few, so that clients meet

let pair: PostgresPair;
beforeEach(() => {
  pair = undefined as never;
});
afterEach(async () => {
  killProcesses();
  await pair?.stop();
});

function start(readUrl: string): Promise<Started> {
  const rates = { RATE_PER_SECOND: "100000", RATE_BURST: "100000" };
  return startProcess({ DATABASE_URL: pair.url, READ_DATABASE_URL: readUrl, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, ...rates });
}

interface Process {
  url: string;
  headers: Record<string, string>;
}

async function startTwo(readUrl: string): Promise<Process[]> {
  const processes: Process[] = [];
  for (let i = 0; i < 2; i++) {
    const { url, output } = await start(readUrl);
    expect(url, output()).not.toBe("");
    processes.push({ url, headers: await authorize(url, "preset", ADMIN_SECRET) });
  }
  return processes;
}

const any = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T;

/** What one process counts: "replica" or why the primary stood in → reads. */
async function countsOf(processes: readonly Process[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { url } of processes) {
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [, server = "", why = "", reads] of text.matchAll(/^db_reads_total\{server="(\w+)",why="(\w*)"\} (\d+)$/gm)) {
      const name = why || server;
      counts[name] = (counts[name] ?? 0) + Number(reads);
    }
  }
  return counts;
}

/** What is acknowledged of each record by now. `version` 0: it is deleted, or was never there. */
interface Known {
  version: number;
  name: string;
}

const figures = { reads: 0, writes: 0 };

async function send({ url, headers }: Process, method: string, path: string, body?: object) {
  const reply = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await reply.text();
  expect([200, 201, 204], `${method} ${path}: ${text}`).toContain(reply.status);
  return text ? JSON.parse(text) : {};
}

/** Each client has records of its own, whose state it knows for certain. Everybody else knows that they are not older. */
async function writeOne(processes: readonly Process[], id: number, known: Map<number, Known>): Promise<void> {
  const path = `/v1/customers/${id}`;
  const { version = 0 } = known.get(id) ?? {};
  figures.writes++;
  if (version > 0 && randomInt(6) === 0) {
    await send(any(processes), "DELETE", path);
    known.set(id, { version: 0, name: "" });
    return;
  }
  const name = `n${id}x${figures.writes}`;
  const stored = await send(any(processes), "PUT", path, { lastName: "Ek", accountID: name });
  known.set(id, { version: stored.version, name });
}

/** By each way that the replica answers. Returns what is wrong. */
async function readOwn(processes: readonly Process[], id: number, { version, name }: Known): Promise<string[]> {
  const one = any(processes);
  figures.reads++;
  if (version === 0 || randomInt(3) > 0) {
    const { customers } = await send(one, "GET", `/v1/customers?objectId=${id}&count=10`);
    const found = customers[0]?.version ?? 0;
    return found === version ? [] : [`list: ${id} has ${found}, not ${version}`];
  }
  if (randomInt(2) === 0) {
    const { total } = await send(one, "GET", `/v1/customers/summary?accountID=${name}`);
    return total.count === 1 ? [] : [`summary: ${name} is counted ${total.count} times`];
  }
  const { customers } = await send(one, "GET", `/v1/customers?q=${name}`);
  return customers[0]?.version === version ? [] : [`search: ${name} has ${customers[0]?.version}, not ${version}`];
}

async function readOthers(processes: readonly Process[], id: number, known: Map<number, Known>): Promise<string[]> {
  const before = known.get(id)?.version ?? 0;
  const { customers } = await send(any(processes), "GET", `/v1/customers?objectId=${id}`);
  figures.reads++;
  const found = customers[0]?.version ?? 0;
  return found === 0 || found >= before ? [] : [`list: ${id} of another has ${found}, and ${before} was acknowledged`];
}

async function runClient(processes: readonly Process[], number: number, known: Map<number, Known>, stale: string[], isOver: () => boolean) {
  while (!isOver()) {
    const id = 1 + number + CLIENTS * randomInt(RECORDS / CLIENTS);
    await writeOne(processes, id, known);
    const wrong = await readOwn(processes, id, known.get(id) as Known);
    const others = await readOthers(processes, 1 + randomInt(RECORDS), known);
    stale.push(...wrong, ...others);
  }
}

const FAULTS: Record<string, () => Promise<void>> = {
  async lags() {
    await pair.queryStandby("SELECT pg_wal_replay_pause()");
    await wait(randomInt(1_500));
    await pair.queryStandby("SELECT pg_wal_replay_resume()");
  },
  async isFrozen() {
    await pair.signalStandby("SIGSTOP");
    await wait(randomInt(500));
    await pair.signalStandby("SIGCONT");
  },
  async stops() {
    await pair.signalStandby("SIGQUIT");
    await wait(randomInt(1_500));
    await pair.startStandby();
  },
  async isPromoted() {
    await pair.queryStandby("SELECT pg_promote(true, 60)");
    await pair.queryStandby("UPDATE c_customers SET version = version + 1000"); // nobody may see this
    await wait(randomInt(1_500));
    await pair.signalStandby("SIGQUIT");
    await pair.addStandby();
  },
};

test(`${READS} reads miss no write that was acknowledged before, whatever becomes of the replica`, { timeout: 3_600_000 }, async () => {
  pair = await startPostgresPair({ isSynchronous: false });
  const processes = await startTwo(pair.standbyUrl());
  const [known, stale, faults] = [new Map<number, Known>(), [] as string[], {} as Record<string, number>];
  Object.assign(figures, { reads: 0, writes: 0 });
  let isOver = false;
  const makeFaults = async () => {
    do {
      for (const [name, make] of Object.entries(FAULTS)) {
        await wait(1_500 + randomInt(1_000)); // so long it is well again, and read from
        await make();
        faults[name] = (faults[name] ?? 0) + 1;
      }
    } while (figures.reads < READS);
    isOver = true;
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => runClient(processes, number, known, stale, () => isOver));
  await Promise.all([...clients, makeFaults()]);
  const counts = await countsOf(processes);
  process.stdout.write(`replica: ${JSON.stringify({ ...figures, stale: stale.length, faults, counts })}\n`);
  expect(stale).toEqual([]);
  expect(counts.replica).toBeGreaterThan(0);
});

test("after a failover the old timeline is not read from, though it is a standby of the same server and ahead", {
  timeout: 300_000,
}, async () => {
  pair = await startPostgresPair();
  const all = [...pair.url.matchAll(/127\.0\.0\.1:\d+/g)].join(",");
  const processes = await startTwo(`postgres://intake:intake@${all}/postgres?target_session_attrs=standby`);
  const known = new Map<number, Known>();
  const readSome = async () => {
    const stale: string[] = [];
    for (let id = 1; id <= 20; id++) {
      await writeOne(processes, id, known);
      stale.push(...(await readOwn(processes, id, known.get(id) as Known)));
    }
    return stale;
  };
  const isRead = async () => {
    const { replica = 0 } = await countsOf(processes);
    expect(await readSome()).toEqual([]);
    return ((await countsOf(processes)).replica ?? 0) - replica;
  };
  await expect.poll(isRead, { timeout: 60_000 }).toBeGreaterThan(0);
  await pair.stopReplication();
  await pair.query("SELECT pg_logical_emit_message(false, 'ahead', repeat('x', 1000000)); SELECT pg_switch_wal(); CHECKPOINT");
  await pair.killPrimary("SIGQUIT");
  await pair.promote();
  await pair.reviveAsStandby();
  await expect.poll(() => readSome().catch(() => ["no answer yet"]), { timeout: 60_000 }).toEqual([]);
  const before = (await countsOf(processes)).replica;
  for (let i = 0; i < 20; i++) expect(await readSome()).toEqual([]);
  expect((await countsOf(processes)).replica).toBe(before);
  await pair.signalStandby("SIGQUIT");
  await pair.addStandby();
  await expect.poll(isRead, { timeout: 60_000 }).toBeGreaterThan(0);
});
