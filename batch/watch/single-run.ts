// Tells the operator how a single run ended, and deletes old reports, as a watcher does.

import { lstatSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Options } from "../console/arguments.ts";
import { CommandError, EXIT, type Exit, systemError } from "../console/exit-codes.ts";
import { stateFolder } from "../files/source-file.ts";
import { outputFolder } from "../reports/output-names.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { findRuns } from "../runs/find-runs.ts";
import { createNotify } from "./notices.ts";
import { deleteOldReports } from "./retention.ts";

/** `work` loads the file that `target` names, or goes on with its run, and never throws. Throws CommandError when no mail can be sent. */
export async function runAlone(
  target: string,
  options: Options,
  context: CommandContext,
  env: Readonly<Record<string, string | undefined>>,
  work: () => Promise<Exit>,
): Promise<Exit> {
  const { onEnd, mailTo, keepDays, out, state } = options;
  const notify = createNotify(options, env, context);
  const began = Date.now();
  const exit = await work();
  if (context.signal.aborted || (onEnd ?? mailTo ?? keepDays) === undefined) return exit;
  const path = await pathOf(target, state);
  const folder = outputFolder({ path, out });
  const file = basename(path);
  const report = reportSince(folder, file, began);
  const isNotified = await notify({ step: "ended", file, exitCode: exit.code, sentence: exit.sentence, path, report });
  if (keepDays !== undefined)
    await deleteOldReports({ folder, state: stateFolder(path, state), progress: context.progress }, keepDays, context.now());
  if (isNotified || exit.code !== EXIT.stored) return exit;
  const sentence = `${exit.sentence} But the command of --on-end or a mail failed: see the line above that names it.`;
  return { ...exit, code: EXIT.rejects, sentence };
}

/** Returns where the file is, also when the target is the id of its run. */
async function pathOf(target: string, state: string | undefined): Promise<string> {
  if (lstatSync(target, { throwIfNoEntry: false })) return resolve(target);
  const found = await findRuns(target, state).catch((error: unknown) => {
    if (error instanceof CommandError) return undefined; // the run ended with the same
    throw error;
  });
  return found?.known[0]?.path ?? resolve(target);
}

/** Returns the report for people that was written since; undefined without one. */
function reportSince(folder: string, file: string, began: number): string | undefined {
  try {
    const names = readdirSync(folder).filter(
      (name) => name.startsWith(`${file}.`) && /^\.(\d+\.)?report\.txt$/.test(name.slice(file.length)),
    );
    const changed = names.map((name) => ({ path: join(folder, name), at: lstatSync(join(folder, name)).mtimeMs }));
    return changed.filter(({ at }) => at >= began - 1).sort((a, b) => b.at - a.at)[0]?.path; // -1: it may be kept in whole milliseconds
  } catch (error) {
    if (systemError(error) === undefined) throw error;
    return undefined;
  }
}
