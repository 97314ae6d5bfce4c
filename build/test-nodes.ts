// `npm run test:nodes`: the tests, and the installed package, on each supported Node. Its binaries come from npm.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const SUPPORTED = ["20.19", "22", "24", "26"];

const versions = process.argv.length > 2 ? process.argv.slice(2) : SUPPORTED;
const failed = versions.filter((version) => !passes(version));
process.stdout.write(failed.length === 0 ? `Passed on Node ${versions.join(", ")}.\n` : `Failed on Node ${failed.join(", ")}.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes(version: string): boolean {
  const node = install(version);
  const exact = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  process.stdout.write(`\nNode ${exact}\n`);
  const env = { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH }; // what the tests start is to be this Node, too
  const commands = [
    ["node_modules/vitest/vitest.mjs", "run"],
    ["node_modules/@playwright/test/cli.js", "test", "packed"],
  ];
  return commands.map((args) => spawnSync(node, args, { env, stdio: "inherit" }).status).every((status) => status === 0);
}

/** Outside of the project, so that its own packages stay as they are. A version that is there already is not fetched again. */
function install(version: string): string {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = join(tmpdir(), "intake-nodes", version);
  const node = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", `${name}@${version}`], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return node;
}
