import { describe, expect, test } from "vitest";
import type { Plan } from "../model/plan.ts";
import { type BatchLog, memoryLog, type SentBatch, type StoredUpload } from "../sending/journal.ts";
import { endForUndo } from "./reopen-upload.ts";
import type { UploadStorage } from "./resumable-run.ts";

const JOB = { plan: {} as Plan, rowsTotal: 2, fingerprint: { size: 1, blocks: new Uint8Array() } };
const STOPPED: StoredUpload = { id: "u", collection: "customers", fileName: "a.csv", startedAt: 0, hasRows: true, job: JOB };
const RECORDED = { outcomes: new Uint8Array(1), reasons: [] };

/** A journal with one upload, which the test reads. */
async function storageWith(...results: (SentBatch["result"] | undefined)[]) {
  const log: BatchLog = memoryLog();
  for (const [i, result] of results.entries())
    await log.keep({ first: i + 1, last: i + 1, sentAt: 0, split: [], ...(result && { result }) }, true);
  const stored: StoredUpload[] = [];
  const dropped: string[] = [];
  const journal = { batches: () => log, put: async (upload: StoredUpload) => void stored.push(upload) };
  const copies = { drop: async (id: string) => void dropped.push(id) };
  return { storage: { journal, copies } as unknown as UploadStorage, stored, dropped };
}

describe("an upload that was stopped, before it is undone", () => {
  test("ends for good, so that what is undone is not sent later", async () => {
    const { storage, stored, dropped } = await storageWith(RECORDED, RECORDED);
    expect(await endForUndo(STOPPED, storage, 5)).toBeUndefined();
    expect(stored).toEqual([{ ...STOPPED, job: undefined, endedAt: 5 }]);
    expect(dropped).toEqual(["u"]);
  });

  test("must continue first while rows that were sent have no response", async () => {
    const { storage, stored, dropped } = await storageWith(RECORDED, undefined);
    expect(await endForUndo(STOPPED, storage)).toMatchObject({ step: "refused", title: "Continue a.csv first." });
    expect([stored, dropped]).toEqual([[], []]);
  });

  test("does not change when it has ended already", async () => {
    const { storage, stored } = await storageWith(undefined);
    const { job: _, ...ended } = STOPPED;
    expect(await endForUndo(ended, storage)).toBeUndefined();
    expect(stored).toEqual([]);
  });
});
