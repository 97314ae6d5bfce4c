// What a store can do, whichever engine it stands on. Types only: no SQL, no HTTP, no decisions.

import type { Readable } from "node:stream";
import type { Problem } from "../../core/contract/problems.ts";
import type { OnConflict, OnMissing, WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { FilterOperator } from "../../core/dictionary/filters.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";

export interface Store extends Credentials {
  /** Random, made once a store and kept in it: cursors sealed with it stay good over a restart. */
  secret: Buffer;
  read(collection: Collection, id: number): Promise<WireRecord | undefined>;
  /** An export asks page after page: no cursor is held open, so writers never wait for a slow reader. */
  list(collection: Collection, page: Page): Promise<{ records: WireRecord[]; more: boolean }>;
  /** Exactly how many records a list has in all, over all its pages. */
  count(collection: Collection, selection: Selection): Promise<number>;
  /**
   * All of it in one transaction, on disk when the promise resolves. `answer` is called with what became of
   * each op, in order, again when others were in the way and all was decided anew; what it returned last is what `idempotency` keeps for the next request with the same key.
   * Throws StoreUnavailable when nothing was written and the same request may be sent again.
   */
  write(batch: Batch, answer: (decisions: readonly Decision[]) => Answer): Promise<Written>;
  /** The whole store as it is at one moment, without stopping writers; only of an engine that is one file. Throws StoreUnavailable while another copy is being made or read. */
  copy?(): Promise<StoreCopy>;
  /** Throws when the store cannot be used. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A file of the engine. Whoever takes it reads the stream or destroys it. */
export interface StoreCopy {
  bytes: number;
  stream: Readable;
}

/** The engine could not write (disk full, lost connection); everything was rolled back. */
export class StoreUnavailable extends Error {}

/** There is no room left (ENOSPC, SQLITE_FULL, SQLSTATE 53100); everything was rolled back. */
export class StoreFull extends StoreUnavailable {}

/** The store cannot be opened, in a sentence for whoever started the service. */
export class StoreOpenError extends Error {}

/** Another process has the file, and can be asked in its place. */
export class StoreInUse extends StoreOpenError {}

export interface SortTerm {
  /** A field, `createdAt` or `updatedAt`. */
  name: string;
  descending: boolean;
}

/** One condition on one field; all of a list's hold together. A record without a value meets none but `eq` null. */
export interface Filter {
  /** A field, `createdAt` or `updatedAt`. */
  name: string;
  operator: FilterOperator;
  /**
   * As on the wire (times of the service as RFC 3339), one value except for `in`. `eq` null: the field has no value.
   * `eq` and `in` compare strings exactly, `gte` and `lte` by their sort key (sortKey, so that they agree with the order);
   * `prefix` is on strings only and its value is folded already, no longer than a sort key.
   */
  values: readonly (Value | null)[];
}

export interface Selection {
  /** Folded; each must begin some word of the record's string fields. */
  words: readonly string[];
  filters?: readonly Filter[];
}

export interface Page extends Selection {
  limit: number;
  /** Ends with the key, so that the order is total. */
  sort: readonly SortTerm[];
  /** The sort values of the last record seen, one per term. */
  after?: readonly (Value | null)[];
}

export type Match = readonly number[] | "any";

interface OpBase {
  /** Acts only if the stored version is one of these (If-Match). */
  ifMatch?: Match;
}

export type WriteOp =
  /** A record of a POST. `id` null: the store assigns one. `given` is judged in part only when `onConflict` is "update". */
  | (OpBase & { verb: "post"; id: number | null; given: Fields; onConflict: OnConflict; onMissing: OnMissing })
  /** `given` is the whole record. `ifNoneMatch`: refused if the stored version is one of these. */
  | (OpBase & { verb: "put"; id: number; given: Fields; ifNoneMatch?: Match })
  | (OpBase & { verb: "patch"; id: number; given: Fields })
  | (OpBase & { verb: "delete"; id: number });

export interface Batch {
  collection: Collection;
  ops: readonly WriteOp[];
  /** One failure undoes all. */
  atomic: boolean;
  /** Decide and answer, write nothing. */
  dryRun?: boolean;
  idempotency?: { key: string; fingerprint: string };
}

/** Field name → what it was, what it is. */
export type Changes = Record<string, [old: Value | null, now: Value | null]>;

export type FailureCode = "ALREADY_EXISTS" | "NOT_FOUND" | "PRECONDITION_FAILED" | "VALIDATION" | "DUPLICATE_IN_REQUEST";

export interface Failure {
  code: FailureCode;
  /** With VALIDATION. */
  problems?: Problem[];
  /** With ALREADY_EXISTS: who holds the id. */
  holder?: number;
}

/** What becomes of one op. `record` is the record after it; for `deleted` the last one. */
export type Decision =
  | { outcome: "created"; record: WireRecord }
  | { outcome: "updated"; record: WireRecord; changes: Changes }
  | { outcome: "unchanged"; record: WireRecord }
  | { outcome: "skipped"; record: WireRecord }
  | { outcome: "deleted"; record: WireRecord }
  /** Deleted before: a tombstone knows it. */
  | { outcome: "gone" }
  | { outcome: "failed"; failure: Failure };

/** An HTTP answer as it goes out and as it is kept for repeats. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type Written =
  | { answer: Answer; replayed: boolean }
  /** The idempotency key was used with another request, or that request is still running. */
  | { refused: "reused" | "running" };

export interface StoredKey {
  id: string;
  /** SHA-256 of the secret. */
  hash: Buffer;
  scope: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

export interface StoredToken {
  hash: Buffer;
  keyId: string;
  scope: string;
  expiresAt: number;
}

/** Times in ms since 1970. */
export interface Credentials {
  readKey(id: string): Promise<StoredKey | undefined>;
  /** Adds the key, or replaces the one of that id and ends its tokens. */
  putKey(key: StoredKey): Promise<void>;
  /** Adds the key if there has never been one; of several that ask at once, in any process, one gets true. */
  putFirstKey(key: StoredKey): Promise<boolean>;
  /** Every key, also revoked and expired ones, in the order they were made (createdAt, id). */
  listKeys(): Promise<StoredKey[]>;
  /** Notes the time, unless it is revoked already, and ends its tokens. Answers false for a key that does not exist. */
  revokeKey(id: string, now: number): Promise<boolean>;
  /** Ends one token; nothing happens to one that is not known. */
  endToken(hash: Buffer): Promise<void>;
  /** Adds the token and notes on its key that it was used; expired tokens are swept. */
  addToken(token: StoredToken, now: number): Promise<void>;
  /** Undefined when the token is not known, or its key is revoked or expired. `expiresAt` is never after the key's. */
  readToken(hash: Buffer, now: number): Promise<StoredToken | undefined>;
  /** Changes whenever a key does or a token is ended; undefined where others may change keys unseen, so that nothing may be remembered. */
  generation(): number | undefined;
}
