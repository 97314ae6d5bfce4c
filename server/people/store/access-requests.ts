// People who ask for access and wait for an administrator. Times in ms since 1970.

import type { Language } from "../../../core/i18n/languages.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";
import { foldEmail } from "./addresses.ts";
import { addLink, insertUser, type StoredLink, type StoredUser } from "./users.ts";

export interface StoredAccessRequest {
  id: string;
  email: string;
  name: string;
  message: string;
  /** Is the language in which whoever asks reads. */
  language: Language;
  askedAt: number;
  /** Says whether somebody with this address has an account already. */
  hasAccount: boolean;
}

const REQUEST = "id, email, name, message, language, asked_at";

function toRequest(cells: readonly Cell[]): StoredAccessRequest {
  const [id, email, name, message, language, askedAt, userId] = cells as [string, string, string, string, Language, number, string | null];
  return { id, email, name, message, language, askedAt, hasAccount: userId !== null };
}

function* listAccessRequests(): Script<StoredAccessRequest[]> {
  const columns = REQUEST.split(", ").map((column) => `r.${column}`);
  const sql = `SELECT ${columns.join(", ")}, e.user_id FROM access_requests r LEFT JOIN emails e ON e.email = r.address ORDER BY r.asked_at, r.id`;
  return (yield* ask(sql)).rows.map(toRequest);
}

/**
 * Keeps one request for each address: a second one takes its place under a new id, so that what is approved is what was read. The
 * statements are the same whether the address has an account. False when `most` wait already. What was asked before `oldest` is deleted.
 */
function* addAccessRequest(request: Omit<StoredAccessRequest, "hasAccount">, most: number, oldest: number): Script<boolean> {
  const { id, email, name, message, language, askedAt } = request;
  const address = foldEmail(email);
  yield* lockByName("access-requests"); // so that two at once do not make one too many
  yield* ask("DELETE FROM access_requests WHERE asked_at < $1", oldest);
  const { rows } = yield* ask("SELECT count(*) FROM access_requests WHERE address <> $1", address);
  if (Number(rows[0]?.[0]) >= most) return false;
  const values = [address, id, email, name, message, language, askedAt];
  yield* ask(
    `INSERT INTO access_requests (address, ${REQUEST}) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (address) DO UPDATE SET
       id = excluded.id, email = excluded.email, name = excluded.name, message = excluded.message, language = excluded.language,
       asked_at = excluded.asked_at`,
    ...values,
  );
  return true;
}

/** Makes the account, and its link, of whoever asked. `taken`: the address belongs to somebody already. */
function* approveAccessRequest(
  requestId: string,
  person: Omit<StoredUser, "email" | "name" | "language">,
  link: StoredLink,
): Script<StoredUser | "taken" | undefined> {
  const { rows } = yield* ask("SELECT email, name, language FROM access_requests WHERE id = $1", requestId);
  if (!rows[0]) return undefined;
  const [email, name, language] = rows[0] as [string, string, Language];
  const user = { ...person, email, name, language };
  if (!(yield* insertUser(user))) return "taken";
  yield* addLink(link);
  return user;
}

/** Returns false when there is none with this id. */
function* deleteAccessRequest(id: string): Script<boolean> {
  return (yield* ask("DELETE FROM access_requests WHERE id = $1", id)).count > 0;
}

/** Says whether administrators are to be told now: true once in `every` ms, in whatever process. */
function* claimRequestNotice(now: number, every: number): Script<boolean> {
  const sql = `INSERT INTO settings (name, value) VALUES ('access-request-notice', $1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE settings.value <= $2`;
  return (yield* ask(sql, bytesOf(now), bytesOf(now - every))).count > 0;
}

/** Bytes in the order of the times. */
function bytesOf(time: number): Uint8Array {
  return new TextEncoder().encode(String(Math.max(0, time)).padStart(15, "0"));
}

export const REQUEST_READS = { listAccessRequests };
/** Nothing that is remembered of tokens is wrong after them. */
export const REQUEST_WRITES = { addAccessRequest, approveAccessRequest, deleteAccessRequest, claimRequestNotice };
