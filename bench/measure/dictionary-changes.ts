// Changes of the dictionary over many stored records: how long each takes, and how long a colleague waits meanwhile.

import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../../server/testing/postgres/postgres.ts";
import { post } from "../floors/poster.ts";
import { customerRows } from "../support/customers.ts";
import { type Service, startService } from "../support/service.ts";
import { printTable } from "../support/table.ts";

const SEED = 1;
const BATCH = 1_000; // records
const UNBOUNDED = { RATE_PER_SECOND: "1000000", RATE_BURST: "1000000", READ_SECONDS: "25" };
const BEFORE_AND_AFTER = 300; // ms for which colleagues work before and after the change

export interface ChangeFigures {
  engine: string;
  records: number;
  change: string;
  /** ms: the draft's impact, its application, and the longest wait of a write and of a read from just before until just after it. */
  impact: number;
  apply: number;
  write: number;
  read: number;
  /** The status of the application, and those of colleagues that were not answered as usual. */
  status: number;
  refused: readonly string[];
}

interface Field {
  name: string;
  constraints?: Record<string, unknown>;
  [word: string]: unknown;
}

const named = (fields: Field[], name: string) => fields.find((field) => field.name === name) as Field;
const constrain = (name: string, constraints: Record<string, unknown>) => (fields: Field[]) => {
  const field = named(fields, name);
  field.constraints = { ...field.constraints, ...constraints };
};

/** The changes of the dictionary's page, in an order in which each has something to do. */
const CHANGES: readonly [what: string, edit: (fields: Field[]) => unknown][] = [
  ["add a text", (fields) => fields.push({ name: "note", title: "Note", type: "string" })],
  ["add a number", (fields) => fields.push({ name: "points", title: "Points", type: "integer" })],
  ["rename", (fields) => Object.assign(named(fields, "lastName"), { name: "familyName", title: "Family name" })],
  ["loosen", constrain("firstName", { maxLength: 300 })],
  ["narrow", constrain("firstName", { maxLength: 4 })],
  ["require", constrain("firstName", { required: true })],
  ["unique, with duplicates", constrain("familyName", { unique: true })],
  ["unique", constrain("accountID", { unique: true })],
  ["no longer unique", constrain("accountID", { unique: false })],
  ["retire", (fields) => fields.splice(fields.indexOf(named(fields, "note")), 1)],
];

export async function measureDictionaryChanges({ records, postgres }: { records: number; postgres: number }): Promise<ChangeFigures[]> {
  const figures: ChangeFigures[] = [];
  if (records > 0) figures.push(...(await measureEngine("SQLite", records, {})));
  if (postgres === 0) return figures;
  const server = await startPostgres(["fsync=on", "synchronous_commit=on"]);
  figures.push(...(await measureEngine("PostgreSQL", postgres, { DATABASE_URL: server.url }).finally(() => server.stop())));
  return figures;
}

async function measureEngine(engine: string, records: number, env: Readonly<Record<string, string>>): Promise<ChangeFigures[]> {
  const service = await startService({ ...UNBOUNDED, ...env });
  try {
    await post(service, batches(records));
    console.log(`${engine}: ${records} records are stored.`);
    const figures: ChangeFigures[] = [];
    for (const [change, edit] of CHANGES) figures.push({ engine, records, change, ...(await measureChange(service, edit)) });
    return figures;
  } finally {
    await service.stop();
  }
}

/** As the files of the bench, but with an account of its own for each customer. */
function* batches(records: number): Generator<string> {
  let customers: object[] = [];
  for (const [id, firstName, lastName] of customerRows(records, SEED)) {
    customers.push({ objectId: Number(id), ...(firstName && { firstName }), lastName, accountID: `A${id}` });
    if (customers.length < BATCH) continue;
    yield JSON.stringify({ customers });
    customers = [];
  }
  if (customers.length > 0) yield JSON.stringify({ customers });
}

async function measureChange(service: Service, edit: (fields: Field[]) => unknown) {
  const token = await service.signIn();
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const began = performance.now();
    const reply = await fetch(`${service.origin}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const json = JSON.parse((await reply.text()) || "{}");
    return { status: reply.status, json, ms: Math.round(performance.now() - began) };
  };
  const newest = (await send("GET", "/dictionary/versions?limit=1")).json.versions[0].version;
  const { json: dataPackage } = await send("GET", `/dictionary/versions/${newest}`);
  edit(dataPackage.resources[0].schema.fields);
  const draft = await send("POST", "/dictionary/drafts", { title: "Measured", package: dataPackage });
  const path = `/dictionary/drafts/${draft.json.id}`;
  const impact = await send("GET", `${path}/impact`);
  const [refused, longest] = [new Set<string>(), { write: 0, read: 0 }];
  let isOver = false;
  const colleague = async (what: "write" | "read", usual: number, act: (turn: number) => ReturnType<typeof send>) => {
    for (let turn = 0; !isOver; turn++) {
      const { status, json, ms } = await act(turn);
      longest[what] = Math.max(longest[what], ms);
      if (status !== usual) refused.add(`${what}: ${status} ${json.detail ?? ""}`);
      await sleep(5);
    }
  };
  const person = (turn: number) => ({ firstName: "Zoë", lastName: "Ek", accountID: `${draft.json.id}-${turn}` });
  const working = Promise.all([
    colleague("write", 201, (turn) => send("POST", "/customers", person(turn))),
    colleague("read", 200, (turn) => send("GET", turn % 2 ? "/customers?limit=25&sort=lastName" : "/customers?limit=25&q=zoe")),
  ]);
  await sleep(BEFORE_AND_AFTER);
  const applied = await send("POST", `${path}/apply`);
  await sleep(BEFORE_AND_AFTER);
  isOver = true;
  await working;
  if (applied.status !== 200) await send("DELETE", path);
  return { impact: impact.ms, apply: applied.ms, ...longest, status: applied.status, refused: [...refused] };
}

export function printDictionaryChanges(all: readonly ChangeFigures[]): void {
  printTable(
    "Changes of the dictionary, ms, and the longest waits of a colleague",
    ["engine", "records", "change", "impact", "apply", "status", "a write waits", "a read waits", "other answers"],
    all.map(({ engine, records, change, impact, apply, status, write, read, refused }) => [
      engine,
      records,
      change,
      impact,
      apply,
      status,
      write,
      read,
      refused.join("; "),
    ]),
  );
}
