// Deletes what this command wrote or put away long ago: reports and, of a watched folder, their files. All else stays.

import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { count } from "../../core/text/count.ts";
import { systemError } from "../console/exit-codes.ts";
import type { ProgressWriter } from "../console/progress.ts";
import { readOwnFile } from "../runs/own-files.ts";
import { openRuns } from "../runs/run-registry.ts";
import { type Inbox, isOutputOf } from "./inbox.ts";

const DAY = 86_400_000; // ms
const REPORT = /^(.+?)(?:\.\d+)?\.report\.json$/;

interface Sweep {
  folder: string;
  state: string;
  progress: ProgressWriter;
}

/**
 * A file was put into `archive` or `rejected` by a watcher when its report is beside it. It is deleted when all of its reports are older than
 * `days`, and no run of it is left to finish. `now`: epoch milliseconds.
 */
export async function deleteOld(
  { folder, ...others }: Omit<Sweep, "folder"> & { folder: Inbox },
  days: number,
  now: number,
): Promise<void> {
  folder.requireFolders();
  for (const place of ["archive", "rejected"]) await sweep({ ...others, folder: join(folder.path, place) }, days, now, place);
}

/** Deletes the reports and rejects that single runs wrote to a folder so long ago. The files themselves belong to whoever named them. */
export async function deleteOldReports(what: Sweep, days: number, now: number): Promise<void> {
  try {
    await sweep(what, days, now, undefined);
  } catch (error) {
    const why = systemError(error);
    if (why === undefined) throw error;
    what.progress.line(`${what.folder}: old reports cannot be looked for: ${why}.`, { step: "stays", file: what.folder });
  }
}

/** `place`: where a watcher has put the files; undefined for the reports of single runs. */
async function sweep({ folder, state, progress }: Sweep, days: number, now: number, place: string | undefined): Promise<void> {
  const open = new Set<string>(); // what a run needs that did not end, or whose report is left to write; an undo needs no file
  for (const { path, endedAt } of await openRuns(state).summaries()) if (endedAt === undefined) open.add(path);
  for (const [file, own] of groupByFile(readdirSync(folder).sort())) {
    const outputs = own.map((name) => join(folder, name)).filter(isFile);
    const reports = outputs.filter((each) => each.endsWith(".report.json"));
    if (reports.some((each) => now - lstatSync(each).mtimeMs < days * DAY)) continue;
    const source = await sourceOf(reports, file, progress);
    const path = join(folder, file);
    if (source === undefined || open.has(place ? path : source) || (basename(dirname(source)) === "processing") !== (place !== undefined))
      continue;
    try {
      const others = outputs.filter((each) => !reports.includes(each));
      for (const each of [...others, ...(place && isFile(path) ? [path] : []), ...reports]) rmSync(each, { force: true }); // a report proves whose the rest is
      const what = place ? `deleted from ${place} with its reports` : `its reports are deleted from ${folder}`;
      const sentence = `${what}, as --keep-days says after ${count(days, "day")}.`;
      progress.line(`${file}: ${sentence}`, { step: "deleted", file, sentence });
    } catch (error) {
      const why = systemError(error);
      if (why === undefined) throw error;
      progress.line(`${file}: cannot be deleted from ${place ?? folder}: ${why}.`, { step: "stays", file });
    }
  }
}

/** Returns what belongs to each file that has a report: its name → the names of its reports, rejects and checksums. `names` are sorted. */
function groupByFile(names: readonly string[]): Map<string, string[]> {
  const known = new Set(names);
  const files = new Map<string, string[]>();
  for (const name of names) {
    const [, stem = ""] = REPORT.exec(name) ?? [];
    const file = known.has(name.replace(/\.report\.json$/, "")) ? name.replace(/\.report\.json$/, "") : stem;
    if (file !== "" && !files.has(file)) files.set(file, []);
  }
  for (const name of names) {
    for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
      const own = files.get(name.slice(0, dot));
      if (!own || !isOutputOf(name, name.slice(0, dot))) continue;
      own.push(name);
      break;
    }
  }
  return files;
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Returns the path of the file of which this program wrote all of these reports; undefined when one is none, or of a file with another name. */
async function sourceOf(reports: readonly string[], name: string, progress: ProgressWriter): Promise<string | undefined> {
  let source: string | undefined;
  for (const path of reports) {
    try {
      const { file, exitCode } = JSON.parse(await readOwnFile(path)) as { file?: unknown; exitCode?: unknown };
      if (typeof file !== "string" || typeof exitCode !== "number" || basename(file) !== name) return undefined;
      if (source !== undefined && dirname(source) !== dirname(file)) return undefined;
      source = file;
    } catch (error) {
      const why = systemError(error);
      if (why !== undefined) progress.line(`${name}: stays, because its report cannot be read: ${why}.`, { step: "stays", file: name });
      else if (!(error instanceof SyntaxError)) throw error; // a file that is no JSON is no report of ours
      return undefined;
    }
  }
  return source;
}
