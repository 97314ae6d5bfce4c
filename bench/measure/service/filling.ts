// Fills a store in batches and samples the service's memory, beside a bare loop of the same SQL.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { residentMegabytes } from "../../floors/bare-chromium.ts";
import { post, prepareBatches } from "../../floors/poster.ts";
import { cpuOf } from "../../support/cpu.ts";
import type { Service } from "../../support/service.ts";
import { round } from "../../support/table.ts";

const PARTS = 10;
const SAMPLE_EVERY = 100; // ms
const QUIET_MS = 1_000; // ms after the start
const SEED = 1;

export interface FillingFigures {
  records: number;
  rowsPerSecond: number;
  /** Holds one figure for each tenth of the records, in order. */
  tenths: number[];
  /** MB, VmRSS of the service: before the first row, and at most. */
  memory: { idle: number; most: number };
  /** µs of CPU a row. */
  cpu: number;
  /** The loop without HTTP, and the same with the rows of the history. */
  bare: LoopFigures & { tenths: number[] };
  withHistory: LoopFigures;
}

interface LoopFigures {
  rowsPerSecond: number;
  /** µs a row. */
  cpu: number;
  /** The service's rows a second to the loop's, and the loop's CPU time to the service's. */
  ratio: number;
  cpuRatio: number;
}

/** Fills the service's empty store. */
export async function measureFilling(service: Service, records: number): Promise<FillingFigures> {
  const bodies = prepareBatches(records, SEED);
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const idle = residentMegabytes(service.pid);
  let most = idle;
  const timer = setInterval(() => {
    most = Math.max(most, residentMegabytes(service.pid));
  }, SAMPLE_EVERY);
  const cpuBefore = cpuOf(service.pid);
  const own: Part[] = [];
  for (const bodiesOfPart of parts(bodies))
    own.push({ share: bodiesOfPart.length / bodies.length, seconds: await post(service, bodiesOfPart) });
  clearInterval(timer);
  const cpu = ((cpuOf(service.pid) - cpuBefore) * 1_000) / records;
  const speedOf = (all: readonly Part[]) => (records * sum(all.map(({ share }) => share))) / sum(all.map(({ seconds }) => seconds));
  const tenthsOf = (all: readonly Part[]) => all.map((part) => Math.round(speedOf([part])));
  const figuresOf = (loop: Loop): LoopFigures => ({
    rowsPerSecond: Math.round(speedOf(loop.parts)),
    cpu: round(loop.cpu / records),
    ratio: round(speedOf(own) / speedOf(loop.parts)),
    cpuRatio: round(loop.cpu / records / cpu),
  });
  const bare = await runLoop(records);
  return {
    records,
    rowsPerSecond: Math.round(speedOf(own)),
    tenths: tenthsOf(own),
    memory: { idle, most },
    cpu: round(cpu),
    bare: { ...figuresOf(bare), tenths: tenthsOf(bare.parts) },
    withHistory: figuresOf(await runLoop(records, "history")),
  };
}

/** About a tenth of the records. */
interface Part {
  /** Is the part that is filled of all records. */
  share: number;
  seconds: number;
}

/** `cpu`: µs. */
interface Loop {
  parts: Part[];
  cpu: number;
}

async function runLoop(records: number, ...options: "history"[]): Promise<Loop> {
  const folder = await mkdtemp(join(tmpdir(), "intake-bench-"));
  try {
    const program = ["--import", "tsx", "bench/floors/bare-sql.ts", folder, String(records), ...options];
    const { stdout } = await promisify(execFile)(process.execPath, program, { maxBuffer: 64 * 1_024 * 1_024 });
    const { took, cpu } = JSON.parse(stdout) as { took: number[]; cpu: number };
    return { parts: parts(took).map((part) => ({ share: part.length / took.length, seconds: sum(part) / 1_000 })), cpu };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ten, or fewer of a list that is shorter. */
function parts<T>(list: readonly T[]): T[][] {
  const size = Math.ceil(list.length / PARTS);
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
