// Finds a browser on this machine, or installs one, for tests and measurements.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

export interface FoundBrowser {
  executablePath: string;
  args: string[];
}

/** Debian has both packages. The one without windows of its own comes first: it takes half of the time for the same pages. */
const PACKAGES = ["chromium-headless-shell", "chromium"];
const NAMES = [...PACKAGES, "chromium-browser", "google-chrome"];

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
  return named("CHROMIUM_PATH") ?? onPath(NAMES) ?? [chromium.executablePath()].find((path) => existsSync(path));
}

/** FIREFOX_PATH, a Firefox on the PATH, or Debian's package (as root). Throws with what to do when there is none. */
export function findFirefox(): string {
  const installed = () => named("FIREFOX_PATH") ?? onPath(["firefox-esr", "firefox"]);
  const found = installed() ?? (installPackage("firefox-esr") ? installed() : undefined);
  if (!found) throw new Error("No Firefox was found and none could be installed. Install one and name it in FIREFOX_PATH.");
  return found;
}

export interface FoundWebKit {
  /** WebKitWebDriver. */
  driver: string;
  /** MiniBrowser. */
  browser: string;
  /** Xvfb, because WebKit needs a screen. */
  screen: string;
}

/** WEBKIT_PATH (MiniBrowser) or Debian's package, with its driver and a screen in memory (as root). Throws with what to do when there is none. */
export function findWebKit(): FoundWebKit {
  const installed = (): FoundWebKit | undefined => {
    const [driver, screen] = [onPath(["WebKitWebDriver"]), onPath(["Xvfb"])];
    const browser = named("WEBKIT_PATH") ?? MINI_BROWSERS.find((path) => existsSync(path));
    return driver && screen && browser ? { driver, browser, screen } : undefined;
  };
  const found = installed() ?? (installPackage("webkit2gtk-driver", "xvfb") ? installed() : undefined);
  if (!found) throw new Error("No WebKit was found and none could be installed. Install webkit2gtk-driver and xvfb.");
  return found;
}

const MINI_BROWSERS = ["x86_64", "aarch64"].flatMap((machine) =>
  ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"].map((version) => `/usr/lib/${machine}-linux-gnu/${version}/MiniBrowser`),
);

function named(variable: string): string | undefined {
  const path = process.env[variable];
  if (path && !existsSync(path)) throw new Error(`${variable} names ${path}, which does not exist.`);
  return path || undefined;
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

function install(): string {
  const fromDebian = () => PACKAGES.find((name) => installPackage(name) && installed());
  if (!fromDebian()) run(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"]);
  const found = installed();
  if (!found) throw new Error("No Chromium was found and none could be installed. Install one and name it in CHROMIUM_PATH.");
  return found;
}

/** False where Debian's packages cannot be installed. */
function installPackage(...names: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return false;
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names]);
  return true;
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
