// Content in a folder: what comes at once, what is removed, and what a process that was ended leaves.

import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContentFolder } from "./content-folder.ts";
import { attachmentNamed, cleanFileName } from "./file-name.ts";
import { mediaTypeOf } from "./media-type.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-content-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hashOf = (given: string | Buffer) => createHash("sha256").update(given).digest("hex");
const tooLarge = () => new Error("too large");
const none = async () => new Set<string>();

async function put(content: ReturnType<typeof createContentFolder>, given: string | Buffer): Promise<string> {
  const received = await content.receive(Readable.from([Buffer.from(given)]), 1_000_000, tooLarge);
  await (await received.keep()).release();
  return received.hash;
}

describe("a folder of content", () => {
  test("keeps the same content once, and gives it to the byte", async () => {
    const own = join(folder, "once");
    const content = createContentFolder(own);
    const hashes = await Promise.all(Array.from({ length: 8 }, () => put(content, "the same")));
    expect(new Set(hashes)).toEqual(new Set([hashOf("the same")]));
    expect(await content.list()).toEqual([hashOf("the same")]);
    const found = await content.find(hashOf("the same"));
    expect([found?.size, await text(found?.stream() as Readable)]).toEqual([8, "the same"]);
    expect(readdirSync(join(own, "incoming"))).toEqual([]);
  });

  test("leaves nothing of what is too large, breaks off, or is dropped", async () => {
    const own = join(folder, "nothing");
    const content = createContentFolder(own);
    await expect(content.receive(Readable.from([Buffer.alloc(6), Buffer.alloc(6)]), 10, tooLarge)).rejects.toThrow("too large");
    const broken = new Readable({ read: () => undefined });
    broken.push("begin");
    setImmediate(() => broken.destroy(new Error("broken off")));
    await expect(content.receive(broken, 10, tooLarge)).rejects.toThrow("broken off");
    await (await content.receive(Readable.from([Buffer.from("dropped")]), 10, tooLarge)).drop();
    expect([readdirSync(join(own, "incoming")), await content.list()]).toEqual([[], []]);
  });

  test("removes what nothing names, and nothing that a write is about to name", async () => {
    const content = createContentFolder(join(folder, "removal"));
    const [orphan, named] = [await put(content, "orphan"), await put(content, "named")];
    const received = await content.receive(Readable.from([Buffer.from("in flight")]), 100, tooLarge);
    const kept = await received.keep();
    const asked: string[][] = [];
    const removed = await content.remove([orphan, named, received.hash, hashOf("not there")], async (hashes) => {
      asked.push([...hashes].sort());
      expect(await text((await content.find(named))?.stream() as Readable)).toBe("named"); // it is read all the while
      return new Set([named]);
    });
    expect(removed).toBe(1);
    expect(asked).toEqual([[orphan, named, received.hash].sort()]);
    expect((await content.list()).sort()).toEqual([named, received.hash].sort());
    await kept.release();
    expect(await content.remove([received.hash], none)).toBe(1);
  });

  test("gives everything back where nobody can say what is named", async () => {
    const content = createContentFolder(join(folder, "unknown"));
    const hash = await put(content, "who knows");
    const failed = content.remove([hash], async () => {
      throw new Error("the store is away");
    });
    await expect(failed).rejects.toThrow("the store is away");
    expect(await content.list()).toEqual([hash]);
  });

  test("that comes anew while it is removed stays", async () => {
    const content = createContentFolder(join(folder, "anew"));
    const hash = await put(content, "again");
    await content.remove([hash], async () => {
      await put(content, "again"); // its write is done before the question is answered, and was not seen
      return new Set();
    });
    expect(await content.list()).toEqual([hash]);
  });

  test("is never lost between processes that sweep and put at once", async () => {
    const own = join(folder, "two");
    const [one, other] = [createContentFolder(own), createContentFolder(own)];
    const named = new Set<string>(); // as a store has it after each write
    const all = Array.from({ length: 12 }, () => randomBytes(8).toString("hex"));
    const write = async (content: typeof one, given: string) => {
      const received = await content.receive(Readable.from([Buffer.from(given)]), 100, tooLarge);
      const kept = await received.keep();
      await new Promise((resolve) => setImmediate(resolve));
      named.add(received.hash);
      await kept.release();
    };
    const sweep = async (content: typeof one) => {
      for (let i = 0; i < 15; i++) {
        const orphans = (await content.list()).filter((hash) => !named.has(hash));
        await content.remove(orphans, async (hashes) => new Set([...hashes].filter((hash) => named.has(hash))));
      }
    };
    await Promise.all([sweep(one), sweep(other), ...all.flatMap((given) => [write(one, given), write(other, given)])]);
    for (const hash of named) expect(await content(own, hash)).toBe(true);
    expect(named.size).toBe(12);
  });

  const content = async (own: string, hash: string) => {
    const found = await createContentFolder(own).find(hash);
    await found?.close();
    return found !== undefined;
  };

  test("finds and takes up what an ended process had taken out", async () => {
    const own = join(folder, "ended");
    const made = createContentFolder(own);
    const hash = await put(made, "left");
    mkdirSync(join(own, "leaving"), { recursive: true });
    const left = join(own, "leaving", `${hash}.0`);
    renameSync(join(own, hash.slice(0, 2), hash), left);
    expect(await text((await made.find(hash))?.stream() as Readable)).toBe("left");
    expect(await made.remove([], none)).toBe(0); // it may be another process's that works
    const later = Date.now() + 2 * 86_400_000;
    const now = Date.now;
    Date.now = () => later;
    try {
      writeFileSync(join(own, "incoming", "stale"), "half");
      utimesSync(join(own, "incoming", "stale"), 1, 1);
      expect(await made.remove([], async (hashes) => hashes)).toBe(0);
      expect([await made.list(), readdirSync(join(own, "incoming"))]).toEqual([[hash], []]);
    } finally {
      Date.now = now;
    }
  });
});

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
