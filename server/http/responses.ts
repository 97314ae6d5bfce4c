import { API_ROOT, recordPath } from "../../core/contract/paths.ts";
import { etagOf, type WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Answer } from "../engine/store.ts";
import type { Shown, Shows } from "../people/auth/read-audit.ts";

/** Stands in answers that nothing on the way may keep. */
export const NO_STORE = { "cache-control": "no-store" };

export function jsonAnswer(status: number, body: unknown, headers?: Record<string, string>): Answer {
  return textAnswer(status, JSON.stringify(body), headers);
}

/** Answers as jsonAnswer does, with JSON that is text already. */
export function textAnswer(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": "application/json", "cache-control": "private, no-cache", ...headers }, body };
}

/** Answers with a record with its ETag, and with Location where it was created (201). `others`: what else the answer has. */
export function recordAnswer(status: number, collection: Collection, record: WireRecord, others: object = {}): Answer {
  const id = record[collection.key.name] as unknown as number;
  const headers: Record<string, string> = { etag: etagOf(id, record.version) };
  if (status === 201) headers.location = API_ROOT + recordPath(collection.name, id);
  return jsonAnswer(status, { ...record, ...others }, headers);
}

/** Answers with a record that was read, and its ETag. */
export function readAnswer(id: number, { json, version }: { json: string; version: number }): Answer {
  return textAnswer(200, json, { etag: etagOf(id, version) });
}

/** Returns the same answer, which now says what it shows. It is changed in place: a copy took a fiftieth of the time of a read. */
export function showing(answer: Answer & Shows, shows: () => readonly Shown[]): Answer & Shows {
  answer.shows = shows;
  return answer;
}

export function emptyAnswer(status: 204 | 304, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: "" };
}

/** Answers 304 with the fields that a cache needs (RFC 9110 section 15.4.5). */
export function notModified({ headers }: Answer): Answer {
  return emptyAnswer(304, { etag: headers.etag ?? "", "cache-control": headers["cache-control"] ?? "" });
}
