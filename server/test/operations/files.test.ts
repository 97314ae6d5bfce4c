// Files in a folder and in a bucket, with the real service and commands: kill −9, backup, restore and erasure.

import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readFileValue, readFileValues } from "../../../core/dictionary/files.ts";
import { ADMIN_SECRET, authorize, killProcesses, runCommand, startProcess } from "../../testing/process.ts";
import { cut, startS3, type TestS3 } from "../../testing/s3.ts";

const PLACES = ["folder", "bucket"] as const;
type Place = (typeof PLACES)[number];

let folder: string;
let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
  folder = mkdtempSync(join(tmpdir(), "intake-files-"));
  writeFileSync(join(folder, "dictionary.json"), JSON.stringify(PACKAGE));
});
afterEach(killProcesses);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await s3.close();
});

const PACKAGE = {
  title: "Equipment",
  resources: [
    {
      name: "devices",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "scan", type: "string", format: "file" },
          { name: "pages", type: "list", format: "file" },
        ],
        primaryKey: ["id"],
      },
    },
  ],
};
const ADMIN_KEY = `ink_preset.${ADMIN_SECRET}`;
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
/** Where a service or a command of this name has its files; that of the folder needs no word. */
const filesOf = (place: Place, data: string): Record<string, string> => (place === "bucket" ? s3.env(data) : {});
const start = (place: Place, data: string, more: Record<string, string> = {}) =>
  startProcess({
    ...filesOf(place, data),
    DATA_DIR: join(folder, place, data),
    DICTIONARY: join(folder, "dictionary.json"),
    ADMIN_KEY,
    RATE_PER_SECOND: "100000",
    RATE_BURST: "100000",
    ...more,
  });
const command = (place: Place, name: string, args: string[], data: string) =>
  runCommand(name, args, {
    ...filesOf(place, data),
    DATA_DIR: join(folder, place, data),
    DICTIONARY: join(folder, "dictionary.json"),
    ADMIN_KEY,
  });

const namesIn = (path: string) => readdirSync(path, { recursive: true, encoding: "utf8" });

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

test.each(PLACES)(
  "kill −9 at any moment leaves no record that names content that is not there, in a %s",
  { timeout: 180_000 },
  async (place) => {
    const acknowledged = new Map<number, number>();
    let versions = 0;
    for (let round = 0; round < 5; round++) {
      const { child, url, ended } = await start(place, "killed");
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
    const { url } = await start(place, "killed");
    const headers = await authorize(url, "preset", ADMIN_SECRET);
    for (const [id, version] of acknowledged) expect(await expectWhole(url, headers, id)).toBeGreaterThanOrEqual(version);
  },
);

test.each(PLACES)(
  "kill −9 between content and record loses no file of several that was answered, in a %s",
  { timeout: 180_000 },
  async (place) => {
    const answered = new Map<number, string[]>();
    const add = (url: string, headers: Headers, id: number, body: Uint8Array<ArrayBuffer>) => {
      const address = `${url}/v1/devices/${id}/pages?name=page.bin`;
      return fetch(address, { method: "POST", headers: { authorization: headers.authorization ?? "" }, body });
    };
    const expectPages = async (url: string, headers: Headers) => {
      for (const [id, hashes] of answered) {
        const { pages } = (await (await fetch(`${url}/v1/devices/${id}`, { headers })).json()) as { pages: string[] };
        const named = readFileValues(pages).map(({ hash }) => hash);
        expect(named).toEqual(expect.arrayContaining(hashes));
        for (const hash of named) {
          const reply = await fetch(`${url}/v1/devices/${id}/pages/${hash}`, { headers });
          expect([reply.status, hashOf(new Uint8Array(await reply.arrayBuffer()))]).toEqual([200, hash]);
        }
      }
    };
    for (let round = 0; round < 3; round++) {
      const { child, url, ended } = await start(place, "several");
      const headers = await authorize(url, "preset", ADMIN_SECRET);
      await expectPages(url, headers);
      const id = round + 1;
      await make(url, headers, id);
      const hashes: string[] = [];
      answered.set(id, hashes);
      const write = async (): Promise<void> => {
        for (;;) {
          const body = randomBytes(50_000);
          const reply = await add(url, headers, id, body);
          if (reply.status !== 200) throw new Error(`the service answered ${reply.status}`);
          hashes.push(hashOf(body));
        }
      };
      const writing = Promise.allSettled([write(), write(), write()]); // into one record
      await expect.poll(() => hashes.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(6 + round);
      child.kill("SIGKILL");
      await Promise.all([ended, writing]);
    }
    const { url } = await start(place, "several");
    await expectPages(url, await authorize(url, "preset", ADMIN_SECRET));
  },
);

test.each(PLACES)("a backup takes the files of a %s along, and a restore brings them back", { timeout: 120_000 }, async (place) => {
  const [saving, copy] = [join(folder, place), join(folder, place, "copy.db")];
  const live = await start(place, "live");
  const headers = await authorize(live.url, "preset", ADMIN_SECRET);
  await make(live.url, headers, 1);
  const [first, second] = [randomBytes(50_000), randomBytes(50_000)];
  for (const body of [first, second]) expect((await put(live.url, headers, 1, body)).status).toBe(200);
  const env = { URL: live.url, FILES: join(saving, "live", "files"), ADMIN_KEY, ...filesOf(place, "live") };
  const remote = await runCommand("backup", [join(saving, "remote.db")], { URL: live.url, ADMIN_KEY });
  expect([remote.code, remote.out]).toEqual([0, expect.stringContaining("The files of records are not in it")]);
  const saved = await runCommand("backup", [copy], env);
  expect([saved.code, saved.out]).toEqual([0, expect.stringContaining(`; 2 files in ${copy}.files`)]);
  live.child.kill("SIGKILL");
  await live.ended;
  const back = await command(place, "restore", [copy], "restored");
  expect([back.code, back.out]).toEqual([0, expect.stringContaining(", 2 files. Start the service on it.")]);
  const restored = await start(place, "restored");
  expect(await expectWhole(restored.url, await authorize(restored.url, "preset", ADMIN_SECRET), 1)).toBe(3);

  rmSync(`${copy}.files`, { recursive: true });
  const without = await command(place, "restore", [copy], "without");
  expect(without.out).toContain("There are no files of records in");
});

test.each(PLACES)("the command that erases removes the content of a %s, too", { timeout: 60_000 }, async (place) => {
  const live = await start(place, "erased");
  const headers = await authorize(live.url, "preset", ADMIN_SECRET);
  await make(live.url, headers, 1);
  const body = randomBytes(1_000);
  const { scan } = (await (await put(live.url, headers, 1, body)).json()) as { scan: string };
  const { hash = "" } = readFileValue(scan) ?? {};
  expect(hash).toBe(hashOf(body));
  const isKept = () => (place === "bucket" ? s3.keys("erased/") : namesIn(join(folder, place, "erased", "files"))).join().includes(hash);
  expect(isKept()).toBe(true);
  live.child.kill("SIGTERM");
  await live.ended;
  expect((await command(place, "erase", ["devices", "1"], "erased")).code).toBe(0);
  expect(isKept()).toBe(false);
});

test.each(PLACES)("memory stays flat while a large file comes to a %s and goes", { timeout: 120_000 }, async (place) => {
  const live = await start(place, "large");
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

test("a service whose bucket is out of reach goes on with records, says so in the log, and does not start", {
  timeout: 60_000,
}, async () => {
  const live = await start("bucket", "away");
  const headers = await authorize(live.url, "preset", ADMIN_SECRET);
  await make(live.url, headers, 1);
  s3.fault = cut;
  const refused = await put(live.url, headers, 1, randomBytes(10));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  expect((await make(live.url, headers, 2)).status).toBe(201);
  await expect.poll(live.output).toMatch(/"message":"S3 was not reached \(ECONNRESET\)".*"msg":"failed"/);
  const other = await start("bucket", "other");
  s3.fault = undefined;
  expect([other.url, other.output()]).toEqual([
    "",
    `Intake cannot start: FILES=s3://acme-files/other/ cannot be used: there is no answer from ${s3.url} (ECONNRESET). Check AWS_ENDPOINT_URL_S3 and AWS_REGION.\n`,
  ]);
  expect((await put(live.url, headers, 1, randomBytes(10))).status).toBe(200);
});

test("what comes for a bucket stands on disk without a name meanwhile", { timeout: 60_000 }, async () => {
  const spool = join(folder, "spool");
  mkdirSync(spool);
  const { url, child, ended } = await start("bucket", "spooled", { TMPDIR: spool });
  const headers = await authorize(url, "preset", ADMIN_SECRET);
  await make(url, headers, 1);
  expect((await put(url, headers, 1, randomBytes(1_000_000))).status).toBe(200);
  let isThere = false;
  s3.fault = async (context, next) => {
    isThere ||= context.method === "PUT" && Number(context.req.headers["content-length"]) > 0;
    await (isThere ? new Promise(() => undefined) : next());
  };
  const sent = put(url, headers, 1, randomBytes(1_000_000)).catch(() => undefined);
  await expect.poll(() => isThere).toBe(true);
  expect(readdirSync(spool)).toEqual([]);
  child.kill("SIGKILL");
  await Promise.all([ended, sent]);
  s3.fault = undefined;
  expect(readdirSync(spool)).toEqual([]);
});

test("a scanner is asked before a file is stored, and the log has what it refuses", { timeout: 60_000 }, async () => {
  const scanner = join(folder, "scanner.cjs");
  const answer = 'text.includes("virus") ? [1, "stdin: Eicar-Signature FOUND"] : text.includes("fault") ? [2, "ERROR"] : [0, "OK"]';
  writeFileSync(
    scanner,
    `let text = ""; process.stdin.on("data", (piece) => { text += piece; }).on("end", () => { const [code, word] = ${answer}; process.stdout.write(word, () => process.exit(code)); });`,
  );
  const live = await start("folder", "scanned", { FILES_SCAN: `"${process.execPath}" "${scanner}"` });
  const headers = await authorize(live.url, "preset", ADMIN_SECRET);
  await make(live.url, headers, 1);
  const send = (text: string) => put(live.url, headers, 1, new TextEncoder().encode(text));
  const refused = await send("a virus");
  const { code, detail } = (await refused.json()) as { code: string; detail: string };
  expect([refused.status, code]).toEqual([422, "FILE_REFUSED"]);
  expect(detail).toBe("The scanner of this service refuses the file, and nothing was stored: stdin: Eicar-Signature FOUND");
  const failed = await send("a fault");
  expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await (await send("a letter")).json()).toMatchObject({ version: 2 });
  await expect
    .poll(live.output)
    .toContain('"event":"file refused","by":"key preset","target":"devices/1","reason":"stdin: Eicar-Signature FOUND"');
  expect(live.output()).toContain('"message":"The scanner of FILES_SCAN ended with 2: ERROR"');
  expect((await start("folder", "unscanned", { FILES_SCAN: " " })).output()).toContain("FILES_SCAN is set, but empty");
});
