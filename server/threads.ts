// Starts threads, which the build has as files of their own and development as TypeScript.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { PACKAGE_FOLDER } from "./package-folder.ts";

/** Starts the thread of an import, which uses the API as any client does. */
export function startImportThread(options: WorkerOptions): Worker {
  return startThread("import-thread", "batch/imports/import-thread.ts", options);
}

/** `name`: as the build has it (build/node.config.ts). `source`: the file from the folder of the package. */
export function startThread(name: string, source: string, options: WorkerOptions): Worker {
  // The build has it beside this chunk or one folder above.
  const built = [`${name}.js`, `../${name}.js`].map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  if (built) return new Worker(built, options);
  // Node 20 does not hand its loader on to threads.
  const url = pathToFileURL(join(PACKAGE_FOLDER, source)).href;
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(url)}); })`;
  return new Worker(start, { ...options, eval: true, execArgv: [] });
}
