// The change feed: read in pages, its delay, and what followers cost that hear nothing.

import { readFileSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChangePage } from "../../core/contract/history.ts";
import { batchesOf, post } from "../floors/poster.ts";
import { cpuOf } from "../support/cpu.ts";
import { type Service, startService } from "../support/service.ts";
import { printTable, round } from "../support/table.ts";

const SEED = 1;
const PAGE = 1_000; // changes
const CHANGES = 500; // single ones whose delay is measured
const BETWEEN = 20; // ms
const FOLLOWERS = 1_000;
const IDLE = 30_000; // ms that they hear nothing
const LIMITS = {
  RATE_PER_SECOND: "1000000",
  RATE_BURST: "1000000",
  MAX_FOLLOWERS: "2000",
  MAX_CONNECTIONS: "5000",
  MAX_SOURCE_CONNECTIONS: "5000",
};

export interface FeedFigures {
  engine: string;
  changes: number;
  /** Read in pages, one after the other. `memory` in MB: of the service before, and at most while they were read. */
  pages: { changesPerSecond: number; memory: { before: number; most: number } };
  /** ms from the answer to a write until its event has come, with one follower and with all of them. */
  delay: { one: Delay; all: Delay };
  /** Is what FOLLOWERS streams cost that hear nothing: MB of the service more than without them, and ms of CPU a second. */
  idle: { followers: number; megabytes: number; cpu: number };
}

interface Delay {
  p50: number;
  p99: number;
}

/** With `url` on PostgreSQL. */
export async function measureFeed(engine: string, records: number, url?: string): Promise<FeedFigures> {
  const report = (done: string) => console.log(`${engine}: ${done}`);
  const service = await startService({ ...LIMITS, ...(url && { DATABASE_URL: url }) });
  try {
    await post(service, batchesOf(records, SEED));
    report(`${records} records are stored.`);
    const token = await service.signIn();
    const pages = await readAll(service, token, records);
    report(`Their changes were read: ${pages.changesPerSecond} a second.`);
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
    const first = await follow(service, token, agent);
    const one = await measureDelay(service, token, first);
    report(`The delay with one follower is measured: p50 ${one.p50} ms, p99 ${one.p99} ms.`);
    const before = { memory: megabytes(service.pid), cpu: await cpuOfRest(service.pid) };
    const others: Follower[] = [];
    while (others.length < FOLLOWERS) others.push(...(await Promise.all(Array.from({ length: 50 }, () => follow(service, token, agent)))));
    report(`${others.length} followers listen.`);
    const all = await measureDelay(service, token, others.at(-1) as Follower);
    report(`The delay with all of them is measured: p50 ${all.p50} ms, p99 ${all.p99} ms.`);
    const cpu = await cpuOfRest(service.pid);
    const idle = { followers: FOLLOWERS, megabytes: round(megabytes(service.pid) - before.memory), cpu: round(cpu - before.cpu) };
    for (const { end } of [first, ...others]) end();
    return { engine, changes: records, pages, delay: { one, all }, idle };
  } finally {
    await service.stop();
  }
}

async function readAll(service: Service, token: string, records: number): Promise<FeedFigures["pages"]> {
  const memory = { before: megabytes(service.pid), most: 0 };
  const started = performance.now();
  let [read, query] = [0, ""];
  while (read < records) {
    const reply = await fetch(`${service.origin}/v1/changes?limit=${PAGE}${query}`, { headers: { authorization: `Bearer ${token}` } });
    const { changes, next } = (await reply.json()) as ChangePage;
    if (changes.length === 0 && query.endsWith(next)) throw new Error(`The feed ended after ${read} changes.`);
    read += changes.length;
    query = `&after=${next}`;
    if (read % 100_000 === 0) memory.most = Math.max(memory.most, megabytes(service.pid));
  }
  return { changesPerSecond: Math.round(read / ((performance.now() - started) / 1_000)), memory };
}

interface Follower {
  /** Resolves with the time at which the change of this record has come. */
  next(id: number): Promise<number>;
  end(): void;
}

function follow({ origin }: Service, token: string, agent: Agent): Promise<Follower> {
  const waiting = new Map<number, (at: number) => void>();
  const seen = new Map<number, number>();
  const hear = (response: IncomingMessage) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => {
      const at = performance.now();
      text += part;
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (!line.startsWith("data: {")) continue;
        const { objectId } = JSON.parse(line.slice("data: ".length)) as { objectId: number };
        seen.set(objectId, at);
        waiting.get(objectId)?.(at);
      }
    });
  };
  return new Promise((resolve, reject) => {
    const headers = { accept: "text/event-stream", authorization: `Bearer ${token}` };
    const request = get(`${origin}/v1/changes?after=now`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`The service answered ${response.statusCode}.`));
      hear(response);
      resolve({
        next: (id) => new Promise((found) => (seen.has(id) ? found(seen.get(id) as number) : waiting.set(id, found))),
        end: () => request.destroy(),
      });
    });
    request.on("error", reject);
  });
}

async function measureDelay({ origin }: Service, token: string, follower: Follower): Promise<Delay> {
  const delays: number[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const body = JSON.stringify({ lastName: "Followed", accountID: `f${Math.random()}` });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const reply = await fetch(`${origin}/v1/customers`, { method: "POST", headers, body });
    const { objectId } = (await reply.json()) as { objectId: number };
    const answered = performance.now();
    delays.push(Math.max(0, (await follower.next(objectId)) - answered));
    await sleep(BETWEEN);
  }
  delays.sort((a, b) => a - b);
  return { p50: round(delays[Math.floor(CHANGES / 2)] ?? Number.NaN), p99: round(delays[Math.floor(CHANGES * 0.99)] ?? Number.NaN) };
}

/** ms of CPU a second while nothing is asked of the service. */
async function cpuOfRest(pid: number): Promise<number> {
  const before = cpuOf(pid);
  await sleep(IDLE);
  return (cpuOf(pid) - before) / (IDLE / 1_000);
}

/** Resident memory. */
function megabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1_024);
}

export function printFeed(all: readonly FeedFigures[]): void {
  printTable(
    "The change feed",
    [
      "engine",
      "changes",
      "read/s",
      "MB before",
      "MB at most",
      "delay p50",
      "p99 ms",
      `p50 of ${FOLLOWERS}`,
      "p99 ms",
      "idle MB",
      "CPU ms/s",
    ],
    all.map(({ engine, changes, pages, delay, idle }) => [
      engine,
      changes,
      pages.changesPerSecond,
      pages.memory.before,
      pages.memory.most,
      delay.one.p50,
      delay.one.p99,
      delay.all.p50,
      delay.all.p99,
      idle.megabytes,
      idle.cpu,
    ]),
  );
}
