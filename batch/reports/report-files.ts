// Writes the report of a run, for people and for programs, and the files of its rejects.

import { basename } from "node:path";
import type { Principal } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { count } from "../../core/text/count.ts";
import type { CheckSummary } from "../../pipeline/checking/findings.ts";
import { OUTCOMES, type Outcomes, type ParentsReport } from "../../pipeline/model/outcomes.ts";
import { type Exit, systemError } from "../console/exit-codes.ts";
import { printable } from "../console/printable.ts";
import { fileWords } from "../console/problem-words.ts";
import { closeOutputs, createOutputs, type OutputPlace, type Outputs, outputFolder, removeOutputs } from "./output-names.ts";
import { type RejectsJob, writeRejects } from "./reject-files.ts";

export interface RunReport {
  file: string;
  bytes: number;
  collection: string;
  mode: string;
  /** Is null when nothing was sent. */
  run: string | null;
  /** Says whose API key it was. */
  by: Principal;
  startedAt: string;
  seconds: number;
  /** True: nothing was stored, and the outcomes are a forecast. */
  isDryRun: boolean;
  exitCode: number;
  sentence: string;
  recordsRead: number;
  /** Their sum is `recordsRead`. */
  outcomes: Outcomes;
  /** Says how many of the updated records were deleted; only for a layout with an action. */
  deleted?: number;
  /** Says how many of those not sent the recipe or --suspect-rows leaves out; missing where none is. They are no rejects. */
  leftOut?: number;
  /** Says how many of the created records look like stored ones; only with --on-duplicate, and missing where none does. */
  similar?: number;
  /** Says what became of the parents that were created before the records; missing where none were. */
  parents?: readonly ParentsReport[];
  /** Records that the check or the service refused. */
  rejects: number;
  notes: readonly string[];
  /** Lists what the check found, most frequent first. */
  problems: { field: string; code: string; message: string; records: number }[];
  /** File names beside the report; null when there are no rejects. */
  rejectsFile: string | null;
  rejectsList: string | null;
}

/** Says how a run ended, once its report is written. `isUnwritten`: the report could not be written, as the sentence says. */
export interface ReportedExit extends Exit {
  isUnwritten?: boolean;
}

/** The report without what is known only when it is written. */
export type ReportFacts = Omit<RunReport, "exitCode" | "sentence" | "rejectsFile" | "rejectsList">;

/** `where`: a sentence that names the list of reasons, or "" without one. `rejects`: the path of the rejected records. */
export interface RejectsPlace {
  where: string;
  rejects: string | undefined;
}

/** `exitFor` is told where the rejects are. `rejects`: undefined when there are none. */
export function writeOutputs(
  place: OutputPlace,
  exitFor: (see: RejectsPlace) => Exit,
  facts: ReportFacts,
  rejects: RejectsJob | undefined,
): Promise<ReportedExit> {
  return writeReport(place, exitFor, rejects !== undefined, async ({ json, text, rejects: files }, { code, sentence }) => {
    if (rejects && files) await writeRejects(rejects, files);
    const report: RunReport = {
      ...facts,
      exitCode: code,
      sentence,
      rejectsFile: files ? basename(files.bytes.path) : null,
      rejectsList: files ? basename(files.list.path) : null,
    };
    await json.handle.writeFile(jsonOf(report));
    await text.handle.writeFile(textOf(report));
  });
}

/** Writes a report without figures: why the file was refused as a whole. */
export function writeFileErrorReport(place: OutputPlace, exit: Exit): Promise<ReportedExit> {
  const { code, sentence } = exit;
  return writeReport(
    place,
    () => exit,
    false,
    async ({ json, text }) => {
      await json.handle.writeFile(jsonOf({ file: place.path, exitCode: code, sentence }));
      await text.handle.writeFile(`${printable(sentence)}\n`);
    },
  );
}

/** An incomplete report is deleted. The outcome of the run stays the same, so that only the report has to be written again. */
async function writeReport(
  place: OutputPlace,
  exitFor: (see: RejectsPlace) => Exit,
  hasRejects: boolean,
  fill: (outputs: Outputs, exit: Exit) => Promise<void>,
): Promise<ReportedExit> {
  let outputs: Outputs | undefined;
  try {
    outputs = await createOutputs(place, hasRejects);
    const { rejects } = outputs;
    const exit = exitFor({ where: rejects ? ` See ${basename(rejects.list.path)}.` : "", rejects: rejects?.bytes.path });
    await fill(outputs, exit);
    await closeOutputs(outputs);
    return exit;
  } catch (error) {
    const left = outputs ? await removeOutputs(outputs) : [];
    const why = systemError(error);
    if (why === undefined) throw error;
    const { code, sentence } = exitFor({ where: "", rejects: undefined });
    return { code, sentence: `${sentence} ${describeUnwritten(place, why, left)}`, isUnwritten: true };
  }
}

/** `left`: the paths of what was begun of the report and could not be deleted. */
export function describeUnwritten(place: OutputPlace, why: string, left: readonly string[]): string {
  const rest =
    left.length > 0 ? ` What was begun of it could not be deleted either: ${left.map((path) => basename(path)).join(", ")}.` : "";
  return `But the report could not be written to ${outputFolder(place)}: ${why}.${rest}`;
}

export function problemsOf({ groups }: Pick<CheckSummary, "groups">, collection: Collection): RunReport["problems"] {
  return groups.map((group) => ({ field: group.field, code: group.code, message: fileWords(group, collection), records: group.count }));
}

export function notesOf({ damage, notes: known, strayQuotes, repeats, leftOut }: CheckSummary): string[] {
  const notes = [...known, ...damage];
  if (strayQuotes)
    notes.push(`Quotation marks that do not close may have joined rows, the first on lines ${strayQuotes.line} to ${strayQuotes.through}.`);
  if (repeats > 0)
    notes.push(
      `${count(repeats, "record")} ${repeats === 1 ? "has" : "have"} a key that an earlier record of the file has; the later one wins.`,
    );
  if (leftOut > 0) notes.push(`${count(leftOut, "record")} left out, as the recipe or --suspect-rows says.`);
  return notes;
}

const OUTCOME_WORDS: Record<keyof Outcomes, string> = {
  created: "created",
  updated: "updated",
  unchanged: "unchanged",
  skipped: "skipped",
  failed: "refused by the service",
  inDoubt: "in doubt",
  notSent: "not sent",
};

/** Lines and columns are the file's own; what could move a terminal's cursor within them is escaped. */
function jsonOf(value: object): string {
  return `${JSON.stringify(value, null, 2).split("\n").map(printable).join("\n")}\n`;
}

function textOf(report: RunReport): string {
  const { outcomes, problems, notes } = report;
  const lines = [
    report.sentence,
    "",
    labelled("file", `${report.file} (${report.bytes.toLocaleString("en")} bytes)`),
    labelled("collection", `${report.collection}, ${report.mode}`),
    labelled("run", report.run ?? "none"),
    labelled("by", report.by.name === report.by.id ? report.by.id : `${report.by.name} (${report.by.id})`),
    labelled("started", `${report.startedAt}, ${report.seconds.toFixed(1)} s`),
    labelled("exit code", String(report.exitCode)),
    "",
    labelled(report.isDryRun ? "would be:" : "records", report.isDryRun ? "" : `${figure(report.recordsRead)} read`),
    ...OUTCOMES.toSorted(byPlace).map((outcome) => labelled("", `${figure(outcomes[outcome])} ${OUTCOME_WORDS[outcome]}`)),
  ];
  if (report.deleted) lines.push(labelled("", `${figure(report.deleted)} of those updated were deletes`));
  if (report.similar)
    lines.push(labelled("", `${figure(report.similar)} of those created look like stored records; the app lists them under Duplicates`));
  if (report.leftOut) lines.push(labelled("", `${figure(report.leftOut)} of those not sent were left out, and are no rejects`));
  if (report.rejectsFile) lines.push("", labelled("rejects", String(report.rejectsFile)), labelled("", String(report.rejectsList)));
  if (problems.length > 0) lines.push("", "What the check found:");
  for (const { field, records, message } of problems) lines.push(`${figure(records)}  ${field ? `${field}: ` : ""}${message}`);
  if (notes.length > 0) lines.push("", "Notes:", ...notes.map((note) => `  ${note}`));
  return `${lines.map((line) => printable(line).trimEnd()).join("\n")}\n`;
}

const PLACES: readonly string[] = Object.keys(OUTCOME_WORDS);

function byPlace(a: string, b: string): number {
  return PLACES.indexOf(a) - PLACES.indexOf(b);
}

function labelled(name: string, text: string): string {
  return `${name.padEnd(12)}${text}`;
}

function figure(n: number): string {
  return n.toLocaleString("en").padStart(12);
}
