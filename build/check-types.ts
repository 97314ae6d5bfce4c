// `npm run types`: runs every compiler command it is given, with `+` between them, and prints each error once.

import { spawn } from "node:child_process";

const commands = process.argv
  .slice(2)
  .join(" ")
  .split(" + ")
  .map((command) => command.split(" ").slice(1)); // each is `tsc -p project`
const seen = new Set<string>();

for (const args of commands) {
  const { output, status } = await run(args);
  // A line that is indented belongs to the error above it.
  for (const error of output.split(/\n(?=\S)/)) if (error.trim() !== "") seen.add(error.trimEnd());
  if (status !== 0) process.exitCode = 1;
}
for (const error of seen) process.stdout.write(`${error}\n`);

function run(args: readonly string[]): Promise<{ output: string; status: number | null }> {
  return new Promise((resolve, reject) => {
    const compiler = spawn(process.execPath, ["node_modules/typescript/bin/tsc", ...args, "--pretty", "false"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    compiler.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    compiler.on("error", reject).on("close", (status) => resolve({ output, status }));
  });
}
