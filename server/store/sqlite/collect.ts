// libsql ends a connection only when its statements were garbage collected.

import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/** Collects this thread's garbage, so that connections that were closed before have really ended. */
export async function collectGarbage(): Promise<void> {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
  await setImmediate(); // what was collected is freed after the current task
}
