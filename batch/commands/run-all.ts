// Loads every collection of a layout, one after the other, so that parents are stored before what refers to them.

import { resolve } from "node:path";
import { parentsFirst } from "../../core/dictionary/parents-first.ts";
import { collectionsOf } from "../../layouts/layouts/select-detail.ts";
import type { Options } from "../console/arguments.ts";
import { AlreadyLoaded, CommandError, EXIT, type Exit } from "../console/exit-codes.ts";
import { readLayoutFile } from "../files/read-layout-file.ts";
import { loadRecipe } from "../files/service-recipes.ts";
import { fingerprintOf, openSource, type Source, stateFolder } from "../files/source-file.ts";
import { type CheckedFile, type CommandContext, checkFile } from "../runs/check-pass.ts";
import { formatCommand } from "../runs/next-commands.ts";
import { prepareFolder } from "../runs/own-files.ts";
import { newRunId, openRuns, type StoredRun } from "../runs/run-registry.ts";
import { createRecipeReader, readCollections, rememberSignIn, signIn } from "../runs/service.ts";
import { isRepeatable, runFile, validateFile, withFileLock } from "./run.ts";

/**
 * `run FILE`. The run is noted before its first pass, so that `status` knows it and `resume` begins again when it is killed there, stopped,
 * or finds no service. One process loads a file at a time, from the note on: it must not touch the note of a run that is alive. Throws CommandError.
 */
export async function runAll(path: string, options: Options, given: CommandContext): Promise<Exit> {
  const source = await openSource(path, given.decrypt);
  const runs = openRuns(stateFolder(path, options.state));
  await prepareFolder(runs.folder);
  const fingerprint = options.fingerprint ?? (await fingerprintOf(source));
  return withFileLock(runs, fingerprint, source.name, async () => {
    const noted = options.id === undefined ? undefined : await runs.get(options.id);
    const startedAt = noted?.startedAt ?? given.now();
    const connection = given.connection.remembered ? given.connection : rememberSignIn(given.connection);
    const context = { ...given, connection, now: () => startedAt }; // the day of the begin counts for the whole load
    if (options.dryRun) return loadAll(path, { ...options, fingerprint }, context);
    const id = options.id ?? newRunId(new Date());
    if (!noted || noted.begun) await runs.put(beginningOf({ id, startedAt, fingerprint }, source, options));
    let mayResume = false;
    try {
      return await loadAll(path, { ...options, id, fingerprint }, context);
    } catch (error) {
      mayResume = error instanceof CommandError && error.code === EXIT.unreached;
      throw error;
    } finally {
      if (!mayResume && !context.signal.aborted) await runs.forget(id);
    }
  });
}

/** The options that say how the file is read and what its rows mean. */
const READ_BY = [
  ...(["mode", "matchBy", "clears", "collection", "recipe", "sheet", "entry", "heading"] as const),
  ...(["fileEncoding", "separator", "suspectRows", "acknowledge", "onDuplicate", "createParents"] as const),
] as const;

function beginningOf(of: Pick<StoredRun, "id" | "startedAt" | "fingerprint">, { name, path }: Source, options: Options): StoredRun {
  const { mode, collection, layout } = options;
  const { limit, maxRows, maxBytes, rehearse, again, out } = options;
  const paths = { ...(layout !== undefined && { layout: resolve(layout) }), ...(out !== undefined && { out: resolve(out) }) };
  const reading = Object.fromEntries(READ_BY.map((name) => [name, options[name]])) as Pick<Options, (typeof READ_BY)[number]>;
  return {
    ...of,
    collection: options.part ?? collection ?? "",
    fileName: name,
    path,
    plan: { dialect: { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 0 }, columns: [], mode },
    dictionary: null,
    rowsTotal: 0,
    rejected: 0,
    leftOut: 0,
    limit: limit ?? null,
    notes: [],
    problems: [],
    begun: { ...reading, ...paths, limit, maxRows, maxBytes, rehearse, again },
  };
}

/** With `--collection`, and without a layout, it is one run. */
async function loadAll(path: string, options: Options, context: CommandContext): Promise<Exit> {
  const parts = options.collection === undefined ? await partsOf(options, context, "write") : [];
  if (parts.length < 2) return runFile(path, options, context);
  const source = await openSource(path, context.decrypt);
  // Nothing of any collection is stored before the records of all are known to be right.
  const checked: CheckedFile[] = [];
  for (const part of parts.slice(1)) checked.push(await checkFile(source, { ...options, part }, context, "write"));
  const isOnce = !checked.every(isRepeatable); // or some collections would be loaded once more and others not
  return runParts(path, { ...options, parts, ...(isOnce && { isOnce }) }, context);
}

/** `validate FILE`: the records of every collection. Throws CommandError. */
export async function validateAll(path: string, options: Options, context: CommandContext): Promise<Exit> {
  const parts = options.collection === undefined ? await partsOf(options, context, "read") : [];
  if (parts.length < 2) return validateFile(path, options, context);
  const exits: Exit[] = [];
  for (const part of parts) {
    const exit = await validateFile(path, { ...options, part }, context);
    exits.push({ ...exit, sentence: `${part}: ${exit.sentence}` });
  }
  return joined(exits);
}

/** Each part is one run; the caller has the lock of the file. It stops at the first that does not end; those that ended before are passed over. `parts`: not all of them. */
export async function runParts(
  path: string,
  options: Options & { parts: readonly string[] },
  context: CommandContext,
  parts = options.parts,
): Promise<Exit> {
  const exits: Exit[] = [];
  const { id, ...others } = options;
  for (const part of parts) {
    const exit = await runFile(path, { ...others, part, ...(id !== undefined && part === parts[0] && { id }) }, context).catch((error) => {
      if (error instanceof CommandError) return error;
      throw error;
    });
    exits.push(exit);
    if (!MAY_GO_ON.includes(exit.code) && !wasLoaded(exit)) break;
  }
  const loaded = exits.filter((exit) => !wasLoaded(exit));
  const [only] = loaded.length > 0 ? loaded : exits;
  if (loaded.length < 2 && only instanceof CommandError) throw only;
  return partlyStored(loaded, ["resume", path, ...(options.state === undefined ? [] : ["--state", options.state])]);
}

/** With an earlier part in the store it is not true of the file that nothing is stored: whoever corrected and ran it again would store it twice. */
function partlyStored(exits: readonly Exit[], resume: readonly string[]): Exit {
  const { isOfFile, ...exit } = joined(exits);
  const isPartly = exit.code === EXIT.nothing && exits.some(({ code }) => MAY_GO_ON.includes(code));
  if (!isPartly) return { ...exit, ...(isOfFile && { isOfFile }) };
  if (isOfFile) return { ...exit, code: EXIT.rejects }; // the service refused all of the part
  return { ...exit, code: EXIT.stopped, next: `Continue with: ${formatCommand(resume)}` };
}

const MAY_GO_ON: readonly number[] = [EXIT.stored, EXIT.rejects];

/** Is not true of what another process is loading: what refers to it has to wait. */
function wasLoaded(exit: Exit): boolean {
  return exit instanceof AlreadyLoaded && exit.code === EXIT.notNeeded;
}

/** Makes one exit for several: what happened to each, and the code of the last that needs somebody. */
export function joined(exits: readonly Exit[]): Exit {
  const [first] = exits;
  if (!first) throw new Error("there is no exit");
  const last = exits.at(-1) as Exit;
  const worst = MAY_GO_ON.includes(last.code) ? (exits.find(({ code }) => code === EXIT.rejects) ?? last) : last;
  return {
    code: worst.code,
    sentence: exits.map(({ sentence }) => sentence).join(" "),
    ...(last.next && { next: last.next }),
    details: exits.flatMap(({ details = [] }) => details),
    ...(worst.isOfFile && { isOfFile: true }),
  };
}

/** Returns the collections of the layout, in the order in which they can be stored. Empty without a layout. */
async function partsOf(options: Options, { connection }: CommandContext, needs: "read" | "write"): Promise<string[]> {
  const { layout: path, recipe, mode } = options;
  if (path === undefined && recipe === undefined) return [];
  const { token, dictionary } = await signIn(connection, needs);
  const collections = readCollections(dictionary);
  const known =
    recipe === undefined
      ? await readLayoutFile(path ?? "", collections, mode)
      : await loadRecipe(createRecipeReader(connection, token), recipe, collections, undefined);
  return "layout" in known ? parentsFirst(collectionsOf(known.layout), collections) : [];
}

/** Collections that were to be loaded with the latest of these runs of one file and have no run yet. `runs`: the latest first. */
export function partsLeft(runs: readonly Pick<StoredRun, "collection" | "parts" | "isUndone" | "begun">[]): string[] {
  const latest = latestLoad(runs.filter(({ isUndone, begun }) => !isUndone && !begun));
  const parts = latest.find(({ parts }) => parts)?.parts ?? [];
  return parts.filter((part) => !latest.some(({ collection }) => collection === part));
}

/** Returns the runs of the last time that a file was loaded. `standing`: all runs of it, the latest first. A load begins with the first collection of its layout. */
export function latestLoad<Run extends Pick<StoredRun, "collection" | "parts">>(standing: readonly Run[]): readonly Run[] {
  const parts = standing.find(({ parts }) => parts)?.parts ?? [];
  const begin = standing.findIndex(({ collection }) => collection === parts[0]);
  return begin === -1 ? standing : standing.slice(0, begin + 1);
}
