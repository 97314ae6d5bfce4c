// `npm run batch -- …`: the only file of the room that knows arguments, environment, signals and exit codes.

import { readArguments, USAGE } from "./arguments.ts";
import { readConnection } from "./connection.ts";
import { Ended, type Ending, EXIT, systemTrouble } from "./ending.ts";
import type { Around } from "./first-pass.ts";
import { createTeller, type Teller } from "./progress.ts";
import { listRuns, resumeRun, undoRun } from "./resume.ts";
import { runFile, validateFile } from "./run.ts";
import { watchFolder } from "./watch.ts";

const args = process.argv.slice(2);
const teller = createTeller(process.stdout, process.stderr, args.includes("--json"));
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());

const ending = await obey(args, teller).catch(toEnding);
if (ending.sentence === USAGE) (ending.code === EXIT.stored ? process.stdout : process.stderr).write(`${USAGE}\n`);
else if (ending.sentence) teller.ended(ending);
process.exitCode = ending.code;

async function obey(args: readonly string[], teller: Teller): Promise<Ending> {
  const { name, targets, options } = readArguments(args);
  const [target = ""] = targets;
  if (name === "status") {
    for (const { run, words } of await listRuns(targets[0], options)) {
      const { dictionary: _, fingerprint, ...facts } = run;
      teller.line(words, { ...facts, bytes: fingerprint.size });
    }
    return { code: EXIT.stored, sentence: "" };
  }
  const around: Around = { connection: await readConnection(process.env, options.config), teller, signal: stop.signal };
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
    default:
      throw new Ended(EXIT.nothing, "Not yet.");
  }
}

/** What the system has against a file is no error of this program. */
function toEnding(error: unknown): Ending {
  if (error instanceof Ended) return error;
  const why = systemTrouble(error);
  if (why !== undefined) {
    const path = (error as NodeJS.ErrnoException).path ?? "A file";
    return { code: EXIT.stopped, sentence: `${path} cannot be used: ${why}. Once it can, see what is left: npm run batch -- status` };
  }
  return { code: EXIT.stopped, sentence: `An error of this program stopped it. ${error instanceof Error ? error.stack : String(error)}` };
}
