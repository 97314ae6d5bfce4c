// A scanner is given content before it is kept, in a folder and in a bucket, and nothing is kept without its answer.

import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startS3, type TestS3 } from "../testing/s3.ts";
import type { Content } from "./content.ts";
import { createContentFolder } from "./folder/content-folder.ts";
import { createS3Content } from "./s3/s3-content.ts";
import { ContentRefused, withScanner } from "./scan.ts";

/** Answers by what it reads, and takes the first word for what it is to do. */
const SCANNER = `
const digest = require("node:crypto").createHash("sha256");
const say = (code, text) => process.stdout.write(text, () => process.exit(code));
let first;
process.stdin.on("data", (piece) => {
  digest.update(piece);
  first ??= String(piece).split(" ", 1)[0];
});
process.stdin.on("end", () => {
  if (first === "virus") say(1, "\\n \\u0007stdin: Eicar-Signature FOUND\\r\\nmore");
  else if (first === "mute") say(1, "");
  else if (first === "fault") say(2, "ERROR: no signatures");
  else if (first === "hash") say(1, digest.digest("hex"));
  else if (first === "environment") say(1, Object.keys(process.env).join());
  else if (first === "forever") setInterval(() => {}, 1000);
  else say(0, "OK");
});
`;

let folder: string;
let s3: TestS3;
let command: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-scan-"));
  s3 = await startS3();
  writeFileSync(join(folder, "scanner.cjs"), SCANNER);
  command = `"${process.execPath}" "${join(folder, "scanner.cjs")}"`;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await s3.close();
});

const KINDS: { kind: string; open(): Content; coming(): string[] }[] = [
  {
    kind: "a folder",
    open: () => createContentFolder(join(folder, "files")),
    coming: () => readdirSync(join(folder, "files", "incoming")),
  },
  { kind: "a bucket", open: () => createS3Content(s3.client("files")), coming: () => s3.keys("files/incoming/") },
];

describe.each(KINDS)("content for $kind", ({ open, coming }) => {
  async function put(text: string | Buffer, { line = command, within }: { line?: string; within?: number } = {}): Promise<string> {
    const content = withScanner(open(), line, within);
    const received = await content.receive(Readable.from([Buffer.from(text)]), 10_000_000, () => new Error("too large"));
    await (await received.keep()).release();
    return received.hash;
  }
  const nothing = async () => expect([await open().list(), coming()]).toEqual([[], []]);

  test("is refused in the words of the scanner, one line without signs that nobody sees, and leaves nothing", async () => {
    const refused = await put("virus X5O!P%").catch((error) => error);
    expect(refused).toBeInstanceOf(ContentRefused);
    expect(refused.word).toBe("stdin: Eicar-Signature FOUND");
    await expect(put("mute")).rejects.toMatchObject({ word: "it says nothing" });
    const early = put(Buffer.alloc(3_000_000, "x"), { line: "echo early FOUND && exit 1" }); // it reads nothing
    await expect(early).rejects.toMatchObject({ word: "early FOUND" });
    await nothing();
  });

  test("is kept by nobody's word but 0: not by a scanner that fails, is not there, or does not end", async () => {
    await expect(put("fault")).rejects.toThrow("The scanner of FILES_SCAN ended with 2: ERROR: no signatures");
    await expect(put("any", { line: join(folder, "no-such-scanner") })).rejects.toThrow(/^The scanner of FILES_SCAN ended with \d+: /);
    await expect(put("forever", { within: 1_000 })).rejects.toThrow("The scanner of FILES_SCAN was ended");
    await nothing();
  });

  test("comes to the scanner whole, which gets nothing of the service's secrets", async () => {
    vi.stubEnv("ADMIN_KEY", "secret");
    const large = Buffer.concat([Buffer.from("hash "), Buffer.alloc(3_000_000, "x")]);
    await expect(put(large)).rejects.toMatchObject({ word: createHash("sha256").update(large).digest("hex") });
    await expect(put("environment ")).rejects.toMatchObject({ word: expect.not.stringContaining("ADMIN_KEY") });
    vi.unstubAllEnvs();
  });

  test("is kept when the scanner has nothing against it, also many at once", async () => {
    const hashes = await Promise.all(Array.from({ length: 9 }, (_, i) => put(`clean ${i}`)));
    expect((await open().list()).sort()).toEqual(hashes.sort());
  });

  test("waits for its turn no longer than for the scanner", async () => {
    const content = withScanner(open(), command, 1_500);
    const keep = async () => (await content.receive(Readable.from([Buffer.from("forever")]), 100, () => new Error("too large"))).keep();
    const ended = await Promise.allSettled(Array.from({ length: 6 }, keep));
    const reasons = ended.map((one) => (one.status === "rejected" ? String(one.reason.message) : "kept"));
    expect(reasons.every((reason) => /has too much to do|was ended/.test(reason))).toBe(true);
  });
});
