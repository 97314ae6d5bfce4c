// Starts the threads of SQLite stores: one that writes and some that read, for all stores of the process.

import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { callThread } from "./engine/sqlite/calls.ts";
import type { ReaderCalls, ReaderThread } from "./engine/sqlite/reader.ts";
import { createReaderPool } from "./engine/sqlite/reader-pool.ts";
import type { SqliteThreads } from "./engine/sqlite/store.ts";
import type { WriterCalls } from "./engine/sqlite/writer.ts";
import { startThread } from "./threads.ts";

export type ThreadRole = "writer" | "reader";

const [FEWEST_READERS, MOST_READERS] = [3, 6];
export const READERS = Math.min(MOST_READERS, Math.max(FEWEST_READERS, availableParallelism()));

// libsql runs asynchronous calls in threads of its own, by default one for each core: two costly reads would then hold up all others.
// Two for each of ours, because a call can wait behind one that runs although another thread is free. Read at its first call.
Object.assign(process.env, { TOKIO_WORKER_THREADS: String(2 * READERS) });

const YOUNG = 16; // MB for new objects of each thread; more makes nothing faster

let threads: SqliteThreads | undefined;

/** They start at the first call; a thread that reads is started when it is needed. They never keep the process alive. */
export function sqliteThreads(): SqliteThreads {
  threads ??= {
    writer: callThread<WriterCalls>(startSqliteThread("writer")),
    readers: createReaderPool(READERS, startReader),
  };
  return threads;
}

async function startReader(): Promise<ReaderThread> {
  const thread: ReaderThread = callThread<ReaderCalls>(startSqliteThread("reader"));
  await thread.call("ready");
  return thread;
}

function startSqliteThread(role: ThreadRole): Worker {
  const options = { workerData: role, resourceLimits: { maxYoungGenerationSizeMb: YOUNG } };
  return startThread("sqlite-thread", "server/sqlite-thread.ts", options);
}
