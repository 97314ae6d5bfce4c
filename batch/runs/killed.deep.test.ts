// Kills the command, the service or both at random moments; after `resume` each record is stored once.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { rowsXml, xlsxFile } from "../../pipeline/testing/workbooks.ts";
import { ADMIN_SECRET, authorize, killProcesses, readAll, type Started } from "../../server/testing/process.ts";
import { randomInt, rounds } from "../../server/testing/rounds.ts";
import { batch, customersCsv, makeFolder, type Running, startBatch, startService } from "../testing/process.ts";

const folder = makeFolder();
afterAll(() => {
  killProcesses();
  folder.remove();
});

const ROUNDS = rounds(1, 25);
const FILES = 5; // loaded at once; the command of the first one lives through it
const ROWS = 5_000; // five batches
const SENDING = 600; // ms, in which most of the batches leave

test(`${ROUNDS * FILES} files whose commands and service were killed are stored in the end, every record once`, {
  timeout: 1_800_000,
}, async () => {
  let service = await startService(folder.path);
  const port = new URL(service.url).port;
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  for (let round = 0; round < ROUNDS; round++) {
    const names = Array.from({ length: FILES }, (_, i) => `r${round}f${i}-`);
    const paths = names.map((name, i) => join(folder.path, `${name}.${i % 2 === 0 ? "csv" : "xlsx"}`));
    for (const [i, path] of paths.entries()) writeFileSync(path, await contentOf(path, customersCsv(ROWS, names[i])));
    const commands = paths.map((path) => startBatch(service.url, ["run", path, "--json"]));
    const deaths = commands.slice(1).map(async (command) => {
      await comeNear(command);
      command.child.kill("SIGKILL");
    });
    await comeNear(commands[randomInt(FILES)] as Running);
    service = await killService(service, port);
    await Promise.all([...deaths, ...commands.map(({ ended }) => ended)]);
    // Killed before its first batch it left nothing to resume, and is begun anew.
    const resume = async (path: string) => {
      const { code } = await batch(service.url, ["resume", path]);
      return code === 0 ? code : (await batch(service.url, ["run", path])).code;
    };
    expect(await Promise.all(paths.map(resume))).toEqual(paths.map(() => 0));
    for (const name of names) {
      const stored = await readAll(service.url, headers, `&accountID[prefix]=${name}`);
      expect([stored.length, new Set(stored.map(({ accountID }) => accountID)).size]).toEqual([ROWS, ROWS]);
    }
  }
});

/** The text itself, or a workbook with its rows. */
async function contentOf(path: string, csv: string): Promise<string | Uint8Array> {
  if (path.endsWith(".csv")) return csv;
  const rows = csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  return new Uint8Array(await xlsxFile([{ name: "Customers", xml: rowsXml(rows) }]).arrayBuffer());
}

/** Some moment while the batches leave, sometimes before the first or after the last. */
async function comeNear(command: Running): Promise<void> {
  if (randomInt(4) > 0) await command.untilOutput('"step":"checked"');
  await new Promise((resolve) => setTimeout(resolve, randomInt(SENDING)));
}

/** And starts it again on its port, where the command looks for it. */
async function killService({ child, ended }: Started, port: string): Promise<Started> {
  child.kill("SIGKILL");
  await ended;
  return startService(folder.path, port);
}
