// Gives a sender of the feed what one webhook wants.

import type { Change } from "../../../core/contract/history.ts";
import type { Feed, FeedEntry } from "../../history/store/feed.ts";
import type { WebhookFilter } from "../store/webhooks.ts";

/** The dictionary no longer has what the conditions of a webhook are about. */
export class ConditionLost extends Error {}

/** The changes as a webhook is told of them. */
export interface WantedFeed {
  feed: Feed;
  /** Keeps those of the entries that are wanted. The feed knows no operations. */
  choose(entries: readonly FeedEntry[]): Promise<FeedEntry[]>;
  toChanges(entries: readonly FeedEntry[]): Promise<Change[]>;
}

/** Throws ConditionLost. */
export type FindWanted = (filter: Pick<WebhookFilter, "collections" | "operations" | "conditions">) => WantedFeed;
