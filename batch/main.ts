// `npm run batch -- …` as a process: its arguments, environment, signals and exit code. The command itself is command.ts's.

import { runCommand } from "./command.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
const { argv, env, stdout: out, stderr: error } = process;
process.exitCode = await runCommand(argv.slice(2), { env, out, error, signal: stop.signal });
