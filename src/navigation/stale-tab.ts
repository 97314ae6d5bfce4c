// A tab whose build is gone from the host: it reloads by itself once, but never over work that would be lost.

import { say } from "../../core/i18n/translate.ts";
import { isOutdated, mayReload } from "../api/deployment.ts";
import type { Toasts } from "../components/toasts.tsx";
import type { UploadDesk } from "../state/upload-manager.ts";

/**
 * For a file of the build that could not be fetched. Resolves with "current" when a new build is not the reason, and with
 * "stale" when it is and the user must choose the moment. Otherwise the tab reloads, and nothing comes.
 */
export async function renewTab(desk: UploadDesk): Promise<"current" | "stale"> {
  if (!(await isOutdated())) return "current";
  if (holdsWork(desk) || !mayReloadOnce()) return "stale";
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
export async function tellIfStale(toasts: Toasts): Promise<void> {
  if (!(await isOutdated())) return;
  toasts.show({
    message: say("There is a new version of the app. Reload it, then choose the file again."),
    action: { label: say("Reload"), run: () => location.reload() },
  });
}

/** A file on the upload page, or whatever would have the browser ask before this tab closes: unsaved text, a running upload. */
function holdsWork(desk: UploadDesk): boolean {
  if (desk.state().fileName !== undefined) return true;
  const question = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(question);
  return question.defaultPrevented;
}
