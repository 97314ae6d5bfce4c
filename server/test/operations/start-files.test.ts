// The store's files are for the service's user alone.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, runCommand, startProcess } from "../../testing/process.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-files-"));
});
afterEach(killProcesses);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ADMIN_KEY = `ink_preset.${ADMIN_SECRET}`;
const modeOf = (path: string) => statSync(path).mode & 0o777;
const hasModes = process.platform !== "win32";

test.runIf(hasModes)("new folders are 0700; the store, its log and a backup are 0600", { timeout: 180_000 }, async () => {
  const DATA_DIR = join(folder, "above", "data");
  const { url, child, ended } = await startProcess({ DATA_DIR, ADMIN_KEY });
  const headers = await authorize(url, "preset", ADMIN_SECRET);
  expect((await fetch(`${url}/v1/customers`, { headers })).status).toBe(200);
  const modes = () => Object.fromEntries(readdirSync(DATA_DIR).map((name) => [name, modeOf(join(DATA_DIR, name))]));
  expect([modeOf(join(folder, "above")), modeOf(DATA_DIR)]).toEqual([0o700, 0o700]);
  expect(modes()).toEqual({
    "intake.db": 0o600,
    "intake.db-shm": 0o600,
    "intake.db-wal": 0o600,
    "intake.db.lock": 0o600,
    "intake.db.reserve": 0o600,
  });
  const copy = join(folder, "a.db");
  expect((await runCommand("backup", [copy], { DATA_DIR, URL: url, ADMIN_KEY })).code).toBe(0);
  expect(modeOf(copy)).toBe(0o600);
  child.kill("SIGTERM");
  await ended;
  expect(modes()).toEqual({ "intake.db": 0o600, "intake.db.lock": 0o600, "intake.db.reserve": 0o600 });
});

test.runIf(hasModes)(
  "a start on files that others may use is refused with the command that mends it, unless it is allowed",
  {
    timeout: 180_000,
  },
  async () => {
    const DATA_DIR = join(folder, "open data");
    mkdirSync(DATA_DIR);
    chmodSync(DATA_DIR, 0o750);
    const file = join(DATA_DIR, "intake.db");
    const first = await startProcess({ DATA_DIR });
    expect([await first.ended, first.output()]).toEqual([
      1,
      `Intake cannot start: other users of this machine may use ${DATA_DIR}. Run: chmod 700 '${DATA_DIR}'. If they shall, set SHARED_DATA_DIR=true\n`,
    ]);
    expect(readdirSync(DATA_DIR)).toEqual([]);
    const allowed = await startProcess({ DATA_DIR, SHARED_DATA_DIR: "true", ADMIN_KEY });
    expect(allowed.url).toMatch(/^http/);
    allowed.child.kill("SIGTERM");
    await allowed.ended;
    chmodSync(DATA_DIR, 0o700);
    chmodSync(file, 0o644);
    const second = await runCommand("keys", ["list"], { DATA_DIR });
    expect([second.code, second.error]).toEqual([1, expect.stringContaining(`may use ${file}. Run: chmod 600 '${file}'. `)]);
    chmodSync(file, 0o600);
    expect((await runCommand("keys", ["list"], { DATA_DIR })).out).toContain("preset  admin");
    const wrong = await startProcess({ DATA_DIR, SHARED_DATA_DIR: "yes" });
    expect([await wrong.ended, wrong.output()]).toEqual([1, 'Intake cannot start: SHARED_DATA_DIR must be true or false, not "yes".\n']);
  },
);
