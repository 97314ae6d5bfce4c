// Accounts, roles, links, sessions and passkeys, as both engines offer them.

import { type Runnable, runnable } from "../../engine/script/script.ts";
import { ACCESS_READS, ACCESS_WRITES } from "./access.ts";
import { REQUEST_READS, REQUEST_WRITES } from "./access-requests.ts";
import { CODE_WRITES, IDENTITY_READS, IDENTITY_WRITES } from "./identities.ts";
import { NOTICE_READS, NOTICE_WRITES } from "./notices.ts";
import { PASSKEY_READS, PASSKEY_WRITES, QUIET_PASSKEY_WRITES } from "./passkeys.ts";
import { QUIET_SESSION_WRITES, SESSION_READS, SESSION_WRITES } from "./sessions.ts";
import { USER_READS, USER_WRITES } from "./users.ts";

/** Writes after which nothing that is remembered of tokens is wrong. */
const QUIET = { ...QUIET_SESSION_WRITES, ...REQUEST_WRITES, ...CODE_WRITES, ...QUIET_PASSKEY_WRITES, ...NOTICE_WRITES };
export const READS = {
  ...USER_READS,
  ...SESSION_READS,
  ...REQUEST_READS,
  ...PASSKEY_READS,
  ...IDENTITY_READS,
  ...ACCESS_READS,
  ...NOTICE_READS,
};
export const WRITES = { ...USER_WRITES, ...SESSION_WRITES, ...IDENTITY_WRITES, ...PASSKEY_WRITES, ...ACCESS_WRITES, ...QUIET };

/** Writes after which somebody may have another name. */
export const NAME_WRITES = { changeUser: true, takeLink: true } satisfies Partial<Record<keyof typeof WRITES, true>>;

export type People = Runnable<typeof READS> & Runnable<typeof WRITES>;
// biome-ignore lint/suspicious/noExplicitAny: each script names its own arguments
type AnyScript = (...args: any[]) => ReturnType<(typeof WRITES)[keyof typeof WRITES]>;

export const readScript = (name: string) => READS[name as keyof typeof READS] as unknown as AnyScript;
export const writeScript = (name: string) => WRITES[name as keyof typeof WRITES] as unknown as AnyScript;

/** `write` runs a script in one transaction. `changing` is called around each write that may end a session or take a right away. */
export function createPeople(
  read: (name: string, args: readonly unknown[]) => Promise<unknown>,
  write: (name: string, args: readonly unknown[]) => Promise<unknown>,
  changing: <T>(change: () => Promise<T>) => Promise<T>,
): People {
  return {
    ...runnable(READS, read),
    ...runnable(WRITES, (name, args) => (name in QUIET ? write(name, args) : changing(() => write(name, args)))),
  };
}
