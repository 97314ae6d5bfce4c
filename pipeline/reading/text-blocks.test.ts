import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Encoding } from "../model/dialect.ts";
import { FileError } from "../model/file-error.ts";
import { fileOf } from "../testing/fake-service.ts";
import { WRONG_BYTES } from "./encoding.ts";
import { takeFingerprint } from "./fingerprint.ts";
import { readText } from "./text-blocks.ts";

async function read(
  file: Blob,
  blockBytes?: number,
  encoding: Encoding = "UTF-8",
): Promise<{ text: string; lasts: number; bytesRead: number }> {
  const all = { text: "", lasts: 0, bytesRead: 0 };
  for await (const { text, last, bytesRead } of readText(file, { encoding }, blockBytes)) {
    all.text += text;
    all.lasts += Number(last);
    all.bytesRead = bytesRead;
  }
  return all;
}

describe("text is decoded as it was saved", () => {
  test("wherever a character is cut in two, with and without a byte order mark", async () => {
    const unicode = fc.string({ unit: "grapheme", maxLength: 60 }).filter((text) => !text.startsWith("\uFEFF"));
    await fc.assert(
      fc.asyncProperty(unicode, fc.boolean(), fc.integer({ min: 1, max: 9 }), async (text, bom, blockBytes) => {
        const file = fileOf((bom ? "\uFEFF" : "") + text);
        expect(await read(file, blockBytes)).toEqual({ text, lasts: 1, bytesRead: file.size });
      }),
    );
  });

  test.each([1, 3, 64])("windows-1252 has its euro sign and its quotation marks (blocks of %i bytes)", async (blockBytes) => {
    const file = fileOf(new Uint8Array([0x80, 0x35, 0x20, 0x93, 0x41, 0x94, 0x85]));
    expect(await read(file, blockBytes, "windows-1252")).toEqual({ text: "€5 “A”…", lasts: 1, bytesRead: 7 });
  });

  test("an empty file is one empty block", async () => {
    expect(await read(fileOf(""))).toEqual({ text: "", lasts: 1, bytesRead: 0 });
  });
});

describe("a file that cannot be used", () => {
  test.each([1, 2, 3, 7, 64, 1000])(
    "a wrong byte among letters of UTF-8 is marked, and all else is read (blocks of %i bytes)",
    async (blockBytes) => {
      const bytes = new Uint8Array([
        ...new TextEncoder().encode("id,näme\r\n1,Zoë\r\n2,J"),
        0xf6,
        ...new TextEncoder().encode("rg\r\n3,x\r\n"),
      ]);
      expect((await read(fileOf(bytes), blockBytes)).text).toBe(`id,näme\r\n1,Zoë\r\n2,J${WRONG_BYTES}rg\r\n3,x\r\n`);
    },
  );

  test.each([1, 3, 64])(
    "the text at the wrong byte is shown as windows-1252, with that as the way out (blocks of %i bytes)",
    async (blockBytes) => {
      const text = `id,name\r\n${"1,Zoe\r\n".repeat(50)}`;
      const bytes = new Uint8Array([...new TextEncoder().encode(`${text}2,J`), 0xf6, 0x72, 0x67, 0x0d, 0x0a]);
      const refused = await read(fileOf(bytes), blockBytes).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(FileError);
      const { detail, autoFix } = refused as FileError;
      expect(detail).toContain("Line 52 ");
      expect(detail).toMatch(blockBytes > 60 ? /“2,Jörg”/ : /“.*ö.*”/);
      expect(autoFix?.choices).toEqual({ encoding: "windows-1252" });
    },
  );

  test("bytes that do not fit a chosen encoding are refused with the line", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode("id\n1\n"), 0x83, 0x65, 0x0a, 0xfd, 0xff, 0x0a]);
    await expect(read(fileOf(bytes), 4, "Shift_JIS")).rejects.toThrow(/not all Shift_JIS. Line 4 /);
  });

  test("a character that is incomplete at the end of the file is refused", async () => {
    await expect(read(fileOf(new Uint8Array([0x61, 0xc3])), 1)).rejects.toBeInstanceOf(FileError);
  });

  test("a file that was changed or deleted since it was chosen is refused, with what to do", async () => {
    const gone = fileOf("a,b\n1,2\n");
    gone.slice = () => ({ size: 8, arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")) }) as unknown as Blob;
    await expect(read(gone)).rejects.toThrow("Choose it again");
  });

  test("a file that was saved again after it was read is not copied for an upload", async () => {
    const file = fileOf("a,b\n1,2\n");
    await read(file);
    const { blocks } = await takeFingerprint(file);
    expect(blocks.length).toBe(32);
    file.slice = () => new Blob(["a,b\n1,3\n"]);
    await expect(takeFingerprint(file)).rejects.toThrow("Choose it again");
  });
});
