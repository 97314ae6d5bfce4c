// One store beside another with a tenth of its records, on both engines: lists, requests, memory, backup and restart.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../server/testing/postgres/postgres.ts";
import { residentMegabytes } from "../floors/bare-chromium.ts";
import { batchesOf, post } from "../floors/poster.ts";
import { type Service, startService } from "../support/service.ts";
import { printTable, round } from "../support/table.ts";
import { measureLists } from "./service/lists.ts";
import { measureAlone, measureWriters } from "./service/requests.ts";

const SEED = 1;
const MOST_RATIO = 1.5;
const WRITERS = 1_000;
const SAMPLE_EVERY = 250; // ms
// Counts take as long as they take: the point is how they grow.
const UNBOUNDED = { RATE_PER_SECOND: "1000000", RATE_BURST: "1000000", READ_SECONDS: "25" };

type Engine = "SQLite" | "PostgreSQL";

/** Holds what was measured of one store, by name. ms unless the name says otherwise. */
type Figures = Record<string, number>;

export interface ScaleFigures {
  engine: Engine;
  records: number;
  few: Figures;
  many: Figures;
}

/** Fills a store with a tenth of `records` and another with all of them, and prints both beside each other. */
export async function measureScale(engine: Engine, records: number): Promise<ScaleFigures> {
  const few = await measureStore(engine, records / 10);
  const many = await measureStore(engine, records);
  const columns = [records / 10, records].map((count) => count.toLocaleString("en"));
  printTable(
    `${engine}: the same with ten times the records`,
    ["what", ...columns, "ratio", "goal"],
    Object.entries(many).map(([what, value]) => {
      const ratio = round(what.endsWith("/s") ? (few[what] ?? 0) / value : value / (few[what] ?? 0));
      return [what, few[what] ?? 0, value, ratio, `≤ ${MOST_RATIO} ${ratio <= MOST_RATIO ? "met" : "SHORT"}`];
    }),
  );
  return { engine, records, few, many };
}

async function measureStore(engine: Engine, records: number): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), "intake-bench-"));
  const server = engine === "PostgreSQL" ? await startPostgres(["fsync=on", "synchronous_commit=on"]) : undefined;
  const env = { ...UNBOUNDED, DATA_DIR: folder, ...(server && { DATABASE_URL: server.url }) };
  let service = await startService(env);
  try {
    const figures: Figures = { "rows/s": Math.round(records / (await post(service, batchesOf(records, SEED)))) };
    await service.stop();
    const began = performance.now();
    service = await startService(env);
    figures.restart = Math.round(performance.now() - began);
    const memory = watchMemory(service);
    const token = await service.signIn();
    const { lists, csvRowsPerSecond } = await measureLists(service, token, records);
    for (const { what, p50 } of lists) figures[what.replace(/row [1-9][\d,]{3,}/, "row at 90 %")] = p50;
    figures["CSV export, rows/s"] = csvRowsPerSecond;
    for (const { what, ours } of await measureAlone({ service, token, records })) figures[what] = round(ours.p50);
    const writers = await measureWriters({ service, token, records }, WRITERS);
    figures[`${WRITERS} writers at once, PATCH/s`] = Math.round(writers.perSecond);
    figures[`${WRITERS} writers at once, p99`] = Math.round(writers.p99);
    figures["memory, MB"] = memory.most();
    if (!server) figures["backup, MB/s"] = round(await backup(service, token));
    return figures;
  } finally {
    await service.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function watchMemory(service: Service): { most(): number } {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentMegabytes(service.pid));
  }, SAMPLE_EVERY);
  return {
    most() {
      clearInterval(timer);
      return most;
    },
  };
}

async function backup(service: Service, token: string): Promise<number> {
  const began = performance.now();
  const reply = await fetch(`${service.origin}/v1/backup`, { headers: { Authorization: `Bearer ${token}` } });
  if (!reply.ok || !reply.body) throw new Error(`The service answered ${reply.status}: ${await reply.text()}`);
  let bytes = 0;
  for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) bytes += part.length;
  return bytes / 1_048_576 / ((performance.now() - began) / 1_000);
}
