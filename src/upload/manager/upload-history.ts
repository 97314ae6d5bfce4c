// The uploads that this browser remembers: list them, drop one, delete their rows.

import type { ErrorsFile, StoredUpload } from "../../../pipeline/sending/journal.ts";
import { deleteDatabase } from "../../browser/delete-database.ts";
import { COLUMNS, JOURNAL, QUEUES } from "../../browser/storage-names.ts";
import { deleteDrafts } from "../../records/drafts/delete-drafts.ts";
import { forgetViewsOfOthers } from "../../records/query/views.ts";
import { openJournal, UPLOAD_LOCK } from "../storage/indexeddb-journal.ts";
import { openMappings } from "../storage/indexeddb-mappings.ts";
import { openQueues, QUEUE_LOCK } from "../storage/indexeddb-queues.ts";
import { openCopies } from "../storage/opfs-copies.ts";
import { type FileQueue, isWaiting } from "./queued-files.ts";

export interface ListedUpload extends StoredUpload {
  /** It runs in another tab. */
  isElsewhere: boolean;
  /** The last row whose batch is still in the journal; 0 when nothing can be undone. */
  lastRow: number;
  hasCopy: boolean;
}

export interface WaitingFiles {
  /** The name of the collection that they are for. */
  collection: string;
  /** Their names. */
  files: string[];
}

export interface UploadHistory {
  /** Lists the person's uploads except `runningId`. */
  list(runningId: string | undefined): Promise<ListedUpload[]>;
  /** Deletes an upload. It can be neither continued nor undone afterwards. Rejects when it could not be deleted. */
  drop(id: string): Promise<void>;
  /** Files that were chosen together and are not uploaded yet, the latest choice first. */
  waiting(): Promise<WaitingFiles[]>;
  /** Says whether somebody else has not finished in this browser what they began to upload. */
  hasOthers(): Promise<boolean>;
  /** Deletes what other people left in this browser, but not what runs in another tab. Rejects when something could not be deleted. */
  dropOthers(): Promise<void>;
  /** Returns the rows of an ended upload that were not stored; undefined once they are deleted. */
  storedErrorsFile(id: string): Promise<ErrorsFile | undefined>;
  /** Deletes the person's uploads that have ended, and the remembered columns. Rejects when something could not be deleted; the others are deleted all the same. */
  clear(): Promise<void>;
  /**
   * Deletes all data of the person's rows; counts and file names stay. An upload that runs in another tab is left to that tab.
   * Rejects when something could not be deleted.
   */
  forgetRows(own: string): Promise<void>;
}

/** Lists nothing in a browser without storage. `person`: whose uploads these are, from personKey(). */
export function openUploadHistory(person: string): UploadHistory {
  const journal = openJournal(person);
  const copies = openCopies();
  const mappings = openMappings(person);
  const queues = openQueues<Pick<FileQueue, "files">>(person);
  return {
    async list(runningId) {
      const known = await Promise.all([journal.list(), runningElsewhere(), journal.othersUnfinished()]).catch(() => undefined);
      const [all, running, others] = known ?? [[], new Set<string>(), []];
      const unfinished = all.filter(({ job, endedAt }) => job && endedAt === undefined).map(({ id }) => id);
      // Nothing is dropped where it is not known which are needed. A tab that corrects a file has a copy of it, though there may be no
      // correction left.
      if (known) await copies.dropOthers([...unfinished, ...others, ...running, runningId ?? ""]).catch(() => {}); // it is tried again next time
      return Promise.all(
        all
          .filter(({ id }) => id !== runningId)
          .map(async (one) => ({
            ...one,
            isElsewhere: running.has(one.id),
            lastRow: await journal.lastRow(one.id),
            hasCopy: one.job !== undefined && (await copies.find(one.id, one.job.fingerprint.size)) !== undefined,
          })),
      );
    },
    async drop(id) {
      await journal.drop(id);
      await copies.drop(id);
    },
    waiting: async () =>
      (await queues.list().catch(() => [])).map(({ collection, content }) => ({
        collection,
        files: content.files.filter(isWaiting).map(({ name }) => name),
      })),
    hasOthers: async () => (await Promise.all([journal.othersUnfinished(), queues.others()]).catch(() => [])).flat().length > 0,
    async dropOthers() {
      const running = await runningElsewhere();
      for (const id of await journal.othersUnfinished()) {
        if (running.has(id)) continue;
        await journal.drop(id);
        await copies.drop(id);
      }
      for (const id of await queues.others()) if (!running.has(id)) await queues.drop(id);
      await mappings.clearOthers();
      await deleteDrafts(person, true);
      forgetViewsOfOthers(localStorage, person);
    },
    storedErrorsFile: (id) => journal.errorsFile(id).catch(() => undefined),
    async clear() {
      const all = await journal.list();
      await Promise.all([mappings.clear(), ...all.map(({ id, endedAt }) => endedAt !== undefined && journal.drop(id))]);
    },
    async forgetRows(own) {
      const elsewhere = await runningElsewhere().catch(() => new Set<string>());
      elsewhere.delete(own); // its lock may not be released yet
      // It is awaited, because the user may close the tab right after. What cannot be emptied is deleted as a whole.
      await Promise.all([
        mappings.clear().catch(() => deleteDatabase(COLUMNS)),
        journal.forgetRows(elsewhere).catch(() => deleteDatabase(JOURNAL)),
        journal.othersUnfinished().then((others) => copies.dropOthers([...elsewhere, ...others])),
        queues.clear().catch(() => deleteDatabase(QUEUES)),
      ]);
    },
  };
}

/** Lists the ids of uploads and queues that hold their Web Lock. */
async function runningElsewhere(): Promise<Set<string>> {
  const { held: heldLocks = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(heldLocks.map(({ name }) => (name ?? "").replace(UPLOAD_LOCK, "").replace(QUEUE_LOCK, "")));
}
