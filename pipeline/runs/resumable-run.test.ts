import { describe, expect, test } from "vitest";
import type { Plan } from "../model/plan.ts";
import { type BatchLog, memoryLog, type SentBatch, type StoredUpload } from "../sending/journal.ts";
import { endForUndo, type Keeping } from "./resumable-run.ts";

const JOB = { plan: {} as Plan, rowsTotal: 2, fingerprint: { size: 1, blocks: new Uint8Array() } };
const STOPPED: StoredUpload = { id: "u", collection: "customers", fileName: "a.csv", startedAt: 0, hasRows: true, job: JOB };
const RECORDED = { outcomes: new Uint8Array(1), reasons: [], ids: new Float64Array(1), versions: new Uint32Array(1), old: [] };

/** A journal with one upload, which the test reads. */
async function keepingWith(...results: (SentBatch["result"] | undefined)[]) {
  const log: BatchLog = memoryLog();
  for (const [i, result] of results.entries())
    await log.keep({ first: i + 1, last: i + 1, sentAt: 0, split: [], ...(result && { result }) }, true);
  const kept: StoredUpload[] = [];
  const dropped: string[] = [];
  const journal = { batches: () => log, put: async (upload: StoredUpload) => void kept.push(upload) };
  const copies = { drop: async (id: string) => void dropped.push(id) };
  return { keeping: { journal, copies } as unknown as Keeping, kept, dropped };
}

describe("an upload that was stopped, before it is undone", () => {
  test("ends for good, so that what is undone is not sent on", async () => {
    const { keeping, kept, dropped } = await keepingWith(RECORDED, RECORDED);
    expect(await endForUndo(STOPPED, keeping, 5)).toBeUndefined();
    expect(kept).toEqual([{ ...STOPPED, job: undefined, endedAt: 5 }]);
    expect(dropped).toEqual(["u"]);
  });

  test("must go on first while rows that left have no answer", async () => {
    const { keeping, kept, dropped } = await keepingWith(RECORDED, undefined);
    expect(await endForUndo(STOPPED, keeping)).toMatchObject({ step: "refused", title: "Continue a.csv first." });
    expect([kept, dropped]).toEqual([[], []]);
  });

  test("is left as it is when it has ended already", async () => {
    const { keeping, kept } = await keepingWith(undefined);
    const { job: _, ...ended } = STOPPED;
    expect(await endForUndo(ended, keeping)).toBeUndefined();
    expect(kept).toEqual([]);
  });
});
