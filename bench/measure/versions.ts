// This version of the service beside another one, in turns: what has become slower.

import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../../server/testing/postgres/postgres.ts";
import { post, prepareBatches } from "../floors/poster.ts";
import { cpuOf } from "../support/cpu.ts";
import { type Service, startService } from "../support/service.ts";
import { median, printTable, round } from "../support/table.ts";
import { createDatabase } from "./service/postgres.ts";
import { kindsOf, once } from "./service/requests.ts";

const SEED = 1;
const UNBOUNDED = { RATE_PER_SECOND: "1000000", RATE_BURST: "1000000" };

export interface VersionFigures {
  engine: string;
  what: string;
  /** A second, medians of all rounds: rows of batches, or requests. */
  perSecond: { ours: number; other: number };
  /** µs of CPU each, the least of all rounds. */
  cpu: { ours: number; other: number };
  /** Ours to the other's: the median of the rounds' ratios, and the other's CPU time to ours. */
  ratio: number;
  cpuRatio: number;
}

/** Has the bytes of a record on disk when the store is filled, with its history, indexes and what the engine adds. */
export interface VersionBytes {
  engine: string;
  bytes: { ours: number; other: number };
}

export interface VersionsFigures {
  speed: VersionFigures[];
  disk: VersionBytes[];
}

type Measured = { perSecond: number; cpu: number };

/** `checkout`: the folder of the other version. Both fill an empty store with `records`, of PostgreSQL with `postgres`. */
export async function measureVersions(
  checkout: string,
  { records, postgres, rounds }: { records: number; postgres: number; rounds: number },
): Promise<VersionsFigures> {
  const figures: VersionsFigures = { speed: [], disk: [] };
  const add = ({ speed, disk }: VersionsFigures) => {
    figures.speed.push(...speed);
    figures.disk.push(...disk);
  };
  if (records > 0) add(await measureEngine("SQLite", checkout, records, rounds, [{}, {}]));
  if (postgres === 0) return figures;
  const server = await startPostgres(["fsync=on", "synchronous_commit=on"]);
  try {
    const urls = [await createDatabase(server.url, "ours"), await createDatabase(server.url, "other")];
    const env = urls.map((url) => ({ DATABASE_URL: url }));
    add(await measureEngine("PostgreSQL", checkout, postgres, rounds, env));
  } finally {
    await server.stop();
  }
  return figures;
}

async function measureEngine(
  engine: string,
  checkout: string,
  records: number,
  rounds: number,
  [env, otherEnv]: readonly Record<string, string>[],
): Promise<VersionsFigures> {
  const ours = await startService({ ...UNBOUNDED, ...env });
  try {
    const other = await startService({ ...UNBOUNDED, ...otherEnv }, checkout);
    try {
      const filled = await fill(engine, [ours, other], records, rounds);
      const [bytes, otherBytes] = await Promise.all([bytesOf(ours, env), bytesOf(other, otherEnv)]);
      const each = (all: number) => Math.round(all / records);
      const disk = [{ engine, bytes: { ours: each(bytes), other: each(otherBytes) } }];
      return { speed: [filled, ...(await askBoth(engine, [ours, other], records, rounds))], disk };
    } finally {
      await other.stop();
    }
  } finally {
    await ours.stop();
  }
}

async function fill(engine: string, services: readonly [Service, Service], records: number, rounds: number): Promise<VersionFigures> {
  const bodies = prepareBatches(records, SEED);
  const size = Math.ceil(bodies.length / rounds);
  return inTurns(engine, "rows in batches of 1,000", services, rounds, async (service, i) => {
    const part = bodies.slice(i * size, (i + 1) * size);
    const before = cpuOf(service.pid);
    const seconds = await post(service, part);
    const rows = (records * part.length) / bodies.length;
    return { perSecond: rows / seconds, cpu: ((cpuOf(service.pid) - before) * 1_000) / rows };
  });
}

async function bytesOf({ folder }: Service, { DATABASE_URL: url }: Readonly<Record<string, string>> = {}): Promise<number> {
  if (url === undefined) return (await readdir(folder)).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT pg_database_size(current_database())::float AS bytes").finally(() => client.end());
  return rows[0].bytes;
}

async function askBoth(engine: string, services: readonly [Service, Service], records: number, rounds: number): Promise<VersionFigures[]> {
  const figures: VersionFigures[] = [];
  const tokens = new Map(await Promise.all(services.map(async (service) => [service, await service.signIn()] as const)));
  const kinds = new Map(
    services.map((service) => [service, kindsOf({ token: tokens.get(service) ?? "", records, bareRecords: 0, service })]),
  );
  for (const at of (kinds.get(services[0]) ?? []).keys()) {
    const what = kinds.get(services[0])?.[at]?.what ?? "";
    figures.push(
      await inTurns(engine, what, services, rounds, async (service) => {
        const kind = kinds.get(service)?.[at];
        if (!kind) throw new Error(`There is no request number ${at}.`);
        return once(service, kind.count, kind.ours);
      }),
    );
  }
  return figures;
}

/** Each round asks both, one after the other; who is first changes, so that neither has the warmer machine. */
async function inTurns(
  engine: string,
  what: string,
  services: readonly [Service, Service],
  rounds: number,
  measure: (service: Service, round: number) => Promise<Measured>,
): Promise<VersionFigures> {
  const all = new Map<Service, Measured[]>(services.map((service) => [service, []]));
  for (let i = 0; i < rounds; i++) {
    for (const service of i % 2 === 0 ? services : services.toReversed()) all.get(service)?.push(await measure(service, i));
  }
  const [ours, other] = services.map((service) => all.get(service) ?? []) as [Measured[], Measured[]];
  const rate = (side: readonly Measured[]) => Math.round(median(side.map(({ perSecond }) => perSecond)));
  const least = (side: readonly Measured[]) => round(Math.min(...side.map(({ cpu }) => cpu)));
  const figures = {
    engine,
    what,
    perSecond: { ours: rate(ours), other: rate(other) },
    cpu: { ours: least(ours), other: least(other) },
    ratio: round(median(ours.map(({ perSecond }, i) => perSecond / (other[i] as Measured).perSecond))),
    cpuRatio: round(least(other) / least(ours)),
  };
  console.log(`${engine}, ${what}: ${figures.ratio} of the other's rate, ${figures.cpuRatio} by CPU.`);
  return figures;
}

export function printVersions({ speed, disk }: VersionsFigures): void {
  printTable(
    "This version beside the other",
    ["engine", "what", "ours/s", "other/s", "ratio", "µs CPU", "other", "ratio"],
    speed.map(({ engine, what, perSecond, cpu, ratio, cpuRatio }) => [
      engine,
      what,
      perSecond.ours,
      perSecond.other,
      ratio,
      cpu.ours,
      cpu.other,
      cpuRatio,
    ]),
  );
  printTable(
    "On disk",
    ["engine", "ours, bytes a record", "other", "ratio"],
    disk.map(({ engine, bytes }) => [engine, bytes.ours, bytes.other, round(bytes.ours / bytes.other)]),
  );
}
