import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PostBatch } from "./deliver.ts";
import { createClock, createService, customers, customersFile, employees, type FakeService, type Fault, fileOf } from "./fakes.ts";
import type { Plan } from "./judge.ts";
import { matchHeader, type UploadMode } from "./match.ts";
import { Book, type Report } from "./report.ts";
import { runUpload, type UploadJob, type UploadState } from "./run.ts";

const COLUMNS = ["objectId", "firstName", "lastName", "accountID"];

function plan(mode: UploadMode, columns: Plan["columns"] = COLUMNS): Plan {
  return { dialect: { encoding: "UTF-8", bom: false, delimiter: "," }, columns, mode };
}

interface Run {
  report: Report;
  states: UploadState[];
}

async function upload(
  file: File,
  service: FakeService,
  job: Partial<UploadJob> = {},
  onState?: (state: UploadState) => void,
): Promise<Run> {
  const clock = createClock();
  const states: UploadState[] = [];
  const given: UploadJob = {
    file,
    collection: customers,
    plan: plan("create"),
    uploadId: "u1",
    postBatch: service.postBatch,
    signIn: () => Promise.reject(new Error("nobody")),
    signal: new AbortController().signal,
    clock,
    ...job,
  };
  for await (const state of runUpload(given)) {
    states.push(state);
    onState?.(state);
  }
  const last = states.at(-1);
  if (last?.step !== "report") throw new Error(`ended with ${last?.step}`);
  expectSum(last.report);
  return { report: last.report, states };
}

function expectSum({ counts, rowsRead }: Report): void {
  expect(Object.values(counts).reduce((a, b) => a + b, 0)).toBe(rowsRead);
}

const counted = ({ counts }: Report) => Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));

describe("a file arrives whole", () => {
  test("2,500 rows go in three batches with keys of their own, at most four at once", async () => {
    const service = createService();
    const { report } = await upload(customersFile(2500), service);
    expect(report).toMatchObject({ ended: "done", rowsRead: 2500, notStored: [] });
    expect(counted(report)).toEqual({ created: 2500 });
    expect(service.calls.map(({ key, records }) => [key, records.length])).toEqual([
      ["u1-1", 1000],
      ["u1-2", 1000],
      ["u1-3", 500],
    ]);
    expect(service.records.get(2500)).toEqual({ objectId: 2500, firstName: "Märta", lastName: "Ångström 2500", accountID: "00071-A" });
  });

  test("a slow service has four requests under way, never more", async () => {
    const service = createService();
    await upload(customersFile(12_000), service);
    expect(service.mostAtOnce).toBe(4);
  });

  test("wrong rows never stop right ones, and the report says which", async () => {
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

  test("what the service refuses is failed, with its reason, and costs no other row", async () => {
    const service = createService({ refuse: ({ lastName }) => (lastName === "Ångström 7" ? "Not him." : undefined) });
    const { report } = await upload(customersFile(10), service);
    expect(counted(report)).toEqual({ created: 9, failed: 1 });
    expect(report.notStored).toEqual([{ row: 7, line: 8, outcome: "failed", reason: "Not him." }]);
  });

  test("all rows bad: nothing is sent and all are accounted for", async () => {
    const service = createService();
    const { report } = await upload(fileOf(`objectId,firstName,lastName,accountID\n${"x,,,\n".repeat(1000)}`), service);
    expect(counted(report)).toEqual({ notSent: 1000 });
    expect(service.calls).toEqual([]);
    expect(report.notStored).toHaveLength(100);
  });

  test("a required column that is missing", async () => {
    const { report } = await upload(fileOf("Last name\nAnn\n"), createService(), { plan: plan("create", ["lastName"]) });
    expect(report.notStored).toMatchObject([{ reason: "Enter the account ID." }]);
  });

  test("create, update, create or update", async () => {
    const service = createService();
    await upload(customersFile(3), service);
    const again = fileOf("objectId,firstName,lastName,accountID\n2,,Ångström 2,00071-A\n3,Bo,Ångström 3,00071-A\n4,,Dan,D\n");
    expect(counted((await upload(again, service, { uploadId: "u2" })).report)).toEqual({ failed: 2, created: 1 });
    service.records.delete(4);
    expect(counted((await upload(again, service, { uploadId: "u3", plan: plan("update") })).report)).toEqual({
      unchanged: 1,
      updated: 1,
      failed: 1,
    });
    expect(counted((await upload(again, service, { uploadId: "u4", plan: plan("upsert") })).report)).toEqual({ unchanged: 2, created: 1 });
    expect(service.records.get(2)?.firstName).toBe("Märta"); // its cell was empty
  });

  test("the same key twice stays in order: the later row wins", async () => {
    const service = createService();
    const rows = Array.from({ length: 3000 }, (_, i) => `${(i % 900) + 1},,Version ${i},A\n`);
    await upload(fileOf(`objectId,firstName,lastName,accountID\n${rows.join("")}`), service, { plan: plan("upsert") });
    expect(service.records.get(1)?.lastName).toBe("Version 2700");
    expect(service.records.get(900)?.lastName).toBe("Version 2699");
  });

  test("employees need no code", async () => {
    const service = createService({ collection: employees });
    const header = ["ID", "Name", "Permanent", "Hire date", "Location"];
    const file = fileOf(`${header.join(",")}\n1001,Lucía D’Angelo,true,2026-01-31T08:30:00+01:00,Kraków\n1002,Bo,,,\n`);
    const { columns } = matchHeader(employees, header);
    const { report } = await upload(file, service, { collection: employees, plan: plan("create", columns) });
    expect(counted(report)).toEqual({ created: 1, notSent: 1 });
    expect(service.records.get(1001)).toEqual({
      id: 1001,
      name: "Lucía D’Angelo",
      permanent: true,
      hiredatetime: "2026-01-31T07:30:00.000Z",
      location: "Kraków",
    });
  });

  test("very long rows make smaller batches", async () => {
    const service = createService();
    const name = "漢".repeat(200);
    const rows = Array.from({ length: 1000 }, (_, i) => `${i + 1},${name},${name},A,${"x".repeat(20_000)}\n`);
    await upload(fileOf(`objectId,firstName,lastName,accountID,Notes\n${rows.join("")}`), service, {
      plan: plan("create", [...COLUMNS, null]),
    });
    expect(service.calls.length).toBeGreaterThan(1);
    expect(service.records.size).toBe(1000);
  });
});

/** Fails the first requests in this way, in order. */
const inOrder = (...faults: (Fault | undefined)[]) => ({ fault: (call: number) => faults[call] });

describe("trouble on the way", () => {
  test.each<[string, Fault]>([
    ["no reply, never arrived", "lost"],
    ["no reply, though it was stored", "silent"],
    ["408", 408],
    ["425", 425],
    ["429", 429],
    ["500", 500],
    ["502", 502],
    ["503", 503],
    ["504", 504],
    ["409 while the first try still runs", { status: 409, retryAfter: 1 }],
  ])("%s: the same batch goes again under the same key, and nothing is stored twice", async (_, fault) => {
    const service = createService(inOrder(fault, fault));
    const { report } = await upload(customersFile(10), service);
    expect(counted(report)).toEqual({ created: 10 });
    expect(service.calls.map(({ key }) => key)).toEqual(["u1-1", "u1-1", "u1-1"]);
    expect(service.records.size).toBe(10);
  });

  test("when the service asks to wait, all of the upload waits that long and says so", async () => {
    const clock = createClock(() => 0);
    const service = createService({ clock, ...inOrder({ status: 429, retryAfter: 12 }) });
    const { report, states } = await upload(customersFile(6000), service, { clock });
    expect(counted(report)).toEqual({ created: 6000 });
    const first = service.calls[0]?.at ?? 0;
    const underWayThen = service.calls.filter(({ at }) => at === first).length;
    expect(underWayThen).toBeLessThanOrEqual(4);
    expect(service.calls.slice(underWayThen).every(({ at }) => at >= first + 12_000)).toBe(true);
    const waits = states.flatMap((state) => (state.step === "sending" && state.waiting ? state.waiting : []));
    expect(waits[0]).toEqual({ why: "The service asked us to wait.", until: expect.any(Number) });
  });

  test("a service that asks for an hour stops the upload and says so", async () => {
    const { report } = await upload(customersFile(10), createService(inOrder({ status: 503, retryAfter: 3600 })));
    expect(report).toMatchObject({ ended: "stopped", why: expect.stringContaining("60 minutes") });
    expect(counted(report)).toEqual({ notSent: 10 });
  });

  test("a service that never answers: what was sent is in doubt, the rest is not sent, and it ends", async () => {
    const { report } = await upload(customersFile(10_000), createService({ fault: () => "lost" }));
    expect(report).toMatchObject({ ended: "stopped", why: expect.stringContaining("does not answer") });
    expect(counted(report)).toEqual({ inDoubt: 4000, notSent: 6000 });
  });

  test("a service that is always busy: nothing is in doubt", async () => {
    const { report } = await upload(customersFile(10_000), createService({ fault: () => 503 }));
    expect(counted(report)).toEqual({ notSent: 10_000 });
    expect(report.ended).toBe("stopped");
  });

  test("one batch that is never answered is in doubt and the others go on", async () => {
    const clock = createClock();
    const service = createService({ clock, takes: 60_000, fault: (_, [record]) => (record?.objectId === 1001 ? "silent" : undefined) });
    const { report } = await upload(customersFile(40_000), service, { clock });
    expect(counted(report)).toEqual({ created: 39_000, inDoubt: 1000 });
  });

  test.each([400, 422, 413])("a %i for the whole batch costs only the rows that cause it", async (status) => {
    const bad = new Set([3, 500, 501, 999]);
    const service = createService({
      fault: (_, records) => (records.some(({ objectId }) => bad.has(objectId as number)) ? status : undefined),
    });
    const { report } = await upload(customersFile(1500), service);
    expect(counted(report)).toEqual({ created: 1496, failed: 4 });
    expect(report.notStored.map(({ row }) => row)).toEqual([...bad]);
    expect(new Set(service.calls.map(({ key }) => key)).size).toBe(service.calls.length); // other records, other key
  });

  test("a service that refuses every row of the first batches is not asked a million times", async () => {
    const { report } = await upload(customersFile(20_000), createService({ fault: () => 422 }));
    expect(report).toMatchObject({ ended: "stopped", why: expect.stringContaining("every row") });
    expect(report.counts).toMatchObject({ failed: 4000, notSent: 16_000 });
  });

  test.each([403, 404, 415])("a %i is true of every batch and stops the upload with the service's words", async (status) => {
    const { report } = await upload(customersFile(5000), createService({ fault: () => status }));
    expect(report).toMatchObject({ ended: "stopped", why: `The service answered ${status}.` });
    expect(counted(report)).toEqual({ notSent: 5000 });
  });

  test("a reply that lacks a row leaves that row in doubt", async () => {
    const { report } = await upload(customersFile(10), createService(inOrder("short")));
    expect(counted(report)).toEqual({ created: 9, inDoubt: 1 });
    expect(report.notStored).toMatchObject([{ row: 1, outcome: "inDoubt" }]);
  });
});

describe("signing in again", () => {
  test("the upload asks once, waits, and goes on with the same batches", async () => {
    let isOut = true;
    let asked = 0;
    let signedIn: Promise<void> | undefined;
    const service = createService({ fault: () => (isOut ? 401 : undefined) });
    const signIn = () => {
      signedIn ??= new Promise((resolve) => {
        asked++;
        setTimeout(() => {
          isOut = false;
          resolve();
        }, 5);
      });
      return signedIn;
    };
    const { report } = await upload(customersFile(6000), service, { signIn });
    expect(counted(report)).toEqual({ created: 6000 });
    expect(asked).toBe(1);
  });

  test("a cancel while it waits for that ends it, with nothing in doubt", async () => {
    const cancel = new AbortController();
    const signIn = () => {
      setTimeout(() => cancel.abort(), 5);
      return new Promise<void>(() => undefined);
    };
    const { report } = await upload(customersFile(6000), createService({ fault: () => 401 }), { signIn, signal: cancel.signal });
    expect(report.ended).toBe("cancelled");
    expect(counted(report)).toEqual({ notSent: 6000 });
  });

  test("nobody comes: stopped", async () => {
    const { report } = await upload(customersFile(10), createService({ fault: () => 401 }));
    expect(report.ended).toBe("stopped");
    expect(counted(report)).toEqual({ notSent: 10 });
  });
});

describe("a cancel in the middle", () => {
  test("every row is accounted for, and the first rows not sent are named with their lines", async () => {
    const cancel = new AbortController();
    const service = createService({ fault: (call) => (call === 5 ? void cancel.abort() : undefined) });
    const { report } = await upload(customersFile(20_000), service, { signal: cancel.signal });
    expect(report.ended).toBe("cancelled");
    expect(report.counts.created).toBe(service.records.size);
    expect(report.counts.notSent).toBe(20_000 - service.records.size);
    expect(report.notStored).toHaveLength(100);
    expect(report.notStored[0]).toMatchObject({ outcome: "notSent", reason: "Not sent: the upload was cancelled." });
    expect(report.notStored[0]?.line).toBe((report.notStored[0]?.row ?? 0) + 1);
  });

  test("whoever stops listening stops the sending", async () => {
    const service = createService();
    let calls = 0;
    let isCut = false;
    const postBatch: PostBatch = (...batch) => {
      if (++calls <= 10) return service.postBatch(...batch);
      const cut = new Promise<void>((resolve) => batch[3].addEventListener("abort", () => resolve()));
      return cut.then(() => {
        isCut = true;
        return { kind: "noReply", detail: "cut off" };
      });
    };
    const job = {
      file: customersFile(50_000),
      collection: customers,
      plan: plan("create"),
      uploadId: "u1",
      postBatch,
      signIn: () => Promise.resolve(),
      signal: new AbortController().signal,
    };
    for await (const state of runUpload(job)) if (state.step === "sending" && state.rowsDone === 10_000) break;
    await expect.poll(() => isCut).toBe(true);
    expect(service.records.size).toBe(10_000);
    expect(calls).toBe(14);
  });
});

describe("whatever happens", () => {
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
        const book = new Book();
        const clock = createClock(() => chances[draw++ % chances.length] ?? 0);
        const { report } = await upload(fileOf(`objectId,firstName,lastName,accountID\n${text}`), service, {
          plan: plan(mode),
          signal: cancel.signal,
          signIn: () => Promise.resolve(),
          clock,
          book,
        });
        expect(report.rowsRead).toBe(repeat * rows.filter((kind) => kind !== "blank").length);
        const tally: Record<string, number> = {};
        for (let row = 1; row <= report.rowsRead; row++) tally[book.outcomeOf(row)] = (tally[book.outcomeOf(row)] ?? 0) + 1;
        expect(tally).toEqual(counted(report));
        const stored = report.counts.created;
        expect(stored).toBeLessThanOrEqual(service.records.size);
        expect(service.records.size).toBeLessThanOrEqual(stored + report.counts.inDoubt);
        const shown = report.notStored.map(({ row }) => row);
        expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
  });

  test("the page hears at most ten states a second", async () => {
    const clock = createClock();
    const at: number[] = [];
    await upload(customersFile(30_000), createService(), { clock }, ({ step }) => step === "sending" && at.push(clock.now()));
    expect(at.every((time, i) => i === 0 || time - (at[i - 1] ?? 0) >= 100)).toBe(true);
  });
});
