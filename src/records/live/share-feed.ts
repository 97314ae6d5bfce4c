// The tabs of one person share one follower: a lock elects the tab that has it, a channel gives the others what comes.

import type { News } from "./follow-feed.ts";

export interface TabParts {
  /** Without them each tab follows by itself. */
  locks?: Pick<LockManager, "request"> | undefined;
  BroadcastChannel?: typeof BroadcastChannel | undefined;
}

type Follow = (cursor: string | undefined, onNews: (news: News) => void, signal: AbortSignal) => Promise<void>;

/** Sent by a tab that comes; the one that follows answers where it is. */
type Message = News | { type: "where" } | { type: "here"; cursor: string };

/**
 * Follows in one tab of all that share `name`, and calls `onNews` in each. When that tab goes, another goes on after the last news that it
 * has heard of. Resolves after `signal` was aborted. `from`: a cursor of before.
 */
export async function shareFeed(
  name: string,
  { locks, BroadcastChannel: Channel }: TabParts,
  follow: Follow,
  onNews: (news: News) => void,
  signal: AbortSignal,
  from?: string,
): Promise<void> {
  let cursor = from;
  const take = (news: News) => {
    cursor = news.cursor;
    onNews(news);
  };
  if (!locks || !Channel) return follow(cursor, take, signal);
  const channel = new Channel(name);
  let isFollowing = false;
  const post = (message: Message) => channel.postMessage(message);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === "where") {
      if (isFollowing && cursor !== undefined) post({ type: "here", cursor });
    } else if (data.type !== "here") {
      take(data);
    } else if (cursor === undefined) {
      take({ type: "gap", cursor: data.cursor }); // what changed since this tab read what it shows is not known
    }
  };
  post({ type: "where" });
  try {
    await locks.request(name, { signal }, async () => {
      isFollowing = true;
      const share = (news: News) => {
        take(news);
        post(news);
      };
      await follow(cursor, share, signal);
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}
