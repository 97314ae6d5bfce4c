import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { StoreFull, StoreTooCostly } from "../store.ts";
import { rewriteFile } from "./rewrite.ts";

test.each([
  ["a running service has too much to rewrite", 1024 ** 3 + 1, false, StoreTooCostly],
  ["the disk has no room for two more", 4 * 1024 ** 4, true, StoreFull],
])("a file is refused and left when %s", async (_, bytes, isAlone, why) => {
  const folder = mkdtempSync(join(tmpdir(), "intake-rewrite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "intake.db");
  const handle = openSync(file, "w");
  ftruncateSync(handle, bytes); // takes no room
  closeSync(handle);
  await expect(rewriteFile(file, isAlone, async () => {})).rejects.toThrow(why);
  expect(statSync(file).size).toBe(bytes);
});
