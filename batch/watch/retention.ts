// Deletes what a watcher put away long ago: files with their reports. Nothing that it did not put there itself is deleted.

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

/**
 * A file was put into `archive` or `rejected` by a watcher when its report is beside it. It is deleted when all of its reports are older than
 * `days`, and no run of it is left to finish. `now`: epoch milliseconds.
 */
export async function deleteOld(
  { folder, state, progress }: { folder: Inbox; state: string; progress: ProgressWriter },
  days: number,
  now: number,
): Promise<void> {
  folder.requireFolders();
  const open = new Set<string>(); // what a run needs that did not end, or whose report is left to write; an undo needs no file
  for (const { path, endedAt } of await openRuns(state).summaries()) if (endedAt === undefined) open.add(path);
  for (const place of ["archive", "rejected"] as const) {
    const names = readdirSync(join(folder.path, place)).sort();
    for (const [file, own] of groupByFile(names)) {
      const path = join(folder.path, place, file);
      const paths = [...own.map((name) => join(folder.path, place, name)), path].filter((each) => isFile(each));
      const reports = paths.filter((each) => each.endsWith(".report.json"));
      if (reports.some((each) => now - lstatSync(each).mtimeMs < days * DAY)) continue;
      if (open.has(path) || !(await isOurs(reports, file))) continue;
      try {
        for (const each of [...paths.filter((one) => !reports.includes(one)), ...reports]) rmSync(each, { force: true }); // a report proves whose the rest is
        const sentence = `deleted from ${place} with its reports, as --keep-days says after ${count(days, "day")}.`;
        progress.line(`${file}: ${sentence}`, { step: "deleted", file, sentence });
      } catch (error) {
        const why = systemError(error);
        if (why === undefined) throw error;
        progress.line(`${file}: cannot be deleted from ${place}: ${why}.`, { step: "stays", file });
      }
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

/** Says whether each of them is a report that this program wrote of this file. */
async function isOurs(reports: readonly string[], name: string): Promise<boolean> {
  for (const path of reports) {
    try {
      const { file, exitCode } = JSON.parse(await readOwnFile(path)) as { file?: unknown; exitCode?: unknown };
      if (typeof file !== "string" || typeof exitCode !== "number") return false;
      if (basename(file) !== name || basename(dirname(file)) !== "processing") return false;
    } catch (error) {
      if (!(error instanceof SyntaxError) && systemError(error) === undefined) throw error;
      return false;
    }
  }
  return reports.length > 0;
}
