// The uploads that this browser remembers: list them, drop one, delete their rows.

import type { ErrorsFile, StoredUpload } from "../../pipeline/sending/journal.ts";
import { deleteDatabase } from "../storage/delete-database.ts";
import { openJournal, UPLOAD_LOCK } from "../storage/indexeddb-journal.ts";
import { openMappings } from "../storage/indexeddb-mappings.ts";
import { openCopies } from "../storage/opfs-copies.ts";
import { COLUMNS, JOURNAL } from "../storage/storage-names.ts";

export interface ListedUpload extends StoredUpload {
  /** Another tab is working on it. */
  isElsewhere: boolean;
  /** The last row that was sent and is still known: 0 when nothing can be undone. */
  lastRow: number;
  hasCopy: boolean;
}

export interface UploadHistory {
  /** Without the one that this tab is working on. */
  list(runningId: string | undefined): Promise<ListedUpload[]>;
  /** Forgets an upload: what is left of it cannot be sent any more, nor undone. */
  drop(id: string): Promise<void>;
  /** The rows of an ended upload that were not stored, as long as they are kept. */
  errorsFile(id: string): Promise<ErrorsFile | undefined>;
  /** Forgets all uploads that have ended, and the columns that are remembered from earlier files. */
  clear(): Promise<void>;
  /**
   * Forgets what rows left behind on this computer; counts and file names stay. An upload that another tab than this one is
   * working on is that tab's to stop, report and forget. Rejects when something could not be forgotten.
   */
  forgetRows(own: string): Promise<void>;
}

/** In a browser that keeps no data the list is empty. `mark`: what the ids of this service's uploads begin with; others are not listed. */
export function openUploadHistory(tag: number): UploadHistory {
  const journal = openJournal();
  const copies = openCopies();
  const mappings = openMappings();
  return {
    async list(runningId) {
      const [all, running] = await Promise.all([journal.list(), runningElsewhere()]).catch(() => [[], new Set<string>()] as const);
      const unfinished = all.filter(({ job, endedAt }) => job && endedAt === undefined).map(({ id }) => id);
      await copies.dropOthers([...unfinished, runningId ?? ""]).catch(() => {}); // what cannot be tidied now is tidied next time
      return Promise.all(
        all
          .filter(({ id }) => id !== runningId && id.startsWith(`${tag}-`))
          .map(async (one) => ({
            ...one,
            isElsewhere: running.has(one.id),
            lastRow: await journal.lastRow(one.id),
            hasCopy: one.job !== undefined && (await copies.find(one.id, one.job.fingerprint.size)) !== undefined,
          })),
      );
    },
    async drop(id) {
      await journal.drop(id).catch(() => {});
      await copies.drop(id);
    },
    errorsFile: (id) => journal.errorsFile(id).catch(() => undefined),
    async clear() {
      const ended = (await journal.list().catch(() => [])).filter(({ endedAt }) => endedAt !== undefined);
      await Promise.allSettled([mappings.clear(), ...ended.map(({ id }) => journal.drop(id))]);
    },
    async forgetRows(own) {
      const elsewhere = await runningElsewhere().catch(() => new Set<string>());
      elsewhere.delete(own); // its lock may not be let go of yet
      // Waited for: whoever signs out may close the tab the next moment. What cannot be emptied goes as a whole.
      await Promise.all([
        mappings.clear().catch(() => deleteDatabase(COLUMNS)),
        journal.forgetRows(elsewhere).catch(() => deleteDatabase(JOURNAL)),
        copies.dropOthers([...elsewhere]),
      ]);
    },
  };
}

/** The uploads whose locks are held. */
async function runningElsewhere(): Promise<Set<string>> {
  const { held: heldLocks = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(heldLocks.map(({ name }) => (name ?? "").replace(UPLOAD_LOCK, "")));
}
