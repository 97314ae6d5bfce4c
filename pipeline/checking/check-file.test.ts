import { describe, expect, test } from "vitest";
import { NO_CORRECTIONS } from "../model/corrections.ts";
import type { UploadMode } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { type CheckJob, runCheck, runInspection } from "../runs/run-upload.ts";
import type { UploadState } from "../runs/upload-state.ts";
import { createClock, customers, employees, fileOf, plainDialect, planFor } from "../testing/fake-service.ts";
import type { CheckSummary, ListedRow } from "./findings.ts";
import { withRepeats } from "./repeated-rows.ts";

async function check(
  text: string,
  collection = customers,
  mode: UploadMode = "create",
): Promise<CheckSummary & { rows: ListedRow[]; keyless: number }> {
  const file = fileOf(text);
  const inspection = await runInspection(file, collection);
  if (inspection.step !== "columns") throw new Error(inspection.step);
  const { dialect, columns } = inspection.inspection;
  let last: UploadState | undefined;
  let rows: ListedRow[] = [];
  let keyless = 0;
  const { signal } = new AbortController();
  const onFound: CheckJob["onFound"] = (findings) => {
    rows = findings.list();
    keyless = findings.keyless;
  };
  for await (const state of runCheck({ file, collection, plan: { dialect, columns, mode }, signal, clock: createClock(), onFound }))
    last = state;
  if (last?.step !== "checked") throw new Error(last?.step);
  return { ...last.check, rows, keyless };
}

describe("the check of a file", () => {
  test("leaves out the rows of separators that a spreadsheet leaves below its data", async () => {
    const found = await check("objectId;firstName;lastName;accountID\n1;Jo;Ann;A\n;;;\n2;;Bob;B\n;;;\n;;;\n");
    expect(found).toMatchObject({ rowsRead: 2, ready: 2, groups: [] });
  });

  test("names rows that are the same as an earlier one where none says which record it is, whatever stands in columns left out", async () => {
    const text = "lastName,accountID,Row\nAnn,A,1\nBob,A,2\nAnn,A,3\n,A,4\n,A,5\nAnn,A,6\n";
    const found = await check(text);
    expect(found).toMatchObject({ rowsRead: 6, ready: 4, repeats: 0 });
    const ranges = [3, 6].map((row) => [row, row]);
    expect(found.twins).toEqual({ rows: 2, ranges, more: 0 });
    expect((await check("objectId,lastName,accountID\n1,Ann,A\n2,Ann,A\n,Ann,A\n")).twins.rows).toBe(0);
  });

  test.each([
    ["first", [2, 3]],
    ["last", [0, 2]],
    ["none", [0, 2, 3]],
  ] as const)("leaves them out when it is told to, but for the %s", async (repeats, out) => {
    const file = fileOf("lastName,accountID\nAnn,A\nBob,A\nAnn,A\nAnn,A\n");
    const fixes = { ...NO_CORRECTIONS, repeats };
    const given = { ...planFor("create", ["lastName", "accountID"]), fixes };
    const plan = await withRepeats({ file, collection: customers, plan: given }, new AbortController().signal);
    const rows = RowSet.of(Uint32Array.from(plan.repeatsOut ?? []));
    expect([1, 2, 3, 4].filter((row) => rows.has(row)).map((row) => row - 1)).toEqual(out);
  });

  test("finds and groups invalid rows; the others are ready", async () => {
    const found = await check("objectId,lastName,accountID\n1,Ann,A\n007,Bob,B\n\n3,,C\n4,Dan,D\nx,,E\n");
    expect(found).toMatchObject({ rowsRead: 5, ready: 2 });
    expect(found.groups.map(({ title, code, count, ranges }) => ({ title, code, count, ranges }))).toEqual([
      {
        title: "Object ID",
        code: "KIND",
        count: 2,
        ranges: [
          [2, 2],
          [5, 5],
        ],
      },
      {
        title: "Last name",
        code: "REQUIRED",
        count: 2,
        ranges: [
          [3, 3],
          [5, 5],
        ],
      },
    ]);
    expect(found.rows.map(({ row, line, cells }) => ({ row, line, cells }))).toEqual([
      { row: 2, line: 3, cells: ["007", "Bob", "B"] },
      { row: 3, line: 5, cells: ["3", "", "C"] },
      { row: 5, line: 7, cells: ["x", "", "E"] },
    ]);
  });

  test("makes one group with one range of a wholly wrong column, and can show its first 10,000 rows", async () => {
    const found = await check(`lastName,accountID\n${",A\n".repeat(200_000)}`);
    expect(found.ready).toBe(0);
    expect(found.groups).toHaveLength(1);
    expect(found.groups[0]).toMatchObject({ count: 200_000, ranges: [[1, 200_000]], more: 0 });
    expect(found.rows).toHaveLength(10_000);
    expect(found).toMatchObject({ listed: 10_000, unlisted: 190_000 });
  });

  test("can show rare problems far down even when common ones fill the list", async () => {
    const found = await check(`lastName,accountID\n${",A\n".repeat(20_000)}Ann,\n`);
    expect(found.rows.at(-1)).toMatchObject({ row: 20_001, cells: ["Ann", ""] });
  });

  test("keeps fewer rows when they are very long", async () => {
    const found = await check(`lastName,accountID,Notes\n${`,A,${"x".repeat(100_000)}\n`.repeat(200)}`);
    expect(found.rows.length).toBeLessThan(100);
    expect(found.listed + found.unlisted).toBe(200);
  });

  test("shows twelve ranges of scattered problems, and how many rows are beyond", async () => {
    const found = await check(`lastName,accountID\n${"Ann,A\n,B\n".repeat(100)}`);
    expect(found.groups[0]?.ranges).toHaveLength(12);
    expect(found.groups[0]).toMatchObject({ count: 100, more: 88 });
  });

  test("has a message for a group that is true for all its rows", async () => {
    const found = await check(`lastName,accountID\n${"x".repeat(201)},A\n${"x".repeat(300)},A\na,b,c\na\n`);
    expect(found.groups.map(({ title, message }) => [title, message])).toEqual([
      ["Last name", "Last name may have at most 200 characters."],
      ["The row", "The row has more or fewer cells than the heading."],
    ]);
  });

  test("reports a key that an earlier row has on the later row, where rows are to be created", async () => {
    const text = "objectId,lastName,accountID\n7,Ann,A\n8,,B\n7,Bob,B\n,Eve,E\n8,Dan,D\n,Fay,F\n";
    const found = await check(text);
    expect(found.groups.map(({ code, ranges }) => [code, ranges])).toEqual([
      ["DUPLICATE", [[3, 3], [5, 5]]], // biome-ignore format: short
      ["REQUIRED", [[2, 2]]],
    ]);
    const [, third] = found.rows;
    expect(third?.verdict.problems?.[0]?.message).toBe("An earlier row of this file has the same Object ID.");
    expect(await check(text, customers, "upsert")).toMatchObject({ ready: 5, repeats: 2, keyless: 2 });
  });

  test("reports digits that a spreadsheet rounded away", async () => {
    const found = await check('objectId,lastName,accountID\n5.58E+12,Ann,A\n"5,58E+12",Bob,B\n');
    expect(found.groups).toMatchObject([
      { code: "DAMAGED", count: 2, message: expect.stringMatching(/^Object ID has lost its last digits in a spreadsheet/) },
    ]);
  });

  test("uses the rules of the collection", async () => {
    const found = await check(
      "id,name,age,hiredatetime,permanent,location\n1001,Lucía D’Angelo,41,2026-01-31T08:30:00Z,true,Utrecht\n1002,X,13,tomorrow,maybe,Paris\n",
      employees,
    );
    expect(found).toMatchObject({ rowsRead: 2, ready: 1 });
    expect(found.rows[0]?.verdict.problems?.map(({ field, code }) => `${field} ${code}`)).toEqual([
      "name TOO_SHORT",
      "age TOO_SMALL",
      "hiredatetime KIND",
      "permanent KIND",
      "location ENUM",
    ]);
  });

  test("says of a row in which a separator lacks beside a quoted text that one may lack", async () => {
    const { ready, groups } = await check('id,First name,Last name,Account ID\n1,$9"Kids, 24""",A1\n');
    expect([ready, groups.map(({ code, message }) => [code, message])]).toEqual([
      0,
      [["QUOTES", expect.stringContaining("lacks a separator")]],
    ]);
  });

  test("refuses a file with bytes far down that are not UTF-8", async () => {
    const good = new TextEncoder().encode(`lastName,accountID\n${"Ann,A\n".repeat(50_000)}`);
    const file = fileOf(new Uint8Array([...good, 0xe4, 0x2c, 0x41, 0x0a]));
    const plan = planFor("create", ["lastName", "accountID"]);
    let last: UploadState | undefined;
    for await (const state of runCheck({ file, collection: customers, plan, signal: new AbortController().signal })) last = state;
    expect(last).toMatchObject({ step: "refused", detail: expect.stringContaining("Line 50,002 ") });
  });

  test("counts damage by a spreadsheet over the whole file", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `Ann,${i % 10 === 0 ? i : String(i).padStart(6, "0")}\n`).join("");
    const { damage } = await check(`lastName,accountID\n${rows}Bo,"5,58E+12"\nCy,1-Mar\n`);
    expect(damage).toEqual([
      expect.stringMatching(/^Account ID: “5,58E\+12” was .*digits are lost/),
      expect.stringMatching(/^Account ID: “1-Mar” was turned into a date/),
      expect.stringMatching(/^Account ID: 2,000 cells such as “.*” have fewer digits/),
    ]);
  });

  test("reports a quotation mark that swallowed rows far down, and finds them when it is read as text", async () => {
    const text = `objectId,lastName,accountID\n${Array.from({ length: 9_999 }, (_, i) => `${i + 1},${i === 5_000 ? '"Ann' : "Ann"},A\n`).join("")}`;
    const file = fileOf(text);
    const found: (CheckSummary | undefined)[] = [];
    for (const quote of ['"', "lines"] as const) {
      const plan = { ...planFor("create", ["objectId", "lastName", "accountID"]), dialect: { ...plainDialect, quote } };
      for await (const state of runCheck({ file, collection: customers, plan, signal: new AbortController().signal })) {
        if (state.step === "checked") found.push(state.check);
      }
    }
    expect(found[0]).toMatchObject({ ready: 5_000, strayQuotes: { line: 5_002, through: 10_001, rows: 1 } });
    expect(found[1]).toMatchObject({ ready: 9_999, rowsRead: 9_999, strayQuotes: undefined });
  });

  test("ends without a result after a cancel", async () => {
    const file = fileOf(`lastName,accountID\n${"Ann,A\n".repeat(50_000)}`);
    const plan = planFor("create", ["lastName", "accountID"]);
    const cancel = new AbortController();
    const seen: string[] = [];
    for await (const state of runCheck({ file, collection: customers, plan, signal: cancel.signal })) {
      seen.push(state.step);
      cancel.abort();
    }
    expect(seen).toEqual(["checking"]);
  });
});
