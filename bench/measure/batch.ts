// Measures how long the batch command takes for a file and how much memory it needs, beside the bare poster.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { residentMegabytes } from "../floors/bare-chromium.ts";
import { post, prepareBatches } from "../floors/poster.ts";
import { writeCustomersFile } from "../support/customers.ts";
import { ADMIN_KEY, startService } from "../support/service.ts";
import { median, printTable, round } from "../support/table.ts";

export interface BatchFigures {
  rows: number;
  /** Rows a second, medians: from the command's start to its end, two passes; and of its second pass alone. */
  command: number;
  sending: number;
  poster: number;
  /** MB, VmRSS of the command's process: the most, and the least after its first tenth. */
  memory: { most: number; least: number };
}

const SAMPLE_EVERY = 100; // ms

export async function measureBatch(rows: number, seed: number, rounds: number): Promise<BatchFigures> {
  const path = new URL(`../files/customers-${rows}-${seed}.csv`, import.meta.url).pathname;
  await writeCustomersFile(path, rows, seed);
  const bodies = prepareBatches(rows, seed);
  const poster: number[] = [];
  const runs: Round[] = [];
  for (let i = 0; i < rounds; i++) {
    poster.push(rows / (await postOnce(bodies)));
    runs.push(await runOnce(path, rows));
  }
  return {
    rows,
    command: Math.round(median(runs.map(({ seconds }) => rows / seconds))),
    sending: Math.round(median(runs.map(({ sending }) => rows / sending))),
    poster: Math.round(median(poster)),
    memory: { most: Math.max(...runs.map(({ most }) => most)), least: Math.min(...runs.map(({ least }) => least)) },
  };
}

export function printBatch({ rows, command, sending, poster, memory }: BatchFigures): void {
  printTable(
    `Batch command: ${rows.toLocaleString("en")} rows to the service, medians`,
    ["what", "rows/s", "to the poster"],
    [
      ["the command, from its start to its end", command, round(command / poster)],
      ["  its second pass: reading, checking, sending, journal", sending, round(sending / poster)],
      ["bare Node poster, ready-made batches", poster, 1],
    ],
  );
  console.log(`  memory of the command's process: at most ${memory.most} MB, at least ${memory.least} MB after its first tenth`);
}

async function postOnce(bodies: readonly string[]): Promise<number> {
  const service = await startService();
  try {
    return await post(service, bodies);
  } finally {
    await service.stop();
  }
}

interface Round {
  seconds: number;
  sending: number;
  most: number;
  least: number;
}

async function runOnce(path: string, rows: number): Promise<Round> {
  const service = await startService();
  const folder = await mkdtemp(join(tmpdir(), "intake-bench-batch-"));
  try {
    const file = join(folder, "customers.csv");
    await copyFile(path, file);
    const started = performance.now();
    const env = { ...process.env, INTAKE_URL: service.origin, INTAKE_KEY: ADMIN_KEY };
    const child = spawn(process.execPath, ["dist/node/intake-batch.js", "run", file], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const samples: number[] = [];
    const sample = () => {
      const now = residentMegabytes(child.pid as number);
      if (now > 0) samples.push(now); // the process still runs
    };
    const timer = setInterval(sample, SAMPLE_EVERY);
    const [code] = (await once(child, "exit")) as [number | null];
    clearInterval(timer);
    const seconds = (performance.now() - started) / 1000;
    const report = JSON.parse(await readFile(`${file}.report.json`, "utf8")) as { seconds: number; outcomes: { created: number } };
    if (code !== 0 || report.outcomes.created !== rows) throw new Error(`The command ended with ${code} and ${JSON.stringify(report)}.`);
    const later = samples.slice(Math.floor(samples.length / 10));
    return { seconds, sending: report.seconds, most: Math.max(...samples), least: Math.min(...later) };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
