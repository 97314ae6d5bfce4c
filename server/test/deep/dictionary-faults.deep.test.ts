// The dictionary changes while clients write by old and new names, and processes are killed, or asleep: no value is lost.

import { join } from "node:path";
import { setTimeout as nap } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { createLivingDictionary } from "../../access/living-dictionary.ts";
import { nextVersion } from "../../dictionary/start-dictionary.ts";
import { StoreFull } from "../../engine/store.ts";
import { sqliteThreads } from "../../sqlite-threads.ts";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

const isPostgres = inject("postgres") !== undefined;
const ROUNDS = rounds(20, 200);
const PROCESSES = isPostgres ? 4 : 1; // a SQLite file belongs to one service
const CLIENTS = 6;
const MOST_EXTRA = 6; // fields that are added
const ASLEEP = 1_500; // ms; the others know of a version after 1 s

interface Field {
  id?: string;
  name: string;
  formerNames?: string[];
  retired?: boolean;
  [word: string]: unknown;
}
interface Package {
  resources: { schema: { fields: Field[] } }[];
}
type Reply = { status: number; version: number; json: Record<string, unknown> };
/** Every value begins with the first name of its field, which says under which field it belongs. */
type Values = Record<string, string>;

const firstName = ({ name, formerNames }: Field) => formerNames?.[0] ?? name;
const fieldsOf = (dataPackage: Package) => dataPackage.resources[0]?.schema.fields ?? [];
const OWN = ["createdAt", "createdBy", "updatedAt", "updatedBy", "version"];

let processes: Started[];
let headers: Record<string, string>;
const packages = new Map<number, Package>();
/** Every name that a field has had, by its first. */
const names = new Map<string, Set<string>>();
/** Lists what each record may hold: several texts where a request got no answer. Later ones replace earlier ones. */
const stored = new Map<number, Values[]>();
const counts = { created: 0, patched: 0, refused: 0, unanswered: 0, applied: 0, conflicts: 0, kills: 0, naps: 0 };

function start(): Promise<Started> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  return startProcess({ ...store, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, RATE_PER_SECOND: "100000", RATE_BURST: "100000" });
}

const anyOf = <T>(list: readonly T[]) => list[randomInt(list.length)] as T;

/** Undefined when no answer comes. */
async function send({ url }: Started, method: string, path: string, body?: object): Promise<Reply | undefined> {
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(30_000) };
  try {
    const reply = await fetch(`${url}/v1${path}`, init);
    const text = await reply.text();
    return { status: reply.status, version: Number(reply.headers.get("dictionary-version")), json: text ? JSON.parse(text) : {} };
  } catch {
    return undefined;
  }
}

async function packageOf(version: number): Promise<Package> {
  const known = packages.get(version);
  if (known) return known;
  const reply = await send(processes[0] as Started, "GET", `/dictionary/versions/${version}`);
  const dataPackage = reply?.json as unknown as Package;
  packages.set(version, dataPackage);
  for (const field of fieldsOf(dataPackage)) names.set(firstName(field), new Set([...(names.get(firstName(field)) ?? []), field.name]));
  return dataPackage;
}

async function newest(): Promise<{ version: number; dataPackage: Package }> {
  const reply = await send(processes[0] as Started, "GET", "/dictionary/versions?limit=1");
  const [{ version }] = (reply as Reply).json.versions as [{ version: number }];
  return { version, dataPackage: await packageOf(version) };
}

/** Holds a record to the version under which it was answered: its names are that version's, and each value is of its field. */
async function readRecord(record: Record<string, unknown>, version: number): Promise<Values> {
  const shown = fieldsOf(await packageOf(version)).filter(({ retired }) => !retired);
  const given = Object.keys(record).filter((name) => !OWN.includes(name));
  expect([version, ...given.sort()]).toEqual([version, ...shown.map(({ name }) => name).sort()]);
  const values: Values = {};
  for (const field of shown.filter(({ name }) => name !== "objectId")) {
    const value = record[field.name];
    if (value === null) continue;
    expect(String(value).split(":")[0]).toBe(firstName(field));
    values[firstName(field)] = String(value);
  }
  return values;
}

let turns = 0;
/** Values for some fields, under any name that they have had. */
function someValues(isNew: boolean): { body: Record<string, string>; values: Values } {
  const [body, values]: [Record<string, string>, Values] = [{}, {}];
  for (const [first, all] of names) {
    if (first === "objectId" || (!(isNew && ["lastName", "accountID"].includes(first)) && randomInt(2) === 0)) continue;
    values[first] = `${first}:${++turns}`;
    body[anyOf([...all])] = values[first];
  }
  return { body, values };
}

interface Checked {
  json: Record<string, unknown>;
  version: number;
  values: Values;
}

/** Creates records and changes its own, until it is over. What it is answered is held to the versions afterwards. */
async function write(isOver: () => boolean, checked: Checked[]): Promise<void> {
  const own: number[] = [];
  while (!isOver()) {
    const id = own.length > 0 && randomInt(2) === 0 ? anyOf(own) : undefined;
    const { body, values } = someValues(id === undefined);
    const reply = await send(anyOf(processes), id === undefined ? "POST" : "PATCH", `/customers${id === undefined ? "" : `/${id}`}`, body);
    const before = id === undefined ? [] : (stored.get(id) ?? []);
    if (!reply) {
      counts.unanswered++;
      if (id !== undefined) stored.set(id, [...before, ...before.map((one) => ({ ...one, ...values }))]);
      await nap(50);
    } else if (reply.status === 201 || reply.status === 200) {
      counts[id === undefined ? "created" : "patched"]++;
      const created = Number(reply.json.objectId ?? id);
      if (id === undefined) own.push(created);
      stored.set(created, id === undefined ? [values] : before.map((one) => ({ ...one, ...values })));
      checked.push({ json: reply.json, version: reply.version, values });
    } else {
      // 422: the process does not know a new name yet, or the field is retired. 503: try again.
      expect([422, 503]).toContain(reply.status);
      counts.refused++;
    }
  }
}

/** Lists what a steward does, other than renaming the field that both rename. */
function anyChange(fields: Field[], round: number): void {
  const extras = fields.filter((field) => firstName(field).startsWith("extra"));
  const way = randomInt(4);
  if (way === 0 && extras.length < MOST_EXTRA) fields.push({ name: `extra${round}`, title: `Extra ${round}`, type: "string" });
  else if (way === 1 && extras.length > 0) {
    const one = anyOf(extras);
    if (one.retired) delete one.retired;
    else one.retired = true;
  } else if (way === 2) {
    const one = fields.find((field) => firstName(field) === "firstName") as Field;
    Object.assign(one, { name: anyOf(["firstName", "givenName", "forename"].filter((name) => name !== one.name)) });
  }
}

/** Makes a draft that renames the last name, and does something else; answers how its application went. */
async function steward(at: Started, base: Package, name: string, round: number, onSent: () => void): Promise<Reply | undefined> {
  const draft = structuredClone(base);
  const fields = fieldsOf(draft);
  anyChange(fields, round);
  Object.assign(fields.find((field) => firstName(field) === "lastName") as Field, { name });
  const made = await send(at, "POST", "/dictionary/drafts", { title: name, package: draft });
  if (made?.status !== 201) return made;
  onSent();
  return send(at, "POST", `/dictionary/drafts/${made.json.id}/apply`);
}

/** Those that were not applied, or whose steward got no answer: a service keeps 100 at most. */
async function discardDrafts(): Promise<void> {
  const at = processes[0] as Started;
  const reply = await send(at, "GET", "/dictionary/drafts");
  for (const { id } of (reply as Reply).json.drafts as { id: string }[])
    expect((await send(at, "DELETE", `/dictionary/drafts/${id}`))?.status).toBe(204);
}

/** All records as a process answers them under the newest version. */
async function readAll(version: number): Promise<Map<number, Values>> {
  const all = new Map<number, Values>();
  for (let query = "limit=1000"; query; ) {
    const reply = await send(anyOf(processes), "GET", `/customers?${query}`);
    if (reply?.version !== version) {
      await nap(100);
      continue;
    }
    const { customers, next } = reply.json as { customers: Record<string, unknown>[]; next?: string };
    for (const record of customers) all.set(Number(record.objectId), await readRecord(record, version));
    query = next ? `limit=1000&cursor=${next}` : "";
  }
  return all;
}

/** Every value that was acknowledged is there. A field that is retired now is looked at when it comes back. */
async function expectAll(version: number): Promise<void> {
  const shown = new Set(fieldsOf(await packageOf(version)).flatMap((field) => (field.retired ? [] : firstName(field))));
  const isShown = (values: Values) => Object.fromEntries(Object.entries(values).filter(([first]) => shown.has(first)));
  const found = await readAll(version);
  for (const [id, possible] of stored) expect(possible.map(isShown), `record ${id}`).toContainEqual(found.get(id));
}

const ABOUT = `${ROUNDS} rounds of changes, with ${PROCESSES} processes that are killed or asleep`;

test(`in ${ABOUT}, no value is lost or stands under another field`, { timeout: 7_200_000 }, async () => {
  processes = await Promise.all(Array.from({ length: PROCESSES }, start));
  headers = await authorize((processes[0] as Started).url, "preset", ADMIN_SECRET);
  for (let round = 0; round < ROUNDS; round++) {
    const before = await newest();
    const checked: Checked[] = [];
    let isOver = false;
    const writing = Promise.all(Array.from({ length: CLIENTS }, () => write(() => isOver, checked)));
    await nap(100 + randomInt(200));
    const first = randomInt(PROCESSES);
    const [one, other, third] = [0, 1, 2].map((i) => processes[(first + i) % PROCESSES]) as [Started, Started, Started];
    const isKilled = randomInt(2) === 0;
    if (!isKilled && isPostgres) {
      counts.naps++;
      third.child.kill("SIGSTOP");
      setTimeout(() => third.child.kill("SIGCONT"), ASLEEP);
    }
    const kill = () => void (isKilled && setTimeout(() => one.child.kill("SIGKILL"), randomInt(80)));
    const answers = await Promise.all([
      steward(one, before.dataPackage, `surname${round}`, round, kill),
      steward(other, before.dataPackage, `family${round}`, round + ROUNDS, () => undefined),
    ]);
    if (isKilled) {
      counts.kills++;
      await one.ended;
      processes[processes.indexOf(one)] = await start();
    } else await nap(isPostgres ? ASLEEP + 200 : 200);
    isOver = true;
    await writing;
    const after = await newest();
    const statuses = answers.map((answer) => answer?.status);
    const winners = answers.flatMap((answer, i) => (answer?.status === 200 ? [`${["surname", "family"][i]}${round}`] : []));
    counts.applied += winners.length;
    counts.conflicts += statuses.filter((status) => status === 409).length;
    // Both rename one field: one of them wins, unless it is killed, and the other is told so.
    expect(winners.length).toBeLessThanOrEqual(1);
    if (!isKilled) expect(statuses.sort(), JSON.stringify(answers)).toEqual([200, 409]);
    for (const { version, dataPackage } of [after]) {
      const { name } = fieldsOf(dataPackage).find((field) => firstName(field) === "lastName") as Field;
      if (winners[0]) expect([version, name]).toEqual([before.version + 1, winners[0]]);
      else expect(version - before.version).toBeLessThanOrEqual(1);
    }
    for (const { json, version, values } of checked) expect(await readRecord(json, version)).toMatchObject(values);
    await expectAll(after.version);
    await discardDrafts();
  }
  if (process.env.DEEP) process.stdout.write(`dictionary faults: ${JSON.stringify({ ROUNDS, records: stored.size, ...counts })}\n`);
  expect(counts.applied).toBeGreaterThan(0);
});

test("on a full disk a version is applied whole or not at all, and with room again it can be", async () => {
  const full = await createTestDatabase();
  const file = (dataPackage: object) => ({ dataPackage, placeOf: (place: string) => place });
  const packageWith = (...more: string[]) => {
    const fields = ["objectId", "lastName", ...more].map((name, i) => ({ name, title: name, type: i === 0 ? "integer" : "string" }));
    return { resources: [{ name: "customers", title: "Customers", schema: { fields, primaryKey: "objectId" } }] };
  };
  let first = nextVersion(file(packageWith()), undefined);
  const store = await full.open((kept) => {
    first = nextVersion(file(packageWith()), kept);
    return { collections: first.collections, text: JSON.stringify(first.dataPackage) };
  });
  const living = createLivingDictionary({ ...first, store }, () => undefined);
  const setFull = async (isFull: boolean) => {
    if (!full.url) return sqliteThreads().writer.call("setMostPages", join(full.folder, "intake.db"), isFull ? 1 : 1_000_000);
    const refuse =
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$";
    await full.run(
      isFull
        ? [refuse, "CREATE TRIGGER full_disk AFTER INSERT ON dictionary_versions EXECUTE FUNCTION refuse()"]
        : ["DROP FUNCTION refuse() CASCADE"],
    );
  };
  const apply = (...more: string[]) => {
    const { version, dataPackage } = living.served();
    const next = nextVersion(file(packageWith(...more)), { version, text: JSON.stringify(dataPackage) });
    return living.apply(next.dataPackage, next.collections);
  };
  await setFull(true);
  const names: string[] = [];
  let isRefused = false;
  while (!isRefused && names.length < 500) {
    const more = [...names, `extra${names.length}`];
    await apply(...more).then(
      () => names.push(more.at(-1) as string),
      (error) => {
        expect(error).toBeInstanceOf(StoreFull);
        isRefused = true;
      },
    );
    expect(living.served().collections[0]?.fields.map(({ name }) => name)).toEqual(["objectId", "lastName", ...names]);
    expect((await store.versions.readOther(0))?.version).toBe(1 + names.length);
  }
  expect(isRefused).toBe(true);
  await setFull(false);
  const { version } = await apply(...names, "later");
  expect(version).toBe(2 + names.length);
  await living.served().store.close();
  await full.drop();
});
