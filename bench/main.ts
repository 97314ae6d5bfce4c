// Measures the built app and the service beside bare tools, prints tables and writes bench/results/.

import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { startPostgres } from "../server/testing/postgres/postgres.ts";
import { measureBatch, printBatch } from "./measure/batch.ts";
import { type CheckFigures, measureCheck } from "./measure/check.ts";
import { measureCorrections, printCorrections } from "./measure/corrections.ts";
import { measureDictionaryChanges, printDictionaryChanges } from "./measure/dictionary-changes.ts";
import { measureScans, printScans } from "./measure/duplicate-scan.ts";
import { measureDuplicates, measureRegister, printDuplicates, printRegister } from "./measure/duplicates.ts";
import { type FeedFigures, measureFeed, printFeed } from "./measure/feed.ts";
import { type LoadFigures, measureLoad } from "./measure/load.ts";
import { type MemoryFigures, measureMemory } from "./measure/memory.ts";
import { measureActions, printActions } from "./measure/mixed-actions.ts";
import { measurePage } from "./measure/page.ts";
import { printPage } from "./measure/print-page.ts";
import { measureReading, printReading } from "./measure/reading.ts";
import { measureRights, printRights } from "./measure/rights.ts";
import { measureRules, printRules } from "./measure/rules.ts";
import { measureScale, type ScaleFigures } from "./measure/scale.ts";
import { printService } from "./measure/service/print-service.ts";
import { measureService } from "./measure/service/service.ts";
import { measureSmallFiles, printSmallFiles } from "./measure/small-files.ts";
import { measureSpreadsheets, printSpreadsheets } from "./measure/spreadsheets.ts";
import { measureUndo, printUndo } from "./measure/undo.ts";
import { measureUpload, type UploadFigures } from "./measure/upload.ts";
import { measureVersions, printVersions } from "./measure/versions.ts";
import { launch } from "./support/browser.ts";
import { writeCustomersFile } from "./support/customers.ts";
import { startService } from "./support/service.ts";
import { printTable, round } from "./support/table.ts";

const SEED = 1;

/** Stored records unless told, in SQLite and in PostgreSQL, and the minutes after which a bench that hangs ends. */
const EVERYTHING = { records: "100000", postgres: "20000", minutes: 30 };
const PARTS = {
  service: { records: "1000000", postgres: "200000", minutes: 30 },
  page: { records: "1000000", postgres: "0", minutes: 30 },
  feed: { records: "1000000", postgres: "200000", minutes: 60 },
  versions: { records: "200000", postgres: "100000", minutes: 60 },
  undo: { records: "1000000", postgres: "1000000", minutes: 60 },
  dictionary: { records: "1000000", postgres: "1000000", minutes: 60 },
  rights: { records: "1000000", postgres: "1000000", minutes: 60 },
  duplicates: { records: "1000000", postgres: "1000000", minutes: 60 },
  rules: { records: "100000", postgres: "100000", minutes: 60 },
  batch: { records: "0", postgres: "0", minutes: 30 },
  spreadsheets: { records: "0", postgres: "0", minutes: 30 },
  reading: { records: "0", postgres: "0", minutes: 30 },
  corrections: { records: "0", postgres: "0", minutes: 60 },
  scale: { records: "10000000", postgres: "10000000", minutes: 240 },
};

const USAGE = `npm run bench -- [rows to check] [--upload rows] [--records n] [--postgres n] [--rounds n]
  100,000 rows are checked and uploaded unless other numbers are given; --upload 0 leaves the upload out.
  The service is measured with 100,000 stored records, 20,000 of PostgreSQL; --records 0 and --postgres 0 leave it out.
npm run bench -- service [--records n] [--postgres n] [--rounds n]
  The service alone, with 1,000,000 stored records, 200,000 of PostgreSQL.
npm run bench -- feed [--records n] [--postgres n]
  The change feed alone, with 1,000,000 changes, 200,000 on PostgreSQL.
npm run bench -- versions FOLDER [--records n] [--postgres n] [--rounds n]
  The service beside that of another checkout, which is built, in turns, with 200,000 stored records, 100,000 of PostgreSQL.
npm run bench -- undo [--records n] [--postgres n]
  Taking an upload of 1,000,000 records back, on SQLite and on PostgreSQL.
npm run bench -- dictionary [--records n] [--postgres n]
  Each change of the dictionary over 1,000,000 records, and how long others wait meanwhile, on SQLite and on PostgreSQL.
npm run bench -- rights [--records n] [--postgres n] [--rounds n]
  Pages of a person who sees 1 % of 1,000,000 records, and what conditions, hidden fields and masks cost, on SQLite and on PostgreSQL.
npm run bench -- duplicates [--records n] [--postgres n]
  How well duplicates are found among 50,000 people, and among those of a register in the shape of Febrl's sets, how long a scan of 1,000,000 records takes, and what onDuplicate costs, on SQLite and on PostgreSQL.
npm run bench -- rules [--rows n] [--records n] [--postgres n] [--rounds n]
  What 20 rules cost: the check of a file of 1,000,000 rows, and batches of 100,000 records, on SQLite and on PostgreSQL.
npm run bench -- batch [--rows n] [--rounds n]
  The batch command alone, with a file of 100,000 rows, with files of 30,000 records that have actions, and with 500 small files.
npm run bench -- spreadsheets [--rows n] [--rounds n]
  Reading a workbook, beside read-excel-file and SheetJS with 100,000 rows, which are fetched for it; more rows are read by Intake alone.
npm run bench -- reading [folder]
  How files that are hard to read are read, by class: the corpus, or a folder of files with truth files (docs/reading.md).
npm run bench -- corrections [--rows n] [--rounds n]
  Find and replace, and rules for 10,000 values, in the browser, with a file of 1,000,000 rows.
npm run bench -- scale [--records n] [--postgres n]
  What changes from a tenth of n stored records (10,000,000) to all of them, on SQLite and on PostgreSQL. Takes hours.
npm run bench -- page [--records n] [--rounds n]
  The page alone, with 1,000,000 stored records; Lighthouse is fetched for it.`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    upload: { type: "string", default: "100000" },
    records: { type: "string" },
    postgres: { type: "string" },
    rows: { type: "string" },
    rounds: { type: "string", default: "5" },
    help: { type: "boolean" },
  },
});
const only = (Object.keys(PARTS) as (keyof typeof PARTS)[]).find((part) => part === positionals[0]);
const { records, postgres, minutes } = { ...(only ? PARTS[only] : EVERYTHING), ...values };
const { rows = only === "corrections" || only === "rules" ? "1000000" : "100000" } = values;
const counts = [(!only && positionals[0]) || "100000", values.upload, values.rounds, records, postgres, rows].map(readCount);
const [checkRows, uploadRows, rounds, storedRecords, postgresRecords, batchRows] = counts as [
  number,
  number,
  number,
  number,
  number,
  number,
];
if (values.help || !existsSync(new URL("../dist/app/index.html", import.meta.url))) {
  console.log(values.help ? USAGE : "There is no built app in dist/app. Run it as: npm run bench");
  process.exit(values.help ? 0 : 1);
}
setTimeout(() => {
  console.error(`The bench was ended after ${minutes} minutes.`);
  process.exit(1);
}, minutes * 60_000).unref();

const asked = { records: storedRecords, postgres: postgresRecords, rounds };
const few = Math.min(rounds, 3);
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };

/** Measures and prints one part, and returns its figures. */
const WITHOUT_BROWSER: Partial<Record<keyof typeof PARTS, () => Promise<object>>> = {
  service: async () => ({ rounds, service: await measureService(asked, printService) }),
  async versions() {
    const [, folder = ""] = positionals;
    if (!existsSync(folder)) throw new Error("Name the folder of the other version: npm run bench -- versions FOLDER");
    return { rounds, versions: await shown(measureVersions(folder, asked), printVersions) };
  },
  undo: async () => ({ undo: await shown(measureUndo(asked), printUndo) }),
  dictionary: async () => ({ dictionary: await shown(measureDictionaryChanges(asked), printDictionaryChanges) }),
  rights: async () => ({ rounds, rights: await shown(measureRights(asked), printRights) }),
  duplicates: async () => ({
    duplicates: await shown(Promise.resolve(measureDuplicates(50_000)), printDuplicates),
    register: await shown(Promise.resolve(measureRegister(40_000)), printRegister),
    scans: await shown(measureScans(asked), printScans),
  }),
  async scale() {
    const scale: ScaleFigures[] = [];
    if (storedRecords > 0) scale.push(await measureScale("SQLite", storedRecords));
    if (postgresRecords > 0) scale.push(await measureScale("PostgreSQL", postgresRecords));
    return { scale };
  },
  async feed() {
    const feed: FeedFigures[] = [];
    if (storedRecords > 0) feed.push(await measureFeed("SQLite", storedRecords));
    if (postgresRecords > 0) {
      const server = await startPostgres(["fsync=on", "synchronous_commit=on"]);
      feed.push(await measureFeed("PostgreSQL", postgresRecords, server.url).finally(() => server.stop()));
    }
    printFeed(feed);
    return { feed };
  },
  rules: async () => ({ rules: await shown(measureRules(asked, await customersFile(batchRows), batchRows), printRules) }),
  batch: async () => ({
    rounds,
    batch: await shown(measureBatch(batchRows, SEED, few), printBatch),
    actions: await shown(measureActions(Math.min(batchRows, 30_000), few), printActions),
    smallFiles: await shown(measureSmallFiles(500), printSmallFiles),
  }),
  reading: async () => ({ reading: await shown(measureReading(positionals[1]), printReading) }),
  spreadsheets: async () => ({ rounds, spreadsheets: await shown(measureSpreadsheets(batchRows, SEED, few), printSpreadsheets) }),
};
const part = only && WITHOUT_BROWSER[only];
if (part) {
  await keep({ machine, ...(await part()), at: new Date().toISOString() });
  process.exit(0);
}

const browser = await launch();
const machineAndBrowser = { ...machine, browser: browser.version() };
if (only === "page" || only === "corrections") {
  const figures =
    only === "page"
      ? { page: await shown(measurePage(browser, storedRecords, few), printPage) }
      : { corrections: await shown(measureCorrections(browser, await customersFile(batchRows), batchRows, few), printCorrections) };
  await browser.close();
  await keep({ at: new Date().toISOString(), machine: machineAndBrowser, rounds, ...figures });
  process.exit(0);
}
try {
  const checkFile = await customersFile(checkRows);
  const served = await startService();
  let load: LoadFigures;
  let check: CheckFigures;
  try {
    load = await measureLoad(browser, served);
    printLoad(load);
    check = await measureCheck(browser, served, checkFile, checkRows, rounds);
    printCheck(check);
  } finally {
    await served.stop();
  }
  const memory = [await measureMemory(checkFile, checkRows, uploadRows === checkRows)];
  let upload: UploadFigures | undefined;
  if (uploadRows > 0) {
    const uploadFile = await customersFile(uploadRows);
    upload = await measureUpload(browser, uploadFile, uploadRows, SEED, few);
    printUpload(upload);
    if (uploadRows !== checkRows) memory.push(await measureMemory(uploadFile, uploadRows, true));
  }
  printMemory(memory);
  const service = storedRecords > 0 ? await measureService(asked, printService) : undefined;
  await keep({ at: new Date().toISOString(), machine: machineAndBrowser, rounds, load, check, upload, memory, service });
} finally {
  await browser.close();
}
process.exit(0);

/** Prints the figures when they are there. */
async function shown<Figures>(measured: Promise<Figures>, print: (figures: Figures) => void): Promise<Figures> {
  const figures = await measured;
  print(figures);
  return figures;
}

function readCount(text: string): number {
  const count = Number(text.replaceAll(",", "").replaceAll("_", ""));
  if (Number.isInteger(count) && count >= 0 && count <= 10_000_000) return count;
  console.error(USAGE);
  return process.exit(1);
}

async function customersFile(rows: number): Promise<string> {
  const path = new URL(`files/customers-${rows}-${SEED}.csv`, import.meta.url).pathname;
  await writeCustomersFile(path, rows, SEED);
  return path;
}

function printLoad({ files, script, style, worker }: LoadFigures): void {
  printTable(
    "First load of the list, bytes after gzip",
    ["file", "bytes"],
    [...files.map(({ name, bytes }) => [name, bytes]), ["all scripts", script], ["all styles", style], ["(later) upload worker", worker]],
  );
}

function printCheck({ rows, appSeconds, papaSeconds, blocks }: CheckFigures): void {
  const line = (what: string, seconds: number) => [what, seconds, round(appSeconds / seconds)];
  printTable(
    `Check of ${rows.toLocaleString("en")} rows in Chromium, medians`,
    ["what", "seconds", "the app takes this × it"],
    [
      line("app: read + match + check, in its worker", appSeconds),
      line("bare PapaParse in a worker: the text", papaSeconds.text),
      line("bare PapaParse in a worker: the text in chunks", papaSeconds.chunks),
      line("bare PapaParse in a worker: the File", papaSeconds.file),
    ],
  );
  printBlocks(blocks);
}

function printUpload({ rows, appRowsPerSecond, posterRowsPerSecond, ratio, blocks, serviceMemory }: UploadFigures): void {
  printTable(
    `Upload of ${rows.toLocaleString("en")} rows to the service, medians`,
    ["what", "rows/s", "to the poster"],
    [
      ["app: file to report", appRowsPerSecond, ratio],
      ["bare Node poster, ready-made batches", posterRowsPerSecond, 1],
    ],
  );
  printBlocks(blocks);
  console.log(`  service: ${serviceMemory} MB resident after the upload`);
}

function printBlocks({ longestTask, longestFrame }: CheckFigures["blocks"]): void {
  const task = longestTask === 0 ? "none of 50 ms or more" : `${longestTask} ms`;
  console.log(`  main thread: longest task ${task}, longest frame ${longestFrame} ms`);
}

function printMemory(figures: readonly MemoryFigures[]): void {
  const rows = figures.flatMap(({ rows, idle, checking, sending }) => [
    [`check of ${rows.toLocaleString("en")} rows, at most`, checking, checking - idle],
    ...(sending ? [[`upload of ${rows.toLocaleString("en")} rows, at most`, sending.most, sending.most - idle]] : []),
    ...(sending ? [["  the same, at least, after its first tenth", sending.least, sending.least - idle]] : []),
  ]);
  printTable("Memory of the tab: VmRSS of its process, garbage included, without Playwright", ["while", "MB", "over idle"], rows);
}

async function keep<T extends { at: string }>(results: T): Promise<void> {
  const folder = new URL("results/", import.meta.url);
  await mkdir(folder, { recursive: true });
  const name = `${results.at.replace(/[:.]/g, "-")}.json`;
  await writeFile(new URL(name, folder), `${JSON.stringify(results, null, 2)}\n`);
  console.log(`\nWritten to bench/results/${name}`);
}
