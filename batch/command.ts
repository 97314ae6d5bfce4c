// What was typed to its end: which command, with which connection, and the exit code that comes of it. Knows no process.

import { workOnLayout } from "./commands/layout.ts";
import { resumeRun } from "./commands/resume.ts";
import { runFile, validateFile } from "./commands/run.ts";
import { listRuns } from "./commands/status.ts";
import { undoRun } from "./commands/undo.ts";
import { readArguments, UsageShown } from "./console/arguments.ts";
import { Ended, type Ending, EXIT, type ExitCode, troubleOf } from "./console/exit-codes.ts";
import { createTeller, type Screen, type Teller } from "./console/progress.ts";
import type { Around } from "./runs/check-pass.ts";
import { readConnection } from "./runs/connection.ts";
import { watchFolder } from "./watch/watch.ts";

/** The surroundings of a process, given so that a test can be one. */
export interface World {
  env: Readonly<Record<string, string | undefined>>;
  out: Screen;
  error: Screen;
  /** Aborts when it is asked to stop. */
  signal: AbortSignal;
}

/** Resolves with the exit code; never throws. */
export async function runCommand(args: readonly string[], world: World): Promise<ExitCode> {
  const { out, error } = world;
  const teller = createTeller(out, error, args.includes("--json"));
  const stopping = "Asked to stop: what is under way is finished first.";
  world.signal.addEventListener("abort", () => teller.line(stopping, { step: "stopping" }), { once: true });
  const ending = await obey(args, teller, world).catch(toEnding);
  if (ending instanceof UsageShown) (ending.code === EXIT.stored ? out : error).write(`${ending.sentence}\n`);
  else if (ending.sentence) teller.ended(ending);
  return ending.code;
}

async function obey(args: readonly string[], teller: Teller, { env, out, signal }: World): Promise<Ending> {
  const { name, targets, options } = readArguments(args);
  const [target = ""] = targets;
  if (name === "status") {
    for (const { run, words } of await listRuns(targets[0], options)) {
      const { dictionary: _, fingerprint, ...facts } = run;
      teller.line(words, { ...facts, bytes: fingerprint.size });
    }
    return { code: EXIT.stored, sentence: "" };
  }
  const around: Around = { connection: await readConnection(env, options.config), teller, signal };
  switch (name) {
    case "run":
      return runFile(target, options, around);
    case "validate":
      return validateFile(target, options, around);
    case "resume":
      return resumeRun(target, options, around);
    case "undo":
      return undoRun(target, options, around);
    case "watch":
      return watchFolder(target, options, around);
    case "layout":
      return workOnLayout(targets, options, around, (bytes) => out.write(bytes));
  }
}

/** Whoever sends records says so of what happens meanwhile; here nothing has left. */
function toEnding(error: unknown): Ending {
  return error instanceof Ended ? error : { code: EXIT.nothing, sentence: troubleOf(error) };
}
