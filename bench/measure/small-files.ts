// Measures how long a watcher takes for many small files, one after the other.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ADMIN_KEY, startService } from "../support/service.ts";
import { printTable, round } from "../support/table.ts";

export interface SmallFilesFigures {
  files: number;
  /** From the start of the command to its end. */
  seconds: number;
  /** Files a second in the first and in the last tenth: a rate that falls would fall further with more files. */
  first: number;
  last: number;
  /** Belong to the command's process, all threads, and to a file of the first and of the last tenth; NaN where the system does not say. */
  cpuSeconds: number;
  cpuFirst: number;
  cpuLast: number;
}

/** Files of two records, each with its marker. */
export async function measureSmallFiles(files: number): Promise<SmallFilesFigures> {
  const service = await startService({ RATE_PER_SECOND: "100000", RATE_BURST: "100000" });
  const folder = await mkdtemp(join(tmpdir(), "intake-bench-watch-"));
  try {
    for (let i = 0; i < files; i++) {
      const path = join(folder, `f${String(i).padStart(6, "0")}.csv`);
      await writeFile(path, `firstName,lastName,accountID\nMärta,Ångström,a${i}\nJohn,Smith,b${i}\n`);
      await writeFile(`${path}.done`, "");
    }
    const env = { ...process.env, INTAKE_URL: service.origin, INTAKE_KEY: ADMIN_KEY };
    const started = performance.now();
    const child = spawn(process.execPath, ["dist/node/intake-batch.js", "watch", folder, "--once", "--done"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(child, "exit");
    const movedAt: number[] = [];
    const cpuAt: number[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes(": exit code ")) continue;
      movedAt.push(performance.now());
      cpuAt.push(cpuOf(child.pid as number) ?? cpuAt.at(-1) ?? Number.NaN);
    }
    const [code] = (await ended) as [number | null];
    const seconds = (performance.now() - started) / 1000;
    const loaded = (await readdir(join(folder, "archive"))).filter((name) => name.endsWith(".csv")).length;
    if (code !== 0 || loaded !== files) throw new Error(`The watcher ended with ${code} and loaded ${loaded} files.`);
    const tenth = Math.floor(files / 10);
    const rate = (from: number, to: number) => (1000 * tenth) / ((movedAt[to] ?? 0) - (movedAt[from] ?? 0));
    const cpu = (from: number, to: number) => ((cpuAt[to] ?? 0) - (cpuAt[from] ?? 0)) / tenth;
    const [first, last] = [
      [0, tenth],
      [files - 1 - tenth, files - 1],
    ] as const;
    const rates = { first: rate(...first), last: rate(...last), cpuFirst: cpu(...first), cpuLast: cpu(...last) };
    return { files, seconds, ...rates, cpuSeconds: cpuAt.at(-1) ?? Number.NaN };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export function printSmallFiles({ files, seconds, first, last, cpuSeconds, cpuFirst, cpuLast }: SmallFilesFigures): void {
  printTable(
    `Watched folder: ${files} files of two records`,
    ["what", "s or files/s"],
    [
      ["from the start of the command to its end", round(seconds)],
      ["CPU of its process", round(cpuSeconds)],
      ["files a second in the first tenth", round(first)],
      ["files a second in the last tenth", round(last)],
      ["CPU ms a file in the first tenth", round(1000 * cpuFirst)],
      ["CPU ms a file in the last tenth", round(1000 * cpuLast)],
    ],
  );
}

/** Fields 14 and 15 of /proc/<pid>/stat, in hundredths of a second. Undefined when the process has ended, and elsewhere than on Linux. */
function cpuOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}
