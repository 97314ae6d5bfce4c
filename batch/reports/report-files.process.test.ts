// The report of a run as a person reads it, line by line, and the notes of its check.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { CheckSummary } from "../../pipeline/checking/findings.ts";
import { batch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";
import { notesOf } from "./report-files.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, plain, service, write } = testService;

/** Time, speed and the name of the key are replaced. */
function reportOf(path: string): string[] {
  const text = plain(readFileSync(`${path}.report.txt`, "utf8"))
    .replace(/^(started +).*$/m, "$1TIME")
    .replace(/^(by +).*$/m, "$1KEY");
  return text.split("\n");
}

test("a run with changes, deletes and rejects: what became of each record, and what the check found", async () => {
  const layout = write(
    "layout.json",
    JSON.stringify({
      kind: "delimited",
      collection: "customers",
      title: "Daily",
      action: { column: "do", add: "A", change: "C", delete: "D" },
    }),
  );
  const heading = "do,id,Last name,Account ID";
  expect((await batch(service.url, ["run", write("1.csv", `${heading}\nA,1,Ek,r1\nA,2,Al,r2\n`), "--layout", layout])).code).toBe(0);
  expect(reportOf(join(folder, "1.csv")).filter((line) => line.includes("deletes"))).toEqual([]); // of none nothing is said
  const path = write("2.csv", `${heading}\nA,3,Bo,r3\nC,1,Eks,r1\nD,2,,\nA,1,Ek,r1\nA,4,,r4\n`);
  const sentence =
    "3 of 5 records of 2.csv are carried out in customers (1 created, 1 updated, 1 deleted); 2 refused. See 2.csv.rejects.csv.";
  const run = await batch(service.url, ["run", path, "--layout", layout, "--max-rejects", "none"]);
  expect([run.code, plain(run.stderr)]).toEqual([
    2,
    `${sentence} Correct 2.csv.rejects, then load it with: intake-batch run /in/2.csv.rejects --layout /in/layout.json`,
  ]);
  expect(reportOf(path)).toEqual([
    sentence,
    "",
    "file        /in/2.csv (72 bytes)",
    "collection  customers, create",
    "run         RUN",
    "by          KEY",
    "started     TIME",
    "exit code   2",
    "",
    "records                5 read",
    "                       1 created",
    "                       2 updated",
    "                       0 unchanged",
    "                       0 skipped",
    "                       1 refused by the service",
    "                       0 in doubt",
    "                       1 not sent",
    "                       1 of those updated were deletes",
    "",
    "rejects     2.csv.rejects",
    "            2.csv.rejects.csv",
    "",
    "What the check found:",
    "           1  lastName: Last name has no value, and each record needs one.",
    "",
    "Notes:",
    "  Read by the layout “Daily”: delimited, utf-8.",
    "  1 record has a key that an earlier record of the file has; the later one wins.",
    "",
  ]);
});

test("a rehearsal says what would be, and is announced", async () => {
  const path = write("dry.csv", "Last name,Account ID\nEk,d1\n");
  const { out } = await batch(service.url, ["run", path, "--dry-run"]);
  expect(out.split("\n")).toContain("Asking the service what would become of the records.");
  expect(out.split("\n")).toContain("Checked: 1 record, 1 of them ready.");
  expect(reportOf(path).slice(4, 12)).toEqual([
    "run         none",
    "by          KEY",
    "started     TIME",
    "exit code   0",
    "",
    "would be:",
    "                       1 created",
    "                       0 updated",
  ]);
});

describe("the notes of a check", () => {
  const none = { damage: [], notes: [], strayQuotes: undefined, repeats: 0, leftOut: 0 } as unknown as CheckSummary;
  test.each<[found: Partial<CheckSummary>, notes: string[]]>([
    [{}, []],
    [
      { strayQuotes: { line: 3, through: 9 } as NonNullable<CheckSummary["strayQuotes"]> },
      ["Quotation marks that do not close may have joined rows, the first on lines 3 to 9."],
    ],
    [{ repeats: 1 }, ["1 record has a key that an earlier record of the file has; the later one wins."]],
    [{ repeats: 1_200 }, ["1,200 records have a key that an earlier record of the file has; the later one wins."]],
    [{ leftOut: 1 }, ["1 record left out, as the recipe or --suspect-rows says."]],
    [{ notes: ["Known."], damage: ["Damaged."] }, ["Known.", "Damaged."]],
  ])("%j", (found, notes) => {
    expect(notesOf({ ...none, ...found })).toEqual(notes);
  });
});

test("a report for programs has the property names that docs/batch.md promises", async () => {
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

test("a report that the service does not take is said, and changes nothing of how the run ended", async () => {
  const { proxy, storedOnce } = testService;
  const path = write("unreported.csv", "Last name,Account ID\nEk,u1\nAl,u2\n");
  proxy.refuseReports();
  const run = await batch(proxy.url, ["run", path]);
  proxy.open();
  const sentence = "The service has not taken the report of unreported.csv, so its list of uploads does not say how the run ended.";
  expect([
    run.code,
    run.out
      .trim()
      .split("\n")
      .filter((line) => line.includes("has not taken")),
  ]).toEqual([0, [sentence]]);
  expect(await storedOnce("u")).toEqual([2, 2]);
  expect((await batch(proxy.url, ["run", write("reported.csv", "Last name,Account ID\nEk,u3\n")])).out).not.toContain("has not taken");
});
