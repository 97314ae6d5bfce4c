import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { StoreFull, StoreTooCostly } from "../store.ts";
import { rewriteFile } from "./rewrite.ts";

const { bavail, bsize } = statfsSync(tmpdir());

test.each([
  ["a running service has too much to rewrite", 1024 ** 3 + 1, false, StoreTooCostly],
  ["the disk has no room for two more", bavail * bsize, true, StoreFull],
])("a file is refused and left when %s", async (_, bytes, isAlone, why) => {
  const folder = mkdtempSync(join(tmpdir(), "intake-rewrite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "intake.db");
  const handle = openSync(file, "w");
  ftruncateSync(handle, bytes); // takes no room
  closeSync(handle);
  const writer = new Database(":memory:");
  onTestFinished(() => void writer.close());
  await expect(rewriteFile({ writer, file, moveLog: async () => {} }, isAlone)).rejects.toThrow(why);
  expect(statSync(file).size).toBe(bytes);
});
