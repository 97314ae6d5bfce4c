// Files with the real service and commands: kill −9 at any moment, backup, restore and erasure.

import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readFileValue } from "../../../core/dictionary/files.ts";
import { ADMIN_SECRET, authorize, killProcesses, runCommand, startProcess } from "../../testing/process.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-files-"));
  writeFileSync(join(folder, "dictionary.json"), JSON.stringify(PACKAGE));
});
afterEach(killProcesses);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PACKAGE = {
  title: "Equipment",
  resources: [
    {
      name: "devices",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "scan", type: "string", format: "file" },
        ],
        primaryKey: ["id"],
      },
    },
  ],
};
const ADMIN_KEY = `ink_preset.${ADMIN_SECRET}`;
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const start = (data: string) =>
  startProcess({
    DATA_DIR: join(folder, data),
    DICTIONARY: join(folder, "dictionary.json"),
    ADMIN_KEY,
    RATE_PER_SECOND: "100000",
    RATE_BURST: "100000",
  });
const command = (name: string, args: string[], data: string) =>
  runCommand(name, args, { DATA_DIR: join(folder, data), DICTIONARY: join(folder, "dictionary.json"), ADMIN_KEY });

type Headers = Record<string, string>;
const put = (url: string, headers: Headers, id: number, body: Uint8Array<ArrayBuffer>) =>
  fetch(`${url}/v1/devices/${id}/scan?name=scan.bin`, { method: "PUT", headers: { authorization: headers.authorization ?? "" }, body });
const make = (url: string, headers: Headers, id: number) =>
  fetch(`${url}/v1/devices`, { method: "POST", headers, body: JSON.stringify({ id }) });

/** Reads each version that the history has, and holds the bytes to the hash that the record names. */
async function expectWhole(url: string, headers: Headers, id: number): Promise<number> {
  const { version } = (await (await fetch(`${url}/v1/devices/${id}`, { headers })).json()) as { version: number };
  const before = version - (version % 100_000); // by which a restored store is ahead
  for (let one = before + 2; one <= version; one++) {
    const reply = await fetch(`${url}/v1/devices/${id}/scan?version=${one}`, { headers });
    expect([one, reply.status]).toEqual([one, 200]);
    expect(`"${hashOf(new Uint8Array(await reply.arrayBuffer()))}"`).toBe(reply.headers.get("etag"));
  }
  return version - before;
}

test("kill −9 at any moment leaves no record that names content that is not there", { timeout: 180_000 }, async () => {
  const acknowledged = new Map<number, number>();
  let versions = 0;
  for (let round = 0; round < 5; round++) {
    const { child, url, ended } = await start("killed");
    const headers = await authorize(url, "preset", ADMIN_SECRET);
    for (const id of acknowledged.keys()) expect(await expectWhole(url, headers, id)).toBeGreaterThanOrEqual(acknowledged.get(id) ?? 0);
    const write = async (id: number): Promise<void> => {
      await make(url, headers, id);
      for (;;) {
        const reply = await put(url, headers, id, randomBytes(200_000));
        if (reply.status !== 200) throw new Error(`the service answered ${reply.status}`);
        acknowledged.set(id, ((await reply.json()) as { version: number }).version);
        versions += 1;
      }
    };
    const before = versions;
    const writing = Promise.allSettled([1, 2, 3, 4].map((n) => write(round * 4 + n)));
    await expect.poll(() => versions, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before + 6 + round);
    child.kill("SIGKILL");
    await Promise.all([ended, writing]);
  }
  const { url } = await start("killed");
  const headers = await authorize(url, "preset", ADMIN_SECRET);
  for (const [id, version] of acknowledged) expect(await expectWhole(url, headers, id)).toBeGreaterThanOrEqual(version);
});

test("a backup takes the files along, and a restore brings them back", { timeout: 120_000 }, async () => {
  const live = await start("live");
  const headers = await authorize(live.url, "preset", ADMIN_SECRET);
  await make(live.url, headers, 1);
  const [first, second] = [randomBytes(50_000), randomBytes(50_000)];
  for (const body of [first, second]) expect((await put(live.url, headers, 1, body)).status).toBe(200);
  const env = { URL: live.url, FILES: join(folder, "live", "files"), ADMIN_KEY };
  const remote = await runCommand("backup", [join(folder, "remote.db")], { URL: live.url, ADMIN_KEY });
  expect([remote.code, remote.out]).toEqual([0, expect.stringContaining("The files of records are not in it")]);
  const saved = await runCommand("backup", [join(folder, "copy.db")], env);
  expect([saved.code, saved.out]).toEqual([0, expect.stringContaining(`; 2 files in ${join(folder, "copy.db.files")}`)]);
  live.child.kill("SIGKILL");
  await live.ended;
  const back = await command("restore", [join(folder, "copy.db")], "restored");
  expect([back.code, back.out]).toEqual([0, expect.stringContaining(", 2 files. Start the service on it.")]);
  const restored = await start("restored");
  expect(await expectWhole(restored.url, await authorize(restored.url, "preset", ADMIN_SECRET), 1)).toBe(3);

  rmSync(join(folder, "copy.db.files"), { recursive: true });
  const without = await command("restore", [join(folder, "copy.db")], "without");
  expect(without.out).toContain("There are no files of records in");
});

test("the command that erases removes the content, too", { timeout: 60_000 }, async () => {
  const live = await start("erased");
  const headers = await authorize(live.url, "preset", ADMIN_SECRET);
  await make(live.url, headers, 1);
  const body = randomBytes(1_000);
  const { scan } = (await (await put(live.url, headers, 1, body)).json()) as { scan: string };
  const { hash = "" } = readFileValue(scan) ?? {};
  expect(hash).toBe(hashOf(body));
  const place = join(folder, "erased", "files", hash.slice(0, 2), hash);
  expect(existsSync(place)).toBe(true);
  live.child.kill("SIGTERM");
  await live.ended;
  expect((await command("erase", ["devices", "1"], "erased")).code).toBe(0);
  expect([existsSync(place), readdirSync(join(folder, "erased", "files", "leaving"))]).toEqual([false, []]);
});

test("memory stays flat while a large file comes and goes", { timeout: 120_000 }, async () => {
  const live = await start("large");
  const headers = await authorize(live.url, "preset", ADMIN_SECRET);
  await make(live.url, headers, 1);
  const memory = async () => {
    const text = await (await fetch(`${live.url}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? Number.NaN);
  };
  await put(live.url, headers, 1, randomBytes(1_000_000));
  const before = await memory();
  const all = await Promise.all(Array.from({ length: 4 }, () => put(live.url, headers, 1, new Uint8Array(24_000_000))));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const reply = await fetch(`${live.url}/v1/devices/1/scan`, { headers });
  expect((await reply.arrayBuffer()).byteLength).toBe(24_000_000);
  expect((await memory()) - before).toBeLessThan(80_000_000); // of 96 MB that came at once
});
