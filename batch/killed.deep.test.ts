// kill −9 of the command, of the service or of both at random moments, then resume: the store is the file, and nothing is there twice.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, readAll, type Started } from "../server/test-process.ts";
import { randomInt, rounds } from "../server/test-rounds.ts";
import { batch, customersCsv, makeFolder, startBatch, startService } from "./test-command.ts";

const folder = makeFolder();
afterAll(() => {
  killProcesses();
  folder.drop();
});

const ROUNDS = rounds(2, 100);
const ROWS = 5_000; // five batches
const LONGEST = 1_400; // ms from the command's start to a kill; some come before its first batch, some after its last

test(`a file whose command or service was killed in ${ROUNDS} rounds is stored in the end, every record once`, {
  timeout: 1_800_000,
}, async () => {
  let service = await startService(folder.path);
  const port = new URL(service.url).port;
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  for (let round = 0; round < ROUNDS; round++) {
    const path = join(folder.path, `round-${round}.csv`);
    writeFileSync(path, customersCsv(ROWS, `r${round}-`));
    const command = startBatch(service.url, ["run", path]);
    await new Promise((resolve) => setTimeout(resolve, randomInt(LONGEST)));
    const dies = randomInt(3); // the command, the service, both
    if (dies !== 0) service = await killService(service, port);
    if (dies !== 1) command.child.kill("SIGKILL");
    await command.ended;
    // Killed before its first batch it left nothing to resume, and is begun anew.
    const { code } = await batch(service.url, ["resume", path]);
    if (code !== 0) expect((await batch(service.url, ["run", path])).code).toBe(0);
    const stored = await readAll(service.url, headers, `&accountID[prefix]=r${round}-`);
    expect([stored.length, new Set(stored.map(({ accountID }) => accountID)).size]).toEqual([ROWS, ROWS]);
  }
});

/** And starts it again on its port, where the command looks for it. */
async function killService({ child, ended }: Started, port: string): Promise<Started> {
  child.kill("SIGKILL");
  await ended;
  return startService(folder.path, port);
}
