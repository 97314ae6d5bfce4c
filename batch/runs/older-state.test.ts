// Reads state folders of the version before, and pins the property names of what this version writes.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { OLDER_CSV, OLDER_FIXED, olderEnded, olderUnfinished, writeOlderState } from "../testing/older-state.ts";
import { batch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, service, stored, write } = testService;

function linesOf(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("status shows a run of the version before with every property it had", async () => {
  const path = write("status/old.csv", OLDER_CSV);
  const state = join(folder, "status", ".intake");
  const older = [olderEnded(path), olderUnfinished(join(folder, "status", "old.txt"))];
  for (const run of older) writeOlderState(state, run);
  const { code, out } = await batch(service.url, ["status", "--state", state, "--json"]);
  expect(code).toBe(0);
  expect(linesOf(out)).toEqual(
    older.map(({ dictionary: _, fingerprint, ...rest }) => ({
      at: expect.any(String),
      ...rest,
      bytes: (fingerprint as { size: number }).size,
    })),
  );
});

test("resume continues an unfinished run of the version before, and its state file keeps its property names", async () => {
  const path = write("resume/old.txt", OLDER_FIXED);
  const state = join(folder, "resume", ".intake");
  const older = olderUnfinished(path);
  writeOlderState(state, older);
  const { code, stderr } = await batch(service.url, ["resume", path]);
  const sentence = "2 of 3 records of old.txt are in customers (2 created); 1 refused. See old.txt.rejects.csv.";
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  expect(readFileSync(`${path}.rejects.csv`, "utf8")).toContain('2,3,130,,RECORD,"Record 3 (byte offset 130) has 60 bytes');
  expect(JSON.parse(readFileSync(join(state, `${older.id}.json`), "utf8"))).toEqual({
    ...older,
    report: {
      seconds: expect.any(Number),
      ended: "done",
      rowsRead: 3,
      counts: { notSent: 1, created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0 },
      notStored: [{ row: 2, line: 3, outcome: "notSent", reason: "Record 3 (byte offset 130) has 60 bytes; a record has 64." }],
    },
    endedAt: expect.any(Number),
    ending: { code: 2, sentence, next: expect.stringMatching(/^Correct old\.txt\.rejects, /) },
  });
  const sent = { first: 1, last: 3, sentAt: expect.any(Number), split: [] };
  expect(linesOf(readFileSync(join(state, `${older.id}.batches`), "utf8"))).toEqual([
    sent,
    {
      ...sent,
      result: { reasons: [], spent: expect.any(Number), outcomes: "101" },
    },
  ]);
});

test("a file that a run of the version before loaded counts as loaded; what the history does not know is not taken back", async () => {
  const path = write("undo/old.csv", OLDER_CSV);
  expect((await batch(service.url, ["run", path, "--state", join(folder, "elsewhere")])).code).toBe(0);
  const ids = (await stored("old")).map(({ objectId }) => objectId);
  const sent = { first: 1, last: 2, sentAt: 1_795_211_368_747, split: [] };
  const result = { reasons: [], old: [], spent: 74, outcomes: "11", ids, versions: [1, 1] };
  writeOlderState(join(folder, "undo", ".intake"), olderEnded(path), [sent, { ...sent, result }]);
  expect((await batch(service.url, ["run", path])).code).toBe(5);
  const { code, stderr } = await batch(service.url, ["undo", path]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Nothing of old\.csv was taken back: the service's history has no changes of run /),
  ]);
  expect(await stored("old")).toHaveLength(2);
  expect((await batch(service.url, ["run", path])).code).toBe(5);
  await batch(service.url, ["undo", path, "--state", join(folder, "elsewhere")]);
});

test("a watcher moves a file to the archive that the version before loaded and did not move", async () => {
  const inbox = join(folder, "inbox");
  mkdirSync(join(inbox, "processing"), { recursive: true });
  const path = write("inbox/processing/old.csv", OLDER_CSV);
  writeOlderState(join(inbox, ".intake"), olderEnded(path));
  expect((await batch(service.url, ["watch", inbox, "--once", "--settle", "0"])).code).toBe(0);
  expect(readdirSync(join(inbox, "archive"))).toEqual(["old.csv"]);
  expect(await stored("old")).toEqual([]);
});

test("a report for programs has the property names that it had", async () => {
  const path = write("report/new.csv", "Last name,Account ID\nEk,report0\n,report1\n");
  expect((await batch(service.url, ["run", path, "--max-rejects", "1"])).code).toBe(2);
  expect(JSON.parse(readFileSync(`${path}.report.json`, "utf8"))).toEqual({
    file: path,
    bytes: 41,
    collection: "customers",
    mode: "create",
    run: expect.any(String),
    by: { type: "key", id: expect.any(String), name: expect.any(String) },
    startedAt: expect.any(String),
    seconds: expect.any(Number),
    isDryRun: false,
    recordsRead: 2,
    outcomes: { notSent: 1, created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0 },
    rejects: 1,
    notes: expect.any(Array),
    problems: [{ field: "lastName", code: "REQUIRED", message: expect.any(String), records: 1 }],
    exitCode: 2,
    sentence: expect.any(String),
    rejectsFile: "new.csv.rejects",
    rejectsList: "new.csv.rejects.csv",
  });
});
