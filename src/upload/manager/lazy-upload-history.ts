// The upload history, loaded when it is first needed.

import { t } from "../../../core/i18n/translate.ts";
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
    waiting: async () => (await history()).waiting(),
    hasOthers: async () => (await history()).hasOthers(),
    dropOthers: async () => (await history()).dropOthers(),
    storedErrorsFile: async (id) => (await history()).storedErrorsFile(id),
    clear: async () => (await history()).clear(),
    forgetRows: async (own) => (await history()).forgetRows(own),
  };
}
