// The service on PostgreSQL: rows a second of one, two and four services, single requests, and lists, beside their floors.

import pg from "pg";
import type { WireRecord } from "../../../core/contract/records.ts";
import { readDictionary } from "../../../server/dictionary/read-dictionary.ts";
import { cells, storedColumns, tableOf } from "../../../server/engine/columns.ts";
import { searchedFields, searchWords } from "../../../server/engine/search-words.ts";
import { DEFAULT_DICTIONARY } from "../../../server/package-folder.ts";
import { startPostgres } from "../../../server/testing/postgres/postgres.ts";
import { post, prepareBatches } from "../../floors/poster.ts";
import { customerRows } from "../../support/customers.ts";
import { type Service, startProcess, startService } from "../../support/service.ts";
import { round } from "../../support/table.ts";
import { type ListsFigures, measureLists } from "./lists.ts";
import { measureOneByOne, type RequestFigures } from "./requests.ts";

const PROCESSES = [1, 2, 4];
const BATCH = 1_000; // rows
const SEED = 1;

export interface PostgresFigures {
  records: number;
  writes: { processes: number; rowsPerSecond: number; ratio: number }[];
  /** The floor: as many connections as a service has batches under way. */
  bareRowsPerSecond: number;
  requests: RequestFigures[];
  lists: ListsFigures;
}

/** Each count of processes fills a database of its own with `records`; the lists are read from the last. */
export async function measurePostgres(records: number, rounds: number, env: Readonly<Record<string, string>>): Promise<PostgresFigures> {
  const server = await startPostgres(["fsync=on", "synchronous_commit=on"]);
  try {
    const bare = await bareLoop(await createDatabase(server.url, "bare"), records);
    const writes: PostgresFigures["writes"] = [];
    let url = server.url;
    for (const processes of PROCESSES) {
      url = await createDatabase(server.url, `filled_by_${processes}`);
      const rowsPerSecond = await fill(url, records, processes);
      writes.push({ processes, rowsPerSecond: Math.round(rowsPerSecond), ratio: round(rowsPerSecond / bare) });
    }
    const service = await startService({ ...env, DATABASE_URL: url });
    const fastify = await startProcess(["--import", "tsx", "bench/floors/bare-fastify-pg.ts", url]);
    try {
      const token = await service.signIn();
      const lists = await measureLists(service, token, records);
      const requests = await measureOneByOne({ service, bare: fastify, bareRecords: records, token, records }, rounds);
      return { records, writes, bareRowsPerSecond: Math.round(bare), requests, lists };
    } finally {
      await fastify.stop();
      await service.stop();
    }
  } finally {
    await server.stop();
  }
}

/** The new database's address. */
export async function createDatabase(url: string, name: string): Promise<string> {
  await withClient(url, (client) => client.query(`CREATE DATABASE ${name}`));
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

async function fill(url: string, records: number, processes: number): Promise<number> {
  const bodies = prepareBatches(records, SEED);
  const services: Service[] = [];
  try {
    for (let i = 0; i < processes; i++) services.push(await startService({ DATABASE_URL: url }));
    const started = performance.now();
    await Promise.all(
      services.map((service, i) =>
        post(
          service,
          bodies.filter((_, at) => at % processes === i),
        ),
      ),
    );
    return records / ((performance.now() - started) / 1_000);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

/** The service creates the tables and ends. The rows are made before the clock starts. */
async function bareLoop(url: string, records: number): Promise<number> {
  await (await startService({ DATABASE_URL: url })).stop();
  const { sql, batches } = prepareInserts(records);
  const connections = 4; // as the poster has requests under way
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(url)));
  try {
    let next = 0;
    const started = performance.now();
    await Promise.all(
      clients.map(async (client) => {
        for (let i = next++; i < batches.length; i = next++) await client.query(sql, batches[i]);
      }),
    );
    return records / ((performance.now() - started) / 1_000);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

function prepareInserts(records: number): { sql: string; batches: unknown[][][] } {
  const collection = readDictionary(DEFAULT_DICTIONARY).collections.find(({ name }) => name === "customers");
  if (!collection) throw new Error("the dictionary has no customers");
  const columns = [...storedColumns(collection), { column: '"$words"', type: "text" as const }];
  const times = ["createdAt", "updatedAt", "version"].map((name) => `"${name}"`);
  const sql = `INSERT INTO ${tableOf(collection)} (${[...columns.map(({ column }) => column), ...times].join(", ")})
    SELECT ${columns.map(({ column }, i) => (column === '"$words"' ? `u.c${i}::tsvector` : `u.c${i}`)).join(", ")}, 0, 0, 1
    FROM unnest(${columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(", ")}) AS u(${columns.map((_, i) => `c${i}`).join(", ")})`;
  const rows = Array.from(customerRows(records, SEED), ([id, firstName, lastName, accountID]) => {
    const record = { objectId: Number(id), firstName: firstName || null, lastName, accountID } as unknown as WireRecord;
    return [...cells(collection, record), `'${searchWords(searchedFields(collection), record).replaceAll(" ", "' '")}'`];
  });
  const batches = Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, i) => {
    const some = rows.slice(i * BATCH, (i + 1) * BATCH);
    return columns.map((_, at) => some.map((row) => row[at]));
  });
  return { sql, batches };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = await connect(url);
  await work(client).finally(() => client.end());
}
