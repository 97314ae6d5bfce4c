// `watch DIR`: every file that comes into a folder is loaded, one at a time, and moved to where its ending belongs. Decides nothing about a file itself.

import { basename, join, resolve } from "node:path";
import { realClock } from "../../pipeline/model/clock.ts";
import { resumeRun } from "../commands/resume.ts";
import { runFile } from "../commands/run.ts";
import type { Options } from "../console/arguments.ts";
import { Ended, type Ending, EXIT, LoadedBefore, stoppedBy } from "../console/exit-codes.ts";
import { chooseCollection, readLayoutFile } from "../formats/choose-reader.ts";
import { fingerprintOf, openSource, STATE_FOLDER } from "../formats/source-file.ts";
import { writeWord } from "../reports/report-files.ts";
import type { Around } from "../runs/check-pass.ts";
import { Locked, withLock } from "../runs/lock-file.ts";
import { openRuns, prepareFolder } from "../runs/run-registry.ts";
import { readCollections, signIn } from "../runs/service.ts";
import { DropFolder } from "./inbox.ts";
import { noteMoved, placeFor, putAway } from "./move-processed.ts";

const LOCK = ".watch.lock";
const LOOK_EVERY = 1_000; // ms
const TRY_AGAIN = 30_000; // ms after the service was not there, or a run stopped midway

interface Watch extends Around {
  folder: DropFolder;
  options: Options & { state: string };
}

/** Ends when it is asked to stop, or with `once` when the folder is empty. Throws Ended when it cannot begin. */
export async function watchFolder(path: string, given: Options, around: Around): Promise<Ending> {
  const folder = new DropFolder(resolve(path), given.settle * 1000, given.order);
  const state = resolve(given.state ?? join(folder.path, STATE_FOLDER));
  await folder.prepare();
  await prepareFolder(state);
  const watch: Watch = { ...around, folder, options: { ...given, state } };
  try {
    return await withLock(join(folder.path, LOCK), () => watchAlone(watch)); // in the folder itself: another watcher may keep its state elsewhere
  } catch (error) {
    if (error instanceof Locked) throw new Ended(EXIT.nothing, `${folder.path} is watched already: ${error.message}`);
    throw stoppedBy(error, "Watch the folder again: what is in processing goes on.");
  }
}

async function watchAlone(watch: Watch): Promise<Ending> {
  const { folder, options, teller, signal } = watch;
  await begin(watch);
  teller.line(`Watching ${folder.path}`, { step: "watching", folder: folder.path });
  let first: Ending | undefined; // that was not all right
  const load = async (path: string) => {
    const ending = await loadUntilDone(path, watch);
    if (ending.code !== EXIT.stored) first ??= ending;
  };
  await noteMoved({ folder, state: options.state, teller });
  for (const path of await folder.leftovers()) if (!signal.aborted) await load(path);
  while (!signal.aborted && !(options.once && mustEnd(first))) {
    const { whole, isEmpty } = await folder.look(Date.now());
    const path = whole === undefined ? undefined : await folder.take(whole);
    if (path !== undefined) await load(path);
    else if (options.once && isEmpty) break;
    else await realClock.sleep(LOOK_EVERY, signal);
  }
  if (options.once && first) return first;
  return {
    code: EXIT.stored,
    sentence: `No longer watching ${folder.path}.${signal.aborted ? " What is in processing goes on with the next watch." : ""}`,
  };
}

/** Whether its address, key, collection and layout are right is known before any file is taken; until the service is there, it waits. */
async function begin({ connection, options, teller, signal }: Watch): Promise<void> {
  while (!signal.aborted) {
    try {
      const { dictionary } = await signIn(connection, "write");
      const collections = readCollections(dictionary);
      if (options.layout === undefined) chooseCollection(collections, options.collection);
      else await readLayoutFile(options.layout, collections, options.mode);
      return;
    } catch (error) {
      if (!(error instanceof Ended) || error.code !== EXIT.unreached || options.once) throw error;
      teller.line(error.sentence, { step: "waiting", sentence: error.sentence });
      await realClock.sleep(TRY_AGAIN, signal);
    }
  }
}

/** One file until it has its place. What stopped midway, or found no service, is tried again: files go in their order. */
async function loadUntilDone(path: string, watch: Watch): Promise<Ending> {
  const { folder, options, teller, signal } = watch;
  const name = basename(path);
  for (;;) {
    teller.line(`${name}: taken`, { step: "taken", file: name });
    const ending = await loadOne(path, watch);
    const where = placeFor(ending);
    if (where && !signal.aborted) {
      if (ending instanceof LoadedBefore) await writeWord({ path, out: undefined }, ending);
      await putAway(path, where, ending, { folder, state: options.state, teller });
      return ending;
    }
    teller.line(`${name}: exit code ${ending.code}, stays in processing. ${ending.sentence}`, {
      step: "stays",
      file: name,
      exitCode: ending.code,
      sentence: ending.sentence,
    });
    if (signal.aborted || options.once) return ending;
    await realClock.sleep(TRY_AGAIN, signal);
    if (signal.aborted) return ending;
  }
}

async function loadOne(path: string, watch: Watch): Promise<Ending> {
  const { options } = watch;
  try {
    const source = await openSource(path);
    const known = await openRuns(options.state).of(await fingerprintOf(source));
    const ours = known.find((run) => run.path === source.path && !run.isUndone);
    if (ours?.ending) return ours.ending; // the watcher before came as far as this
    return await (ours ? resumeRun(path, { ...options, limit: undefined }, watch) : runFile(path, options, watch));
  } catch (error) {
    if (error instanceof Ended) return error;
    throw error;
  }
}

function mustEnd(first: Ending | undefined): boolean {
  return first !== undefined && placeFor(first) === undefined;
}
