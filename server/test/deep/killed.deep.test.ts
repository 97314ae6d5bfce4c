// kill −9 of the real service at random moments of an upload: in the end every row is stored exactly once.

import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, readAll, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

const BATCHES = 30; // a file
const ROWS = 10; // a batch
const IN_FLIGHT = 4; // as the upload has

interface Batch {
  key: string;
  records: { lastName: string; accountID: string }[];
  /** The body of the answer, if one came. */
  answer?: string;
}

/** No row has an objectId: a batch that is written twice makes new records. */
function makeFile(round: number): Batch[] {
  return Array.from({ length: BATCHES }, (_, b) => ({
    key: `file-${round}-${b}`,
    records: Array.from({ length: ROWS }, (_, row) => ({ lastName: "Ek", accountID: `f${round}-${b * ROWS + row}` })),
  }));
}

function start(): Promise<Started> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  return startProcess({ ...store, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, RATE_PER_SECOND: "100000", RATE_BURST: "100000" });
}

type Headers = Record<string, string>;

/** Waits as long as Retry-After says; undefined when no answer comes any more. */
async function post(url: string, headers: Headers, { key, records }: Batch): Promise<string | undefined> {
  for (;;) {
    const init = { method: "POST", headers: { ...headers, "idempotency-key": key }, body: JSON.stringify(records) };
    const answer = await fetch(`${url}/v1/customers?onError=continue`, init)
      .then(async (reply) => ({ reply, text: await reply.text() }))
      .catch(() => undefined);
    if (!answer) return undefined;
    if (!answer.reply.headers.has("retry-after")) {
      expect([answer.reply.status, answer.text.includes('"failed":0')]).toEqual([207, true]);
      return answer.text;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Sends the batches that have no answer yet, four at a time, until each has one or the service is gone. */
async function send(url: string, headers: Headers, batches: Batch[], onAnswer: () => void): Promise<void> {
  const waiting = batches.filter(({ answer }) => answer === undefined);
  const lane = async () => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const answer = await post(url, headers, batch);
      if (answer === undefined) return;
      batch.answer = answer;
      onAnswer();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

/** objectId and accountID of every row that was acknowledged. */
function acknowledged(batches: Batch[]): [number, string | undefined][] {
  return batches.flatMap(({ records, answer }) => {
    const { results } = answer === undefined ? { results: [] } : (JSON.parse(answer) as { results: { index: number; objectId: number }[] });
    return results.map(({ index, objectId }): [number, string | undefined] => [objectId, records[index]?.accountID]);
  });
}

/** The file and its log exactly as the kill left them, in a place where they may be opened. */
function checkRemains(batches: Batch[]): void {
  const place = join(database.folder, "remains");
  mkdirSync(place);
  for (const name of ["intake.db", "intake.db-wal"]) {
    if (existsSync(join(database.folder, name))) copyFileSync(join(database.folder, name), join(place, name));
  }
  const db = new Database(join(place, "intake.db"));
  expect(db.pragma("integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
  const find = db.prepare('SELECT "accountID" AS account FROM c_customers WHERE "objectId" = ?');
  for (const [id, account] of acknowledged(batches)) expect((find.get(id) as { account: string } | undefined)?.account).toBe(account);
  db.close();
  rmSync(place, { recursive: true });
}

/** Now and then the start is killed as well, at whatever it does then. */
async function startAgain(): Promise<Started> {
  if (randomInt(8) === 0) {
    const attempt = start();
    setTimeout(killProcesses, randomInt(700));
    await (await attempt).ended;
    if (!database.url) checkRemains([]);
  }
  return start();
}

const ROUNDS = inject("postgres") ? rounds(5, 50) : rounds(20, 200);

test(`a service killed in the middle of ${ROUNDS} files has every row of them exactly once`, { timeout: 1_800_000 }, async () => {
  let service = await start();
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  for (let round = 0; round < ROUNDS; round++) {
    const file = makeFile(round);
    const { child, ended } = service;
    let left = randomInt(BATCHES - 2 * IN_FLIGHT);
    const kill = () => left-- === 0 && setTimeout(() => child.kill("SIGKILL"), randomInt(20));
    kill();
    await send(service.url, headers, file, kill);
    expect(await ended.then(() => child.signalCode)).toBe("SIGKILL");
    const before = file.filter(({ answer }) => answer !== undefined);
    if (!database.url) checkRemains(before);
    service = await startAgain();
    await send(service.url, headers, file, () => undefined);
    // Sent once more, a batch that was acknowledged before the kill is answered as it was then.
    const again = before[randomInt(before.length)];
    if (again) expect(await post(service.url, headers, again)).toBe(again.answer);
    const stored = await readAll(service.url, headers, `&accountID[prefix]=f${round}-`);
    expect(stored.map(({ objectId, accountID }) => [objectId, accountID])).toEqual(acknowledged(file).sort(([a], [b]) => a - b));
    expect(new Set(stored.map(({ accountID }) => accountID)).size).toBe(BATCHES * ROWS);
  }
  expect(await readAll(service.url, headers)).toHaveLength(ROUNDS * BATCHES * ROWS);
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  if (!database.url) checkRemains([]);
});
