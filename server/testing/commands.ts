// Builds the commands `intake` and `intake-batch` once for all tests that start them as processes.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { PACKAGE_FOLDER } from "../package-folder.ts";

let building: Promise<string> | undefined;

/** Vitest's globalSetup. The projects of one run share what is built. */
export async function setup(project: TestProject): Promise<() => void> {
  building ??= build();
  const folder = await building;
  project.provide("commands", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** As `npm run build:node`, in a folder of this run, so that a build beside it does no harm. */
async function build(): Promise<string> {
  const vite = await import("vite");
  const folder = join(PACKAGE_FOLDER, "dist", `test-${process.pid}`);
  await vite.build({ configFile: join(PACKAGE_FOLDER, "build/node.config.ts"), logLevel: "error", build: { outDir: folder } });
  return folder;
}
