// The CPU time that a process has used, as Linux counts it. On a machine shared with others it is steadier than the clock.

import { readFileSync } from "node:fs";

const TICK = 10; // ms; the kernel counts in hundredths of a second

/** ms, user and system, all threads together. */
export function cpuOf(pid: number): number {
  const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ", 2);
  const fields = after.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
