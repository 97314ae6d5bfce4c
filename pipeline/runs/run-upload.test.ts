import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchHeader } from "../mapping/match-columns.ts";
import { OutcomeLog } from "../model/outcomes.ts";
import type { UploadMode } from "../model/plan.ts";
import {
  counted,
  createClock,
  createService,
  customersFile,
  employees,
  type Fault,
  fileOf,
  planFor,
  upload,
} from "../testing/fake-service.ts";

describe("an upload", () => {
  test("sends 2,500 rows in three batches with keys of their own", async () => {
    const service = createService();
    const { report } = await upload(customersFile(2500), service);
    expect(report).toMatchObject({ ended: "done", rowsRead: 2500, notStored: [] });
    expect(counted(report)).toEqual({ created: 2500 });
    expect(service.calls.map(({ key, records }) => [key, records.length])).toEqual([
      ["u1-1", 1000],
      ["u1-1001", 1000],
      ["u1-2001", 500],
    ]);
    expect(service.records.get(2500)).toEqual({ objectId: 2500, firstName: "Märta", lastName: "Ångström 2500", accountID: "00071-A" });
  });

  test("has a few requests in flight, never more than a browser leaves to the pages", async () => {
    const clock = createClock();
    const service = createService({ clock, takes: 1000 });
    await upload(customersFile(30_000), service, { clock });
    expect(service.calls[3]?.at).toBe(service.calls[0]?.at);
    expect(service.calls[4]?.at).toBeGreaterThan(service.calls[0]?.at ?? 0);
    expect(service.mostAtOnce).toBe(5);
  });

  test("stores valid rows although others are not valid, and reports those", async () => {
    const service = createService();
    const file = fileOf("objectId,firstName,lastName,accountID\n1,,Ann,A\n007,,Bob,B\n3,,,C\n4,,Dan,D\n5,,Eve\n");
    const { report } = await upload(file, service);
    expect(counted(report)).toEqual({ created: 2, notSent: 3 });
    expect(report.notStored.map(({ row, line, outcome }) => [row, line, outcome])).toEqual([
      [2, 3, "notSent"],
      [3, 4, "notSent"],
      [5, 6, "notSent"],
    ]);
    expect(report.notStored[1]?.reason).toBe("Enter the last name.");
  });

  test("reports rows that the service refuses as failed, with the reason, and stores the others", async () => {
    const service = createService({ reject: ({ lastName }) => (lastName === "Ångström 7" ? "Not him." : undefined) });
    const { report } = await upload(customersFile(10), service);
    expect(counted(report)).toEqual({ created: 9, failed: 1 });
    expect(report.notStored).toEqual([{ row: 7, line: 8, outcome: "failed", reason: "Not him." }]);
  });

  test("sends nothing when no row is valid, and counts all rows", async () => {
    const service = createService();
    const { report } = await upload(fileOf(`objectId,firstName,lastName,accountID\n${"x,,,\n".repeat(1000)}`), service);
    expect(counted(report)).toEqual({ notSent: 1000 });
    expect(service.calls).toEqual([]);
    expect(report.notStored).toHaveLength(100);
  });

  test("sends nothing when a required column is missing", async () => {
    const { report } = await upload(fileOf("Last name\nAnn\n"), createService(), { plan: planFor("create", ["lastName"]) });
    expect(report.notStored).toMatchObject([{ reason: "Enter the account ID." }]);
  });

  test("creates, updates, or does both, by its mode", async () => {
    const service = createService();
    await upload(customersFile(3), service);
    const again = fileOf("objectId,firstName,lastName,accountID\n2,,Ångström 2,00071-A\n3,Bo,Ångström 3,00071-A\n4,,Dan,D\n");
    expect(counted((await upload(again, service, { uploadId: "u2" })).report)).toEqual({ failed: 2, created: 1 });
    service.records.delete(4);
    expect(counted((await upload(again, service, { uploadId: "u3", plan: planFor("update") })).report)).toEqual({
      unchanged: 1,
      updated: 1,
      failed: 1,
    });
    expect(counted((await upload(again, service, { uploadId: "u4", plan: planFor("upsert") })).report)).toEqual({
      unchanged: 2,
      created: 1,
    });
    expect(service.records.get(2)?.firstName).toBe("Märta"); // its cell was empty
  });

  test("sends rows with the same key in order: the later row wins", async () => {
    const service = createService();
    const rows = Array.from({ length: 3000 }, (_, i) => `${(i % 900) + 1},,Version ${i},A\n`);
    await upload(fileOf(`objectId,firstName,lastName,accountID\n${rows.join("")}`), service, { plan: planFor("upsert") });
    expect(service.records.get(1)?.lastName).toBe("Version 2700");
    expect(service.records.get(900)?.lastName).toBe("Version 2699");
  });

  test("works for another collection without code of its own", async () => {
    const service = createService({ collection: employees });
    const header = ["ID", "Name", "Permanent", "Hire date", "Location"];
    const file = fileOf(`${header.join(",")}\n1001,Lucía D’Angelo,true,2026-01-31T08:30:00+01:00,Kraków\n1002,Bo,,,\n`);
    const columns = matchHeader(employees, header);
    const { report } = await upload(file, service, { collection: employees, plan: planFor("create", columns) });
    expect(counted(report)).toEqual({ created: 1, notSent: 1 });
    expect(service.records.get(1001)).toEqual({
      id: 1001,
      name: "Lucía D’Angelo",
      permanent: true,
      hiredatetime: "2026-01-31T07:30:00.000Z",
      location: "Kraków",
    });
  });

  test("makes smaller batches of very long rows", async () => {
    const service = createService();
    const name = "漢".repeat(200);
    const rows = Array.from({ length: 1000 }, (_, i) => `${i + 1},${name},${name},A,${"x".repeat(20_000)}\n`);
    await upload(fileOf(`objectId,firstName,lastName,accountID,Notes\n${rows.join("")}`), service, {
      plan: planFor("create", ["objectId", "firstName", "lastName", "accountID", null]),
    });
    expect(service.calls.length).toBeGreaterThan(1);
    expect(service.records.size).toBe(1000);
  });
});

describe("whatever the service and the user do", () => {
  const fault = fc.option(
    fc.constantFrom<Fault>(
      "lost",
      "silent",
      "short",
      400,
      401,
      403,
      408,
      413,
      422,
      429,
      500,
      503,
      { status: 429, retryAfter: 5 },
      { status: 503, retryAfter: 400 },
    ),
    { freq: 3 },
  );
  const shape = fc.record({
    rows: fc.array(fc.constantFrom("ok", "ok", "ok", "bad", "blank", "ragged", "same"), { maxLength: 40 }),
    repeat: fc.integer({ min: 1, max: 120 }),
    faults: fc.array(fault, { maxLength: 12 }),
    cancelAt: fc.option(fc.nat(12)),
    mode: fc.constantFrom<UploadMode>("create", "update", "upsert"),
    chances: fc.array(fc.double({ min: 0, max: 0.99, noNaN: true }), { minLength: 1, maxLength: 5 }),
  });

  test("the outcomes add up to the rows read, and each row's own outcome agrees with the counts", async () => {
    await fc.assert(
      fc.asyncProperty(shape, async ({ rows, repeat, faults, cancelAt, mode, chances }) => {
        let id = 0;
        const lines = {
          ok: () => `${++id},,N,A\n`,
          bad: () => `${++id},,,A\n`,
          blank: () => "\n",
          ragged: () => "1,2\n",
          same: () => `7,,S${++id},A\n`,
        };
        const text = Array.from({ length: repeat }, () => rows.map((kind) => lines[kind]()).join("")).join("");
        const cancel = new AbortController();
        let draw = 0;
        const service = createService({
          fault: (call) => {
            if (call === cancelAt) cancel.abort();
            return faults[call] ?? undefined;
          },
        });
        const outcomeLog = new OutcomeLog();
        const clock = createClock(() => chances[draw++ % chances.length] ?? 0);
        const { report } = await upload(fileOf(`objectId,firstName,lastName,accountID\n${text}`), service, {
          plan: planFor(mode),
          signal: cancel.signal,
          signIn: () => Promise.resolve(),
          clock,
          outcomeLog,
        });
        expect(report.rowsRead).toBe(repeat * rows.filter((kind) => kind !== "blank").length);
        const tally: Record<string, number> = {};
        for (let row = 1; row <= report.rowsRead; row++) tally[outcomeLog.outcomeOf(row)] = (tally[outcomeLog.outcomeOf(row)] ?? 0) + 1;
        expect(tally).toEqual(counted(report));
        const stored = report.counts.created;
        expect(stored).toBeLessThanOrEqual(service.records.size);
        // Read back after silence, a row is known to be stored, but not whether it was there before: "updated".
        expect(service.records.size).toBeLessThanOrEqual(stored + report.counts.inDoubt + report.counts.updated);
        const shown = report.notStored.map(({ row }) => row);
        expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
      }),
      { numRuns: 300, interruptAfterTimeLimit: 5_000 },
    );
  });

  test("the page gets at most ten states a second", async () => {
    const clock = createClock();
    const at: number[] = [];
    await upload(customersFile(30_000), createService(), { clock }, ({ step }) => step === "sending" && at.push(clock.now()));
    expect(at.length).toBeGreaterThan(0);
    expect(at.every((time, i) => i === 0 || time - (at[i - 1] ?? 0) >= 100)).toBe(true);
  });
});
