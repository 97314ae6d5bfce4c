// Starts the threads of SQLite stores: one that writes and some that read, for all stores of the process.

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { callThread } from "./engine/sqlite/calls.ts";
import type { ReaderCalls, ReaderThread } from "./engine/sqlite/reader.ts";
import { createReaderPool } from "./engine/sqlite/reader-pool.ts";
import type { SqliteThreads } from "./engine/sqlite/store.ts";
import type { WriterCalls } from "./engine/sqlite/writer.ts";
import { PACKAGE_FOLDER } from "./package-folder.ts";

export type ThreadRole = "writer" | "reader";

const [FEWEST_READERS, MOST_READERS] = [3, 6];
export const READERS = Math.min(MOST_READERS, Math.max(FEWEST_READERS, availableParallelism()));

// libsql runs asynchronous calls in threads of its own, by default one for each core: two costly reads would then hold up all others.
// Two for each of ours, because a call can wait behind one that runs although another thread is free. Read at its first call.
Object.assign(process.env, { TOKIO_WORKER_THREADS: String(2 * READERS) });

const YOUNG = 16; // MB for new objects of each thread; more makes nothing faster

let threads: SqliteThreads | undefined;

/** Started at the first call; a thread that reads is started when it is needed. They never keep the process alive. */
export function sqliteThreads(): SqliteThreads {
  threads ??= {
    writer: callThread<WriterCalls>(startThread("writer")),
    readers: createReaderPool(READERS, startReader),
  };
  return threads;
}

async function startReader(): Promise<ReaderThread> {
  const thread: ReaderThread = callThread<ReaderCalls>(startThread("reader"));
  await thread.call("ready");
  return thread;
}

function startThread(role: ThreadRole): Worker {
  const options = { workerData: role, resourceLimits: { maxYoungGenerationSizeMb: YOUNG } };
  // The build has it beside this chunk or one folder above.
  const built = ["sqlite-thread.js", "../sqlite-thread.js"].map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  if (built) return new Worker(built, options);
  // Node 20 does not hand its loader on to threads.
  const source = pathToFileURL(join(PACKAGE_FOLDER, "server/sqlite-thread.ts")).href;
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(source)}); })`;
  return new Worker(start, { ...options, eval: true, execArgv: [] });
}
