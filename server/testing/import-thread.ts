// Starts the thread of an import from the files that the run has built, which takes a quarter of the time that its source takes.

import { join } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { inject } from "vitest";

export function startBuiltImportThread(options: WorkerOptions): Worker {
  return new Worker(join(inject("commands"), "import-thread.js"), options);
}
