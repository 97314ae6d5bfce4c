// What a sender is given of the feed for one webhook.

import type { Change } from "../../../core/contract/history.ts";
import type { Feed, FeedEntry } from "../../history/store/feed.ts";
import type { WebhookFilter } from "../store/webhooks.ts";

/** What the conditions of a webhook are about is not in the dictionary any more. */
export class ConditionLost extends Error {}

/** The changes as a webhook is told of them. */
export interface WantedFeed {
  feed: Feed;
  /** Those of the entries that are wanted. The feed knows no operations. */
  choose(entries: readonly FeedEntry[]): Promise<FeedEntry[]>;
  toChanges(entries: readonly FeedEntry[]): Promise<Change[]>;
}

/** Throws ConditionLost. */
export type FindWanted = (filter: Pick<WebhookFilter, "collections" | "operations" | "conditions">) => WantedFeed;
