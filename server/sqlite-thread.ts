// The beginning of a thread that sqlite-threads.ts starts.

import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { serveCalls } from "./engine/sqlite/calls.ts";
import { createReaderCalls } from "./engine/sqlite/reader.ts";
import { createWriterCalls } from "./engine/sqlite/writer.ts";
import { toAnswer } from "./records/answers.ts";
import type { ThreadRole } from "./sqlite-threads.ts";

const CALLS = {
  writer: () => createWriterCalls(toAnswer),
  reader: createReaderCalls,
} satisfies Record<ThreadRole, () => unknown>;

serveCalls(parentPort as MessagePort, CALLS[workerData as ThreadRole]());
