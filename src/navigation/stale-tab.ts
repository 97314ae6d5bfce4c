// A tab whose build is gone from the host reloads once by itself, but never over work that would be lost.

import { t } from "../../core/i18n/translate.ts";
import { isOutdated, mayReload } from "../api/deployment.ts";
import type { Toasts } from "../components/toasts.tsx";
import type { UploadManager } from "../state/upload-manager.ts";

/**
 * For a file of the build that could not be fetched. Resolves with "current" when a new build is not the reason, and with
 * "stale" when it is and the user must choose the moment. Otherwise the tab reloads, and nothing comes.
 */
export async function reloadIfStale(uploadManager: UploadManager): Promise<"current" | "stale"> {
  if (!(await isOutdated())) return "current";
  if (hasUnsavedWork(uploadManager) || !mayReloadOnce()) return "stale";
  location.reload();
  return new Promise(() => {});
}

/** Never where the browser forbids this page to remember that it did. */
function mayReloadOnce(): boolean {
  try {
    return mayReload(sessionStorage);
  } catch {
    return false;
  }
}

/** The upload's worker is such a file, too. It is only started with a file in hand, so this never reloads by itself. */
export async function notifyIfStale(toasts: Toasts): Promise<void> {
  if (!(await isOutdated())) return;
  toasts.show({
    message: t("There is a new version of the app. Reload it, then choose the file again."),
    action: { label: t("Reload"), run: () => location.reload() },
  });
}

/** A file on the upload page, or whatever would have the browser ask before this tab closes: unsaved text, a running upload. */
function hasUnsavedWork(uploadManager: UploadManager): boolean {
  if (uploadManager.state().fileName !== undefined) return true;
  const question = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(question);
  return question.defaultPrevented;
}
