// Tests files that are read through a command of the operator, and that their clear text never stays on the disk.

import { createCipheriv, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { batch, customersCsv, startBatch } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, proxy, service, stored, storedOnce, write } = testService;

const KEY = randomBytes(32);
const keyFile = write("key", KEY.toString("hex"));
const program = write(
  "decrypt.mjs",
  `import { createDecipheriv } from "node:crypto";
import { readFileSync } from "node:fs";
const [iv, tag, text] = ((bytes) => [bytes.subarray(0, 12), bytes.subarray(12, 28), bytes.subarray(28)])(readFileSync(0));
const cipher = createDecipheriv("aes-256-gcm", Buffer.from(readFileSync(process.argv[2], "utf8"), "hex"), iv).setAuthTag(tag);
process.stdout.write(Buffer.concat([cipher.update(text), cipher.final()]));`,
);
const DECRYPT = ["--decrypt", `"${process.execPath}" "${program}" "${keyFile}"`];

/** Different bytes each time, as those of PGP are. */
function encrypted(text: string | Uint8Array): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", KEY, iv);
  const bytes = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), bytes]);
}

/** The files below a folder that have this text. */
function filesWith(path: string, text: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    return entry.isFile() && readFileSync(file).includes(text) ? [file] : [];
  });
}

test("an encrypted file is loaded, and known by its clear text: encrypted anew it is not loaded once more", async () => {
  const path = write("once/a.csv.pgp", encrypted(customersCsv(3, "secret-a")));
  expect((await batch(service.url, ["validate", path, ...DECRYPT])).code).toBe(0);
  expect((await batch(service.url, ["show", path, ...DECRYPT])).out).toContain("secret-a0");
  expect((await batch(service.url, ["run", path, ...DECRYPT])).code).toBe(0);
  expect(await stored("secret-a")).toHaveLength(3);
  const second = write("once/b.csv.gpg", encrypted(customersCsv(3, "secret-a")));
  expect((await batch(service.url, ["run", second, ...DECRYPT])).code).toBe(5);
  expect(filesWith(join(folder, "once"), "secret-a")).toEqual([]);
});

test("what is in it is read by its form, packed or not", async () => {
  const path = write("packed/a.csv.gz.pgp", encrypted(gzipSync(customersCsv(2, "packed-secret"))));
  expect((await batch(service.url, ["run", path, ...DECRYPT])).code).toBe(0);
  expect(await stored("packed-secret")).toHaveLength(2);
});

test("a file that the command cannot decrypt is refused with its last words, and a watcher puts it aside with a report", async () => {
  const { path: inbox, put, within } = makeInbox(folder, "wrong");
  put("a.csv.pgp", "no cipher text of ours, and long enough for a tag");
  const { code, stderr } = await batch(service.url, ["watch", inbox, "--once", "--settle", "0", ...DECRYPT]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Nothing of a\.csv\.pgp was stored: the command of --decrypt ended with code 1: .*auth/),
  ]);
  expect(within("rejected")).toEqual(["a.csv.pgp", "a.csv.pgp.report.json", "a.csv.pgp.report.txt"]);
});

test("a kill leaves no clear text behind, and the next watch goes on with each record stored once", async () => {
  const { path: inbox, write: put, filesWithin } = makeInbox(folder, "killed");
  const text = customersCsv(60_000, "killed-secret-"); // more than is kept in memory
  expect(text.length).toBeGreaterThan(1024 * 1024);
  const path = put("a.csv.pgp", "");
  write("killed/a.csv.pgp", encrypted(text));
  put("a.csv.pgp.done", "");
  proxy.letThrough(3);
  const watcher = startBatch(proxy.url, ["watch", inbox, "--once", "--settle", "0", ...DECRYPT]);
  await proxy.untilHeld();
  const [left] = readdirSync(join(inbox, ".intake")).filter((name) => name.endsWith(".new"));
  watcher.child.kill("SIGKILL");
  await watcher.ended;
  proxy.open();
  expect([left, existsSync(path), filesWithin("processing")]).toEqual([undefined, false, ["a.csv.pgp"]]);
  expect(filesWith(inbox, "killed-secret-")).toEqual([]);
  expect((await batch(service.url, ["watch", inbox, "--once", "--settle", "0", ...DECRYPT])).code).toBe(0);
  expect(await storedOnce("killed-secret-")).toEqual([60_000, 60_000]);
  expect(filesWithin("archive")).toEqual(["a.csv.pgp"]);
}, 180_000);

test("a run that stopped is resumed with the same command", async () => {
  const path = write("stopped/a.csv.pgp", encrypted(customersCsv(12_000, "stopped-secret-")));
  expect((await testService.stopMidway(["run", path, ...DECRYPT])).code).toBe(3);
  expect((await batch(service.url, ["resume", path, ...DECRYPT])).code).toBe(0);
  expect(await storedOnce("stopped-secret-")).toEqual([12_000, 12_000]);
}, 180_000);
