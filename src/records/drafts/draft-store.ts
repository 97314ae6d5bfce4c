// Drafts: what was typed and not saved, stored in this browser (IndexedDB) for a week.

import type { Acknowledged, WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { allFormerNamesOf } from "../../../core/dictionary/column-name.ts";
import { withCurrentNames } from "../../../core/dictionary/current-names.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { olderThan, timeToStore } from "../../browser/clock.ts";
import { personKey } from "../../browser/person.ts";
import type { Texts } from "../../values/field-text.ts";
import { askDatabase, openDatabase, readUnfinished } from "./delete-drafts.ts";
import { beginWrite, finishedWrites, type UnfinishedWrite } from "./unfinished-drafts.ts";

export interface Draft {
  /** Holds only the fields that differ from the base. Numbers stand as the dictionary writes them: the locale may be another one later. */
  texts: Texts;
  /** The version that the user edited; undefined for a new record. */
  base: WireRecord | undefined;
  /** Epoch milliseconds. */
  typedAt: number;
  /** The same, from timeToStore. Drafts of earlier versions have none. */
  storedAt?: number;
  /** Says with which rights `base` was read. Drafts of earlier versions have none. */
  rights?: string | null | undefined;
  /** A new record that was sent and got no reply. Sent again unchanged, it is created once. */
  sent?: Sent | undefined;
}

export interface Sent {
  fields: Fields;
  /** Drafts of earlier versions have none. */
  acknowledge?: Acknowledged;
  sendKey: string;
  /** Epoch milliseconds. Drafts of earlier versions have none. */
  sentAt?: number;
}

/**
 * Returns the draft as it would be with the names that fields have today, without what their reader may not see any more. What was sent stays
 * as it was: the same body goes again under its key, and the service understands it.
 */
export function withNamesOfToday(collection: Collection, draft: Draft): Draft {
  const base = draft.base && shownOf(collection, withCurrentNames<unknown>(collection, draft.base, allFormerNamesOf) as WireRecord);
  return { ...draft, texts: typedOf(collection, withCurrentNames(collection, draft.texts, allFormerNamesOf)), base };
}

const OF_SERVICE = /^(version|(cre|upd)ated(At|By))$/;

/** A mask takes the place of what was read. */
export function isShown(field: Field | undefined): boolean {
  return !!field && !field.masked;
}

function shownOf({ byName, references }: Collection, base: WireRecord): WireRecord {
  const isParent = (name: string) => references.some(({ reference }) => reference.as === name);
  return pick(base, (name) => isShown(byName.get(name)) || isParent(name) || OF_SERVICE.test(name)) as WireRecord;
}

/** Returns what may be typed by their reader. */
export function typedOf<T>({ byName }: Collection, values: Readonly<Record<string, T>>): Record<string, T> {
  return pick(values, (name) => byName.has(name) && !byName.get(name)?.readOnly);
}

function pick<T>(values: Readonly<Record<string, T>>, isWanted: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
}

/** Returns the draft for a reader with these rights. With others than its own nobody knows yet whether they see its record. */
export function withRights(collection: Collection, draft: Draft, rights: Draft["rights"]): Draft {
  return withNamesOfToday(collection, draft.rights === rights ? draft : { ...draft, base: undefined });
}

/** The place at which a draft is stored. `collection`: its name; `id`: undefined for a new record. */
export interface DraftPlace {
  service: string;
  owner: string;
  collection: string;
  id: number | undefined;
}

/** `form`: the name of an open form. Each has a draft of its own, so that two tabs never overwrite or delete each other's. */
export function draftKey({ service, owner, collection, id }: DraftPlace, form?: string): string {
  return `${personKey(service, owner)} ${collection}/${id ?? "new"}${form ? `/${form}` : ""}`;
}

/** Returns the collection's name in a key, and the record's id, of a new record undefined. */
export function placeOfKey(key: string): Pick<DraftPlace, "collection" | "id"> {
  const [collection = "", id = "new"] = key.slice(key.lastIndexOf(" ") + 1).split("/");
  return { collection, id: id === "new" ? undefined : Number(id) };
}

export interface Drafts {
  read(key: string): Promise<Draft | undefined>;
  /** Returns the drafts of all forms of one place, by the key of the place: the earliest first, with their keys. */
  ofPlace(place: string): Promise<[key: string, draft: Draft][]>;
  /** Returns all that this browser has, by their keys, whoever typed them. */
  all(): Promise<Map<string, Draft>>;
  /** Returns false when the browser stores nothing, or has no room. */
  write(key: string, draft: Draft): Promise<boolean>;
  clear(key: string): Promise<boolean>;
}

const LIFETIME_MS = 7 * 24 * 3_600_000;

let last: Promise<unknown> = Promise.resolve(); // one queue for the whole tab, so that a form reads after the previous one has deleted its draft

/**
 * Operations run one after another, each with its own connection: an open one would block deleting the database at sign-out.
 * `mayStore` is checked when an operation's turn comes, so that nothing is written after a sign-out.
 */
export function openDrafts(mayStore: () => boolean): Drafts {
  function run<T>(work: (db: IDBDatabase) => Promise<T>): Promise<T | undefined> {
    const done = last.then(async () => {
      if (!mayStore()) return undefined;
      const db = await openDatabase(true);
      try {
        if (!(await finishWrites(db, mayStore))) return undefined;
        return await work(db);
      } finally {
        db.close();
      }
    });
    last = done.catch(() => {});
    return done.catch(() => undefined);
  }
  async function all(): Promise<Map<string, Draft>> {
    return (await run(sweep)) ?? new Map();
  }
  /** With a draft it is written, without one it is deleted. */
  async function change(write: UnfinishedWrite): Promise<boolean> {
    const begun = beginWrite(write, mayStore);
    // It is asked once more: signing out may have deleted the drafts while the database was opened.
    const isDone = await run(async (db) => mayStore() && apply(db, write).then(() => true));
    begun.end();
    return isDone === true;
  }
  return {
    read: async (key) => (await all()).get(key),
    async ofPlace(place) {
      const there = [...(await all())].filter(([key]) => key === place || key.startsWith(`${place}/`));
      return there.sort(([, one], [, other]) => one.typedAt - other.typedAt);
    },
    all,
    write: (key, draft) => change({ key, draft: { ...draft, storedAt: timeToStore() }, at: draft.typedAt }),
    clear: (key) => change({ key, at: Date.now() }),
  };
}

async function apply(db: IDBDatabase, { key, draft }: UnfinishedWrite): Promise<void> {
  if (draft) await askDatabase(db, "readwrite", (store) => store.put(draft, key));
  else await askDatabase(db, "readwrite", (store) => store.delete(key));
}

/** Does what an earlier page could not. What was typed since stays. False when somebody has signed out meanwhile. */
async function finishWrites(db: IDBDatabase, mayStore: () => boolean): Promise<boolean> {
  const left = readUnfinished();
  for (const write of left) {
    const stored = (await askDatabase(db, "readonly", (store) => store.get(write.key))) as Draft | undefined;
    if (!mayStore()) return false;
    if (!stored || stored.typedAt <= write.at) await apply(db, write);
  }
  finishedWrites(left);
  return true;
}

/** Returns those that stay. */
async function sweep(db: IDBDatabase): Promise<Map<string, Draft>> {
  const keys = (await askDatabase(db, "readonly", (store) => store.getAllKeys())) as string[];
  const drafts = await askDatabase(db, "readonly", (store) => store.getAll());
  const all = new Map(keys.map((key, i) => [key, drafts[i] as Draft]));
  for (const [key] of await olderThan(LIFETIME_MS, [...all], ([, draft]) => draft.storedAt ?? draft.typedAt)) {
    await apply(db, { key, at: 0 });
    all.delete(key);
  }
  return all;
}
