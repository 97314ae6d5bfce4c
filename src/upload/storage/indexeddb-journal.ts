import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { ErrorsFile, Journal, SentBatch, StoredUpload } from "../../../pipeline/sending/journal.ts";
import { olderThan } from "../../browser/clock.ts";
import { JOURNAL } from "../../browser/storage-names.ts";

export const KEEP_DAYS = 7; // after which the rows of an upload are deleted
export const UPLOAD_LOCK = "intake upload "; // plus the upload's id: the Web Lock of whoever works on it
export const MAX_UPLOADS = 100; // older ones are deleted

/** Says whose it is: from personKey(). */
type OwnedUpload = StoredUpload & { person: string };

/** Adds what the browser needs besides, because it keeps the uploads of everybody who used it. */
export interface BrowserJournal extends Journal {
  /** Names the uploads of others that have not ended; nobody else is told more about them than that they are there. */
  othersUnfinished(): Promise<string[]>;
}

export interface Schema extends DBSchema {
  uploads: { key: string; value: OwnedUpload; indexes: { startedAt: number } };
  batches: { key: [upload: string, first: number]; value: SentBatch };
  errorsFiles: { key: string; value: ErrorsFile };
}

/**
 * Opens (and at first creates) the database. Every call rejects where the browser stores nothing, as in some private windows, and where
 * a tab of an earlier version holds the database. Uploads of others than `person`, from personKey(), are as if they were not there.
 */
export function openJournal(person: string): BrowserJournal {
  const opened = open();
  opened.catch(() => undefined); // each call rejects with it
  const own = async (id: string) => {
    const upload = await (await opened).get("uploads", id);
    return upload?.person === person ? upload : undefined;
  };
  const journal: BrowserJournal = {
    async put(upload) {
      await (await opened).put("uploads", { ...upload, person });
    },
    async get(id) {
      return own(id);
    },
    async list() {
      const db = await opened;
      const all = (await db.getAllFromIndex("uploads", "startedAt")).reverse();
      await tidy(journal, db, all);
      return all.filter((one) => one.person === person).slice(0, MAX_UPLOADS);
    },
    async othersUnfinished() {
      const all = await (await opened).getAll("uploads");
      return all.filter((one) => one.person !== person && one.job && one.endedAt === undefined).map(({ id }) => id);
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
    async lastRow(id) {
      const cursor = await (await opened).transaction("batches").store.openCursor(batchesOf(id), "prev");
      return cursor?.value.last ?? 0;
    },
    async putErrorsFile(id, file) {
      await (await opened).put("errorsFiles", file, id);
    },
    async errorsFile(id) {
      return (await own(id)) && (await opened).get("errorsFiles", id);
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
      for (const upload of await db.getAll("uploads"))
        if (upload.person === person && !but?.has(upload.id)) await forgetRowsOf(journal, db, upload);
    },
  };
  return journal;
}

const PATIENCE = 1_000; // ms; a tab that lets go does so at once

function open(): Promise<IDBPDatabase<Schema>> {
  return new Promise((resolve, reject) => {
    const blocked = () => void setTimeout(() => reject(new Error(`Another tab holds ${JOURNAL}.`)), PATIENCE);
    openDB<Schema>(JOURNAL, 3, { upgrade, blocked }).then(resolve, reject);
  });
}

function upgrade(db: IDBPDatabase<Schema>): void {
  for (const name of db.objectStoreNames) db.deleteObjectStore(name);
  db.createObjectStore("uploads", { keyPath: "id" }).createIndex("startedAt", "startedAt");
  db.createObjectStore("batches", { keyPath: ["upload", "first"] });
  db.createObjectStore("errorsFiles");
}

export function batchesOf(id: string, last = Number.MAX_SAFE_INTEGER): IDBKeyRange {
  return IDBKeyRange.bound([id, 0], [id, last]);
}

/** Tidies up for everybody: some may never come back. The latest come first in `all`. */
export async function tidy(journal: Journal, db: IDBPDatabase<Schema>, all: OwnedUpload[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const { id, person } of all) {
    const count = 1 + (counts.get(person) ?? 0);
    counts.set(person, count);
    if (count > MAX_UPLOADS) await journal.drop(id);
  }
  const withRows = all.filter(({ hasRows }) => hasRows);
  const aged = await olderThan(KEEP_DAYS * 86_400_000, withRows, ({ startedAt, endedAt }) => endedAt ?? startedAt);
  for (const upload of aged) await forgetRowsOf(journal, db, upload);
}

/** An upload that never ended and can no longer continue is deleted completely. */
export async function forgetRowsOf(journal: Journal, db: IDBPDatabase<Schema>, upload: OwnedUpload): Promise<void> {
  if (!upload.report) return journal.drop(upload.id);
  const { job: _, ...rest } = upload;
  await db.delete("batches", batchesOf(upload.id));
  await db.delete("errorsFiles", upload.id);
  await db.put("uploads", { ...rest, hasRows: false, endedAt: rest.endedAt ?? rest.startedAt });
}
