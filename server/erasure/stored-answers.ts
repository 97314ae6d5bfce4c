// Answers that are stored for repeated requests: packed, deleted when old, and without records that were erased.

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { API_ROOT, recordPath } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { allNames } from "../../core/dictionary/column-name.ts";
import { type Field, isObject } from "../../core/dictionary/fields.ts";
import { SERVICE_FIELDS, WARNINGS } from "../../core/dictionary/validate.ts";
import { ask, type Cell, type Script } from "../engine/script/script.ts";
import type { Answer, Written } from "../engine/store.ts";

const PAGE = 5; // answers
const MOST_TEXT = 1_000_000; // characters that one step looks through; an answer may have more
const SWEPT_AT_ONCE = 200; // answers

/** A row of the table `replies`. */
export interface StoredResponse {
  fingerprint: string;
  status: number;
  headers: string;
  body: Buffer;
}

/** Compressed at level 1: the answer to 1,000 records is 100 KB of repetitive text, and every stored byte is written twice. */
export function packResponse({ status, headers, body }: Answer): Omit<StoredResponse, "fingerprint"> {
  return { status, headers: JSON.stringify(headers), body: deflateRawSync(body, { level: 1 }) };
}

/** Returns the first answer again, if the fingerprint of the request is the same. */
export function replay(stored: StoredResponse, fingerprint: string | undefined): Written {
  if (stored.fingerprint !== fingerprint) return { rejected: "reused" };
  const answer = { status: stored.status, headers: JSON.parse(stored.headers), body: unpackBody(stored.body) };
  return { answer, replayed: true };
}

/** Returns the text of a body as packResponse has packed it. */
function unpackBody(body: Uint8Array): string {
  return inflateRawSync(body).toString();
}

/** Takes one small step of deleting the answers that were stored before a time (ms since 1970). False when nothing is left to do. */
export function* sweepAnswers(before: number): Script<boolean> {
  const old = `SELECT key FROM replies WHERE created_at < $1 ORDER BY created_at LIMIT ${SWEPT_AT_ONCE}`;
  return (yield* ask(`DELETE FROM replies WHERE key IN (${old})`, before)).count === SWEPT_AT_ONCE;
}

/** One record: its collection, and its id. */
interface Sought {
  collection: Collection;
  id: number;
}

/**
 * Goes through some answers after a key, and returns the last key that it has seen; undefined at the end. The answers stay, so that a request
 * which comes again still changes nothing.
 */
export function redactAnswers(collection: Collection, id: number, after: string): Script<string | undefined> {
  return redact(after, (text) => bodyWithout(text, { collection, id }));
}

/** Does the same with the values of a field, or of all fields, in every record and every change of one that has the shape of the collection's. */
export function redactFields(collection: Collection, fields: readonly Field[], after: string): Script<string | undefined> {
  const [names, own] = [fields, collection.fields].map((some) => new Set(some.flatMap(allNames))) as [Set<string>, Set<string>];
  const parents = new Set(collection.references.map(({ reference }) => reference.as));
  const hasKey = (value: object) => allNames(collection.key).some((name) => Object.hasOwn(value, name));
  const isOf = (value: object) =>
    hasKey(value) &&
    Object.keys(value).every((name) => own.has(name) || parents.has(name) || SERVICE_FIELDS.has(name) || name === WARNINGS);
  const isResultOf = (value: object): value is { changes: Record<string, unknown> } =>
    hasKey(value) && "changes" in value && isObject(value.changes) && Object.keys(value.changes).every((name) => own.has(name));
  return redact(after, (text) => {
    if (![...names].some((name) => text.includes(`"${name}"`))) return undefined;
    const emptied = (value: object) => Object.fromEntries(Object.entries(value).map(([name, one]) => [name, names.has(name) ? null : one]));
    const unchanged = (value: object) => Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
    return JSON.stringify(JSON.parse(text), (_, value: unknown) => {
      if (!isObject(value)) return value;
      if (isOf(value)) return emptied(value);
      return isResultOf(value) ? { ...value, changes: unchanged(value.changes) } : value;
    });
  });
}

function* redact(after: string, bodyOf: (text: string) => string | undefined): Script<string | undefined> {
  const { rows } = yield* ask(
    "SELECT key, status, body FROM replies WHERE key > $1 AND status IS NOT NULL ORDER BY key LIMIT $2",
    after,
    PAGE,
  );
  let left = MOST_TEXT;
  for (const [i, [name, status, packed]] of rows.entries()) {
    const text = unpackBody(packed as Uint8Array);
    const redacted = bodyOf(text);
    if (redacted !== undefined) {
      const { body } = packResponse({ status: Number(status), headers: {}, body: redacted });
      yield* ask("UPDATE replies SET body = $2 WHERE key = $1", name as Cell, body);
    }
    left -= text.length;
    if (left <= 0 || i === PAGE - 1) return String(name);
  }
  return undefined;
}

/** Returns the text of an answer without the record's values; undefined where the record is not in it. */
function bodyWithout(body: string, sought: Sought): string | undefined {
  if (!mayHold(body, sought)) return undefined;
  let isFound = false;
  const redacted = JSON.stringify(JSON.parse(body), (_, value: unknown) => {
    if (isLikeness(value, sought)) {
      isFound = true;
      return { code: value.code, detail: "A record was like it that was erased since." };
    }
    if (!isRecord(value, sought)) return value;
    isFound = true;
    return withoutValues(value, sought.collection);
  });
  return isFound ? redacted : undefined;
}

/** Returns a record without its values, or what became of it without what was changed. */
function withoutValues(record: Record<string, unknown>, { fields, key }: Collection): Record<string, unknown> {
  const { changes: _, ...rest } = record;
  const names = fields
    .filter((field) => field !== key)
    .flatMap(allNames)
    .filter((name) => Object.hasOwn(rest, name))
    .map((name) => [name, null]);
  return { ...rest, ...Object.fromEntries(names) };
}

/** Is quick: most answers have other records only. */
function mayHold(body: string, { collection, id }: Sought): boolean {
  if (body.includes(`"href":"${hrefOf({ collection, id })}"`)) return true;
  return allNames(collection.key).some((name) => body.includes(`${JSON.stringify(name)}:${id}`)); // it was stored when the key had another name
}

/** Says by what a new record was like this one (`onDuplicate`). */
function isLikeness(value: unknown, sought: Sought): value is { code: string } {
  return isObject(value) && value.code === "DUPLICATE" && value.href === hrefOf(sought);
}

function hrefOf({ collection, id }: Sought): string {
  return API_ROOT + recordPath(collection.name, id);
}

function isRecord(value: unknown, { collection, id }: Sought): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  return allNames(collection.key).some((name) => (value as Record<string, unknown>)[name] === id);
}
