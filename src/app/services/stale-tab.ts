// A tab whose build is gone from the host reloads once by itself, but never over work that would be lost.

import { t } from "../../../core/i18n/translate.ts";
import { isOutdated, mayReload } from "../../service/deployment.ts";
import type { Toasts } from "../../ui/toasts.tsx";
import type { UploadManager } from "../../upload/manager/upload-manager.ts";

/**
 * Call when a file of this build could not be loaded. Resolves with "current" if there is no newer build, and with "stale" if
 * there is one and the user must decide when to reload. Otherwise it reloads the tab and never resolves.
 */
export async function reloadIfStale(uploadManager: UploadManager): Promise<"current" | "stale"> {
  if (!(await isOutdated())) return "current";
  if (hasUnsavedWork(uploadManager) || !mayReloadOnce()) return "stale";
  location.reload();
  return new Promise(() => {});
}

/** Returns false where the browser forbids sessionStorage, because the tab could reload endlessly. */
function mayReloadOnce(): boolean {
  try {
    return mayReload(sessionStorage);
  } catch {
    return false;
  }
}

/** Serves the worker's script. The worker starts with a file, so the user decides when to reload. */
export async function notifyIfStale(toasts: Toasts): Promise<void> {
  if (!(await isOutdated())) return;
  toasts.show({
    message: t("There is a new version of the app. Reload the page, then choose the file again."),
    action: { label: t("Reload"), run: () => location.reload() },
  });
}

/** Is true of a file on the upload page, or anything that would make the browser ask before closing the tab. */
function hasUnsavedWork(uploadManager: UploadManager): boolean {
  if (uploadManager.state().fileName !== undefined) return true;
  const question = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(question);
  return question.defaultPrevented;
}
