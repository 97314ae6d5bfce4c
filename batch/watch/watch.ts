// `watch`: loads every file that comes into a folder, one at a time, and moves it to where its result belongs.

import { lstat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { realClock } from "../../pipeline/model/clock.ts";
import { resumeRun } from "../commands/resume.ts";
import { runFile } from "../commands/run.ts";
import type { Options } from "../console/arguments.ts";
import { AlreadyLoaded, CommandError, EXIT, type Exit, InvalidFile, stoppedBy } from "../console/exit-codes.ts";
import { chooseCollection } from "../formats/choose-reader.ts";
import { readLayoutFile } from "../formats/read-layout-file.ts";
import { loadRecipe } from "../formats/service-recipes.ts";
import { fingerprintOf, openSource, STATE_FOLDER } from "../formats/source-file.ts";
import { writeFileErrorReport } from "../reports/report-files.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { Locked, withLock } from "../runs/lock-file.ts";
import { prepareFolder } from "../runs/own-files.ts";
import { openRuns } from "../runs/run-registry.ts";
import { createRecipeReader, readCollections, signIn } from "../runs/service.ts";
import { Inbox } from "./inbox.ts";
import { moveProcessed, noteMoved, placeFor } from "./move-processed.ts";

const LOCK = ".watch.lock";
const SCAN_EVERY = 1_000; // ms
const TRY_AGAIN = 30_000; // ms, after the service could not be reached or a run stopped midway

interface Watch extends CommandContext {
  folder: Inbox;
  options: Options & { state: string };
}

/** Resolves when it is asked to stop or, with `once`, when the folder is empty. Throws CommandError when it cannot start. */
export async function watchFolder(path: string, given: Options, context: CommandContext): Promise<Exit> {
  const folder = new Inbox(resolve(path), given.stableSeconds * 1000, given.order);
  const state = resolve(given.state ?? join(folder.path, STATE_FOLDER));
  await folder.prepare();
  await prepareFolder(state);
  const watch: Watch = { ...context, folder, options: { ...given, state } };
  try {
    return await withLock(join(folder.path, LOCK), () => watchAlone(watch)); // in the folder itself: another watcher may have its state elsewhere
  } catch (error) {
    if (error instanceof Locked) throw new CommandError(EXIT.nothing, `${folder.path} is watched already: ${error.message}`);
    throw stoppedBy(error, "Watch the folder again: what is in processing goes on.");
  }
}

async function watchAlone(watch: Watch): Promise<Exit> {
  const { folder, options, progress, signal } = watch;
  await begin(watch);
  progress.line(`Watching ${folder.path}`, { step: "watching", folder: folder.path });
  let first: Exit | undefined; // the first that was not 0
  const load = async (path: string) => {
    const exit = await loadUntilDone(path, watch);
    if (exit.code !== EXIT.stored) first ??= exit;
  };
  await noteMoved({ folder, state: options.state, progress });
  for (const path of await folder.leftovers()) if (!signal.aborted) await load(path);
  while (!signal.aborted && !(options.once && mustEnd(first))) {
    const { whole, isEmpty } = await folder.scan(Date.now());
    const path = whole === undefined ? undefined : await folder.take(whole);
    if (path !== undefined) await load(path);
    else if (options.once && isEmpty) break;
    else await realClock.sleep(SCAN_EVERY, signal);
  }
  if (options.once && first) return first;
  return {
    code: EXIT.stored,
    sentence: `No longer watching ${folder.path}.${signal.aborted ? " What is in processing goes on with the next watch." : ""}`,
  };
}

/** Checks address, key, collection, recipe and layout before any file is taken. Waits while the service cannot be reached. */
async function begin({ connection, options, progress, signal }: Watch): Promise<void> {
  while (!signal.aborted) {
    try {
      const { dictionary, token } = await signIn(connection, "write");
      const collections = readCollections(dictionary);
      if (options.recipe !== undefined)
        await loadRecipe(createRecipeReader(connection, token), options.recipe, collections, options.collection);
      else if (options.layout === undefined) chooseCollection(collections, options.collection);
      else await readLayoutFile(options.layout, collections, options.mode);
      return;
    } catch (error) {
      if (!(error instanceof CommandError) || error.code !== EXIT.unreached || options.once) throw error;
      progress.line(error.sentence, { step: "waiting", sentence: error.sentence });
      await realClock.sleep(TRY_AGAIN, signal);
    }
  }
}

/** Loads one file until it can be moved away. Retries a run that stopped midway or found no service, because files are loaded in order. */
async function loadUntilDone(path: string, watch: Watch): Promise<Exit> {
  const { folder, options, progress, signal } = watch;
  const name = basename(path);
  for (;;) {
    progress.line(`${name}: taken`, { step: "taken", file: name });
    const exit = await loadOne(path, watch);
    const where = placeFor(exit);
    if (where && !signal.aborted) {
      if (exit instanceof AlreadyLoaded) await writeFileErrorReport({ path, out: undefined }, exit);
      await moveProcessed(path, where, exit, { folder, state: options.state, progress });
      return exit;
    }
    progress.line(`${name}: exit code ${exit.code}, stays in processing. ${exit.sentence}`, {
      step: "stays",
      file: name,
      exitCode: exit.code,
      sentence: exit.sentence,
    });
    if (signal.aborted || options.once) return exit;
    await realClock.sleep(TRY_AGAIN, signal);
    if (signal.aborted) return exit;
  }
}

async function loadOne(path: string, watch: Watch): Promise<Exit> {
  const { options } = watch;
  try {
    if (!(await lstat(path)).isFile()) throw new InvalidFile(`${basename(path)} is a link, not a file.`);
    const source = await openSource(path);
    const known = await openRuns(options.state).of(await fingerprintOf(source));
    const ours = known.find((run) => run.path === source.path && !run.isUndone);
    if (ours?.exit) return ours.exit; // an earlier watcher loaded it and did not move it
    return await (ours ? resumeRun(path, { ...options, limit: undefined }, watch) : runFile(path, options, watch));
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

function mustEnd(first: Exit | undefined): boolean {
  return first !== undefined && placeFor(first) === undefined;
}
