// Measures how long a scan for duplicates takes, how much memory, and what it costs to ask for them with each write.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../../server/testing/postgres/postgres.ts";
import { post } from "../floors/poster.ts";
import { labelledPeople, PEOPLE_MATCH } from "../support/labelled-people.ts";
import { type Service, startService } from "../support/service.ts";
import { median, printTable } from "../support/table.ts";

const BATCH = 1_000; // records
const UNBOUNDED = { RATE_PER_SECOND: "1000000", RATE_BURST: "1000000" };

interface ScanFigures {
  engine: string;
  records: number;
  seconds: number;
  /** MB resident: when the scan began, and at most while it ran. */
  before: number;
  most: number;
  /** ms for 1,000 new records, without and with `onDuplicate=warn`. */
  creates: { plain: number; warned: number };
  /** ms from the answer until another request finds the last of 1,000 new records, and a single one, as a duplicate. */
  follows: { thousand: number; one: number };
}

export async function measureScans({ records, postgres }: { records: number; postgres: number }): Promise<ScanFigures[]> {
  const figures: ScanFigures[] = [];
  if (records > 0) figures.push(await measureScan("SQLite", records, {}));
  if (postgres === 0) return figures;
  const server = await startPostgres(["fsync=on", "synchronous_commit=on"]);
  figures.push(await measureScan("PostgreSQL", postgres, { DATABASE_URL: server.url }).finally(() => server.stop()));
  return figures;
}

const FIELDS = ["firstName", "lastName", "phone", "email", "street", "city"];

function dictionaryWith(match: object | undefined): string {
  const fields = [{ name: "id", type: "integer" }, { name: "birthday", type: "date" }, ...FIELDS.map((name) => ({ name }))];
  return JSON.stringify({ resources: [{ name: "people", singular: "person", match, schema: { fields, primaryKey: "id" } }] });
}

/** The records are stored first, by a service that compares nothing. */
async function measureScan(engine: string, records: number, env: Readonly<Record<string, string>>): Promise<ScanFigures> {
  const folder = await mkdtemp(join(tmpdir(), "intake-bench-scan-"));
  const [DICTIONARY, DATA_DIR] = [join(folder, "dictionary.json"), join(folder, "data")];
  const own = { ...UNBOUNDED, DICTIONARY, DATA_DIR, ...env };
  try {
    await writeFile(DICTIONARY, dictionaryWith(undefined));
    const filling = await startService(own);
    await post(filling, batches(records), undefined, "/v1/people").finally(() => filling.stop());
    await writeFile(DICTIONARY, dictionaryWith(PEOPLE_MATCH));
    const service = await startService(own);
    try {
      const scan = await watchScan(service);
      return { engine, records, ...scan, ...(await measureCreates(service)) };
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function* batches(records: number): Generator<string> {
  const { people } = labelledPeople(records, Math.round(records / 10));
  for (let at = 0; at < people.length; at += BATCH) yield JSON.stringify({ people: people.slice(at, at + BATCH) });
}

async function watchScan(service: Service): Promise<Omit<ScanFigures, "engine" | "records" | "creates" | "follows">> {
  const began = performance.now();
  const before = await residentOf(service.pid);
  let most = before;
  for (;;) {
    await sleep(1_000);
    most = Math.max(most, await residentOf(service.pid));
    const headers = { authorization: `Bearer ${await service.signIn()}` };
    const reply = await fetch(`${service.origin}/v1/people/duplicates?limit=1`, { headers });
    const { progress } = (await reply.json()) as { progress: number };
    if (progress === 1) return { seconds: Math.round((performance.now() - began) / 1_000), before, most };
  }
}

const ROUNDS = 5;
type Person = ReturnType<typeof labelledPeople>["people"][number];

/** Each request waits until the service has compared what the one before it stored, which it does beside requests. */
async function measureCreates(service: Service): Promise<Pick<ScanFigures, "creates" | "follows">> {
  const { people } = labelledPeople((2 * ROUNDS + 1) * BATCH + ROUNDS * 100, 0, 2);
  const times: Record<"plain" | "warned" | "thousand" | "one", number[]> = { plain: [], warned: [], thousand: [], one: [] };
  const ask = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${await service.signIn()}`, "content-type": "application/json" };
    const began = performance.now();
    const reply = await fetch(`${service.origin}/v1/people${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const json = (await reply.json()) as { summary: { created: number }; similar: unknown[] };
    return { json, took: performance.now() - began };
  };
  const untilFound = async (person: Partial<Person>) => {
    const began = performance.now();
    while ((await ask("/duplicates/search", person)).json.similar.length === 0) await sleep(20);
    return performance.now() - began;
  };
  const isFindable = ({ phone, email }: Partial<Person>) => Boolean(phone && email);
  for (let round = 0; round <= 2 * ROUNDS; round++) {
    const kind = round % 2 === 0 ? "plain" : "warned";
    const batch = people.slice(round * BATCH, (round + 1) * BATCH).map(({ id: _, ...person }) => person);
    const query = `?onError=continue${kind === "warned" ? "&onDuplicate=warn" : ""}`;
    const { json, took } = await ask(query, { people: batch });
    if (json.summary.created !== BATCH) throw new Error(`The service stored ${json.summary.created} of ${BATCH} records.`);
    const found = await untilFound(batch.findLast(isFindable) ?? {});
    if (round === 0) continue; // it warms up
    times[kind].push(took);
    times.thousand.push(found);
  }
  for (const { id: _, ...person } of people
    .slice((2 * ROUNDS + 1) * BATCH)
    .filter(isFindable)
    .slice(0, ROUNDS)) {
    await ask("?onError=continue", { people: [person] });
    times.one.push(await untilFound(person));
  }
  const of = (kind: keyof typeof times) => Math.round(median(times[kind]));
  return { creates: { plain: of("plain"), warned: of("warned") }, follows: { thousand: of("thousand"), one: of("one") } };
}

async function residentOf(pid: number): Promise<number> {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}

export function printScans(figures: readonly ScanFigures[]): void {
  printTable(
    "A scan for duplicates, beside which nothing else happens",
    ["engine", "records", "seconds", "MB before", "MB at most"],
    figures.map(({ engine, records, seconds, before, most }) => [engine, records, seconds, before, most]),
  );
  printTable(
    "1,000 new records, in ms, and how many times as long with onDuplicate=warn",
    ["engine", "stored", "plain", "onDuplicate=warn", "times"],
    figures.map(({ engine, records, creates: { plain, warned } }) => [engine, records, plain, warned, (warned / plain).toFixed(1)]),
  );
  printTable(
    "From the answer to a write until the records are found as duplicates, in ms",
    ["engine", "stored", "1,000 records", "one record"],
    figures.map(({ engine, records, follows: { thousand, one } }) => [engine, records, thousand, one]),
  );
}
