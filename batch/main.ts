#!/usr/bin/env node
// The command `intake-batch` as a process: its arguments, environment, signals and exit code.

import type { Environment } from "./command.ts";

process.setSourceMapsEnabled(true); // before anything else is loaded, so that a stack names the source
const { COMMAND_LINE } = await import("./console/command-line.ts");
const { EXIT, exitLines, stoppedBy } = await import("./console/exit-codes.ts");
const { printable } = await import("./console/printable.ts");
const { runCommand } = await import("./command.ts");

// `npm run` starts in the folder of the project. Relative paths start where the command was typed.
if (process.env.npm_lifecycle_event === "batch" && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
const { argv, env, stdout: out, stderr: error } = process;
for (const stream of [out, error]) stream.on("error", () => undefined); // the reader has gone, as after `| head`; the run continues
process.on("uncaughtException", (bug) => {
  const stopped = stoppedBy(bug, `If records had been sent already, continue with: ${COMMAND_LINE} resume FILE`);
  for (const line of exitLines(stopped)) error.write(`${printable(line)}\n`);
  process.exit(EXIT.stopped); // records may have been sent
});
// In some Node versions fetch leaves nothing that keeps the process running when a connection is reset; its timeout does not either.
const keepAlive = setInterval(() => undefined, 60_000);
const environment: Environment = { env, out, error, signal: stop.signal };
process.exitCode = await runCommand(argv.slice(2), environment);
clearInterval(keepAlive);
