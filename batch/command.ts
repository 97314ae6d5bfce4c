// Runs one command line: picks the command, connects to the service, and gives the exit code.

import { setCatalogue } from "../core/i18n/translate.ts";
import { exportRecords } from "./commands/export.ts";
import { runLayoutCommand } from "./commands/layout.ts";
import { draftFromCopybook } from "./commands/layout-from.ts";
import { listMissing } from "./commands/missing.ts";
import { resumeRun } from "./commands/resume.ts";
import { runAll, validateAll } from "./commands/run-all.ts";
import { showFile } from "./commands/show.ts";
import { listRuns } from "./commands/status.ts";
import { undoRun } from "./commands/undo.ts";
import { readArguments, UsageShown } from "./console/arguments.ts";
import { COMMAND_WORDS } from "./console/command-words.ts";
import { CommandError, describeError, EXIT, type Exit, type ExitCode } from "./console/exit-codes.ts";
import { printable } from "./console/printable.ts";
import { createProgressWriter, type ProgressWriter, type Screen } from "./console/progress.ts";
import { stateFolder } from "./files/source-file.ts";
import type { CommandContext } from "./runs/check-pass.ts";
import { connectionWarning, readConnection } from "./runs/connection.ts";
import { createDecrypt } from "./runs/decrypt-file.ts";
import { openRuns } from "./runs/run-registry.ts";
import { lateFiles, readRules } from "./watch/rules.ts";
import { runAlone } from "./watch/single-run.ts";
import { watchFolder, watchState } from "./watch/watch.ts";

/** Holds what the command uses of its process. Tests give their own. */
export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  out: Screen;
  error: Screen;
  /** Aborted when the command is asked to stop. */
  signal: AbortSignal;
  now?(): number;
}

/** Resolves with the exit code; never throws. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<ExitCode> {
  const { out, error } = environment;
  setCatalogue(COMMAND_WORDS);
  const progress = createProgressWriter(out, error, args.includes("--json"));
  const stopping = "Stopping: the batches that were sent are finished first.";
  const isForMessages = args[0] === "mcp"; // standard output is then the client's
  if (!isForMessages) environment.signal.addEventListener("abort", () => progress.line(stopping, { step: "stopping" }), { once: true });
  const exit = await handle(args, progress, environment).catch(toExit);
  if (exit instanceof UsageShown) (exit.code === EXIT.stored ? out : error).write(`${exit.sentence}\n`);
  else if (exit.sentence) progress.ended(exit);
  return exit.code;
}

async function handle(
  args: readonly string[],
  progress: ProgressWriter,
  { env, out, error, signal, now = Date.now }: Environment,
): Promise<Exit> {
  const { name, targets, options } = readArguments(args);
  const [target = ""] = targets;
  if (name === "status") {
    const { listed, folder, warning } = await listRuns(targets[0], options, () => readConnection(env, options.config));
    for (const { run, text } of listed) {
      const { dictionary: _, fingerprint, ...facts } = run;
      progress.line(text, { ...facts, bytes: fingerprint.size });
    }
    const rules = options.rules === undefined ? [] : await readRules(options.rules);
    for (const { files, sentence } of await lateFiles(rules, openRuns(folder), now()))
      progress.line(sentence, { step: "late", file: files, sentence });
    if (listed.length === 0) progress.line(`No run is known in ${folder}.`, undefined);
    if (warning !== undefined) error.write(`${printable(warning)}\n`);
    return { code: EXIT.stored, sentence: "" };
  }
  if (name === "mcp") {
    const { serveAssistants } = await import("./assistants/serve.ts"); // with its library, which no other command needs
    return serveAssistants(options, { env, out, error, signal, now });
  }
  const print = (bytes: Uint8Array) => out.write(bytes);
  if (name === "layout" && target === "from") return draftFromCopybook(targets, options, print, () => readConnection(env, options.config));
  const connection = await readConnection(env, options.config);
  const warning = connectionWarning(connection);
  if (warning) error.write(`${warning}\n`);
  const stateOf = (path: string) => (name === "watch" ? watchState(target, options.state) : stateFolder(path, options.state));
  const decrypt = options.decrypt === undefined ? undefined : createDecrypt(options.decrypt, stateOf, signal);
  const context: CommandContext = { connection, progress, signal, now, ...(decrypt && { decrypt }) };
  switch (name) {
    case "run":
      return runAlone(target, options, context, env, () => runAll(target, options, context).catch(toExit));
    case "validate":
      return validateAll(target, options, context);
    case "show":
      return showFile(target, options, context);
    case "export":
      return exportRecords(targets, options, context);
    case "resume":
      return runAlone(target, options, context, env, () => resumeRun(target, options, context).catch(toExit));
    case "undo":
      return undoRun(target, options, context);
    case "missing":
      return listMissing(targets, options, context);
    case "watch":
      return watchFolder(target, options, context, env);
    case "layout":
      return runLayoutCommand(targets, options, context, print);
  }
}

/** Errors while records are sent end with another code; see `stoppedBy`. Here nothing has been sent. */
function toExit(error: unknown): Exit {
  return error instanceof CommandError ? error : { code: EXIT.nothing, ...describeError(error) };
}
