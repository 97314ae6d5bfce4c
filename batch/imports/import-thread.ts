// The beginning of the thread that the service starts for an import. It uses the API as any client does.

import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { ImportOrder } from "../../core/contract/imports.ts";
import { createCalls } from "./calls.ts";
import { runImport } from "./run-import.ts";

const port = parentPort as MessagePort;
const cancelled = new AbortController();
const calls = createCalls(port, () => cancelled.abort());
await calls.end(await runImport(workerData as ImportOrder, calls, cancelled.signal));
port.close();
