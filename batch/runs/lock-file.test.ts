// A lock that cannot be read is no lock that is free.

import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "../testing/process.ts";
import { withLock } from "./lock-file.ts";

const folder = makeFolder();
afterAll(folder.remove);

test("a lock that cannot be read is thrown as an error, and nothing is done; a link of somebody else is passed over", async () => {
  mkdirSync(join(folder.path, "a.lock.0123456789ab"));
  let done = 0;
  const work = async () => void done++;
  for (let twice = 0; twice < 2; twice++)
    await expect(withLock(join(folder.path, "a.lock"), work)).rejects.toMatchObject({ code: "EISDIR" });
  expect([done, readdirSync(folder.path)]).toEqual([0, ["a.lock.0123456789ab"]]);
  symlinkSync("/nowhere", join(folder.path, "b.lock.0123456789ab"));
  await withLock(join(folder.path, "b.lock"), work);
  expect(done).toBe(1);
});
