// Prints the figures of the service as tables, each with its goal and whether it is met.

import { printTable } from "../../support/table.ts";
import type { FillingFigures } from "./filling.ts";
import type { IsolationFigures } from "./isolation.ts";
import type { ListsFigures } from "./lists.ts";
import type { PostgresFigures } from "./postgres.ts";
import type { RequestFigures } from "./requests.ts";
import type { ServiceFigures } from "./service.ts";

const LEAST_GET_ONE = 0.7; // of bare Fastify
const LEAST_OF_SQL = 0.8; // of the bare loop's rows a second
const MOST_MEMORY = 150; // MB over idle
const MOST_LATE = 1.3; // × a page at the beginning

/** Prints what is there. */
export function printService({ filling, requests, lists, isolation, postgres }: Partial<ServiceFigures>): void {
  if (filling) printFilling(filling);
  if (lists) printLists("SQLite", lists);
  if (isolation) printIsolation(isolation);
  if (requests) printRequests("a Map", requests);
  if (postgres) printPostgres(postgres);
}

function printFilling(figures: FillingFigures): void {
  const { records, rowsPerSecond, tenths, memory, cpu, bare, withHistory } = figures;
  const over = memory.most - memory.idle;
  const goal = verdict(bare.ratio >= LEAST_OF_SQL, `≥ ${LEAST_OF_SQL}`);
  printTable(
    `${records.toLocaleString("en")} records arrive in batches of 1,000, each on disk, in SQLite`,
    ["what", "rows/s", "first tenth", "last tenth", "CPU µs/row", "the service to it", "by CPU", "goal"],
    [
      ["service, four batches under way", rowsPerSecond, ...ends(tenths), cpu, 1, 1, ""],
      ["bare loop of the same SQL, no history", bare.rowsPerSecond, ...ends(bare.tenths), bare.cpu, bare.ratio, bare.cpuRatio, goal],
      ["the same with history", withHistory.rowsPerSecond, "", "", withHistory.cpu, withHistory.ratio, withHistory.cpuRatio, ""],
    ],
  );
  console.log(`  memory: ${memory.idle} MB idle, at most ${over} MB over it; ${verdict(over <= MOST_MEMORY, `≤ ${MOST_MEMORY} MB`)}`);
}

function ends(tenths: readonly number[]): [number, number] {
  return [tenths[0] ?? 0, tenths.at(-1) ?? 0];
}

function printIsolation({ waits }: IsolationFigures): void {
  printTable(
    "Waits while 20 CSV exports and 8 lists that no index serves are under way",
    ["what", "p50 ms", "p99 ms", "goal"],
    waits.map(({ what, p50, p99, goal }) => [what, p50, p99, verdict(p99 <= goal, `≤ ${goal} ms`)]),
  );
}

function printRequests(floor: string, figures: readonly RequestFigures[]): void {
  printTable(
    `Requests, 10 under way, beside bare Fastify with ${floor}, medians`,
    ["what", "requests/s", "p50 ms", "p99 ms", "CPU µs", "bare/s", "bare µs", "to bare", "by CPU", "goal"],
    figures.map(({ what, ours, bare, ratio, cpuRatio }) => [
      what,
      ours.perSecond,
      ours.p50,
      ours.p99,
      Math.round(ours.cpu),
      bare?.perSecond ?? "",
      bare ? Math.round(bare.cpu) : "",
      ratio ?? "",
      cpuRatio ?? "",
      what.startsWith("GET one") ? verdict((ratio ?? 0) >= LEAST_GET_ONE, `≥ ${LEAST_GET_ONE}`) : "",
    ]),
  );
}

function printLists(engine: string, { records, lists, late, csvRowsPerSecond }: ListsFigures): void {
  printTable(
    `Reading from ${records.toLocaleString("en")} records in ${engine}, one request at a time`,
    ["what", "first ms", "median ms", "slowest ms", "goal"],
    lists.map(({ what, first, p50, most, goal }) => [
      what,
      first,
      p50,
      most,
      goal === undefined ? "" : verdict(p50 <= goal, `≤ ${goal} ms`),
    ]),
  );
  for (const [order, ratio] of Object.entries({ "by key": late.byKey, "by name": late.byName })) {
    console.log(`  late page of 100 to the first, ${order}: ${ratio} ×; ${verdict(ratio <= MOST_LATE, `≤ ${MOST_LATE} ×`)}`);
  }
  console.log(`  CSV export: ${csvRowsPerSecond.toLocaleString("en")} rows/s`);
}

function printPostgres({ records, writes, bareRowsPerSecond, requests, lists }: PostgresFigures): void {
  printTable(
    `${records.toLocaleString("en")} records arrive in batches of 1,000 in PostgreSQL (fsync on), from several services`,
    ["what", "rows/s", "to the loop"],
    [
      ...writes.map(({ processes, rowsPerSecond, ratio }) => [`${processes} process${processes > 1 ? "es" : ""}`, rowsPerSecond, ratio]),
      ["bare INSERT … SELECT FROM unnest, 4 connections", bareRowsPerSecond, 1],
    ],
  );
  printRequests("pg and one SELECT", requests);
  printLists("PostgreSQL", lists);
}

function verdict(isMet: boolean, goal: string): string {
  return `${goal} ${isMet ? "met" : "SHORT"}`;
}
