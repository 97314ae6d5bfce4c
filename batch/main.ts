// The process of `npm run batch`: arguments, environment, signals and exit code.

import { runCommand } from "./command.ts";
import { EXIT, stoppedBy } from "./console/exit-codes.ts";

// `npm run` starts in the folder of the project. Relative paths start where the command was typed.
if (process.env.npm_lifecycle_event === "batch" && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
const { argv, env, stdout: out, stderr: error } = process;
for (const stream of [out, error]) stream.on("error", () => undefined); // the reader has gone, as after `| head`; the run continues
process.on("uncaughtException", (bug) => {
  error.write(`${stoppedBy(bug, "If records had left already, go on with: npm run batch -- resume FILE").sentence}\n`);
  process.exit(EXIT.stopped); // records may have been sent
});
process.exitCode = await runCommand(argv.slice(2), { env, out, error, signal: stop.signal });
