// The store's interface, which SQLite and PostgreSQL both implement.

import type { Readable } from "node:stream";
import type { SimilarRecord } from "../../core/contract/duplicates.ts";
import type { Source } from "../../core/contract/history.ts";
import type { Principal } from "../../core/contract/principals.ts";
import type { Problem, ProblemDetail } from "../../core/contract/problems.ts";
import type { Acknowledged, OnConflict, OnMissing, WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { FilterOperator } from "../../core/dictionary/filters.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { Feed, ReadOptions } from "../history/store/feed.ts";
import type { HistoryReads } from "../history/store/queries.ts";
import type { Cutoffs } from "../history/store/retention.ts";
import type { AttemptTable } from "../people/store/attempts.ts";
import type { KeyStore, People } from "../people/store/people.ts";
import type { ReportWork } from "./background.ts";
import type { CountedValues } from "./count-values.ts";
import type { StoredImpact } from "./dictionary-findings.ts";
import type { FileItems } from "./file-items.ts";
import type { Holder } from "./find-holders.ts";
import type { Through } from "./keyset.ts";
import type { MergeOutcome, MergePlan } from "./merge-steps.ts";
import type { NearQuery } from "./near-search.ts";
import type { AllRowRights } from "./row-rights.ts";
import type { Awaitable } from "./script/awaitable.ts";
import type { ScriptStores } from "./scripts.ts";
import type { MasterSecrets, SecretsSettings } from "./secrets/master-secrets.ts";
import type { Summary, SummaryQuery } from "./summary.ts";
import type { NewVersion } from "./versions.ts";
import type { Viewers } from "./viewers.ts";
import type { BrokenCounts, FindQuery, FoundBroken, RuleCounts, RuleQuery, ViolationQuery } from "./violations.ts";

export type { ReadOptions };

/** Also has `exportLog` (which lists left as files), `webhooks` (where changes are sent, and what was sent) and `saved` (recipes and views). */
export interface Store extends Credentials, ScriptStores {
  /** Accounts, roles, links and sessions of people. */
  people: People;
  /** Says what became of single records. */
  history: HistoryReads;
  /** All changes. */
  feed: Feed;
  /** Knows who has which record open. */
  viewers: Viewers;
  /** Seal what only the service may read or make. They outlive a restart, and all processes on one database have the same. */
  secrets: MasterSecrets;
  read(collection: Collection, id: number): Awaitable<WireRecord | undefined>;
  /** Returns the same as JSON, with its version. */
  readJson(collection: Collection, id: number): Awaitable<{ json: string; version: number } | undefined>;
  /**
   * Returns one page. Nothing stays open between pages, so writers never wait for a slow export. Throws StoreTooCostly, and after an
   * abort the reason of `signal`.
   */
  list(collection: Collection, page: Page, options?: ReadOptions): Promise<{ records: WireRecord[]; more: boolean }>;
  /** Finds records by values of the key or of what is unique; also those that a merge has led to. `name`: as `uniquesOf` has it. */
  findHolders(collection: Collection, name: string, values: readonly Value[]): Promise<Map<Value, Holder>>;
  /** Counts exactly the records in all pages of a list, or `most` + 1 of more. Takes turns and throws as `list` does. */
  count(collection: Collection, selection: CountedSelection, options?: ReadOptions): Promise<number>;
  /** Counts and sums what a list has, in groups. Takes turns and throws as `list` does. */
  summarize(collection: Collection, query: SummaryQuery, options?: ReadOptions): Promise<Summary>;
  /** Searches that find something and are near one that was typed, the likeliest first. Takes turns and throws as `list` does. */
  near(collection: Collection, query: NearQuery, options?: ReadOptions): Promise<string[]>;
  /**
   * Writes the batch in one transaction, on disk when the promise resolves. The answer is made by the ToAnswer that the store
   * was opened with, and stored under `idempotency`.
   * Throws StoreUnavailable when nothing was written and the same request may be sent again, StoreInDoubt when nobody can tell.
   */
  write(batch: Batch): Promise<Written>;
  /**
   * Erases a record with its history for good: when the promise resolves, nothing of it is stored but that it was erased, when and by
   * whom. False for an id that never was; what is in the way while other records refer to it. Throws StoreUnavailable when something of it may be left; erasing it again goes on.
   */
  erase(collection: Collection, id: number, by: Principal, source: Source): Promise<boolean | InUse>;
  /**
   * Rewrites the engine's files without the bytes that erased and deleted values have left in them. Writes wait meanwhile. Throws
   * StoreTooCostly where that would take too long: no value has changed then, and with PostgreSQL some tables are rewritten. It does not
   * with SQLite if `isAlone`, which says that no service runs. Throws it, too, where PostgreSQL's tables are of another role.
   * Throws StoreFull without the room for a second copy.
   */
  rewrite(isAlone: boolean): Promise<void>;
  /** Takes one small step of forgetting what is older than the history is kept. False when nothing is left to do. */
  sweepHistory(cutoffs: Cutoffs): Promise<boolean>;
  /** Does the same for answers that were stored under idempotency keys before a time, in whole ms since 1970. */
  sweepAnswers(before: number): Promise<boolean>;
  /**
   * Takes one small step of emptying what is retired for good (`emptyings`). False when nothing is left to do: then only its empty table or
   * column is stored, under the rules of an erasure.
   */
  emptyStep(collection: Collection, id: string): Promise<boolean>;
  /**
   * Brings the tables to another dictionary while requests are served, and keeps it as the next version. `store` has the new dictionary;
   * this one goes on to serve the requests that began with the old one. A number: the version that another process has kept. Throws
   * StoreOpenError where stored data forbid it, StoreOutdated where there is a newer version by now, and StoreUnavailable where a table
   * is in use for long. Nothing is changed then.
   */
  takeDictionary(collections: readonly Collection[], taken: NewVersion | number): Promise<TakenDictionary>;
  /** Finds what another dictionary would do to stored records. Throws StoreTooCostly where that takes too long to count. */
  impactOf(collections: readonly Collection[]): Promise<StoredImpact>;
  /** Counts the records that break rules of the dictionary. Throws StoreTooCostly where even a part takes too long. */
  countBroken(collection: Collection, query: ViolationQuery, options?: ReadOptions): Promise<BrokenCounts>;
  /** Returns the keys of records that break one of them, in their order. Throws as countBroken does. */
  findBroken(collection: Collection, query: FindQuery, options?: ReadOptions): Promise<FoundBroken>;
  /** Counts the records that would break rules of a dictionary that is not applied. Throws as countBroken does. */
  countRules(collection: Collection, query: RuleQuery, options?: ReadOptions): Promise<RuleCounts>;
  /** Counts the values of a field. Throws StoreTooCostly where that takes too long. */
  countValues(collection: Collection, field: Field): Promise<CountedValues>;
  /** Other processes may use the store, and bring it to another dictionary. Only PostgreSQL has them. */
  isShared: boolean;
  /** A copy of the whole store as it is at one moment, while writing goes on; only with SQLite. Throws StoreUnavailable during another. */
  copy?(): Promise<StoreCopy>;
  /** Returns the time, in ms since 1970. What is written and cannot be read yet will have a later one: see `unlessChangedSince`. */
  time(): Awaitable<number>;
  /** Throws when the store cannot be used, or cannot be written. */
  ping(): Promise<void>;
  /** Attempts to guess a secret, in all processes; only with PostgreSQL. */
  attempts?: AttemptTable;
  /** The connections to the database. Only PostgreSQL has them. */
  pools?(): PoolState[];
  /** Says how many reads each server has answered since the start. Only PostgreSQL with a replica has them. */
  readCounts?(): ReadCount[];
  close(): Promise<void>;
}

export interface StoreSettings extends SecretsSettings {
  /** Seconds for one page or one count. */
  readSeconds: number;
  /** PostgreSQL's connections for records at most; those for credentials and health come on top. */
  connections: number;
  /** The address of a replica of PostgreSQL, which answers reads. */
  readUrl?: string | undefined;
  /** Is called before the tables of an earlier version are changed, which may take long; with the numbers of its schema and of the newest. */
  onUpgrade?: OnUpgrade;
  /** Is called with a sentence for the operator about the store that is opened, what another dictionary does to it, and its replica. */
  onWarning?: (text: string) => void;
  /** Is called when work that no request waits for has ended. */
  report?: ReportWork;
  /** Is false for commands beside the service: refused where the dictionary differs from the one that the store has. They need no secrets. */
  mayChangeTables?: boolean;
}

export type OnUpgrade = (from: number, to: number) => void;

/** The number of the oldest schema that opens. Lower ones are of builds before the first version. */
export const FIRST_SCHEMA = 25;

/** Throws StoreOpenError for a store whose schema has another number than those from FIRST_SCHEMA to `newest`. */
export function refuseOtherSchema(number: number, newest: number): void {
  if (number > newest) throw new StoreOpenError("the store was written by a newer version of the service");
  if (number < FIRST_SCHEMA) {
    throw new StoreOpenError(
      `the store was written by a build before version 0.1.0 (schema ${number}, and ${FIRST_SCHEMA} is the oldest that opens): start that build, save each list as CSV, and upload the files into a new store`,
    );
  }
}

export const DEFAULT_SETTINGS: StoreSettings = { readSeconds: 5, connections: 10 };

/** Connections for one purpose: how many there may be and are, how many of them are idle, and how many requests wait for one. */
export interface PoolState {
  name: string;
  max: number;
  open: number;
  idle: number;
  waiting: number;
}

/**
 * Says why the primary answers a read that a replica might. `behind`: it has not replayed everything; `busy`: it has no connection free;
 * `silent`: it does not answer in time; `away`: it cannot be reached; `conflict`: what it replays ended the read; `other`: it is no
 * replica of this primary; `failed`: it reports another error; `unknown`: the primary has not said how far it is.
 */
export const WHY_PRIMARY = ["behind", "busy", "silent", "away", "conflict", "other", "failed", "unknown"] as const;
export type WhyPrimary = (typeof WHY_PRIMARY)[number];

/** Reads that a replica might answer. `why`: empty for those that it has answered. */
export interface ReadCount {
  server: "replica" | "primary";
  why: WhyPrimary | "";
  reads: number;
}

export interface TakenDictionary {
  store: Store;
  /** The version of the dictionary. */
  version: number;
  /** Sentences that say what the dictionary means for stored records. */
  notes: readonly string[];
  /** Collections that are no longer in the dictionary. */
  gone: readonly string[];
}

/** A copy of the engine's file. The caller must read the stream to its end or destroy it. */
export interface StoreCopy {
  bytes: number;
  stream: Readable;
}

/** The engine could not write (disk full, lost connection); everything was rolled back. */
export class StoreUnavailable extends Error {}

/** The tables have another dictionary by now than this process or this request has. The message is a sentence for people. */
export class StoreOutdated extends StoreUnavailable {
  constructor(message = OUTDATED, options?: ErrorOptions) {
    super(message, options);
  }
}

const OUTDATED =
  "The store has another dictionary by now. Send the request again; if that does not help, start this process again with that dictionary.";

/** The connection broke while the engine committed: whether it was written is not known. */
export class StoreInDoubt extends Error {}

/** The disk is full (ENOSPC, SQLITE_FULL, SQLSTATE 53100); everything was rolled back. */
export class StoreFull extends StoreUnavailable {}

/** The read took longer than its budget (READ_SECONDS) and was ended. Nothing is wrong with the store. */
export class StoreTooCostly extends Error {}

/** The store cannot be opened; the message is a sentence for whoever started the service. */
export class StoreOpenError extends Error {}

/** Another process holds the SQLite file. */
export class StoreInUse extends StoreOpenError {}

export interface SortTerm {
  /** A field, `createdAt` or `updatedAt`; with `through`, a field of the parent. */
  name: string;
  descending: boolean;
  through?: Through;
}

/** One condition on one field; a record must meet all of them. Without a value it meets `eq` null, `ne` and `null` true only. */
export interface Filter {
  /** A field, `createdAt`, `updatedAt`, `createdBy` or `updatedBy`; with `through`, one of the parent. */
  name: string;
  operator: FilterOperator;
  /**
   * Holds wire forms (times as RFC 3339, principals as their ids); exactly one value except for `in` and `notIn`. `eq` null: the field
   * has no value. `ne` null: it has one; `ne` another value: it has a different one or none, as `notIn` says of several. `null` has true
   * for no value, false for any. `eq`, `ne`, `in` and `notIn` compare strings exactly; `gte`, `gt`, `lte` and `lt` compare sort keys
   * (sortKey), as the list's order does. `prefix` and `contains` are for strings only and look at the sort key; their value is folded and
   * no longer than one.
   */
  values: readonly (Value | null)[];
  through?: Through;
  /** Stands in place of all that: a record must meet every filter of one of these lists. */
  anyOf?: readonly (readonly Filter[])[];
}

export interface Selection {
  /** They are folded, and each must be the beginning of a word in the record's searched fields. */
  words: readonly string[];
  filters?: readonly Filter[];
}

export interface CountedSelection extends Selection {
  /** Counting ends with one more than this. */
  most?: number;
}

export interface Page extends Selection {
  limit: number;
  /** Ends with the key, so that the order is total. */
  sort: readonly SortTerm[];
  /** The sort values of the last record seen, one per term. */
  after?: readonly (Value | null)[];
  /** Counts the records that are left out before the page. They are read, so it may not be many. */
  offset?: number;
}

/** Versions, or any. */
export type Match = readonly number[] | "any";

interface OpBase {
  /** Holds what keeps it from being written, found before its id was known: but for the values that the record has already. */
  problems?: Problem[];
  /** The values of these problems, which `given` lacks. */
  refused?: Fields;
  /** The op fails unless the stored version is one of these (If-Match). */
  ifMatch?: Match;
  /** The warnings that do not keep it from being written. */
  acknowledge?: Acknowledged | undefined;
  /** Holds, with `onDuplicate`, the stored records that are like it, if it makes one. `areRefused`: then one that is the same keeps it from that. */
  duplicates?: { similar: readonly SimilarRecord[]; areRefused: boolean };
  /** The collection of the record, where it is another one than the batch's. */
  of?: string;
  /** A file that comes into a field with several, or goes: the record that is met says what else is there. */
  files?: FileItems;
  /** Fields that get the key of the record of an earlier op of the batch → the place of that op in it. */
  madeBy?: Readonly<Record<string, number>>;
}

export type WriteOp =
  /** A record of a POST. `id` null: the store assigns one. With `onConflict` "update", `given` may lack required fields. */
  | (OpBase & { verb: "post"; id: number | null; given: Fields; onConflict: OnConflict; onMissing: OnMissing; match?: MatchBy })
  /** `given` is the whole record. `ifNoneMatch`: fails if the stored version is one of these; `ifDeletion`: unless that version deleted it. */
  | (OpBase & { verb: "put"; id: number; given: Fields; ifNoneMatch?: Match; ifDeletion?: number })
  | (OpBase & { verb: "patch"; id: number; given: Fields })
  | (OpBase & { verb: "delete"; id: number });

/** Another field than the key says which record is meant. */
export interface MatchBy {
  /** A unique field of the collection, or several that are unique together, with commas between. */
  field: string;
  /** Is set by the store: no record has its value, so one that has the op's id is another one. */
  isNew?: boolean;
  /** Is set by the store: a record has its value that who writes may not see. */
  isUnseen?: boolean;
  /** Is set by the store: the record that has its value, or had it before a merge, where the op has another key. */
  holder?: number;
}

export interface Batch {
  collection: Collection;
  /** The principal who writes it, which stands on every record that it changes. */
  by: Principal;
  /** The records that the rights of who writes it are about. Without it they are about all. */
  rows?: AllRowRights;
  /** Says how it came in. */
  source: Source;
  ops: readonly WriteOp[];
  /** Stands in place of ops: several records become one, or a merge is taken apart. */
  merge?: MergePlan & Pick<OpBase, "acknowledge">;
  /** Part of a merge of records of this collection: what refers to them changes together, batch after batch. */
  moves?: string;
  /** It brings back what was stored before; the history says so. */
  isRestore?: boolean;
  /** An id may come several times: each op meets what those before it left. Otherwise the second one fails. */
  isSequence?: boolean;
  /** If one op fails, none is written. */
  atomic: boolean;
  /**
   * A record that somebody else has made or changed after this time (RFC 3339, UTC with ms) is neither changed nor deleted. What was
   * deleted since is not made again, except in a sequence, which may delete it itself: it is not stored who deleted it.
   */
  unlessChangedSince?: string | undefined;
  /** Decides and answers, but writes nothing. */
  dryRun?: boolean;
  /** Its answer is stored under this key, or the one that is stored there is given. A dry run stores none. */
  idempotency?: Idempotency;
  form: AnswerForm;
}

export interface Idempotency {
  key: string;
  fingerprint: string;
}

/** The form of the answer to a batch. Plain data, because SQLite writes in another thread. */
export type AnswerForm =
  /** One record: itself, its absence, or a problem. */
  | ({ kind: "record" } & Sender & SentForm)
  /** All records of an atomic POST, or the problem that stopped it. */
  | ({ kind: "records"; rejected: Rejected } & Sender & SentForm)
  /** The result of each record, written or deleted; where an atomic request failed, the problem that stopped it. `run`: stands there, too. */
  | ({ kind: "results"; verb: "write" | "delete" | "mixed"; atomic: boolean; run?: string; of?: OtherCollections } & Items &
      Sender &
      SentForm)
  /** Says what became of a merge. `merge`: its id. A dry run also says what is in the way. */
  | ({ kind: "merge"; merge: string; isDryRun: boolean; isApart: boolean; others: readonly number[] } & Sender & SentForm);

/** The parts of a request that a problem document names. */
export interface Sender {
  instance: string;
  requestId: string;
}

/** The place of the records in the request's body. */
export interface SentForm {
  /** JSON pointer of the record, or of the array of records. */
  pointer: string;
  /** An array was sent; then the answer is a list, too. */
  isMany: boolean;
  /** The member of each item of the array that holds the record, where the item is not the record itself. */
  member?: string;
}

/** The problems of the records that the store never sees, by their index in the request. The others are the batch's ops, in order. */
export type Rejected = ReadonlyMap<number, ProblemDetail[]>;

/** The name of each item's collection, where it is another one than the batch's. */
export type OtherCollections = readonly (string | undefined)[];

/** All records of the request, in order. */
export interface Items {
  /** The key of each, as it was sent. */
  ids: readonly unknown[];
  rejected: Rejected;
}

/**
 * Makes the answer from one decision for each op, in order, inside the transaction: if it throws, nothing is written. It is
 * called again when a concurrent write makes the store decide anew.
 */
export type ToAnswer = (batch: AnsweredBatch, decisions: readonly Decision[], merged?: MergeOutcome) => Answer;

/** Has all collections, of which a batch may write several. */
export type AnsweredBatch = Pick<Batch, "collection" | "form"> & { collections?: readonly Collection[] };

/** Field name → old and new value. */
export type Changes = Record<string, [old: Value | null, now: Value | null]>;

export type FailureCode =
  | "ALREADY_EXISTS"
  | "DUPLICATE"
  | "NOT_FOUND"
  | "PRECONDITION_FAILED"
  | "CHANGED_BY_OTHERS"
  | "VALIDATION"
  | "DUPLICATE_IN_REQUEST"
  | "IN_USE"
  | "INSUFFICIENT_SCOPE"
  | "MERGED"
  | "MERGE_FIXED";

/** One thing that forbids a deletion: records of `child` refer by `field` to the record, or to one that would go along with it. */
export interface InUse {
  /** The record that is referred to. */
  collection: string;
  id: number;
  child: string;
  /** Is empty with "request". */
  field: string;
  count: number;
  /** "rule": `onDelete` says so. "many": more than may go along. "request": the same request writes them. "rights": who deletes may not change them. "merged": they were merged into it. */
  reason: "rule" | "many" | "request" | "rights" | "merged";
}

export interface Failure {
  code: FailureCode;
  /** Comes with VALIDATION. */
  problems?: Problem[];
  /** Is, with ALREADY_EXISTS, the id of the existing record, with MERGED of the one that it is part of, where who writes may see it. */
  holder?: number;
  /** The field that says which record is meant, where it is not the key (`matchBy`). */
  field?: string;
  /** Holds, with DUPLICATE, the stored records that are the same. */
  similar?: readonly SimilarRecord[];
  /** Comes with IN_USE. */
  inUse?: InUse;
  /** Says why, with INSUFFICIENT_SCOPE and MERGE_FIXED, in a sentence. */
  why?: string;
  /** Is, with PRECONDITION_FAILED and CHANGED_BY_OTHERS, the stored record, if there is one. */
  current?: WireRecord;
}

/**
 * The outcome of one op. `record` is the record after it; for `deleted` the last state. `warnings`: those that were acknowledged. `similar`: the
 * stored records that are like it, where that was asked. `left`: the fields that keep a value although the write has hidden them.
 */
export type Decision =
  | {
      outcome: "created";
      record: WireRecord;
      warnings?: readonly Problem[];
      similar?: readonly SimilarRecord[];
      left?: readonly string[];
    }
  | { outcome: "updated"; record: WireRecord; changes: Changes; warnings?: readonly Problem[]; left?: readonly string[] }
  | { outcome: "unchanged"; record: WireRecord }
  | { outcome: "skipped"; record: WireRecord }
  | { outcome: "deleted"; record: WireRecord }
  /** Was deleted before: there is a tombstone. */
  | { outcome: "gone" }
  | { outcome: "failed"; failure: Failure };

/** An HTTP answer as it is sent, and stored for repeated requests. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type Written =
  /** `isElsewhere`: it has written records that the ops do not name, because those are part of others. */
  | { answer: Answer; replayed: boolean; isElsewhere?: boolean }
  /** The idempotency key was used for another request, or its first request is still running. */
  | { rejected: "reused" | "running" };

/** API keys and access tokens. */
export interface Credentials extends KeyStore {
  /** Changes when a key changes or a token ends: at once if this process does it, within a quarter of a second if another does. */
  generation(): number;
}
