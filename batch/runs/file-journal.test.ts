// The journal after a crash, and the lock that keeps a second process away.

import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { SentBatch } from "../../pipeline/sending/journal.ts";
import type { BatchAnswer } from "../../pipeline/sending/responses.ts";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import { makeFolder } from "../testing/process.ts";
import { RunJournal } from "./file-journal.ts";
import { Locked, withLock } from "./lock-file.ts";

const folder = makeFolder();
afterAll(folder.remove);

let files = 0;
const newPath = () => join(folder.path, `${++files}.batches`);

function batchOf(first: number, length: number): Omit<SentBatch, "upload"> {
  return { first, last: first + length - 1, sentAt: 1_800_000_000_000, split: [] };
}

function withResult(batch: Omit<SentBatch, "upload">): Omit<SentBatch, "upload"> {
  const length = batch.last - batch.first + 1;
  return {
    ...batch,
    result: {
      outcomes: new Uint8Array(length).fill(1),
      reasons: [[0, "Enter the last name, Ångström."]],
    },
  };
}

async function readAll(journal: RunJournal): Promise<SentBatch[]> {
  const all: SentBatch[] = [];
  for (let row = 1; ; ) {
    const batch = await journal.from(row);
    if (!batch) return all;
    all.push(batch);
    row = batch.first + 1;
  }
}

test("batches are read back in the order of the file, whatever order they were written in", async () => {
  const path = newPath();
  const journal = await RunJournal.open(path);
  await Promise.all([11, 1, 21, 31].map((first) => journal.keep(batchOf(first, 10), true)));
  await journal.keep(withResult(batchOf(21, 10)), false);
  await journal.keep({ ...batchOf(1, 10), split: ["k-1", "k-1a"] }, true);
  await journal.close();
  const again = await RunJournal.open(path);
  expect(await readAll(again)).toEqual(
    [{ ...batchOf(1, 10), split: ["k-1", "k-1a"] }, batchOf(11, 10), withResult(batchOf(21, 10)), batchOf(31, 10)].map((batch) => ({
      upload: "",
      ...batch,
    })),
  );
  expect(again.unanswered).toBe(3);
  await again.close();
});

test("how many records look like stored ones is known after a crash, and a batch that is sent again is counted once", async () => {
  const path = newPath();
  const answer = (similar: number): BatchAnswer => ({
    kind: "answered",
    results: [0, 1, 2].map((index) => ({
      ...{ index, outcome: "created", status: 201 },
      ...(index < similar && { warnings: [{ code: "DUPLICATE", detail: "The same person is stored already." }] }),
    })),
  });
  const send = async (journal: RunJournal, key: string, similar: number) => {
    await journal.errorCodes.recording(async () => answer(similar))([], key, "create", new AbortController().signal);
  };
  const journal = await RunJournal.open(path);
  await send(journal, "k:1", 2);
  await send(journal, "k:4", 1);
  await send(journal, "k:7", 0);
  await journal.flush();
  await journal.close();
  const again = await RunJournal.open(path);
  expect(again.errorCodes.similar).toBe(3);
  await send(again, "k:4", 1);
  await send(again, "k:10", 3);
  expect(again.errorCodes.similar).toBe(6);
  await again.close();
});

test("a journal that was cut off at any byte keeps its complete lines and can be continued", async () => {
  const whole = newPath();
  const journal = await RunJournal.open(whole);
  for (const first of [1, 11, 21]) await journal.keep(withResult(batchOf(first, 10)), false);
  await journal.close();
  const text = readFileSync(whole);
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length), async (length) => {
      const path = newPath();
      writeFileSync(path, text);
      truncateSync(path, length);
      const lines = text.subarray(0, length).filter((byte) => byte === 10).length;
      const cut = await RunJournal.open(path);
      expect((await readAll(cut)).map(({ first }) => first)).toEqual([1, 11, 21].slice(0, lines));
      await cut.keep(batchOf(31, 10), true);
      await cut.close();
      const again = await RunJournal.open(path);
      expect((await readAll(again)).at(-1)).toEqual({ upload: "", ...batchOf(31, 10) });
      await again.close();
    }),
    { numRuns: 60 },
  );
});

test("zeros after the last line, as a power cut leaves them, are ignored; an unreadable line before others is an error", async () => {
  const path = newPath();
  const journal = await RunJournal.open(path);
  await journal.keep(batchOf(1, 10), true);
  await journal.close();
  appendFileSync(path, Buffer.alloc(100));
  const again = await RunJournal.open(path);
  expect(await readAll(again)).toHaveLength(1);
  await again.close();
  writeFileSync(path, `{"first":1,"la\n${readFileSync(path, "utf8")}`);
  await expect(RunJournal.open(path)).rejects.toThrow(new CommandError(EXIT.nothing, `The journal ${path} is damaged at line 1.`));
});

test("a lock keeps others out while its process lives, and is ignored once that has ended", async () => {
  const path = join(folder.path, "work.lock");
  const locks = () => readdirSync(folder.path).filter((name) => name.startsWith("work.lock"));
  const left = `${path}.0123456789ab`; // of a process that did not come to take it away
  let own = {};
  await withLock(path, async () => {
    await expect(withLock(path, () => Promise.resolve())).rejects.toThrow(Locked);
    own = JSON.parse(readFileSync(join(folder.path, locks()[0] ?? ""), "utf8"));
  });
  expect(locks()).toEqual([]);
  for (const dead of [JSON.stringify({ ...own, pid: 2 ** 22 - 1 }), JSON.stringify({ ...own, began: "1" }), '{"pid":']) {
    writeFileSync(left, dead);
    expect(await withLock(path, () => Promise.resolve("ours"))).toBe("ours");
  }
  expect(locks()).toEqual([]);
});

test("a lock of a process in another container or on another machine is respected, and the message says which file to delete", async () => {
  const mine = join(folder.path, "mine.lock");
  const own = await withLock(mine, async () => {
    const [name = ""] = readdirSync(folder.path).filter((name) => name.startsWith("mine.lock"));
    return JSON.parse(readFileSync(join(folder.path, name), "utf8")) as object;
  });
  const gone = { pid: 2 ** 22 - 1 };
  const strangers = [
    { ...gone, space: "pid:[1]" },
    { ...gone, machine: "another" },
    { ...gone, boot: "another", space: "pid:[1]" },
    { ...gone, host: "elsewhere" },
  ];
  const rejections = strangers.map(async (stranger, i) => {
    const path = join(folder.path, `stranger-${i}.lock`);
    writeFileSync(`${path}.0123456789ab`, JSON.stringify({ ...own, ...stranger }));
    return withLock(path, () => Promise.resolve("")).catch((error: Error) => error.message);
  });
  const other = `in another container or on another machine named ${hostname()}`;
  expect(await Promise.all(rejections)).toEqual(
    [other, other, other, "on elsewhere"].map(
      (where, i) =>
        `process ${gone.pid} ${where} works on it. If it no longer runs there, delete ${join(folder.path, `stranger-${i}.lock.0123456789ab`)}`,
    ),
  );
});

test("of many processes that start together never two have the lock", async () => {
  const path = join(folder.path, "many.lock");
  const inside: number[] = [];
  let now = 0;
  const tries = Array.from({ length: 8 }, async () => {
    for (let isIn = false; !isIn; ) {
      isIn = await withLock(path, async () => {
        inside.push(++now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        now--;
        return true;
      }).catch((error) => {
        if (error instanceof Locked) return false;
        throw error;
      });
    }
  });
  await Promise.all(tries);
  expect(inside).toEqual(new Array(8).fill(1));
});
