import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { batch, customersCsv, makeFolder } from "../testing/process.ts";

const folder = makeFolder();
afterAll(folder.remove);

test("a key that would be sent unencrypted to another machine is warned of, one for this machine is not", async () => {
  const file = join(folder.path, "a.csv");
  writeFileSync(file, customersCsv(1));
  const { stderr, code } = await batch("http://0.0.0.0:1/v1", ["validate", file]);
  expect([code, stderr.split("\n")]).toEqual([
    4,
    [
      expect.stringMatching(/^Warning: http:\/\/0\.0\.0\.0:1 is not encrypted, .* API key .* Use https:\/\/\.$/),
      expect.stringContaining("No service answers"),
    ],
  ]);
  expect((await batch("http://127.0.0.1:1", ["validate", file])).stderr).not.toContain("Warning");
  expect((await batch("https://0.0.0.0:1", ["validate", file])).stderr).not.toContain("Warning");
});
