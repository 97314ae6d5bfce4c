// Measures how long a workbook takes to be read and how much memory that needs, beside read-excel-file and SheetJS.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { writeXlsx } from "../../pipeline/containers/write-xlsx.ts";
import { CUSTOMER_HEADER, customerRows } from "../support/customers.ts";
import { median, printTable, round } from "../support/table.ts";

/** The packages of the peers, as npm has them. */
const PEERS: Record<string, string> = { "read-excel-file": "read-excel-file@9.3.17", SheetJS: "xlsx@0.18.5" };
const PEER_ROWS = 100_000; // more than that some of them do not survive
const READER = new URL("../floors/read-workbook.ts", import.meta.url).pathname;
const LIMIT = 600_000; // ms

export interface SpreadsheetFigures {
  reader: string;
  rows: number;
  /** Median of the rounds, and the highest resident memory of the process in MB; undefined when it failed or could not be fetched. */
  seconds: number | undefined;
  megabytes: number | undefined;
}

export async function measureSpreadsheets(rows: number, seed: number, rounds: number): Promise<SpreadsheetFigures[]> {
  const figures: SpreadsheetFigures[] = [];
  const small = await writeWorkbook(Math.min(rows, PEER_ROWS), seed);
  for (const reader of ["ours", ...Object.keys(PEERS)]) figures.push(await measureReader(reader, small, Math.min(rows, PEER_ROWS), rounds));
  if (rows > PEER_ROWS) figures.push(await measureReader("ours", await writeWorkbook(rows, seed), rows, rounds));
  return figures;
}

export function printSpreadsheets(figures: readonly SpreadsheetFigures[]): void {
  printTable(
    "A workbook (.xlsx, four columns of text) read to its end, medians",
    ["reader", "rows", "s", "most memory, MB"],
    figures.map(({ reader, rows, seconds, megabytes }) => [reader, rows.toLocaleString("en"), seconds ?? "–", megabytes ?? "–"]),
  );
}

async function measureReader(reader: string, path: string, rows: number, rounds: number): Promise<SpreadsheetFigures> {
  const seconds: number[] = [];
  const megabytes: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const found = await readOnce(reader, path);
    if (found?.rows !== rows) return { reader, rows, seconds: undefined, megabytes: undefined };
    seconds.push(found.seconds);
    megabytes.push(found.megabytes);
  }
  return { reader, rows, seconds: round(median(seconds)), megabytes: Math.max(...megabytes) };
}

async function readOnce(reader: string, path: string): Promise<{ rows: number; seconds: number; megabytes: number } | undefined> {
  const run = ["node", "--import", "tsx", READER, reader, path];
  const peer = PEERS[reader];
  const [command = "", ...args] = peer ? ["npm", "exec", "--yes", `--package=${peer}`, "--", ...run] : run;
  const child = spawn(command, args, { timeout: LIMIT, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  await once(child, "close");
  const line = output.split("\n").find((one) => one.startsWith("{"));
  return line ? JSON.parse(line) : undefined;
}

/** Written piece by piece, so that a million rows need no memory. Returns its path. */
async function writeWorkbook(rows: number, seed: number): Promise<string> {
  const path = new URL(`../files/customers-${rows}-${seed}.xlsx`, import.meta.url).pathname;
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  const out = createWriteStream(`${path}.part`);
  for await (const bytes of writeXlsx({ name: "Customers", header: CUSTOMER_HEADER }, piecesOf(customerRows(rows, seed)))) {
    if (!out.write(bytes)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  await rename(`${path}.part`, path);
  return path;
}

async function* piecesOf<T>(rows: Iterable<T>): AsyncGenerator<T[]> {
  let piece: T[] = [];
  for (const row of rows) {
    piece.push(row);
    if (piece.length < 1_000) continue;
    yield piece;
    piece = [];
  }
  yield piece;
}
