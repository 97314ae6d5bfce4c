// What is left in a SQLite file of rows that were deleted.

import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { pagesInLog, scrubInSteps } from "./scrub-file.ts";

/** Numbers from 0 to below `n`, always the same ones. */
function createRandom(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff;
    return state % n;
  };
}

/** Another text for each version of each row; none of them is a part of another one. */
const textOf = (id: number, version: number) => `${((id * 7_919) % 999_983).toString(36)}Q${id}V${version}~`;

/** Thousands of rows, short and long, written, changed and deleted in no order, with the indexes and blobs that a store has. */
function fillStore(db: Database.Database, rows: number) {
  const random = createRandom(rows);
  db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT) STRICT; CREATE INDEX ta ON t (a); CREATE UNIQUE INDEX tb ON t (b);
    CREATE TABLE h (w INTEGER, id INTEGER, c TEXT, PRIMARY KEY (w, id)) STRICT, WITHOUT ROWID; CREATE INDEX hr ON h (id);
    CREATE TABLE r (k TEXT PRIMARY KEY, id INTEGER, body BLOB) STRICT; CREATE INDEX ri ON r (id)`);
  const insert = db.prepare("INSERT INTO t VALUES (?, ?, ?)");
  const update = db.prepare("UPDATE t SET a = ?, b = ? WHERE id = ?");
  const remember = db.prepare("INSERT INTO h VALUES (?, ?, ?)");
  const answer = db.prepare("INSERT OR REPLACE INTO r VALUES (?, ?, ?)");
  const versions = new Map<number, number>();
  let write = 0;
  const ids = Array.from({ length: rows }, (_, i) => ((i * 7_907) % rows) + 1);
  for (let from = 0; from < rows; from += 500) {
    db.exec("BEGIN");
    for (const id of ids.slice(from, from + 500)) {
      insert.run(id, textOf(id, 1) + "x".repeat(random(80)), `b${textOf(id, 1)}`);
      versions.set(id, 1);
      if (id % 9 === 0) answer.run(`k${id % 700}`, id, Buffer.from(textOf(id, 1).repeat(1 + random(900))));
    }
    for (let i = 0; i < 200; i++) {
      const id = ids[random(Math.min(rows, from + 500))] as number;
      const version = (versions.get(id) as number) + 1;
      versions.set(id, version);
      update.run(textOf(id, version) + "y".repeat(random(id % 50 === 0 ? 9_000 : 80)), `b${textOf(id, version)}`, id);
      remember.run(++write, id, textOf(id, version - 1).repeat(1 + random(id % 40 === 0 ? 700 : 2)));
    }
    db.exec("COMMIT");
  }
  return ids;
}

function erase(db: Database.Database, ids: readonly number[]): void {
  db.exec("BEGIN");
  for (const table of ["t", "h", "r"]) {
    const remove = db.prepare(`DELETE FROM ${table} WHERE id = ?`);
    for (const id of ids) remove.run(id);
  }
  db.exec("COMMIT");
}

/** Which of the ids have any of their texts in the file. */
function foundIn(file: string, ids: readonly number[]): number[] {
  const found = new Set(
    [
      ...readFileSync(file)
        .toString("latin1")
        .matchAll(/Q(\d+)V/g),
    ].map(([, id]) => Number(id)),
  );
  return ids.filter((id) => found.has(id));
}

/** Of everything that is stored. */
function hashOf(db: Database.Database): string {
  const hash = createHash("sha256");
  const tables = [
    "SELECT id, a, b FROM t ORDER BY id",
    "SELECT w, id, c FROM h ORDER BY w, id",
    "SELECT k, id, hex(body) FROM r ORDER BY k",
  ];
  for (const sql of tables) hash.update(JSON.stringify(db.prepare(sql).raw().all()));
  return hash.digest("hex");
}

function scrubAll(fd: number): void {
  for (const step of [...scrubInSteps(fd)]) expect(step).toBeUndefined();
}

test.each([4_096, 1_024, 65_536])(
  "nothing is left of deleted rows, and everything of the others, with pages of %i bytes",
  (pageSize) => {
    const folder = mkdtempSync(join(tmpdir(), "intake-scrub-"));
    const file = join(folder, "store.db");
    const db = new Database(file);
    const fd = openSync(file, "r+");
    try {
      db.pragma(`page_size = ${pageSize}`);
      db.pragma("journal_mode = WAL");
      db.pragma("synchronous = OFF");
      const ids = fillStore(db, 6_000);
      const gone = ids.filter((_, i) => i % 7 === 0);
      erase(db, gone);
      db.pragma("wal_checkpoint(TRUNCATE)");
      const kept = hashOf(db);
      expect(foundIn(file, gone).length).toBeGreaterThan(100); // otherwise the test proves nothing
      db.pragma("shrink_memory");
      scrubAll(fd);
      expect(foundIn(file, gone)).toEqual([]);
      db.pragma("shrink_memory");
      expect(hashOf(db)).toBe(kept);
      expect(db.pragma("integrity_check")).toEqual([expect.objectContaining({ integrity_check: "ok" })]);
      const before = readFileSync(file);
      scrubAll(fd);
      expect(readFileSync(file).equals(before)).toBe(true);
    } finally {
      db.close();
      closeSync(fd);
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);

test.each([4_096, 1_024])(
  "others write between the steps, with pages of %i bytes, and nothing is left of deleted rows either",
  (pageSize) => {
    const folder = mkdtempSync(join(tmpdir(), "intake-scrub-"));
    const file = join(folder, "store.db");
    const db = new Database(file);
    const fd = openSync(file, "r+");
    const random = createRandom(7);
    try {
      db.pragma(`page_size = ${pageSize}`);
      db.pragma("journal_mode = WAL");
      db.pragma("wal_autocheckpoint = 0");
      db.pragma("cache_size = -50000"); // the whole store: old pages stay in memory
      db.pragma("synchronous = OFF");
      const ids = fillStore(db, 6_000);
      const gone = new Set(ids.filter((_, i) => i % 7 === 0));
      const left = ids.filter((id) => !gone.has(id));
      erase(db, [...gone]);
      const emptyLog = () => {
        const pages = pagesInLog(`${file}-wal`);
        expect(db.pragma("wal_checkpoint(TRUNCATE)")).toMatchObject([{ busy: 0 }]);
        db.pragma("shrink_memory");
        return pages;
      };
      emptyLog();
      const update = db.prepare("UPDATE t SET a = ?, b = ? WHERE id = ?");
      const answer = db.prepare("INSERT OR REPLACE INTO r VALUES (?, ?, ?)");
      const remove = db.prepare("DELETE FROM t WHERE id = ?");
      let steps = 0;
      const running = scrubInSteps(fd);
      let step = running.next();
      for (; !step.done; step = running.next()) {
        steps += 1;
        db.exec("BEGIN");
        for (let i = 0; i < 40; i++) {
          const id = left[random(left.length)] as number;
          update.run(`z${"w".repeat(random(i % 5 === 0 ? 9_000 : 300))}`, `z${steps} ${i}`, id);
          answer.run(`k${random(700)}`, id, Buffer.alloc(random(20_000), 120));
          if (i % 10 === 0) remove.run(left[random(left.length)] as number);
        }
        db.exec("COMMIT");
      }
      expect(steps).toBeGreaterThan(2); // otherwise the test proves nothing
      const written = emptyLog();
      const kept = hashOf(db);
      for (const more of [...scrubInSteps(fd, new Set([...written, ...step.value]))]) expect(more).toBeUndefined();
      expect(foundIn(file, [...gone])).toEqual([]);
      db.pragma("shrink_memory");
      expect(hashOf(db)).toBe(kept);
      expect(db.pragma("integrity_check")).toEqual([expect.objectContaining({ integrity_check: "ok" })]);
    } finally {
      db.close();
      closeSync(fd);
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
