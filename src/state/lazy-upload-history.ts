// The upload history, loaded when it is first needed.

import { t } from "../../core/i18n/translate.ts";
import { deleteDatabase } from "../storage/delete-database.ts";
import { COLUMNS, COPIES, JOURNAL, QUEUES } from "../storage/storage-names.ts";
import type { UploadHistory } from "./upload-history.ts";

/** `person`: who is signed in at the first call, from personKey(). */
export function openLazyUploadHistory(person: () => string): UploadHistory {
  let opened: Promise<UploadHistory> | undefined;
  const history = () => {
    opened ??= import("./upload-history.ts").then(
      ({ openUploadHistory }) => openUploadHistory(person()),
      () => Promise.reject(new Error(t("A part of the app could not be loaded. Reload the page and try again; nothing was changed."))),
    );
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    list: async (atWork) => (await history()).list(atWork),
    drop: async (id) => (await history()).drop(id),
    hasQueue: async (collection) => (await history()).hasQueue(collection),
    hasOthers: async () => (await history()).hasOthers(),
    dropOthers: async () => (await history()).dropOthers(),
    errorsFile: async (id) => (await history()).errorsFile(id),
    clear: async () => (await history()).clear(),
    async forgetRows(own) {
      const known = await history().catch(() => undefined);
      // If the code cannot be loaded during a sign-out, delete everything rather than too little.
      await (known
        ? known.forgetRows(own)
        : Promise.all([deleteDatabase(JOURNAL), deleteDatabase(COLUMNS), deleteDatabase(QUEUES), forgetCopies()]));
    },
  };
}

async function forgetCopies(): Promise<void> {
  const root = await navigator.storage?.getDirectory?.().catch(() => undefined);
  await root?.removeEntry(COPIES, { recursive: true }).catch((error: Error) => {
    if (error.name !== "NotFoundError") throw error;
  });
}
