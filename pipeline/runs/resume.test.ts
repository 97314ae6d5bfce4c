import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Field } from "../../core/dictionary/fields.ts";
import { rowsOf } from "../containers/row-source.ts";
import { type Corrections, NO_CORRECTIONS } from "../model/corrections.ts";
import { FileError } from "../model/file-error.ts";
import type { UploadMode } from "../model/plan.ts";
import { memoryLog } from "../sending/journal.ts";
import { Pauses } from "../sending/pauses.ts";
import { counted, createClock, createService, customers, customersFile, fileOf, jobFor, planFor, upload } from "../testing/fake-service.ts";
import { dyingTab, runUntil } from "../testing/fake-tab.ts";

const surname = (field: Field): Field => (field.name === "lastName" ? { ...field, name: "surname", formerNames: ["lastName"] } : field);

describe("after a crash", () => {
  const text = (kinds: readonly string[]): string => {
    const lines: Record<string, (i: number) => string> = {
      named: (i) => `${i + 1},,N${i},A\n`,
      nameless: (i) => `,,N${i},A\n`,
      bad: (i) => `${i + 1},,,A\n`,
    };
    return `objectId,firstName,lastName,accountID\n${kinds.map((kind, i) => lines[kind]?.(i)).join("")}`;
  };

  test("wherever the tab dies, the next run stores each row once, and the outcomes add up", async () => {
    const shape = fc.record({
      kinds: fc.array(fc.constantFrom("named", "nameless", "nameless", "bad"), { minLength: 1, maxLength: 60 }),
      repeat: fc.integer({ min: 1, max: 100 }),
      mode: fc.constantFrom<UploadMode>("create", "upsert"),
      deaths: fc.array(fc.record({ at: fc.nat(5), arrives: fc.boolean() }), { minLength: 1, maxLength: 4 }),
      isTooLarge: fc.option(fc.integer({ min: 1, max: 900 })),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ kinds, repeat, mode, deaths, isTooLarge }) => {
        const all = Array.from({ length: repeat }, () => kinds).flat();
        const fault = (_: number, records: readonly unknown[]) => (isTooLarge && records.length > isTooLarge ? 413 : undefined);
        const service = createService({ fault });
        const log = memoryLog();
        const file = fileOf(text(all));
        const job = { ...jobFor(file, service), plan: planFor(mode) };
        for (const { at, arrives } of deaths) {
          const { died, ...dying } = dyingTab(service, log, at, arrives);
          await runUntil(died, { ...job, ...dying });
        }
        const { report } = await upload(file, service, { ...job, log });
        const good = all.filter((kind) => kind !== "bad").length;
        const { created, updated, inDoubt } = report.counts;
        expect(report.counts).toMatchObject({ created: good - inDoubt - updated, notSent: all.length - good, failed: 0 });
        if (!isTooLarge || mode === "create") expect(updated).toBe(0); // read back: stored, whether before or now is not known
        // A batch that had no answer, and is then refused as a whole, was perhaps stored: a row without an id cannot be looked up.
        if (!isTooLarge || !all.includes("nameless")) expect(inDoubt).toBe(0);
        expect(service.records.size).toBeLessThanOrEqual(good);
        expect(service.records.size).toBeGreaterThanOrEqual(created);
      }),
      { numRuns: 150, interruptAfterTimeLimit: 5_000 },
    );
  });

  test("a field that got another name meanwhile keeps its column, its corrections and its problems, and batches go again as they were", async () => {
    const file = fileOf(
      `objectId,firstName,lastName,accountID\n${Array.from({ length: 6000 }, (_, i) => `${i + 1},,${i % 5 === 0 ? "" : `N${i}`},A\n`).join("")}`,
    );
    const fixes = { ...NO_CORRECTIONS, leftOutGroups: [{ field: "lastName", code: "REQUIRED" }] };
    const plan = { ...planFor("create"), fixes };
    const today = {
      ...customers,
      fields: customers.fields.map(surname),
      byName: new Map(customers.fields.map(surname).map((one) => [one.name, one])),
    };
    for (const [at, arrives] of [
      [0, true],
      [3, false],
    ] as const) {
      const service = createService();
      const log = memoryLog();
      const { died, ...dying } = dyingTab(service, log, at, arrives);
      await runUntil(died, { ...jobFor(file, service), ...dying, plan: structuredClone(plan) });
      const { report } = await upload(file, service, { log, plan: structuredClone(plan), collection: today });
      expect(counted(report)).toEqual({ created: 4800, notSent: 1200 });
      expect([2, 5999].map((id) => service.records.get(id)?.lastName)).toEqual(["N1", "N5998"]);
    }
  });

  test("corrections and rows left out at the check hold, wherever the tab dies", async () => {
    const lines = Array.from({ length: 6000 }, (_, i) => `${i + 1}${i % 3 === 0 ? ".0" : ""},,${i % 5 === 0 ? "" : `N${i}`},A\n`);
    const file = fileOf(`objectId,firstName,lastName,accountID\n${lines.join("")}`);
    const fixes: Corrections = {
      ...NO_CORRECTIONS,
      edits: { 1: { 2: "Typed" }, 5996: { 2: "Typed too" } },
      leftOut: [2, 5999],
      leftOutGroups: [{ field: "lastName", code: "REQUIRED" }],
      autoFixes: [{ field: "objectId", name: "trailingZero" }],
    };
    const plan = { ...planFor("create"), fixes };
    for (const [at, arrives] of [
      [0, true],
      [0, false],
      [3, true],
      [4, false],
    ] as const) {
      const service = createService();
      const log = memoryLog();
      const { died, ...dying } = dyingTab(service, log, at, arrives);
      await runUntil(died, { ...jobFor(file, service), ...dying, plan: structuredClone(plan) });
      const { report } = await upload(file, service, { log, plan: structuredClone(plan) }); // as the journal gives it back
      expect(counted(report)).toEqual({ created: 4800, notSent: 1200 });
      expect(service.records.size).toBe(4800);
      expect([1, 5996].map((id) => service.records.get(id)?.lastName)).toEqual(["Typed", "Typed too"]);
      expect([2, 6, 5999].filter((id) => service.records.has(id))).toEqual([]);
      expect(report.notStored[0]).toMatchObject({ row: 2, reason: "You left this row out." });
    }
  });

  test("rows with an outcome are not sent again", async () => {
    const service = createService();
    const log = memoryLog();
    const { died, ...dying } = dyingTab(service, log, 7, false);
    await runUntil(died, { ...jobFor(customersFile(9000), service), ...dying });
    const before = service.calls.length;
    const { report } = await upload(customersFile(9000), service, { log });
    expect(counted(report)).toEqual({ created: 9000 });
    expect(service.calls.slice(before).map(({ key }) => key)).not.toContain("u1-1");
    expect(service.records.size).toBe(9000);
  });

  test("a stopped upload continues where it was", async () => {
    let isBusy = false;
    const service = createService({ fault: () => (isBusy ? { status: 503, retryAfter: 3600 } : undefined) });
    const log = memoryLog();
    const stopped = await upload(customersFile(9000), service, { log }, () => {
      isBusy = service.calls.length > 3;
    });
    isBusy = false;
    expect(stopped.report.ended).toBe("stopped");
    const { report } = await upload(customersFile(9000), service, { log });
    expect(counted(report)).toEqual({ created: 9000 });
    expect(service.records.size).toBe(9000);
  });

  test("a file that can no longer be read to its end leaves a batch without an answer as it is, for a later run", async () => {
    const file = fileOf(`objectId,firstName,lastName,accountID\n${Array.from({ length: 3000 }, (_, i) => `,,N${i},A\n`).join("")}`);
    const service = createService();
    const log = memoryLog();
    const { died, ...dying } = dyingTab(service, log, 0, true);
    await runUntil(died, { ...jobFor(file, service), ...dying });
    let readings = 0;
    async function* openRows() {
      readings += 1;
      for await (const block of rowsOf(jobFor(file, service))) {
        const isGone = readings === 2; // the check read it to its end
        yield isGone ? { ...block, rows: block.rows.slice(0, 300) } : block;
        if (isGone) throw new FileError("The file is gone.", "");
      }
    }
    const broken = await upload(file, service, { log, openRows });
    expect(counted(broken.report)).toEqual({ inDoubt: 300, notSent: 2700 });
    const { report } = await upload(file, service, { log });
    expect(counted(report)).toEqual({ created: 3000 });
    expect(service.records.size).toBe(3000);
  });

  test("days later, when the service has forgotten the keys, ids are read back and nothing is stored twice", async () => {
    const clock = createClock();
    const service = createService({ ignoresKeys: true });
    const log = memoryLog();
    const file = customersFile(3000);
    const { died, ...dying } = dyingTab(service, log, 1, true);
    await runUntil(died, { ...jobFor(file, service), ...dying, clock });
    await clock.sleep(30 * 3_600_000, new AbortController().signal);
    const { report } = await upload(file, service, { log, clock });
    expect(counted(report)).toEqual({ created: 3000 });
    expect(service.records.size).toBe(3000);
  });
});

describe("a service that ignores idempotency keys", () => {
  test("with ids in the file, rows without a response are read back, and all are stored once", async () => {
    const service = createService({ ignoresKeys: true, fault: (call) => (call === 1 || call === 2 ? "silent" : undefined) });
    const { report } = await upload(customersFile(5000), service);
    expect(counted(report)).toEqual({ created: 5000 });
    expect(service.records.size).toBe(5000);
  });

  test("without ids, rows without a response are in doubt, and nothing is stored twice", async () => {
    const service = createService({ ignoresKeys: true, fault: (call) => (call === 2 ? "silent" : undefined) });
    const rows = Array.from({ length: 5000 }, (_, i) => `,,N${i},A\n`).join("");
    const { report } = await upload(fileOf(`objectId,firstName,lastName,accountID\n${rows}`), service);
    expect(counted(report)).toEqual({ created: 4000, inDoubt: 1000 });
    expect(service.records.size).toBe(5000);
  });
});

describe("a pause", () => {
  test("lets requests in flight end and sends nothing more until the upload is resumed", async () => {
    const pauses = new Pauses();
    const service = createService({ fault: (call) => void (call === 5 && pauses.put("paused")) });
    let seen = 0;
    const { report } = await upload(customersFile(20_000), service, { pauses }, (state) => {
      if (state.step !== "sending" || state.waiting?.until !== null) return;
      seen = service.calls.length;
      expect(state).toMatchObject({ isPaused: true, waiting: { why: "You paused this upload." } });
      pauses.lift("paused");
    });
    expect(seen).toBeLessThanOrEqual(5 + 5);
    expect(seen).toBeGreaterThan(5);
    expect(counted(report)).toEqual({ created: 20_000 });
  });

  test("a cancel ends a paused upload", async () => {
    const pauses = new Pauses();
    pauses.put("paused");
    const cancel = new AbortController();
    const { report } = await upload(
      customersFile(20),
      createService(),
      { pauses, signal: cancel.signal },
      ({ step }) => step === "sending" && cancel.abort(),
    );
    expect(counted(report)).toEqual({ notSent: 20 });
  });

  test("of an hour without a connection costs no row", async () => {
    const clock = createClock();
    const pauses = new Pauses();
    const never = new AbortController().signal;
    let isOff = false;
    const service = createService({
      clock,
      takes: 1000,
      fault: (call) => {
        if (call === 4) {
          isOff = true;
          pauses.put("offline");
          void clock.sleep(3_600_000, never).then(() => {
            isOff = false;
            pauses.lift("offline");
          });
        }
        return isOff ? "lost" : undefined;
      },
    });
    const { report } = await upload(customersFile(10_000), service, { pauses, clock });
    expect(counted(report)).toEqual({ created: 10_000 });
  });
});
