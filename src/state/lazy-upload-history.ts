// The upload history, loaded when it is first needed.

import { t } from "../../core/i18n/translate.ts";
import { deleteDatabase } from "../storage/delete-database.ts";
import { COLUMNS, COPIES, JOURNAL, QUEUES } from "../storage/storage-names.ts";
import type { UploadHistory } from "./upload-history.ts";

/**
 * The prefix of the ids of a service's uploads. One host may serve this app twice, and an upload must not be continued or
 * undone at another service, where other records have the same ids.
 */
export function serviceTag(service: string): number {
  return [...service].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 0);
}

/** `tag`: from serviceTag(). */
export function openLazyUploadHistory(tag: number): UploadHistory {
  let opened: Promise<UploadHistory> | undefined;
  const history = () => {
    opened ??= import("./upload-history.ts").then(
      ({ openUploadHistory }) => openUploadHistory(tag),
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
