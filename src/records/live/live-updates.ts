// Hears what other people change, as long as someone is signed in: one follower for each session of this tab.

import type { Services } from "../../app/services/services.ts";
import { followFeed, type News } from "./follow-feed.ts";
import { shareFeed } from "./share-feed.ts";

export interface LiveUpdates {
  /** Calls `listener` with the news until the function that it returns is called. */
  subscribe(listener: (news: News) => void): () => void;
}

type Parts = Pick<Services, "client" | "session">;

const running = new WeakMap<Parts["session"], LiveUpdates>();

/** Returns the live updates of this session, begun with the first call: a page that follows nothing costs nothing. */
export function liveUpdatesOf(parts: Parts): LiveUpdates {
  const found = running.get(parts.session) ?? createLiveUpdates(parts);
  running.set(parts.session, found);
  return found;
}

function createLiveUpdates({ client, session }: Parts): LiveUpdates {
  const listeners = new Set<(news: News) => void>();
  const tabs = { locks: navigator.locks as LockManager | undefined, BroadcastChannel: window.BroadcastChannel };
  const isShared = tabs.locks !== undefined && tabs.BroadcastChannel !== undefined;
  let last: { owner: string; cursor: string } | undefined;
  let stop: AbortController | undefined;

  function start(): AbortController {
    const controller = new AbortController();
    const owner = session.owner();
    const onNews = (news: News) => {
      last = { owner, cursor: news.cursor };
      for (const listener of listeners) listener(news);
    };
    const follow: Parameters<typeof shareFeed>[2] = (cursor, take, signal) => followFeed({ client, network: window }, cursor, take, signal);
    const from = last?.owner === owner ? last.cursor : undefined; // someone else may see other records
    void shareFeed(`intake.live ${client.baseUrl} ${owner}`, tabs, follow, onNews, controller.signal, from);
    return controller;
  }

  function update(): void {
    // A browser has six connections to a service without TLS: tabs that cannot share one have it only while they are seen.
    const isOn = session.state() === "signedIn" && (isShared || document.visibilityState === "visible");
    if (isOn) stop ??= start();
    else {
      stop?.abort();
      stop = undefined;
    }
  }

  session.subscribe(update);
  document.addEventListener("visibilitychange", update);
  update();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
