import { describe, expect, test } from "vitest";
import { runUpload } from "../runs/run-upload.ts";
import { counted, createClock, createService, customersFile, type Fault, jobFor, upload } from "../testing/fake-service.ts";
import type { PostBatch } from "./responses.ts";

/** Fails the first requests in this way, in order. */
const inOrder = (...faults: (Fault | undefined)[]) => ({ fault: (call: number) => faults[call] });

describe("when requests fail", () => {
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
  ])("%s: the same batch is sent again under the same key, and nothing is stored twice", async (_, fault) => {
    const service = createService(inOrder(fault, fault));
    const { report } = await upload(customersFile(10), service);
    expect(counted(report)).toEqual({ created: 10 });
    expect(service.calls.map(({ key }) => key)).toEqual(["u1-1", "u1-1", "u1-1"]);
    expect(service.records.size).toBe(10);
  });

  test("when the service asks to wait, the whole upload waits that long and shows it", async () => {
    const clock = createClock(() => 0);
    const service = createService({ clock, ...inOrder({ status: 429, retryAfter: 12 }) });
    const { report, states } = await upload(customersFile(6000), service, { clock });
    expect(counted(report)).toEqual({ created: 6000 });
    const first = service.calls[0]?.at ?? 0;
    const inFlightThen = service.calls.filter(({ at }) => at === first).length;
    expect(inFlightThen).toBeLessThanOrEqual(4);
    expect(service.calls.slice(inFlightThen).every(({ at }) => at >= first + 12_000)).toBe(true);
    const waits = states.flatMap((state) => (state.step === "sending" && state.waiting ? state.waiting : []));
    expect(waits[0]).toEqual({ why: "The service asked us to wait.", until: expect.any(Number) });
  });

  test("a service that asks to wait an hour stops the upload, with that reason", async () => {
    const { report } = await upload(customersFile(10), createService(inOrder({ status: 503, retryAfter: 3600 })));
    expect(report).toMatchObject({ ended: "stopped", why: expect.stringContaining("60 minutes") });
    expect(counted(report)).toEqual({ notSent: 10 });
  });

  test("when the service never answers, the rows that were sent are in doubt, the others are not sent, and the upload ends", async () => {
    const { report } = await upload(customersFile(10_000), createService({ fault: () => "lost" }));
    expect(report).toMatchObject({ ended: "stopped", why: expect.stringContaining("does not respond") });
    expect(counted(report)).toEqual({ inDoubt: 4000, notSent: 6000 });
  });

  test("when the service is always busy, no row is in doubt", async () => {
    const { report } = await upload(customersFile(10_000), createService({ fault: () => 503 }));
    expect(counted(report)).toEqual({ notSent: 10_000 });
    expect(report.ended).toBe("stopped");
  });

  test("the rows of a batch that is never answered are in doubt, and the others are stored", async () => {
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

  test("an upload stops when the service refuses every row of the first batches", async () => {
    const { report } = await upload(customersFile(20_000), createService({ fault: () => 422 }));
    expect(report).toMatchObject({ ended: "stopped", why: expect.stringContaining("every row") });
    expect(report.counts).toMatchObject({ failed: 4000, notSent: 16_000 });
  });

  test.each([403, 404, 415])("a %i stops the upload, with the service's reason", async (status) => {
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
  test("the upload asks once, waits, and continues with the same batches", async () => {
    let isOut = true;
    let requests = 0;
    let signedIn: Promise<void> | undefined;
    const service = createService({ fault: () => (isOut ? 401 : undefined) });
    const signIn = () => {
      signedIn ??= new Promise((resolve) => {
        requests++;
        // Once the other requests have been refused too.
        setImmediate(() => {
          isOut = false;
          resolve();
        });
      });
      return signedIn;
    };
    const { report } = await upload(customersFile(6000), service, { signIn });
    expect(counted(report)).toEqual({ created: 6000 });
    expect(requests).toBe(1);
  });

  test("a cancel while the upload waits for a sign-in ends it, with no row in doubt", async () => {
    const cancel = new AbortController();
    const signIn = () => {
      setImmediate(() => cancel.abort());
      return new Promise<void>(() => undefined);
    };
    const { report } = await upload(customersFile(6000), createService({ fault: () => 401 }), { signIn, signal: cancel.signal });
    expect(report.ended).toBe("cancelled");
    expect(counted(report)).toEqual({ notSent: 6000 });
  });

  test("an upload stops when nobody signs in again", async () => {
    const { report } = await upload(customersFile(10), createService({ fault: () => 401 }));
    expect(report.ended).toBe("stopped");
    expect(counted(report)).toEqual({ notSent: 10 });
  });
});

describe("a cancel in the middle", () => {
  test("counts every row, and lists the first rows that were not sent with their lines", async () => {
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

  test("an upload whose states nobody reads sends nothing more", async () => {
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
    const job = { ...jobFor(customersFile(50_000), service), postBatch };
    for await (const state of runUpload(job)) if (state.step === "sending" && state.rowsDone === 10_000) break;
    await expect.poll(() => isCut).toBe(true);
    expect(service.records.size).toBe(10_000);
    expect(calls).toBeGreaterThan(10);
    expect(calls).toBeLessThanOrEqual(15);
  });
});
