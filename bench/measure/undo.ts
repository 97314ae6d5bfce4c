// Taking a whole upload back on the service, part by part.

import { createClient } from "../../client/http-client.ts";
import { undoPart } from "../../client/write-records.ts";
import { startPostgres } from "../../server/testing/postgres/postgres.ts";
import { residentMegabytes } from "../floors/bare-chromium.ts";
import { batchesOf, post } from "../floors/poster.ts";
import { type Service, startService } from "../support/service.ts";
import { printTable, round } from "../support/table.ts";

const SEED = 1;
const UNBOUNDED = { RATE_PER_SECOND: "1000000", RATE_BURST: "1000000" };

export interface UndoFigures {
  engine: string;
  records: number;
  /** A second: stored by the upload, taken back. */
  stored: number;
  undone: number;
  ratio: number;
  /** MB of the service: before the undo, and at most. */
  memory: { before: number; most: number };
  /** ms, the longest request of the undo. */
  longest: number;
}

export async function measureUndo({ records, postgres }: { records: number; postgres: number }): Promise<UndoFigures[]> {
  const figures: UndoFigures[] = [];
  if (records > 0) figures.push(await measureEngine("SQLite", records, {}));
  if (postgres === 0) return figures;
  const server = await startPostgres(["fsync=on", "synchronous_commit=on"]);
  figures.push(await measureEngine("PostgreSQL", postgres, { DATABASE_URL: server.url }).finally(() => server.stop()));
  return figures;
}

async function measureEngine(engine: string, records: number, env: Readonly<Record<string, string>>): Promise<UndoFigures> {
  const service = await startService({ ...UNBOUNDED, ...env });
  try {
    const run = "measured";
    const seconds = await post(service, batchesOf(records, SEED), `upload; run=${run}`);
    console.log(`${engine}: ${records} records are stored, ${Math.round(records / seconds)} a second.`);
    const undo = await undoAll(service, run, records);
    const [stored, undone] = [records / seconds, records / undo.seconds];
    const { memory, longest } = undo;
    return { engine, records, stored: Math.round(stored), undone: Math.round(undone), ratio: round(undone / stored), memory, longest };
  } finally {
    await service.stop();
  }
}

async function undoAll(service: Service, run: string, records: number) {
  const token = await service.signIn();
  const client = createClient({ baseUrl: `${service.origin}/v1`, session: { token: () => token, renew: async () => token } });
  const memory = { before: residentMegabytes(service.pid), most: 0 };
  const started = performance.now();
  let [reversed, longest] = [0, 0];
  for (let after: string | null | undefined; after !== null; ) {
    const asked = performance.now();
    const part = await undoPart(client, "customers", { run, after });
    longest = Math.max(longest, performance.now() - asked);
    reversed += part.reversed;
    after = part.next;
    memory.most = Math.max(memory.most, residentMegabytes(service.pid));
  }
  if (reversed !== records) throw new Error(`${reversed} of ${records} records were taken back.`);
  return { seconds: (performance.now() - started) / 1_000, memory, longest: Math.round(longest) };
}

export function printUndo(all: readonly UndoFigures[]): void {
  printTable(
    "Taking an upload back",
    ["engine", "records", "stored/s", "undone/s", "ratio", "MB before", "MB at most", "longest ms"],
    all.map(({ engine, records, stored, undone, ratio, memory, longest }) => [
      engine,
      records,
      stored,
      undone,
      ratio,
      memory.before,
      memory.most,
      longest,
    ]),
  );
}
