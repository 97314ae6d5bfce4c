// The files of the commands and threads that the run has built: commands.ts.

import { join } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Names the folder of intake.js, intake-batch.js and the threads. */
    commands: string;
    /** Names the places in node_modules whose scripts the build put into the commands. */
    bundledPackages: string[];
  }
}

export function builtFile(name: string): string {
  return join(inject("commands"), name);
}

/** Starts the thread of an import from its built file, which takes a quarter of the time that its source takes. */
export function startBuiltImportThread(options: WorkerOptions): Worker {
  return new Worker(builtFile("import-thread.js"), options);
}
