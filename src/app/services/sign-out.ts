// Signs out: stops the upload, deletes the person's local data and tells the other tabs. The only way out of a session.

import type { QueryClient } from "@tanstack/react-query";
import { personKey, VIEW_OF } from "../../browser/person.ts";
import { deleteDrafts } from "../../records/drafts/delete-drafts.ts";
import type { Selections } from "../../records/query/selection.ts";
import type { TabSession } from "../../service/session.ts";
import type { TabChannel } from "../../service/tab-channel.ts";
import type { UploadManager } from "../../upload/manager/upload-manager.ts";

/** Is shown on the sign-in page. */
export interface SignOutStatus {
  /** "running": an upload is stopping, or data is being deleted. "incomplete": some data could not be deleted. */
  is: "running" | "done" | "incomplete";
  isElsewhere: boolean;
}

export interface SignOut {
  /**
   * May be called again after "incomplete". Never rejects. Of an administrator who looks at the app as somebody else it leaves the other tabs
   * alone; where a page says that they do, the end of that is in its place (security-notices.tsx).
   */
  leave: () => Promise<void>;
  /** Returns undefined while someone is signed in, and before the first sign-in. */
  status(): SignOutStatus | undefined;
  subscribe(listener: () => void): () => void;
}

interface SignOutParts {
  session: TabSession;
  /** The address of the service. */
  service: string;
  uploadManager: Pick<UploadManager, "stop">;
  queries: Pick<QueryClient, "clear">;
  selections: Pick<Selections, "clear">;
  toasts: { clear(): void };
  tabs: TabChannel;
  /** Leaves the page, and all that is in memory with it, for the start of the app. */
  startOver(): void;
}

export function createSignOut(parts: SignOutParts): SignOut {
  const { session, service, uploadManager, queries, selections, toasts, tabs, startOver } = parts;
  let status: SignOutStatus | undefined;
  const listeners = new Set<() => void>();
  function setStatus(next: SignOutStatus | undefined): void {
    status = next;
    for (const listener of listeners) listener();
  }

  /** Drops the token first, and with it the page, so that nothing is typed any more. The worker has its own copy of the token. */
  async function leave(isElsewhere: boolean): Promise<void> {
    if (status?.is === "running") return;
    setStatus({ is: "running", isElsewhere });
    const end = session.signOut();
    const deletions = await Promise.allSettled([uploadManager.stop(), deleteDrafts(personKey(service, session.owner()))]);
    void end(); // only now: a running upload needed it to end
    queries.clear();
    selections.clear();
    toasts.clear();
    setStatus({ is: deletions.every(({ status }) => status === "fulfilled") ? "done" : "incomplete", isElsewhere });
  }

  session.subscribe(() => session.state() === "signedIn" && setStatus(undefined));
  tabs.onSignedOut((owner) => {
    if (session.state() === "signedOut") return;
    if (owner === undefined || owner === session.owner()) return void leave(true);
    // Somebody else has signed out: this tab shows nothing any more, and what its own person has not finished stays theirs.
    void session.signOut()().finally(startOver);
  });
  return {
    leave() {
      if (session.owner().startsWith(VIEW_OF)) return session.signOut()().finally(startOver); // on a page that does not say so
      tabs.postSignedOut(session.owner());
      return leave(false);
    },
    status: () => status,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
