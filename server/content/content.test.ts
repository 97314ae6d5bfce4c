// Content in a folder and in a bucket: what comes at once, what is removed, and what a process that was ended leaves.

import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startS3, type TestS3 } from "../testing/s3.ts";
import type { Content, Found } from "./content.ts";
import { attachmentNamed, cleanFileName } from "./file-name.ts";
import { createContentFolder } from "./folder/content-folder.ts";
import { mediaTypeOf } from "./media-type.ts";
import { createS3Content } from "./s3/s3-content.ts";
import { s3Removal } from "./s3/s3-removal.ts";

/** A kind of place. `name`: each test has a place of its own. */
interface Kind {
  kind: string;
  open(name: string): Content;
  /** Lists what comes, and the marks. */
  incoming(name: string): string[];
  leaving(name: string): string[];
  /** Leaves a mark and content that is out of its place, as a process that was ended does. */
  leave(name: string, hash: string): Promise<void>;
}

let folder: string;
let s3: TestS3;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-content-"));
  s3 = await startS3();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await s3.close();
});

const KINDS: Kind[] = [
  {
    kind: "a folder",
    open: (name) => createContentFolder(join(folder, name)),
    incoming: (name) => readdirSync(join(folder, name, "incoming")),
    leaving: (name) => readdirSync(join(folder, name, "leaving")),
    async leave(name, hash) {
      const own = join(folder, name);
      mkdirSync(join(own, "leaving"), { recursive: true });
      writeFileSync(join(own, "incoming", `${hash}.ended`), "");
      renameSync(join(own, hash.slice(0, 2), hash), join(own, "leaving", `${hash}.0`));
    },
  },
  {
    kind: "a bucket",
    open: (name) => createS3Content(s3.client(name)),
    incoming: (name) => s3.keys(`${name}/incoming/`),
    leaving: (name) => s3.keys(`${name}/leaving/`),
    async leave(name, hash) {
      await s3Removal(s3.client(name)).takeOut(hash);
      await s3.client(name).read({ method: "PUT", key: `incoming/${hash}.ended` });
    },
  },
];

const hashOf = (given: string | Buffer) => createHash("sha256").update(given).digest("hex");
const tooLarge = () => new Error("too large");
const none = async () => new Set<string>();

async function put(content: Content, given: string | Buffer): Promise<string> {
  const received = await content.receive(Readable.from([Buffer.from(given)]), 10_000_000, tooLarge);
  await (await received.keep()).release();
  return received.hash;
}

async function readText(content: Content, hash: string): Promise<string | undefined> {
  const found = await content.find(hash);
  return found && text(await found.stream());
}

describe.each(KINDS)("content in $kind", ({ open, incoming, leaving, leave }) => {
  test("is kept once, and given to the byte", async () => {
    const content = open("once");
    const hashes = await Promise.all(Array.from({ length: 8 }, () => put(content, "the same")));
    expect(new Set(hashes)).toEqual(new Set([hashOf("the same")]));
    expect(await content.list()).toEqual([hashOf("the same")]);
    expect((await content.find(hashOf("the same")))?.size).toBe(8);
    expect(await readText(content, hashOf("the same"))).toBe("the same");
    expect([await content.find(hashOf("another")), await content.find("../once")]).toEqual([undefined, undefined]);
    expect(incoming("once")).toEqual([]);
  });

  test("is read in parts, by several at once, and by who leaves early", async () => {
    const [content, bytes] = [open("parts"), randomBytes(3_000_000)];
    const hash = await put(content, bytes);
    const part = async (start: number, end: number) => buffer(await ((await content.find(hash)) as Found).stream({ start, end }));
    const ends = [
      [0, 0],
      [0, 2_999_999],
      [1_234_567, 1_234_570],
      [2_999_999, 2_999_999],
    ] as const;
    const parts = await Promise.all(ends.map(([start, end]) => part(start, end)));
    expect(parts.map((one, i) => one.equals(bytes.subarray(ends[i]?.[0], (ends[i]?.[1] ?? 0) + 1)))).toEqual([true, true, true, true]);
    const left = await (await content.find(hash))?.stream();
    for await (const piece of left ?? []) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(left?.destroyed).toBe(true);
    await (await content.find(hash))?.close();
  });

  test("leaves nothing of what is too large, breaks off, or is dropped", async () => {
    const content = open("nothing");
    await put(content, "so that the place is there");
    await expect(content.receive(Readable.from([Buffer.alloc(6), Buffer.alloc(6)]), 10, tooLarge)).rejects.toThrow("too large");
    const broken = new Readable({ read: () => undefined });
    broken.push("begin");
    setImmediate(() => broken.destroy(new Error("broken off")));
    await expect(content.receive(broken, 10, tooLarge)).rejects.toThrow("broken off");
    await (await content.receive(Readable.from([Buffer.from("dropped")]), 10, tooLarge)).drop();
    expect([incoming("nothing"), await content.list()]).toEqual([[], [hashOf("so that the place is there")]]);
  });

  test("is removed where nothing names it, and nothing that a write is about to name", async () => {
    const content = open("removal");
    const [orphan, named] = [await put(content, "orphan"), await put(content, "named")];
    const received = await content.receive(Readable.from([Buffer.from("in flight")]), 100, tooLarge);
    const kept = await received.keep();
    const asked: string[][] = [];
    const removed = await content.remove([orphan, named, received.hash, hashOf("not there")], async (hashes) => {
      asked.push([...hashes].sort());
      expect(await readText(content, named)).toBe("named"); // it is read all the while
      return new Set([named]);
    });
    expect(removed).toBe(1);
    expect(asked).toEqual([[orphan, named, received.hash].sort()]);
    expect((await content.list()).sort()).toEqual([named, received.hash].sort());
    expect(leaving("removal")).toEqual([]);
    await kept.release();
    expect(await content.remove([received.hash], none)).toBe(1);
  });

  test("is given back where nobody can say what is named", async () => {
    const content = open("unknown");
    const hash = await put(content, "who knows");
    const failed = content.remove([hash], async () => {
      throw new Error("the store is away");
    });
    await expect(failed).rejects.toThrow("the store is away");
    expect([await content.list(), leaving("unknown")]).toEqual([[hash], []]);
  });

  test("that comes anew while it is removed stays", async () => {
    const content = open("anew");
    const hash = await put(content, "again");
    await content.remove([hash], async () => {
      await put(content, "again"); // its write is done before the question is answered, and was not seen
      return new Set();
    });
    expect(await content.list()).toEqual([hash]);
    expect(leaving("anew")).toEqual([]);
  });

  test("is never lost between processes that sweep and put at once", { timeout: 60_000 }, async () => {
    const [one, other] = [open("two"), open("two")];
    const named = new Set<string>(); // as a store has it after each write
    const orphan = await put(one, "orphan");
    const all = Array.from({ length: 12 }, () => randomBytes(8).toString("hex"));
    const write = async (content: Content, given: string) => {
      const received = await content.receive(Readable.from([Buffer.from(given)]), 100, tooLarge);
      const kept = await received.keep();
      await new Promise((resolve) => setImmediate(resolve));
      named.add(received.hash);
      await kept.release();
    };
    const sweep = async (content: Content) => {
      for (let i = 0; i < 15 || !isOver; i++) {
        const orphans = (await content.list()).filter((hash) => !named.has(hash));
        await content.remove(orphans, async (hashes) => new Set([...hashes].filter((hash) => named.has(hash))));
      }
    };
    let isOver = false;
    const writing = Promise.all(all.flatMap((given) => [write(one, given), write(other, given)])).finally(() => {
      isOver = true;
    });
    await Promise.all([sweep(one), sweep(other), writing]);
    expect(await one.find(orphan)).toBe(undefined);
    for (const given of all) expect(await readText(open("two"), hashOf(given))).toBe(given);
    expect([named.size, incoming("two"), leaving("two")]).toEqual([12, [], []]);
  });

  test("that an ended process had taken out is found and taken up, and its mark goes", async () => {
    const content = open("ended");
    const hash = await put(content, "left");
    await leave("ended", hash);
    expect(await readText(content, hash)).toBe("left");
    expect(await content.remove([], none)).toBe(0); // it may be another process's that works
    expect([incoming("ended").length, leaving("ended").length]).toEqual([1, 1]);
    await later(async () => expect(await content.remove([], async (hashes) => hashes)).toBe(0));
    expect([await content.list(), incoming("ended"), leaving("ended")]).toEqual([[hash], [], []]);
    await leave("ended", hash);
    await later(async () => expect(await content.remove([], none)).toBe(1));
    expect([await content.list(), incoming("ended"), leaving("ended")]).toEqual([[], [], []]);
  });
});

/** Does something two days later. */
async function later(run: () => Promise<void>): Promise<void> {
  const { now } = Date;
  Date.now = () => now() + 2 * 86_400_000;
  await run().finally(() => {
    Date.now = now;
  });
}

test("names lose paths and signs that no name has, and keep their end", () => {
  expect(cleanFileName("../../etc/passwd", "x")).toBe("passwd");
  expect(cleanFileName("C:\\Users\\ada\\Bild 1.JPG", "x")).toBe("Bild 1.JPG");
  expect(cleanFileName("a\u202egpj.exe\u0000\r\n", "x")).toBe("a gpj.exe");
  expect(cleanFileName(" .. ", "photo")).toBe("photo");
  const long = cleanFileName(`${"ü".repeat(300)}.jpeg`, "x");
  expect([[...long].length, long.endsWith("ü.jpeg")]).toEqual([150, true]);
  expect(attachmentNamed('Größe "1".pdf')).toBe(`attachment; filename="Gr__e _1_.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.pdf`);
});

test.each([
  ["image/jpeg", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "a.html"],
  ["application/pdf", Buffer.from("%PDF-1.7 <script>"), "a.pdf"],
  ["image/svg+xml", Buffer.from("  \n<!-- x --><SVG onload=1>"), "a.png"],
  ["text/html", Buffer.from("hello <script >alert(1)</script>"), "a.txt"],
  ["text/html", Buffer.from("\ufeff<!DOCTYPE html><p>", "utf16le"), "a.txt"],
  ["text/plain", Buffer.from("Größe"), "a.txt"],
  ["text/csv", Buffer.from("a;b\r\n1;2"), "a.csv"],
  ["application/octet-stream", Buffer.from([0, 1, 2, 3]), "a.txt"],
  ["image/heic", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0"), "a.heic"],
  ["application/zip", Buffer.from(`${"PK\x03\x04".padEnd(26, "\0")}\x05\0\0\0a.txt`), "a.docx"],
  [
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    Buffer.from(`${"PK\x03\x04".padEnd(26, "\0")}\x13\0\0\0[Content_Types].xml`),
    "a.docx",
  ],
  ["application/zip", Buffer.from("PK\x03\x04"), "cut.zip"],
  [
    "application/vnd.oasis.opendocument.text",
    Buffer.from(`${"PK\x03\x04".padEnd(26, "\0")}\x08\0\0\0mimetypeapplication/vnd.oasis.opendocument.textPK`),
    "a.odt",
  ],
  ["application/zip", Buffer.from(`${"PK\x03\x04".padEnd(26, "\0")}\x08\0\0\0mimetypeapplication/pdfPK`), "a.pdf"],
])("content is %s by its bytes", (type, head, name) => expect(mediaTypeOf(head, name)).toBe(type));
