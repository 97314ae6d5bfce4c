// `undo`: takes back what a run changed, except what changed since. The service knows what that is.

import type { LeftRecord, UndoCounts } from "../../core/contract/history.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { parentsFirst } from "../../core/dictionary/parents-first.ts";
import { count } from "../../core/text/count.ts";
import { undoRun as takeBack } from "../../pipeline/runs/undo.ts";
import type { UndoObstacle, UploadState } from "../../pipeline/runs/upload-state.ts";
import type { Options } from "../console/arguments.ts";
import { COMMAND_LINE } from "../console/command-line.ts";
import { CommandError, EXIT, type Exit, stoppedBy } from "../console/exit-codes.ts";
import { chooseCollection } from "../files/choose-reader.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { type Found, findRuns } from "../runs/find-runs.ts";
import { commandFor, statusCommand } from "../runs/next-commands.ts";
import type { Runs, StoredRun } from "../runs/run-registry.ts";
import { openService, readCollections, readRunParts, signIn } from "../runs/service.ts";
import { withFileLock } from "./run.ts";
import { joined, latestLoad } from "./run-all.ts";
import { describeRun } from "./status.ts";

type Undone = Extract<UploadState, { step: "undone" }>;

/** `undo FILE|RUN`. Throws CommandError. */
export async function undoRun(target: string, options: Options, context: CommandContext): Promise<Exit> {
  const found = await findRuns(target, options.state).catch((error: unknown) => {
    if (error instanceof CommandError && RUN_ID.test(target)) return undefined;
    throw error;
  });
  return found ? undoKnown(target, found, context) : undoUnknown(target, context);
}

const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{12}$/;

async function undoKnown(target: string, { runs, known: all, isByName }: Found, context: CommandContext): Promise<Exit> {
  const known = all.filter(({ begun }) => !begun); // of the others nothing was sent
  const notUndone = known.filter(({ isUndone }) => !isUndone);
  const standing = notUndone.length > 0 ? notUndone : known; // undone again, it takes back what could not be taken back before
  const together = loadedTogether(standing);
  if (isByName && standing.length > Math.max(1, together.length)) {
    const which = standing.map((run) => `${describeRun(run)}. To take it back: ${commandFor("undo", run, runs.folder)}`);
    throw new CommandError(
      EXIT.nothing,
      `${target} is gone, and ${standing.length} runs are of files with its name. Take one back by its id:`,
      which,
    );
  }
  const run = standing.find(({ isUndoing }) => isUndoing) ?? together[0] ?? standing[0];
  if (!run) {
    const others = `To take back a run of another file, give its id. To list the ids: ${statusCommand(runs.folder)}`;
    throw new CommandError(EXIT.nothing, `${target}, as it is now, has no run that could be taken back. ${others}`);
  }
  const exits: Exit[] = [];
  for (const one of run.id !== target && together.includes(run) ? together : [run]) {
    const exit = await withFileLock(
      runs,
      one.fingerprint,
      one.fileName,
      async () => {
        try {
          return await undoStored((await runs.get(one.id)) ?? one, runs, context); // another process may have changed it before it left the lock
        } catch (error) {
          throw stoppedBy(error, `Continue with: ${commandFor("undo", one, runs.folder)}`);
        }
      },
      EXIT.nothing,
    );
    exits.push(exit);
    if (exit.code !== EXIT.stored && exit.code !== EXIT.rejects) break;
  }
  return joined(exits);
}

/** Returns the latest runs of a layout with several collections, children first. */
function loadedTogether(standing: readonly StoredRun[]): StoredRun[] {
  const found: StoredRun[] = [];
  for (const run of latestLoad(standing)) if (run.parts && !found.some(({ collection }) => collection === run.collection)) found.push(run);
  return found.sort((a, b) => (b.parts ?? []).indexOf(b.collection) - (a.parts ?? []).indexOf(a.collection));
}

async function undoStored(run: StoredRun, runs: Runs, context: CommandContext): Promise<Exit> {
  if ((await unansweredOf(run, runs)) > 0) {
    const first = commandFor("resume", run, runs.folder);
    throw new CommandError(
      EXIT.stopped,
      `It is not known yet whether some records of ${run.fileName} are stored. Find out first with: ${first}`,
    );
  }
  const { token } = await signIn(context.connection, "write");
  const collections = readCollections(run.dictionary);
  const collection = chooseCollection(collections, run.collection);
  await runs.put({ ...run, isUndoing: true }); // before the first record is undone: from now on nothing of this run may be sent
  const order = parentsFirst(
    collections.map(({ name }) => name),
    collections,
  ).reverse();
  const undone = await undoIn(collection, run.id, token, context, run.plan.fixes?.parents && order);
  const { isUndoing: _, ...rest } = run;
  const { created = 1, updated = 0, inDoubt = 0 } = run.report?.counts ?? {};
  const hasChanged = created + updated + inDoubt > 0; // one whose records were all there already has no changes in the history
  if (undone.ended === "done" && undone.rowsTotal === 0 && hasChanged) {
    await runs.put(rest);
    throw new CommandError(EXIT.nothing, `Nothing of ${run.fileName} was taken back: ${unknownRun(run.id)}`);
  }
  if (undone.ended === "done") {
    await runs.put({ ...rest, isUndone: true, endedAt: run.endedAt ?? Date.now() });
  }
  const name = run.parts ? `${run.fileName} (${run.collection})` : run.fileName;
  return undoExit(name, collection, undone, commandFor("undo", run, runs.folder));
}

/** Batches that were sent and have no answer. Where the journal is gone, nothing can be sent again either. */
async function unansweredOf(run: StoredRun, runs: Runs): Promise<number> {
  if (run.endedAt !== undefined) return 0;
  const journal = await runs.journal(run.id).catch((error: unknown) => {
    if (error instanceof CommandError) return undefined;
    throw error;
  });
  await journal?.close();
  return journal?.unanswered ?? 0;
}

/** Undoes a run of which there is nothing here: it was made on another computer, or its state folder is gone. */
async function undoUnknown(run: string, context: CommandContext): Promise<Exit> {
  const { token, dictionary } = await signIn(context.connection, "write");
  const parts = (await readRunParts(context.connection, token, run)).filter(({ source }) => source.type !== "undo");
  const names = new Set(parts.map(({ collection }) => collection));
  const [name] = names;
  if (name === undefined)
    throw new CommandError(EXIT.nothing, `There is no file and no run ${run}, neither here nor in the service's history.`);
  const again = `${COMMAND_LINE} undo ${run}`;
  const collections = readCollections(dictionary);
  // Children go first: a parent cannot go while others refer to it.
  const exits: Exit[] = [];
  for (const each of parentsFirst([...names], collections).reverse()) {
    const collection = chooseCollection(collections, each);
    const undone = await undoIn(collection, run, token, context);
    exits.push(undoExit(`run ${run}${names.size > 1 ? ` (${each})` : ""}`, collection, undone, again));
  }
  return joined(exits);
}

/** `order`: the names of all collections, children first, where the run has created parents. */
async function undoIn(
  collection: ReturnType<typeof chooseCollection>,
  run: string,
  token: string,
  { connection, progress, signal }: CommandContext,
  order?: readonly string[],
): Promise<Undone> {
  const service = openService(connection, collection, token, signal);
  let last: UploadState | undefined;
  const onLeft = (left: readonly LeftRecord[]) => {
    for (const { id, why, code, detail } of left) {
      const reason = detail === undefined ? `, ${WHY_LEFT[why]}` : `. ${detail}`;
      progress.line(`Left as it is: ${collection.noun} ${id}${reason}`, { step: "left", id, why, code, detail });
    }
  };
  const elsewhere = order && { ...service, collection: collection.name, order };
  for await (const state of takeBack({ ...service, elsewhere, run, signal, onLeft })) {
    progress.state(state);
    last = state;
  }
  if (last?.step !== "undone") throw new Error("The undo ended without a word.");
  return last;
}

const WHY_LEFT: Record<LeftRecord["why"], string> = {
  kept: "because somebody has changed it since.",
  failed: "because a rule of the dictionary or another record is in the way.",
};

function unknownRun(id: string): string {
  return `the service's history has no changes of run ${id}. The run is older than the history, its changes are no longer kept, or it changed nothing.`;
}

function undoExit(
  name: string,
  { noun }: Pick<Collection, "noun">,
  { counts, others, already, obstacles, ended, why }: Undone,
  undoCommand: string,
): Exit {
  const { reversed } = counts;
  const { kept, failed }: Omit<UndoCounts, "reversed"> = {
    kept: counts.kept + (others?.kept ?? 0),
    failed: counts.failed + (others?.failed ?? 0),
  };
  const before = already > 0 ? `; ${already.toLocaleString("en")} had been taken back or deleted before` : "";
  const along = others && others.reversed > 0 ? `, and ${count(others.reversed, "parent")} that it had created` : "";
  const summary = `${count(reversed - already, "record")} of ${name} taken back${along}${before}`;
  if (ended !== "done") {
    return {
      code: EXIT.stopped,
      sentence: `Stopped: ${summary}. ${why ?? "The command was asked to stop."} Continue with: ${undoCommand}`,
    };
  }
  if (kept + failed === 0) return { code: EXIT.stored, sentence: `${summary}; the store is as it was before.` };
  const left = [
    kept > 0 && `${count(kept, "record")} changed since and left alone`,
    failed > 0 && `${count(failed, "record")} could not be taken back`,
  ];
  const sentence = `${summary}; ${left.filter(Boolean).join(", ")}. They are named above.`;
  const details = obstacles.flatMap((obstacle) => describeObstacle(obstacle, noun));
  if (details.length > 0) details.push(`When that is out of the way, take them back with: ${undoCommand}`);
  return { code: EXIT.rejects, sentence, details };
}

function describeObstacle({ code, detail, count: n, ids: [first] }: UndoObstacle, noun: string): string[] {
  if (detail === undefined) return [];
  const because = code === "IN_USE" ? `Other records refer to ${count(n, "record")}` : `Not taken back: ${count(n, "record")}`;
  return [`${because}, such as ${noun} ${first}: ${detail}`];
}
