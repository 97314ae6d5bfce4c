import { describe, expect, test } from "vitest";
import type { Fields } from "../../dictionary/check.ts";
import type { BatchResult, WriteOutcome } from "../../dictionary/wire.ts";
import type { PostBatch, ReadBack } from "./answers.ts";
import { createClock, createService, fileOf, planFor, upload } from "./fakes.ts";
import { type BatchLog, type Journal, type KeptUpload, memoryLog, type SentBatch, type UndoCounts } from "./journal.ts";
import { type UndoJob, undoUpload } from "./undo.ts";

interface Written {
  outcome: WriteOutcome;
  status?: number;
  objectId?: number;
  version?: number;
  changes?: Record<string, [unknown, unknown]>;
}

/** A store with versions and old values, as the service has; each answer is kept under its key. */
function versionedStore(fault: (call: number) => "lost" | "silent" | undefined = () => undefined, { ignoresKeys = false } = {}) {
  const records = new Map<number, { version: number; fields: Fields }>();
  const answers = new Map<string, BatchResult[]>();
  let calls = 0;
  const post =
    (write: (record: Fields) => Written): PostBatch =>
    async (batch, key) => {
      const failing = fault(calls++);
      await Promise.resolve();
      if (failing === "lost") return { kind: "noReply", detail: "" };
      const results =
        (ignoresKeys ? undefined : answers.get(key)) ?? batch.map((record, index) => ({ index, status: 200, ...write(record) }));
      answers.set(key, results);
      return failing ? { kind: "noReply", detail: "" } : { kind: "answered", results };
    };
  const put = ({ objectId, version: _, ...given }: Fields): Written => {
    const id = objectId as number;
    const held = records.get(id);
    const fields = { ...held?.fields, ...given };
    const changed = Object.keys(given).filter((name) => held?.fields[name] !== given[name]);
    if (held && changed.length === 0) return { outcome: "unchanged", objectId: id, version: held.version };
    const version = (held?.version ?? 0) + 1;
    records.set(id, { version, fields });
    const changes = Object.fromEntries(changed.map((name) => [name, [held?.fields[name] ?? null, given[name]] as [unknown, unknown]]));
    return { outcome: held ? "updated" : "created", objectId: id, version, ...(held && { changes }) };
  };
  const isStale = ({ objectId, version }: Fields): boolean => records.get(objectId as number)?.version !== version;
  const refuse = (status: number): Written => ({ outcome: "failed", status });
  const readBack: ReadBack = async (ids) => {
    const found = ids.flatMap((id): [number, Fields][] => {
      const held = records.get(id);
      return held ? [[id, { ...held.fields, objectId: id, version: held.version }]] : [];
    });
    return { kind: "read", records: new Map(found) };
  };
  return {
    records,
    readBack,
    askKeyHours: createService({ ignoresKeys }).askKeyHours,
    postBatch: post(put),
    postReversals: post((record) => (isStale(record) ? refuse(records.has(record.objectId as number) ? 412 : 404) : put(record))),
    postDeletions: post((record) => {
      const id = record.objectId as number;
      if (!records.has(id)) return { outcome: "unchanged" };
      if (isStale(record)) return refuse(412);
      records.delete(id);
      return { outcome: "updated" };
    }),
  };
}

/** A journal in memory, of one upload. */
function journalOf(log: BatchLog): Pick<Journal, "before" | "undone"> & { tally: UndoCounts } {
  const undone = new Map<number, SentBatch["undone"]>();
  const tally: UndoCounts = { reversed: 0, kept: 0, failed: 0 };
  return {
    tally,
    async before(_, row) {
      let found: SentBatch | undefined;
      for (let next = await log.from(1); next && next.first < row; next = await log.from(next.first + 1)) {
        const { result, ...entry } = next;
        const made = undone.get(next.first);
        if (!undone.has(next.first)) found = next;
        else if (made) found = { ...entry, undone: made };
      }
      return found;
    },
    async undone(_, first, { reversed, kept, failed }, made) {
      undone.set(first, made && structuredClone(made));
      tally.reversed += reversed;
      tally.kept += kept;
      tally.failed += failed;
    },
  };
}

type Store = ReturnType<typeof versionedStore>;

let uploads = 0;

async function uploadInto(store: Store, rows: string): Promise<{ log: BatchLog; kept: KeptUpload }> {
  const log = memoryLog();
  const file = fileOf(`objectId,firstName,lastName,accountID\n${rows}`);
  const { postBatch, readBack, askKeyHours } = store;
  const service = { ...createService(), postBatch, readBack, askKeyHours };
  const uploadId = `u${++uploads}`;
  const { report } = await upload(file, service, { uploadId, plan: planFor("upsert"), log });
  return { log, kept: { id: uploadId, collection: "customers", fileName: "", startedAt: 0, hasRows: true, report } };
}

async function undo(store: Store, kept: KeptUpload, journal: ReturnType<typeof journalOf>, job: Partial<UndoJob> = {}) {
  const { signal } = new AbortController();
  const given: UndoJob = {
    ...store,
    upload: kept,
    journal,
    keyField: "objectId",
    signIn: () => Promise.reject(),
    signal,
    clock: createClock(),
  };
  let last: unknown;
  for await (const state of undoUpload({ ...given, ...job })) last = state;
  return last;
}

const rowsOf = (n: number, name: string) => Array.from({ length: n }, (_, i) => `${i + 1},,${name} ${i},A\n`).join("");

describe("undo of an upload", () => {
  test("the store is as it was before", async () => {
    const store = versionedStore();
    await uploadInto(store, rowsOf(1500, "old"));
    const { log, kept } = await uploadInto(store, rowsOf(4000, "new"));
    expect(kept.report?.counts).toMatchObject({ created: 2500, updated: 1500 });
    const done = await undo(store, kept, journalOf(log));
    expect(done).toMatchObject({ step: "undone", ended: "done", rowsTotal: 4000, counts: { reversed: 4000, kept: 0, failed: 0 } });
    expect(store.records.size).toBe(1500);
    expect(store.records.get(1500)?.fields.lastName).toBe("old 1499");
  });

  test("what someone changed or deleted since stays as it is", async () => {
    const store = versionedStore();
    await uploadInto(store, rowsOf(3, "old"));
    const { log, kept } = await uploadInto(store, rowsOf(6, "new"));
    for (const id of [2, 5]) store.records.set(id, { version: 9, fields: { lastName: "edited" } });
    store.records.delete(3);
    const done = await undo(store, kept, journalOf(log));
    expect(done).toMatchObject({ counts: { reversed: 3, kept: 3, failed: 0 } });
    expect([2, 5].map((id) => store.records.get(id)?.fields.lastName)).toEqual(["edited", "edited"]);
    expect([...store.records.keys()]).toEqual([1, 2, 5]);
  });

  test("a record that the file touched many times gets the values of before the first", async () => {
    const store = versionedStore();
    await uploadInto(store, "1,,before,A\n");
    const { log, kept } = await uploadInto(store, Array.from({ length: 50 }, (_, i) => `${(i % 2) + 1},,v${i},A\n`).join(""));
    const done = await undo(store, kept, journalOf(log));
    expect(done).toMatchObject({ counts: { reversed: 50, kept: 0 } });
    expect([...store.records].map(([id, { fields }]) => [id, fields.lastName])).toEqual([[1, "before"]]);
  });

  test("cut off in the middle it goes on, and nothing is undone twice", async () => {
    let calls = 0;
    const store = versionedStore((call) => (call > 5 && call % 3 === 0 ? "silent" : undefined));
    const { log, kept } = await uploadInto(store, rowsOf(9000, "new"));
    const journal = journalOf(log);
    const cancel = new AbortController();
    const postDeletions: PostBatch = (...batch) => {
      if (++calls === 4) cancel.abort();
      return store.postDeletions(...batch);
    };
    expect(await undo(store, kept, journal, { postDeletions, signal: cancel.signal })).toMatchObject({ ended: "cancelled" });
    expect(await undo(store, { ...kept, undo: { ...journal.tally } }, journal)).toMatchObject({
      counts: { reversed: 9000, kept: 0, failed: 0 },
    });
    expect(store.records.size).toBe(0);
    expect(journal.tally).toEqual({ reversed: 9000, kept: 0, failed: 0 });
  });

  test("cut off wherever, a record that the file touched many times still gets the values of before the first", async () => {
    for (let cutAt = 1; cutAt <= 12; cutAt++) {
      const store = versionedStore();
      await uploadInto(store, "1,,before,A\n");
      const { log, kept } = await uploadInto(store, Array.from({ length: 12 }, (_, i) => `${(i % 2) + 1},,v${i},A\n`).join(""));
      const journal = journalOf(log);
      const cancel = new AbortController();
      let calls = 0;
      const cutting = (post: PostBatch): PostBatch => {
        return (...batch) => {
          if (++calls === cutAt) cancel.abort();
          return post(...batch);
        };
      };
      const [postDeletions, postReversals] = [cutting(store.postDeletions), cutting(store.postReversals)];
      await undo(store, kept, journal, { postDeletions, postReversals, signal: cancel.signal });
      const done = await undo(store, { ...kept, undo: { ...journal.tally } }, journal);
      expect(done).toMatchObject({ counts: { reversed: 12, kept: 0, failed: 0 } });
      expect([...store.records].map(([id, { fields }]) => [id, fields.lastName])).toEqual([[1, "before"]]);
    }
  });

  test("what someone changed while the undo was cut off stays as it is, also where the file touched it many times", async () => {
    const store = versionedStore();
    const { log, kept } = await uploadInto(store, Array.from({ length: 6 }, (_, i) => `1,,v${i},A\n`).join(""));
    const journal = journalOf(log);
    const cancel = new AbortController();
    const postReversals: PostBatch = (...batch) => {
      cancel.abort();
      return store.postReversals(...batch);
    };
    await undo(store, kept, journal, { postReversals, signal: cancel.signal });
    store.records.set(1, { version: 8, fields: { lastName: "edited" } });
    const done = await undo(store, { ...kept, undo: { ...journal.tally } }, journal);
    expect(done).toMatchObject({ counts: { reversed: 1, kept: 5, failed: 0 } });
    expect(store.records.get(1)?.fields.lastName).toBe("edited");
  });

  test("a service without idempotency keys whose answer gets lost: what the undo itself did is reversed, not “changed since”", async () => {
    let isLosing = false;
    const store = versionedStore((call) => (isLosing && call % 2 === 0 ? "silent" : undefined), { ignoresKeys: true });
    await uploadInto(store, rowsOf(1500, "old"));
    const { log, kept } = await uploadInto(store, rowsOf(3000, "new"));
    store.records.set(7, { version: 9, fields: { lastName: "edited" } });
    isLosing = true;
    const done = await undo(store, kept, journalOf(log));
    expect(done).toMatchObject({ counts: { reversed: 2999, kept: 1, failed: 0 } });
    expect(store.records.get(7)?.fields.lastName).toBe("edited");
    expect(store.records.get(8)?.fields.lastName).toBe("old 7");
  });
});
