// Makes the notices that people get about their own accounts, and knows a browser again.

import type { NoticeKind } from "../../../core/contract/people.ts";
import type { StoredNotice } from "../store/notices.ts";
import type { StoredUser } from "../store/users.ts";
import { hashCode, randomId } from "./random-codes.ts";

const MAX_NAME = 300; // characters

/** Says what a notice needs of a request: where a mail that could not be sent is logged. */
export interface NoticedRequest {
  id: string;
  log: { error(fields: object, message: string): void };
}

/** Sends the person a mail about what was just stored. No answer waits for it, and no answer depends on it. */
export type Notify = (
  request: NoticedRequest,
  to: Pick<StoredUser, "email" | "name" | "language">,
  notice: StoredNotice | undefined,
) => void;

/** `source`: the network from which it was done (source-address.ts). `name`: see StoredNotice. */
export function newNotice(kind: NoticeKind, userId: string, source: string, name = ""): StoredNotice {
  return { id: randomId(), userId, kind, at: Date.now(), source, name: name.slice(0, MAX_NAME) };
}

/**
 * Makes a hash by which a browser is known again. `browser` is the random text that the app keeps in it. A client that sends none is known by
 * its User-Agent without versions, together with its network: less sure, so that it may be told of once too often.
 */
export function markOfBrowser({ browser, agent, source }: { browser?: string | undefined; agent: string; source: string }): string {
  return hashCode(browser === undefined ? `agent ${agent.replace(/\d+/g, "")} ${source}` : `browser ${browser}`).toString("base64url");
}
