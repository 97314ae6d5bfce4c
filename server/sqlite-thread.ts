// The beginning of a thread that sqlite-threads.ts starts.

import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { toAnswer } from "./routes/records/answers.ts";
import type { ThreadRole } from "./sqlite-threads.ts";
import { serveCalls } from "./store/sqlite/calls.ts";
import { createReaderCalls } from "./store/sqlite/reader.ts";
import { createWriterCalls } from "./store/sqlite/writer.ts";

const CALLS = {
  writer: () => createWriterCalls(toAnswer),
  reader: createReaderCalls,
} satisfies Record<ThreadRole, () => unknown>;

serveCalls(parentPort as MessagePort, CALLS[workerData as ThreadRole]());
