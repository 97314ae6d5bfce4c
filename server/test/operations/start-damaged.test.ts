// A store that was cut off or damaged is not taken for a new one or a whole one.

import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, startProcess } from "../../testing/process.ts";

let folder: string;
let whole: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-damaged-"));
  const DATA_DIR = join(folder, "whole");
  const { url, child, ended } = await startProcess({ DATA_DIR, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  const headers = await authorize(url, "preset", ADMIN_SECRET);
  const body = JSON.stringify(Array.from({ length: 2_000 }, (_, i) => ({ lastName: `Name ${i}`, accountID: `a${i}` })));
  expect((await fetch(`${url}/v1/customers`, { method: "POST", headers, body })).status).toBe(201);
  child.kill("SIGTERM");
  await ended;
  whole = readFileSync(join(DATA_DIR, "intake.db"));
});
afterEach(killProcesses);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the store in a folder of its own. */
function copyOf(name: string): string {
  mkdirSync(join(folder, name), { mode: 0o700 });
  const file = join(folder, name, "intake.db");
  writeFileSync(file, whole, { mode: 0o600 });
  return file;
}

async function outputOfFailedStart(name: string): Promise<string> {
  const { ended, output } = await startProcess({ DATA_DIR: join(folder, name) });
  expect([await ended, output().split("\n").length]).toEqual([1, 2]);
  return output();
}

test("a file of 0 bytes is refused, and left as it is", { timeout: 180_000 }, async () => {
  const file = copyOf("empty");
  truncateSync(file);
  expect(await outputOfFailedStart("empty")).toMatch(
    /intake\.db is empty, but a store never is: .* Restore a backup .* or delete the file to begin anew\n$/,
  );
  expect(statSync(file).size).toBe(0);
  rmSync(file);
  const anew = await startProcess({ DATA_DIR: join(folder, "empty") });
  expect(anew.output()).toContain("Intake is ready");
});

test("damaged pages and a file that is cut off are told in a sentence", { timeout: 180_000 }, async () => {
  for (const [name, at, length] of [
    ["page", 4_096 * 30, 4_096 * 3],
    ["middle", (whole.length >> 1) & ~4_095, 4_096],
    ["last", whole.length - 4_096, 4_096],
    ["schema", 100, 3_000], // the header of its page
  ] as const) {
    const handle = openSync(copyOf(name), "r+");
    writeSync(handle, Buffer.alloc(length, 7), 0, length, at);
    closeSync(handle);
    expect(await outputOfFailedStart(name)).toMatch(
      /^Intake cannot start: .*intake\.db is damaged \(.*\)\. Restore a backup \(docs\/operators\.md\)\n$/,
    );
  }
  truncateSync(copyOf("cut"), whole.length >> 1);
  expect(await outputOfFailedStart("cut")).toMatch(/intake\.db is damaged/);
  expect(readdirSync(join(folder, "cut"))).toContain("intake.db");
});
