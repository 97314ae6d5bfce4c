// Finds a Chromium on this machine, or installs one, for tests and measurements.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

export interface FoundBrowser {
  executablePath: string;
  args: string[];
}

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/**
 * In this order: CHROMIUM_PATH, a Chromium on the PATH, Playwright's own, Debian's package (as root), Playwright's own
 * by download. Throws with what to do when there is none. The download takes minutes; only the first call does it.
 */
export function findChromium(): FoundBrowser {
  const executablePath = installed() ?? install();
  return { executablePath, args: [...QUIET, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])] };
}

// Without these the browser calls its maker's hosts at every start, which costs time where there is no internet.
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"];

function installed(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
    return named;
  }
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  return found ?? [chromium.executablePath()].find((path) => existsSync(path));
}

function install(): string {
  if (process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0) {
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"]);
  } else {
    run(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"]);
  }
  const found = installed();
  if (!found) throw new Error("No Chromium was found and none could be installed. Install one and name it in CHROMIUM_PATH.");
  return found;
}

function run(command: string, args: string[]): void {
  console.log(`Getting a browser: ${command} ${args.join(" ")}`);
  try {
    // Output goes to stderr: a reporter may own stdout.
    execFileSync(command, args, {
      stdio: ["ignore", process.stderr, process.stderr],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  } catch {
    // The caller looks whether a browser is there now.
  }
}
