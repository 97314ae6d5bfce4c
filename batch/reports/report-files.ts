// What a run leaves beside the file: rejects, their list, and a report for people and one for programs. Never writes over what is there.

import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { CheckSummary } from "../../pipeline/checking/findings.ts";
import { OUTCOMES, type Outcomes } from "../../pipeline/model/outcomes.ts";
import { type Exit, systemError } from "../console/exit-codes.ts";
import { giveUp, type OutputNames, type OutputPlace, outputFolder, takeNames } from "./output-names.ts";
import { type RejectsJob, writeRejects } from "./reject-files.ts";

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

/** How a run ended, now that its report is written; `isUnwritten`: it could not be, and the sentence says so. */
export interface RunFacts extends Exit {
  isUnwritten?: boolean;
}

/** What a run reports of itself, but for its ending and what lies beside it. */
export type Facts = Omit<RunReport, "exitCode" | "sentence" | "rejectsFile" | "rejectsList">;

/** Without `rejects` there are none to write. `endingFor` is given the words that point to them. */
export function writeOutputs(
  place: OutputPlace,
  exitFor: (see: string) => Exit,
  facts: Facts,
  rejects: RejectsJob | undefined,
): Promise<RunFacts> {
  return write(place, exitFor, rejects !== undefined, async (names, { code, sentence }) => {
    if (rejects) await writeRejects(rejects, names);
    const report: RunReport = {
      ...facts,
      exitCode: code,
      sentence,
      rejectsFile: rejects ? basename(names.rejects) : null,
      rejectsList: rejects ? basename(names.list) : null,
    };
    await writeFile(names.json, `${JSON.stringify(report, null, 2)}\n`);
    await writeFile(names.text, textOf(report));
  });
}

/** Of a file of which there is nothing else to report: why it was refused as a whole. */
export function writeWord(place: OutputPlace, exit: Exit): Promise<RunFacts> {
  const { code, sentence } = exit;
  return write(
    place,
    () => exit,
    false,
    async ({ json, text }) => {
      await writeFile(json, `${JSON.stringify({ file: place.path, exitCode: code, sentence }, null, 2)}\n`);
      await writeFile(text, `${sentence}\n`);
    },
  );
}

/** Half a report is none. That it could not be written is no reason to take the records for other than they are, but one to try again. */
async function write(
  place: OutputPlace,
  exitFor: (see: string) => Exit,
  hasRejects: boolean,
  fill: (names: OutputNames, exit: Exit) => Promise<void>,
): Promise<RunFacts> {
  let names: OutputNames | undefined;
  try {
    names = await takeNames(place, hasRejects);
    const exit = exitFor(hasRejects ? ` See ${basename(names.list)}.` : "");
    await fill(names, exit);
    return exit;
  } catch (error) {
    if (names) await giveUp(names, hasRejects);
    const why = systemError(error);
    if (why === undefined) throw error;
    const { code, sentence } = exitFor("");
    return { code, sentence: `${sentence} But the report could not be written to ${outputFolder(place)}: ${why}.`, isUnwritten: true };
  }
}

export function problemsOf({ groups }: Pick<CheckSummary, "groups">): RunReport["problems"] {
  return groups.map(({ field, code, message, count }) => ({ field, code, message, records: count }));
}

export function notesOf({ damage, strayQuotes, repeats }: CheckSummary): string[] {
  const notes = [...damage];
  if (strayQuotes)
    notes.push(`Quotation marks that do not close may have joined rows, the first on lines ${strayQuotes.line} to ${strayQuotes.through}.`);
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
