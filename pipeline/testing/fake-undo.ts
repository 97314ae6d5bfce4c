// For tests: a store with versions and old values, a journal in memory, and an upload and its undo.

import type { BatchResult, WriteOutcome } from "../../core/contract/records.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { UploadMode } from "../model/plan.ts";
import { type UndoJob, undoUpload } from "../runs/undo.ts";
import { type BatchLog, type Journal, memoryLog, type SentBatch, type StoredUpload, type UndoCounts } from "../sending/journal.ts";
import type { PostBatch, QueryKeyHours, ReadBack } from "../sending/responses.ts";
import { createClock, createService, fileOf, planFor, upload } from "./fake-service.ts";

interface Written {
  outcome: WriteOutcome;
  status?: number;
  objectId?: number;
  version?: number;
  changes?: Record<string, [unknown, unknown]>;
}

const SERVICE_AHEAD = 7_000; // ms; its clock differs from ours

/** A store with versions and old values, as the service has. Each response is stored under its key. */
export function versionedStore(
  fault: (call: number) => "lost" | "silent" | undefined = () => undefined,
  { ignoresKeys = false, clock = createClock() } = {},
) {
  const records = new Map<number, { version: number; fields: Fields; createdAt?: string; updatedAt?: string }>();
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
    const stored = records.get(id);
    const fields = { ...stored?.fields, ...given };
    const changed = Object.keys(given).filter((name) => stored?.fields[name] !== given[name]);
    if (stored && changed.length === 0) return { outcome: "unchanged", objectId: id, version: stored.version };
    const version = (stored?.version ?? 0) + 1;
    const updatedAt = new Date(clock.now() + SERVICE_AHEAD).toISOString();
    records.set(id, { version, fields, updatedAt, createdAt: stored?.createdAt ?? updatedAt });
    const changes = Object.fromEntries(changed.map((name) => [name, [stored?.fields[name] ?? null, given[name]] as [unknown, unknown]]));
    return { outcome: stored ? "updated" : "created", objectId: id, version, ...(stored && { changes }) };
  };
  const isStale = ({ objectId, version }: Fields): boolean => records.get(objectId as number)?.version !== version;
  const reject = (status: number): Written => ({ outcome: "failed", status });
  const readBack: ReadBack = async (ids) => {
    const found = ids.flatMap((id): [number, Fields][] => {
      const stored = records.get(id);
      const { fields, ...rest } = stored ?? {};
      return stored ? [[id, { ...fields, ...rest, objectId: id }]] : [];
    });
    return { kind: "read", records: new Map(found) };
  };
  const queryKeyHours: QueryKeyHours = async () => ({ kind: "read", hours: ignoresKeys ? 0 : 24, now: clock.now() + SERVICE_AHEAD });
  return {
    records,
    clock,
    readBack,
    queryKeyHours,
    postBatch: post(put),
    postReversals: post((record) => (isStale(record) ? reject(records.has(record.objectId as number) ? 412 : 404) : put(record))),
    postDeletions: post((record) => {
      const id = record.objectId as number;
      if (!records.has(id)) return { outcome: "unchanged" };
      if (isStale(record)) return reject(412);
      records.delete(id);
      return { outcome: "updated" };
    }),
  };
}

/** A journal in memory, of one upload. */
export function journalOf(log: BatchLog): Pick<Journal, "before" | "undone"> & { tally: UndoCounts } {
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

export async function uploadInto(
  store: Store,
  rows: string,
  mode: UploadMode = "upsert",
): Promise<{ log: BatchLog; stored: StoredUpload }> {
  const log = memoryLog();
  const file = fileOf(`objectId,firstName,lastName,accountID\n${rows}`);
  const { postBatch, readBack, queryKeyHours } = store;
  const service = { ...createService(), postBatch, readBack, queryKeyHours };
  const uploadId = `u${++uploads}`;
  const { report } = await upload(file, service, { uploadId, plan: planFor(mode), log, clock: store.clock });
  return { log, stored: { id: uploadId, collection: "customers", fileName: "", startedAt: 0, hasRows: true, report } };
}

export async function undo(store: Store, stored: StoredUpload, journal: ReturnType<typeof journalOf>, job: Partial<UndoJob> = {}) {
  const { signal } = new AbortController();
  const given: UndoJob = {
    ...store,
    upload: stored,
    journal,
    keyField: "objectId",
    signIn: () => Promise.reject(),
    signal,
    clock: store.clock,
  };
  let last: unknown;
  for await (const state of undoUpload({ ...given, ...job })) last = state;
  return last;
}
