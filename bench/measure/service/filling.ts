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
  /** Of each tenth of the records, in order. */
  tenths: number[];
  /** MB, VmRSS of the service: before the first row, and at most. */
  memory: { idle: number; most: number };
  /** The loop without HTTP, over all and of each tenth. */
  bareRowsPerSecond: number;
  bareTenths: number[];
  ratio: number;
  /** µs a row: of the service's process and of the loop's. */
  cpu: { service: number; bare: number };
  /** The loop's to the service's. */
  cpuRatio: number;
  /** The loop that writes the rows of the history, too, and what it is to the service. */
  withHistory: { rowsPerSecond: number; cpu: number; ratio: number; cpuRatio: number };
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
  const seconds: number[] = [];
  for (const part of parts(bodies)) seconds.push(await post(service, part));
  clearInterval(timer);
  const cpu = ((cpuOf(service.pid) - cpuBefore) * 1_000) / records;
  const bare = await bareLoop(records);
  const whole = await bareLoop(records, "history");
  const rowsPerSecond = records / sum(seconds);
  const bareRowsPerSecond = records / (sum(bare.took) / 1_000);
  const wholeRowsPerSecond = records / (sum(whole.took) / 1_000);
  return {
    records,
    rowsPerSecond: Math.round(rowsPerSecond),
    tenths: seconds.map((each) => Math.round(records / PARTS / each)),
    memory: { idle, most },
    bareRowsPerSecond: Math.round(bareRowsPerSecond),
    bareTenths: parts(bare.took).map((part) => Math.round(records / PARTS / (sum(part) / 1_000))),
    ratio: round(rowsPerSecond / bareRowsPerSecond),
    cpu: { service: round(cpu), bare: round(bare.cpu / records) },
    cpuRatio: round(bare.cpu / records / cpu),
    withHistory: {
      rowsPerSecond: Math.round(wholeRowsPerSecond),
      cpu: round(whole.cpu / records),
      ratio: round(rowsPerSecond / wholeRowsPerSecond),
      cpuRatio: round(whole.cpu / records / cpu),
    },
  };
}

/** ms of each batch, and the µs of CPU of all. */
async function bareLoop(records: number, ...extra: "history"[]): Promise<{ took: number[]; cpu: number }> {
  const folder = await mkdtemp(join(tmpdir(), "intake-bench-"));
  try {
    const program = ["--import", "tsx", "bench/floors/bare-sql.ts", folder, String(records), ...extra];
    const { stdout } = await promisify(execFile)(process.execPath, program, { maxBuffer: 64 * 1_024 * 1_024 });
    return JSON.parse(stdout) as { took: number[]; cpu: number };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function parts<T>(list: readonly T[]): T[][] {
  const size = Math.ceil(list.length / PARTS);
  return Array.from({ length: PARTS }, (_, i) => list.slice(i * size, (i + 1) * size));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
