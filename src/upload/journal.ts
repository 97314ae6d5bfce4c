// What an upload has done so far and must know again after a crash, in IndexedDB: the uploads, and the batches that left. Keeps no token and no file.

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Fingerprint } from "./fingerprint.ts";
import type { Plan } from "./judge.ts";
import { JOURNAL } from "./kept-names.ts";
import type { Report } from "./report.ts";

/** One upload, from its start until it is forgotten. */
export interface KeptUpload {
  id: string;
  collection: string;
  fileName: string;
  /** Epoch milliseconds, as all times here. */
  startedAt: number;
  /** What it needs to go on; gone when nobody can go on with it any more. */
  job?: { plan: Plan; rowsTotal: number; fingerprint: Fingerprint };
  /** The last thing that was said of it. Without it the upload was cut off in the middle. */
  report?: Report;
  endedAt?: number;
  /** Its batches are kept: it can go on, or be undone. */
  hasRows: boolean;
  /** What an undo has done so far. */
  undo?: UndoCounts;
}

/** reversed: as before the upload. kept: changed or deleted since by someone else, so left alone. failed: could not be undone. */
export interface UndoCounts {
  reversed: number;
  kept: number;
  failed: number;
}

/** A batch that left. Once sent it keeps its rows and its key for ever. */
export interface SentBatch {
  upload: string;
  /** Rows of the file, from – to; those between that fail the check are no part of it. The first row is the batch's number. */
  first: number;
  last: number;
  /** When it left for the first time. */
  sentAt: number;
  /** The keys of this batch, or of parts of it, which the service refused as a whole: their halves have gone instead. */
  split: string[];
  /** Once each of its rows has its outcome. The lists are indexed by row − first. */
  result?: {
    outcomes: Uint8Array;
    reasons: [at: number, reason: string][];
    /** What is stored now, for an undo: key and version of rows created or updated; 0 elsewhere. */
    ids: Float64Array;
    versions: Uint32Array;
    /** What updated fields held before. */
    old: [at: number, fields: Record<string, unknown>][];
    /** The places of rows whose key an earlier row of the file has, too. */
    repeats?: number[];
    /** How long the upload had worked by then, all its runs together, ms. */
    spent?: number;
  };
  /** In the place of the result once it was undone, where batches before it have some of its records, too. */
  undone?: UndoneTouch[];
}

/** A record that the upload touched more than once: undone at its last touch, it has a version that the touch before does not know. */
export interface UndoneTouch {
  id: number;
  /** The version that the undone touch had made. */
  of: number;
  now: number;
}

/** One upload's batches, as sending sees them. */
export interface BatchLog {
  /** The sent batch with the lowest first row ≥ `row`. */
  from(row: number): Promise<SentBatch | undefined>;
  /** Resolves when it is kept; with `strict` when it is on the disk, whatever happens to the power. */
  keep(batch: Omit<SentBatch, "upload">, strict: boolean): Promise<void>;
}

export interface Journal {
  put(upload: KeptUpload): Promise<void>;
  get(id: string): Promise<KeptUpload | undefined>;
  /** The latest first. */
  list(): Promise<KeptUpload[]>;
  batches(id: string): BatchLog;
  /** The sent batch with the highest first row < `row`, undone or not. */
  before(id: string, row: number): Promise<SentBatch | undefined>;
  /** A batch was undone: forgets it but for the touches that those before it must know, and adds what became of its rows. All or nothing. */
  undone(id: string, first: number, tally: UndoCounts, touches: UndoneTouch[]): Promise<void>;
  /** The last row that was sent and not undone; 0 before the first. */
  lastRow(id: string): Promise<number>;
  /** The rows that were not stored, as a CSV file, until rows are forgotten. */
  putErrorsFile(id: string, file: ErrorsFile): Promise<void>;
  errorsFile(id: string): Promise<ErrorsFile | undefined>;
  /** Forgets an upload and its batches. */
  drop(id: string): Promise<void>;
  /** Forgets every row but those of some uploads: plans with what was typed, batches with ids and old values. Counts and file names stay. */
  forgetRows(but?: ReadonlySet<string>): Promise<void>;
}

export interface ErrorsFile {
  name: string;
  blob: Blob;
}

interface Schema extends DBSchema {
  uploads: { key: string; value: KeptUpload; indexes: { startedAt: number } };
  batches: { key: [upload: string, first: number]; value: SentBatch };
  errorsFiles: { key: string; value: ErrorsFile };
}

export const UPLOAD_LOCK = "intake upload "; // and the upload's id: the Web Lock that whoever works on it holds
export const KEEP_DAYS = 7; // then what rows left behind is forgotten
const KEPT_UPLOADS = 100; // older ones make room

/** Opens (and on the first visit makes) the database. Every call rejects where the browser keeps no data, as in some private windows. */
export function openJournal(now = () => Date.now()): Journal {
  const opened = openDB<Schema>(JOURNAL, 2, { upgrade });
  opened.catch(() => undefined); // told by the calls
  const journal: Journal = {
    async put(upload) {
      await (await opened).put("uploads", upload);
    },
    async get(id) {
      return (await opened).get("uploads", id);
    },
    async list() {
      const db = await opened;
      const all = (await db.getAllFromIndex("uploads", "startedAt")).reverse();
      await tidy(journal, db, all, now());
      return all.slice(0, KEPT_UPLOADS);
    },
    batches: (id) => ({
      async from(row) {
        return (await opened).getAll("batches", IDBKeyRange.bound([id, row], [id, Number.MAX_SAFE_INTEGER]), 1).then(([first]) => first);
      },
      async keep(batch, strict) {
        const transaction = (await opened).transaction("batches", "readwrite", { durability: strict ? "strict" : "relaxed" });
        transaction.store.put({ ...batch, upload: id });
        await transaction.done;
      },
    }),
    async before(id, row) {
      const cursor = await (await opened).transaction("batches").store.openCursor(batchesOf(id, row - 1), "prev");
      return cursor?.value;
    },
    async undone(id, first, { reversed, kept, failed }, touches) {
      const transaction = (await opened).transaction(["uploads", "batches"], "readwrite");
      const [uploads, batches] = [transaction.objectStore("uploads"), transaction.objectStore("batches")];
      const [upload, batch] = await Promise.all([uploads.get(id), batches.get([id, first])]);
      if (upload) {
        const { job: _, ...ended } = upload; // what was undone must not be sent on
        const so = upload.undo ?? { reversed: 0, kept: 0, failed: 0 };
        const undo = { reversed: so.reversed + reversed, kept: so.kept + kept, failed: so.failed + failed };
        uploads.put({ ...ended, endedAt: upload.endedAt ?? now(), undo });
      }
      if (batch && touches.length > 0) {
        const { result: _, ...entry } = batch;
        batches.put({ ...entry, undone: touches });
      } else batches.delete([id, first]);
      await transaction.done;
    },
    async lastRow(id) {
      let cursor = await (await opened).transaction("batches").store.openCursor(batchesOf(id), "prev");
      while (cursor?.value.undone) cursor = await cursor.continue();
      return cursor?.value.last ?? 0;
    },
    async putErrorsFile(id, file) {
      await (await opened).put("errorsFiles", file, id);
    },
    async errorsFile(id) {
      return (await opened).get("errorsFiles", id);
    },
    async drop(id) {
      const transaction = (await opened).transaction(["uploads", "batches", "errorsFiles"], "readwrite");
      transaction.objectStore("uploads").delete(id);
      transaction.objectStore("batches").delete(batchesOf(id));
      transaction.objectStore("errorsFiles").delete(id);
      await transaction.done;
    },
    async forgetRows(but) {
      const db = await opened;
      for (const upload of await db.getAll("uploads")) if (!but?.has(upload.id)) await forgetRowsOf(journal, db, upload);
    },
  };
  return journal;
}

function upgrade(db: IDBPDatabase<Schema>): void {
  for (const name of db.objectStoreNames) db.deleteObjectStore(name);
  db.createObjectStore("uploads", { keyPath: "id" }).createIndex("startedAt", "startedAt");
  db.createObjectStore("batches", { keyPath: ["upload", "first"] });
  db.createObjectStore("errorsFiles");
}

function batchesOf(id: string, last = Number.MAX_SAFE_INTEGER): IDBKeyRange {
  return IDBKeyRange.bound([id, 0], [id, last]);
}

async function tidy(journal: Journal, db: IDBPDatabase<Schema>, all: KeptUpload[], now: number): Promise<void> {
  for (const upload of all.slice(KEPT_UPLOADS)) await journal.drop(upload.id);
  const aged = all.filter(({ hasRows, startedAt, endedAt }) => hasRows && now - (endedAt ?? startedAt) > KEEP_DAYS * 86_400_000);
  for (const upload of aged) await forgetRowsOf(journal, db, upload);
}

/** What never ended and can go on no more has nothing left to say. */
async function forgetRowsOf(journal: Journal, db: IDBPDatabase<Schema>, upload: KeptUpload): Promise<void> {
  if (!upload.report) return journal.drop(upload.id);
  const { job: _, ...rest } = upload;
  await db.delete("batches", batchesOf(upload.id));
  await db.delete("errorsFiles", upload.id);
  await db.put("uploads", { ...rest, hasRows: false, endedAt: rest.endedAt ?? rest.startedAt });
}

/** For browsers that keep no data: nothing of it outlives the tab. */
export function memoryLog(): BatchLog {
  const batches = new Map<number, SentBatch>();
  return {
    from: (row) => Promise.resolve([...batches.values()].filter(({ first }) => first >= row).sort((a, b) => a.first - b.first)[0]),
    keep: (batch) => Promise.resolve(void batches.set(batch.first, { ...batch, upload: "" })),
  };
}

/** For what is gone with the tab and leaves nothing behind, as a preview does. */
export const FORGETFUL_LOG: BatchLog = { from: () => Promise.resolve(undefined), keep: () => Promise.resolve() };
