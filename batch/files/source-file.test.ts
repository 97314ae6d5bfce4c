// A file that is changed while the command reads it.

import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import { makeFolder } from "../testing/process.ts";
import { fingerprintOf, openSource } from "./source-file.ts";

const folder = makeFolder();
afterAll(folder.remove);

test("a large file that changes after it was opened is named, with what to do; a small one stays as it was", async () => {
  const [large, small] = ["large.csv", "small.csv"].map((name) => join(folder.path, name)) as [string, string];
  writeFileSync(large, "a".repeat(2 * 1024 * 1024));
  writeFileSync(small, "a");
  const [changed, kept] = [await openSource(large), await openSource(small)];
  for (const path of [large, small]) appendFileSync(path, "b");
  await expect(fingerprintOf(changed)).rejects.toEqual(
    new CommandError(EXIT.nothing, `${large} cannot be read to its end: it may be changing.`, [], "Run this again once it is whole."),
  );
  expect((await fingerprintOf(kept)).size).toBe(1);
});
