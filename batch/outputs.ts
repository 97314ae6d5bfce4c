// What a run leaves beside the file: rejects, their list, and a report for people and one for programs. Never writes over what is there.

import { access, constants, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { CheckSummary } from "../src/upload/findings.ts";
import { OUTCOMES, type Outcomes } from "../src/upload/report.ts";
import { Ended, type Ending, EXIT, systemTrouble } from "./ending.ts";
import { type RejectsJob, writeRejects } from "./rejects.ts";

export interface OutputNames {
  rejects: string;
  list: string;
  json: string;
  text: string;
}

/** How the names of all outputs end. */
export const OUTPUT_ENDINGS = [".rejects", ".rejects.csv", ".report.json", ".report.txt"] as const;

export interface RunReport {
  file: string;
  bytes: number;
  collection: string;
  mode: string;
  /** Null when nothing was sent. */
  run: string | null;
  startedAt: string;
  seconds: number;
  /** What the outcomes are: what became of the records, or only what would have. */
  isDryRun: boolean;
  exitCode: number;
  sentence: string;
  recordsRead: number;
  /** They add up to the records read. */
  outcomes: Outcomes;
  /** Of the updated ones those that were deleted; only where the file says what each record means. */
  deleted?: number;
  /** Records that the check or the service refused. */
  rejects: number;
  notes: readonly string[];
  /** What the check found, the most frequent first. */
  problems: { field: string; code: string; message: string; records: number }[];
  /** Names beside the report; null when there are no rejects. */
  rejectsFile: string | null;
  rejectsList: string | null;
}

/** The first names that nobody has: `customers.csv.report.txt`, then `customers.csv.2.report.txt`. */
export async function freeNames(path: string, out: string | undefined): Promise<OutputNames> {
  const folder = out ?? dirname(path);
  await access(folder, constants.W_OK).catch(notWritable(folder));
  const taken = new Set(await readdir(folder).catch(notWritable(folder)));
  for (let n = 1; ; n++) {
    const stem = basename(path) + (n === 1 ? "" : `.${n}`);
    if (OUTPUT_ENDINGS.some((ending) => taken.has(stem + ending))) continue;
    const [rejects, list, json, text] = OUTPUT_ENDINGS.map((ending) => join(folder, stem + ending)) as [string, string, string, string];
    return { rejects, list, json, text };
  }
}

/** Without `rejects` there are none to write. Throws Ended: what was stored stays stored, and `ending` says what that is. */
export async function writeOutputs(
  names: OutputNames,
  report: Omit<RunReport, "rejectsFile" | "rejectsList">,
  rejects: RejectsJob | undefined,
): Promise<void> {
  try {
    if (rejects) await writeRejects(rejects, names);
    const whole: RunReport = {
      ...report,
      rejectsFile: rejects ? basename(names.rejects) : null,
      rejectsList: rejects ? basename(names.list) : null,
    };
    await writeFile(names.json, `${JSON.stringify(whole, null, 2)}\n`, { flag: "wx" });
    await writeFile(names.text, textOf(whole), { flag: "wx" });
  } catch (error) {
    const why = systemTrouble(error);
    if (why === undefined) throw error;
    throw new Ended(
      report.exitCode as Ending["code"],
      `${report.sentence} But the report could not be written to ${dirname(names.text)}: ${why}.`,
    );
  }
}

/** Of a file of which there is nothing else to report: why it was refused as a whole. */
export async function writeWord(path: string, out: string | undefined, { code, sentence }: Ending): Promise<void> {
  const { json, text } = await freeNames(path, out);
  await writeFile(json, `${JSON.stringify({ file: path, exitCode: code, sentence }, null, 2)}\n`, { flag: "wx" });
  await writeFile(text, `${sentence}\n`, { flag: "wx" });
}

export function problemsOf({ groups }: Pick<CheckSummary, "groups">): RunReport["problems"] {
  return groups.map(({ field, code, message, count }) => ({ field, code, message, records: count }));
}

export function notesOf({ damage, stray, repeats }: CheckSummary): string[] {
  const notes = [...damage];
  if (stray) notes.push(`Quotation marks that do not close may have joined rows, the first on lines ${stray.line} to ${stray.through}.`);
  if (repeats > 0)
    notes.push(`${repeats.toLocaleString("en")} records have a key that an earlier record of the file has; the later one wins.`);
  return notes;
}

const WORDS: Record<keyof Outcomes, string> = {
  created: "created",
  updated: "updated",
  unchanged: "unchanged",
  skipped: "skipped",
  failed: "refused by the service",
  inDoubt: "in doubt",
  notSent: "not sent",
};

function textOf(report: RunReport): string {
  const { outcomes, problems, notes } = report;
  const lines = [
    report.sentence,
    "",
    pair("file", `${report.file} (${report.bytes.toLocaleString("en")} bytes)`),
    pair("collection", `${report.collection}, ${report.mode}`),
    pair("run", report.run ?? "none"),
    pair("started", `${report.startedAt}, ${report.seconds.toFixed(1)} s`),
    pair("exit code", String(report.exitCode)),
    "",
    pair(report.isDryRun ? "would be:" : "records", report.isDryRun ? "" : `${figure(report.recordsRead)} read`),
    ...OUTCOMES.toSorted(byPlace).map((outcome) => pair("", `${figure(outcomes[outcome])} ${WORDS[outcome]}`)),
  ];
  if (report.deleted !== undefined) lines.push(pair("", `${figure(report.deleted)} of those updated were deletes`));
  if (report.rejectsFile) lines.push("", pair("rejects", String(report.rejectsFile)), pair("", String(report.rejectsList)));
  if (problems.length > 0) lines.push("", "What the check found:");
  for (const { field, records, message } of problems) lines.push(`${figure(records)}  ${field ? `${field}: ` : ""}${message}`);
  if (notes.length > 0) lines.push("", "Notes:", ...notes.map((note) => `  ${note}`));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

const PLACES: readonly string[] = Object.keys(WORDS);

function byPlace(a: string, b: string): number {
  return PLACES.indexOf(a) - PLACES.indexOf(b);
}

function pair(name: string, text: string): string {
  return `${name.padEnd(12)}${text}`;
}

function figure(n: number): string {
  return n.toLocaleString("en").padStart(12);
}

function notWritable(folder: string): (error: unknown) => never {
  return (error) => {
    const why = systemTrouble(error);
    if (why === undefined) throw error;
    throw new Ended(EXIT.nothing, `The folder ${folder} cannot be used for rejects and reports: ${why}. Name another one with --out.`);
  };
}
