// kill −9 of the service at random moments of an undo: once it has been asked for to its end, all is as before the run.

import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import type { UndoReply } from "../../../core/contract/history.ts";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

const ROUNDS = inject("postgres") ? rounds(2, 30) : rounds(3, 60);
const GROUP = 900; // records that a run creates, as many that it changes, and as many that it deletes: three requests undo them
const PATH = "/v1/customers";

function start(): Promise<Started> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  return startProcess({ ...store, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, RATE_PER_SECOND: "100000", RATE_BURST: "100000" });
}

interface Given {
  objectId: number;
  lastName: string;
  accountID: string;
}
type Stored = Given & { version: number };

let headers: Record<string, string>;
async function call<T>(url: string, method: string, path: string, body: unknown, source = "api"): Promise<T> {
  const reply = await fetch(url + path, { method, headers: { ...headers, "intake-source": source }, body: JSON.stringify(body) });
  const text = await reply.text();
  expect([path, reply.ok, text]).toEqual([path, true, text]);
  return JSON.parse(text) as T;
}

async function put(url: string, records: readonly Given[], source?: string): Promise<void> {
  await call(url, "POST", `${PATH}?onError=continue&onConflict=update`, { customers: records }, source);
}

async function readIds(url: string, from: number, to: number): Promise<Map<number, Stored>> {
  const found = new Map<number, Stored>();
  for (let at = from; at < to; at += 1_000) {
    const range = `objectId[gte]=${at}&objectId[lte]=${Math.min(at + 1_000, to) - 1}&limit=1000`;
    const reply = await fetch(`${url}${PATH}?${range}`, { headers });
    const { customers } = (await reply.json()) as { customers: Stored[] };
    for (const each of customers) found.set(each.objectId, each);
  }
  return found;
}

/** Asks part after part until the service is gone. `next` of the last answer, null: to the end. `onReply` after each answer. */
async function undo(url: string, run: string, after: string | undefined, onReply: () => void): Promise<string | null | undefined> {
  for (let next: string | null | undefined = after; ; ) {
    const reply: UndoReply | undefined = await call<UndoReply>(url, "POST", `${PATH}/undo`, { run, after: next }).catch((error) => {
      if (error instanceof TypeError) return undefined; // the connection broke off
      throw error;
    });
    if (!reply) return next;
    next = reply.next;
    if (next === null) return null;
    onReply();
  }
}

test(`in ${ROUNDS} rounds of kill −9 an undo takes every change back once`, { timeout: 1_800_000 }, async () => {
  let service = await start();
  headers = await authorize(service.url, "preset", ADMIN_SECRET);
  let kills = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const run = `killed-${round}`;
    const first = 1_000_000 + round * 10_000;
    const ids = Array.from({ length: 3 * GROUP }, (_, i) => first + i);
    const [updated, deleted, created] = [ids.slice(0, GROUP), ids.slice(GROUP, 2 * GROUP), ids.slice(2 * GROUP)];
    const named = (lastName: string) => (objectId: number) => ({ objectId, lastName, accountID: `u${objectId}` });
    for (const group of [updated, deleted]) await put(service.url, group.map(named("Before")));
    const source = `batch; run=${run}`;
    await put(service.url, updated.map(named("Run")), source);
    await call(service.url, "POST", `${PATH}/deletions?onError=continue`, { customers: deleted.map((objectId) => ({ objectId })) }, source);
    await put(service.url, created.map(named("Run")), source);
    const changed = [...updated, ...created].filter((id) => id % 50 === 0);
    await put(service.url, changed.map(named("Since")));

    const { child, ended } = service;
    let left = randomInt(3);
    const kill = () => left-- === 0 && setTimeout(() => child.kill("SIGKILL"), randomInt(100));
    kill();
    const reached = await undo(service.url, run, undefined, kill);
    if (left < 0) {
      await ended;
      service = await start();
      kills++;
    }
    // A client that kept its place goes on from there, another one from the end of the run.
    const place = randomInt(2) === 0 ? (reached ?? undefined) : undefined;
    expect(await undo(service.url, run, place, () => undefined)).toBe(null);

    const stored = await readIds(service.url, first, first + 3 * GROUP);
    const isChanged = new Set(changed);
    for (const id of ids) {
      const [name, version] = isChanged.has(id) ? ["Since", undefined] : id >= first + 2 * GROUP ? [] : ["Before", 3]; // each undone once
      const found = stored.get(id);
      expect([id, found?.lastName]).toEqual([id, name]);
      if (version) expect([id, found?.version]).toEqual([id, version]);
    }
  }
  expect(kills).toBeGreaterThan(0);
  if (process.env.DEEP) process.stdout.write(`${ROUNDS} rounds, ${kills} kills in the middle of an undo\n`);
});
