// A copy of a store that breaks off leaves no file behind, however early it does.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { writeStoreFile } from "./write-store-file.ts";

test("a copy that breaks off before its file is open leaves no file behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-copy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let i = 0; i < 50; i++) {
    const stream = new Readable({ read: () => undefined });
    const written = writeStoreFile({ bytes: 100, stream }, join(folder, "copy.db"));
    stream.destroy(new TypeError("terminated")); // as fetch says it
    await expect(written).rejects.toThrow("copy.db was not written: only 0 of 100 bytes came.");
  }
  expect(readdirSync(folder)).toEqual([]);
});
