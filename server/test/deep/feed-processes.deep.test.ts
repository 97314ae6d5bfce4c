// Four services on one database, and a follower that is killed at any moment and goes on at another of them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as nap } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import type { ChangePage } from "../../../core/contract/history.ts";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

const ROUNDS = rounds(3, 200);
const PROCESSES = inject("postgres") ? 4 : 1; // a SQLite file belongs to one service
const RECORDS = 200; // few, so that writers meet
const BATCHES = 4; // by each writer in a round
const LONGEST = 3_000; // ms that a transaction is held open

const FOLLOWER = fileURLToPath(new URL("../../testing/feed-follower.ts", import.meta.url));

function start(): Promise<Started> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  return startProcess({ ...store, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, RATE_PER_SECOND: "100000", RATE_BURST: "100000" });
}

/** A transaction that writes nothing but has drawn its number: what commits meanwhile with a higher number has to wait for it. */
async function holdTransactions(url: string, isOver: () => boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  while (!isOver()) {
    await client.query("BEGIN");
    await client.query("SELECT pg_current_xact_id()");
    await nap(randomInt(randomInt(10) === 0 ? LONGEST : 200));
    await client.query(randomInt(2) === 0 ? "COMMIT" : "ROLLBACK");
    await nap(randomInt(50));
  }
  await client.end();
}

/** Batches of all sizes, now and then a deletion, so that transactions are of different lengths. */
async function write(url: string, headers: Record<string, string>): Promise<void> {
  for (let i = 0; i < BATCHES; i++) {
    const first = 1 + randomInt(RECORDS);
    const size = 1 + randomInt(RECORDS - first + 1);
    const accountID = String(Math.random());
    const isDeletion = randomInt(5) === 0;
    const customers = Array.from({ length: size }, (_, n) => ({ objectId: first + n, ...(!isDeletion && { lastName: "Ek", accountID }) }));
    const path = isDeletion ? "/v1/customers/deletions?onError=continue" : "/v1/customers?onError=continue&onConflict=update";
    const reply = await fetch(url + path, { method: "POST", headers, body: JSON.stringify({ customers }) });
    expect(reply.status).toBe(207);
    await reply.arrayBuffer();
  }
}

interface Line {
  cursor: string;
  name: string;
}

/** Follows until it is killed, at any moment from its start on. */
async function followAWhile(url: string, token: string, cursor: string): Promise<Line[]> {
  const child = spawn(process.execPath, ["--import", "tsx", FOLLOWER, url, token, cursor], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  const first = once(child.stdout, "data");
  child.stdout.on("data", (data) => {
    text += data;
  });
  const closed = once(child, "close");
  await Promise.race([first, closed, nap(10_000)]); // a process needs a while to begin
  await nap(randomInt(300));
  child.kill("SIGKILL");
  await closed;
  return linesOf(text);
}

function linesOf(text: string): Line[] {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.filter(Boolean).map((line) => {
    const [cursor = "", id = "", version = ""] = line.split(" ");
    return { cursor, name: `${id}.${version}` };
  });
}

/** On from the cursor until there are so many: other tests’ transactions on the server may hold the feed up. */
async function readOn(url: string, headers: Record<string, string>, cursor: string, count: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (let after = cursor, tries = 0; lines.length < count && tries < 300; tries++) {
    const reply = await fetch(`${url}/v1/changes?limit=1000&wait=1&after=${after}`, { headers });
    const { changes, next } = (await reply.json()) as ChangePage;
    lines.push(...changes.map(({ cursor: place, objectId, version }) => ({ cursor: place, name: `${objectId}.${version}` })));
    after = next;
  }
  return lines;
}

/** The version of each record's last change, from its history; 0 for one that there never was. */
async function lastVersions(url: string, headers: Record<string, string>): Promise<number[]> {
  const versions: number[] = [];
  for (let id = 1; id <= RECORDS; id++) {
    const reply = await fetch(`${url}/v1/customers/${id}/history?limit=1`, { headers });
    const { history = [] } = (await reply.json()) as { history?: { version: number }[] };
    versions.push(history[0]?.version ?? 0);
  }
  return versions;
}

/** A record's versions rise by one with each change, so none is missing and none there twice. */
function expectRising(lines: readonly Line[], versions: readonly number[]): void {
  const last = versions.map(() => 0);
  for (const { name } of lines) {
    const [id = 0, version] = name.split(".").map(Number);
    expect([id, version]).toEqual([id, (last[id - 1] ?? 0) + 1]);
    last[id - 1] = version as number;
  }
  expect(last).toEqual(versions);
}

test(`in ${ROUNDS} rounds a follower that is killed sees every change of ${PROCESSES} services once`, { timeout: 3_600_000 }, async () => {
  const services = await Promise.all(Array.from({ length: PROCESSES }, start));
  const any = () => (services[randomInt(PROCESSES)] as Started).url;
  const headers = await authorize(any(), "preset", ADMIN_SECRET);
  const token = headers.authorization?.slice("Bearer ".length) ?? "";
  let isOver = false;
  const held = database.url ? holdTransactions(database.url, () => isOver) : undefined;
  const begin = ((await (await fetch(`${any()}/v1/changes?limit=1`, { headers })).json()) as ChangePage).next;
  const seen: Line[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const writing = Promise.all(services.map(({ url }) => write(url, headers)));
    seen.push(...(await followAWhile(any(), token, seen.at(-1)?.cursor ?? begin)));
    await writing;
  }
  isOver = true;
  await held;
  const versions = await lastVersions(any(), headers);
  const changes = versions.reduce((sum, version) => sum + version, 0);
  const all = [...seen, ...(await readOn(any(), headers, seen.at(-1)?.cursor ?? begin, changes - seen.length))];
  expectRising(all, versions);
  // From a cursor in the middle: the same changes, each once. Their cursors differ where more was committed at once since then.
  const middle = randomInt(all.length);
  const again = await readOn(any(), headers, (all[middle] as Line).cursor, all.length - middle - 1);
  expectRising([...all.slice(0, middle + 1), ...again], versions);
  if (process.env.DEEP) process.stdout.write(`${ROUNDS} rounds, ${all.length} changes, ${seen.length} of them seen before a kill\n`);
});
