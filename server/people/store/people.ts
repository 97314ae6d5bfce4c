// Accounts, roles, links, sessions and passkeys, as both engines offer them.

import type { Runnable } from "../../engine/script/script.ts";
import { ACCESS_READS, ACCESS_WRITES } from "./access.ts";
import { REQUEST_READS, REQUEST_WRITES } from "./access-requests.ts";
import { DIRECTORY_READS, DIRECTORY_WRITES } from "./directory-names.ts";
import { CODE_WRITES, IDENTITY_READS, IDENTITY_WRITES } from "./identities.ts";
import { KEY_READS, KEY_WRITES, QUIET_KEY_WRITES } from "./keys.ts";
import { NOTICE_READS, NOTICE_WRITES } from "./notices.ts";
import { PASSKEY_READS, PASSKEY_WRITES, QUIET_PASSKEY_WRITES } from "./passkeys.ts";
import { QUIET_SESSION_WRITES, SESSION_READS, SESSION_WRITES } from "./sessions.ts";
import { USER_READS, USER_WRITES } from "./users.ts";

/** Writes after which nothing that is remembered of tokens is wrong. */
const QUIET = { ...QUIET_SESSION_WRITES, ...REQUEST_WRITES, ...CODE_WRITES, ...QUIET_PASSKEY_WRITES, ...NOTICE_WRITES };
const READS = {
  ...USER_READS,
  ...SESSION_READS,
  ...REQUEST_READS,
  ...PASSKEY_READS,
  ...IDENTITY_READS,
  ...ACCESS_READS,
  ...NOTICE_READS,
  ...DIRECTORY_READS,
};
const WRITES = {
  ...USER_WRITES,
  ...SESSION_WRITES,
  ...IDENTITY_WRITES,
  ...PASSKEY_WRITES,
  ...ACCESS_WRITES,
  ...DIRECTORY_WRITES,
  ...QUIET,
};
export const PEOPLE_SCRIPTS = { reads: READS, writes: WRITES };
export const KEY_SCRIPTS = { reads: KEY_READS, writes: { ...KEY_WRITES, ...QUIET_KEY_WRITES } };

/** Writes after which somebody, or a key, may have another name. */
export const NAME_WRITES = { changeUser: true, takeLink: true, putKey: true } satisfies Partial<
  Record<keyof typeof WRITES | keyof typeof KEY_WRITES, true>
>;

/** Is true of a write that may end a session or take a right away. */
export function changesAccess(name: string): boolean {
  return !(name in QUIET || name in QUIET_KEY_WRITES);
}

export type KeyStore = Runnable<typeof KEY_SCRIPTS.reads> & Runnable<typeof KEY_SCRIPTS.writes>;
export type People = Runnable<typeof READS> & Runnable<typeof WRITES>;
