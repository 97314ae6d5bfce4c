// `watch`: loads every file that comes into a folder, one at a time, and moves it to where its result belongs.

import { lstatSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { count } from "../../core/text/count.ts";
import { realClock } from "../../pipeline/model/clock.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import { resumeRun } from "../commands/resume.ts";
import { joined, partsLeft, runAll } from "../commands/run-all.ts";
import type { Options } from "../console/arguments.ts";
import { AlreadyLoaded, CommandError, EXIT, type Exit, InvalidFile, stoppedBy, systemError } from "../console/exit-codes.ts";
import { chooseCollection } from "../files/choose-reader.ts";
import { readLayoutFile } from "../files/read-layout-file.ts";
import { loadRecipe } from "../files/service-recipes.ts";
import { fingerprintOf, openSource, type Source, STATE_FOLDER } from "../files/source-file.ts";
import { writeFileErrorReport } from "../reports/report-files.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { Locked, withLock } from "../runs/lock-file.ts";
import { prepareFolder } from "../runs/own-files.ts";
import { digestOf, openRuns, type StoredRun } from "../runs/run-registry.ts";
import { createRecipeReader, readCollections, rememberSignIn, signIn } from "../runs/service.ts";
import { requireChecksum } from "./checksums.ts";
import { lateness } from "./expected.ts";
import { GrowthWatch, putAgain } from "./growth.ts";
import { Inbox, type Scan } from "./inbox.ts";
import { moveProcessed, noteMoved, placeFor } from "./move-processed.ts";
import { createNotify, type Notify } from "./notices.ts";
import { deleteOld } from "./retention.ts";
import { lateFiles, readRules, ruleFor, type WatchRule } from "./rules.ts";
import { readNotes, type WatchNotes, writeNotes } from "./watch-notes.ts";

const LOCK = ".watch.lock";
const SCAN_EVERY = 1_000; // ms
const SWEEP_EVERY = 86_400_000; // ms
const TRY_AGAIN = 30_000; // ms, after the service could not be reached or a run stopped midway

interface Watch extends CommandContext {
  folder: Inbox;
  options: Options & { state: string };
  /** Undefined: every file is loaded as the options say. */
  rules: readonly WatchRule[] | undefined;
  growth: GrowthWatch;
  /** The first exit that was not 0. */
  first: Exit | undefined;
  notify: Notify;
}

/** Returns the state folder of a watched folder. */
export function watchState(path: string, given: string | undefined): string {
  return resolve(given ?? join(resolve(path), STATE_FOLDER));
}

/** Resolves when it is asked to stop or, with `once`, when the folder is empty. Throws CommandError when it cannot start. */
export async function watchFolder(
  path: string,
  given: Options,
  context: CommandContext,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Exit> {
  const rules = given.rules === undefined ? undefined : await readRules(given.rules);
  const stableMs = given.done ? undefined : given.stableSeconds * 1000;
  const takes = rules && ((name: string) => ruleFor(rules, name) !== undefined);
  const folder = new Inbox(resolve(path), { stableMs, order: given.order, ...(takes && { takes }) });
  const state = watchState(path, given.state);
  const send = createNotify(given, env, context);
  const notify: Notify = async (notice) => {
    const isSent = await send(notice);
    if (!isSent) watch.first ??= NOT_NOTIFIED;
    return isSent;
  };
  await folder.prepare();
  await prepareFolder(state);
  const connection = rememberSignIn(context.connection);
  const growth = new GrowthWatch(state, context.progress, notify);
  const watch: Watch = { ...context, connection, folder, options: { ...given, state }, rules, growth, first: undefined, notify };
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
  let isStuck = false; // files are loaded in order, and one of them could not be put away
  const load = async (path: string) => {
    const exit = await loadUntilDone(path, watch);
    isStuck ||= placeFor(exit) === undefined;
    if (exit.code !== EXIT.stored && (!watch.first || watch.first === NOT_NOTIFIED)) watch.first = exit;
  };
  const isOver = () => signal.aborted || (options.once && isStuck);
  const named = new Set<string>();
  const stuck = new Set<string>();
  const late = new Map<string, number>();
  const notes = await readNotes(options.state, progress);
  for (const { path, size, ago } of notes.moved)
    if (await watch.growth.add(path, size, performance.now(), ago + Date.now() - notes.at)) watch.first ??= GROWN;
  let sweepAt = performance.now();
  await noteMoved({ folder, state: options.state, progress });
  for (const path of await folder.leftovers()) if (!isOver()) await load(path);
  while (!isOver()) {
    if (options.keepDays !== undefined && performance.now() >= sweepAt) {
      await deleteOld({ folder, state: options.state, progress }, options.keepDays, watch.now());
      sweepAt = performance.now() + SWEEP_EVERY;
    }
    const { whole, isWaiting, growing, ...others } = await folder.scan(performance.now(), Date.now());
    nameOthers(others, named, watch);
    const until = performance.now() + SCAN_EVERY;
    let isTaken = false;
    for (const name of whole) {
      if (isOver() || performance.now() > until) break; // a file that came meanwhile may be before the others
      const path = await take(name, folder, stuck, progress);
      if (path === undefined) {
        if (stuck.has(name)) watch.first ??= { code: EXIT.rejects, sentence: "A file was not loaded: see the line above that names it." };
        continue;
      }
      isTaken = true;
      await load(path);
    }
    if (await watch.growth.inspect(performance.now())) watch.first ??= GROWN;
    if (isTaken) continue;
    await nameLate(watch, late, notes);
    if (options.once && !isWaiting && whole.every((name) => stuck.has(name))) {
      for (const name of growing)
        progress.line(`${name}: stays where it is, because it still grows. The next watch takes it.`, { step: "grows", file: name });
      break;
    }
    await realClock.sleep(SCAN_EVERY, signal);
  }
  await writeNotes(options.state, { ...notes, at: Date.now(), moved: watch.growth.recentMoves(performance.now()) }, progress);
  if (options.once && watch.first) return watch.first;
  return {
    code: EXIT.stored,
    sentence: `No longer watching ${folder.path}.${signal.aborted ? " What is in processing goes on with the next watch." : ""}`,
  };
}

/** Returns undefined when the file is gone, or cannot be moved: that is said once, and tried again at each scan. */
async function take(name: string, folder: Inbox, stuck: Set<string>, progress: Watch["progress"]): Promise<string | undefined> {
  try {
    const path = await folder.take(name);
    stuck.delete(name);
    return path;
  } catch (error) {
    const why = systemError(error);
    if (why === undefined) throw error;
    if (!stuck.has(name)) leave(name, `it cannot be moved to processing: ${why}.`, progress);
    stuck.add(name);
    return undefined;
  }
}

const NOT_NOTIFIED: Exit = {
  code: EXIT.rejects,
  sentence: "The command of --on-end or a mail failed: see the line above that names it. The files are where they belong.",
};

const GROWN: Exit = {
  code: EXIT.rejects,
  sentence: "A file grew after it was taken, and what was added is not stored: see the line above that names it.",
};

/**
 * Names each late file once for each time by which it was expected; the operator is told once, also by many watches. `named`: by the
 * pattern of its rule. Runs are only read again when a file may be late.
 */
async function nameLate(
  { rules = [], options, progress, now, notify }: Watch,
  named: Map<string, number>,
  notes: WatchNotes,
): Promise<void> {
  const at = now();
  const dueOf = ({ expected }: WatchRule) => (expected && lateness(expected, undefined, at)?.due) ?? 0;
  const due = rules.filter((rule) => dueOf(rule) > (named.get(rule.files) ?? 0));
  if (due.length === 0) return;
  for (const { files, sentence, due: expectedAt } of await lateFiles(rules, openRuns(options.state), at)) {
    if (!due.some((rule) => rule.files === files)) continue;
    progress.line(sentence, { step: "late", file: files, sentence });
    if ((notes.late[files] ?? 0) >= expectedAt) continue; // an earlier watch has told it
    if (await notify({ step: "late", file: files, sentence })) notes.late[files] = expectedAt;
  }
  for (const rule of due) named.set(rule.files, dueOf(rule));
}

/** Names each once, as long as it is there. */
function nameOthers({ others, links, folders, lone }: Others, named: Set<string>, { options, progress }: Watch): void {
  const all = [...others, ...links, ...folders, ...lone];
  for (const name of named) if (!all.includes(name)) named.delete(name);
  const nameEach = (names: readonly string[], step: string, why: string) => {
    for (const name of names) {
      if (named.has(name)) continue;
      named.add(name);
      progress.line(`${name}: stays where it is, because ${why}`, { step, file: name });
    }
  };
  const rules = basename(options.rules ?? "");
  nameEach(others, "no rule", `no rule of ${rules} is for it. Add a rule and watch the folder again, or move the file away.`);
  nameEach(links, "no file", "it is a link. Put the file itself into the folder.");
  nameEach(folders, "no file", "it is a folder. Put its files into the folder that is watched.");
  nameEach(lone, "no file", "the file that it is the checksum of has not come. Send that file, or take the checksum away.");
}

type Others = Omit<Scan, "whole" | "isWaiting" | "growing">;

/** Checks address, key, collection, recipe and layout before any file is taken. Waits while the service cannot be reached. */
async function begin({ connection, options, rules, progress, signal }: Watch): Promise<void> {
  while (!signal.aborted) {
    try {
      const { dictionary, token } = await signIn(connection, "write");
      const collections = readCollections(dictionary);
      for (const one of rules?.map((rule) => ({ ...options, ...rule.options })) ?? [options]) {
        if (one.recipe !== undefined) await loadRecipe(createRecipeReader(connection, token), one.recipe, collections, one.collection);
        else if (one.layout === undefined) chooseCollection(collections, one.collection);
        else await readLayoutFile(one.layout, collections, one.mode);
      }
      return;
    } catch (error) {
      if (!(error instanceof CommandError) || error.code !== EXIT.unreached || options.once) throw error;
      const sentence = `${error.sentence} It is tried again in ${TRY_AGAIN / 1000} seconds.`;
      progress.line(sentence, { step: "waiting", sentence });
      await realClock.sleep(TRY_AGAIN, signal);
    }
  }
}

/** Loads one file until it can be moved away. Retries a run that stopped midway or found no service, because files are loaded in order. */
async function loadUntilDone(path: string, watch: Watch): Promise<Exit> {
  const { folder, options, progress, signal, notify } = watch;
  const name = basename(path);
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  progress.begin();
  for (let isAgain = false; ; isAgain = true) {
    if (!isThere(path)) return leave(name, "it is no longer in processing.", progress);
    if (!isAgain) progress.line(`${name}: taken`, { step: "taken", file: name });
    const exit = await loadOne(path, watch, isAgain);
    const where = placeFor(exit);
    if (where && !signal.aborted) {
      if (exit instanceof AlreadyLoaded) await writeFileErrorReport({ path, out: undefined }, exit);
      const moved = await moveProcessed(path, where, exit, { folder, state: options.state, progress });
      await notify({ ...moved, step: "put away", file: name, exitCode: exit.code, sentence: exit.sentence });
      const hasGrown = where === "archive" && (await watch.growth.add(moved.path, size, performance.now()));
      return hasGrown && exit.code === EXIT.stored ? GROWN : exit;
    }
    const next = options.once ? "The next watch tries again." : `It is tried again in ${TRY_AGAIN / 1000} seconds.`;
    progress.line(`${name}: exit code ${exit.code}, stays in processing. ${exit.sentence} ${signal.aborted ? "" : next}`.trimEnd(), {
      step: "stays",
      file: name,
      exitCode: exit.code,
      sentence: exit.sentence,
    });
    if (!isAgain && !signal.aborted) await notify({ step: "stays", file: name, exitCode: exit.code, sentence: exit.sentence, path });
    if (signal.aborted || options.once) return exit;
    for (let waited = 0; waited < TRY_AGAIN && isThere(path) && !signal.aborted; waited += SCAN_EVERY)
      await realClock.sleep(SCAN_EVERY, signal);
    if (signal.aborted) return exit;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Goes on without a file, whose reason is said. */
function leave(name: string, why: string, progress: Watch["progress"]): Exit {
  progress.line(`${name}: not loaded, because ${why}`, { step: "no file", file: name });
  return { code: EXIT.rejects, sentence: `${name} was not loaded, because ${why}` };
}

async function loadOne(path: string, watch: Watch, isAgain: boolean): Promise<Exit> {
  const { options } = watch;
  try {
    if (!lstatSync(path).isFile())
      throw new InvalidFile(`Nothing of ${basename(path)} was stored: it is a link. Put the file itself into the folder.`);
    const source = await openTaken(path, watch, isAgain);
    const runs = openRuns(options.state);
    const fingerprint = await fingerprintOf(source);
    const here = (await runs.at(source.path)).filter(({ isUndone }) => !isUndone);
    const ours = here.filter((run) => digestOf(run.fingerprint) === digestOf(fingerprint));
    const exits = ours.flatMap(({ exit }) => exit ?? []);
    if (ours.length > exits.length || partsLeft(ours).length > 0) return await resumeRun(path, { ...options, limit: undefined }, watch);
    if (exits.length > 0) return joined(exits.reverse()); // an earlier watcher loaded it and did not move it
    const sent = here.find(({ begun }) => !begun);
    if (sent) throw changedMidway(source, sent, runs.folder);
    const rule = watch.rules && ruleFor(watch.rules, watch.folder.nameOf(path));
    return await runAll(path, { ...options, ...rule?.options, fingerprint }, watch);
  } catch (error) {
    if (error instanceof FileError) return new CommandError(EXIT.stopped, `Stopped: ${error.message}`);
    if (error instanceof CommandError || systemError(error) !== undefined) return stoppedBy(error, ""); // a full disk, a file that is gone
    throw error;
  }
}

/** Writes a report for a file whose checksum is wrong, or whose clear text cannot be read. Throws InvalidFile then. */
async function openTaken(path: string, { decrypt, signal }: Watch, isAgain: boolean): Promise<Source> {
  try {
    if (!isAgain) await requireChecksum(path, signal);
    return await openSource(path, decrypt);
  } catch (error) {
    if (error instanceof InvalidFile) await writeFileErrorReport({ path, out: undefined }, error);
    throw error;
  }
}

/** Whatever is stored of it, loading the whole file now would store some records twice. */
function changedMidway({ name, file }: Source, run: StoredRun, state: string): CommandError {
  const sizes = `${count(run.fingerprint.size, "byte")} to ${count(file.size, "byte")}`;
  return new AlreadyLoaded(EXIT.stopped, `${name} changed from ${sizes} while it was loaded (run ${run.id}). ${putAgain(run, state)}`);
}
