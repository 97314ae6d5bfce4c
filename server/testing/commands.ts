// Builds the commands `intake` and `intake-batch` once for all tests that start them as processes.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { PACKAGE_FOLDER } from "../package-folder.ts";

interface BuiltCommands {
  folder: string;
  /** Where the packages stand that the build put into the files, as package-lock.json has it: node_modules/a/node_modules/b. */
  packages: string[];
}

let building: Promise<BuiltCommands> | undefined;

/** Vitest's globalSetup. The projects of one run share what is built. */
export async function setup(project: TestProject): Promise<() => void> {
  building ??= build();
  const { folder, packages } = await building;
  project.provide("commands", folder);
  project.provide("bundledPackages", packages);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** As `npm run build:node`, in a folder of this run, so that a build beside it does no harm. */
async function build(): Promise<BuiltCommands> {
  const vite = await import("vite");
  const folder = join(PACKAGE_FOLDER, "dist", `test-${process.pid}`);
  const configFile = join(PACKAGE_FOLDER, "build/node.config.ts");
  const built = await vite.build({ configFile, logLevel: "error", build: { outDir: folder } });
  if (!("output" in built)) throw new Error("The build has no output or several.");
  const modules = built.output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  const places = modules.flatMap((id) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return { folder, packages: [...new Set(places)].sort() };
}
