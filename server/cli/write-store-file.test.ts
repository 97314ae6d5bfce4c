// A copy of a store that breaks off leaves no file behind, however early it does.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "../engine/sqlite/store.ts";
import { sqliteThreads } from "../sqlite-threads.ts";
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

test("a copy replaces no store that came while it was written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-copy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [source, target] = ["source.db", "intake.db"].map((name) => join(folder, name)) as [string, string];
  await (await openSqlite(source, [], { threads: sqliteThreads, readBudget: 60_000 })).close();
  const bytes = readFileSync(source);
  async function* parts() {
    yield bytes;
    writeFileSync(target, "of a service");
  }
  const copy = () => ({ bytes: bytes.length, stream: Readable.from(parts()) });
  await expect(writeStoreFile(copy(), target, { free: [target] })).rejects.toThrow("intake.db has come meanwhile");
  expect(readFileSync(target, "utf8")).toBe("of a service");
  expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  expect(await writeStoreFile(copy(), target)).toContain("checked"); // with --force
});
