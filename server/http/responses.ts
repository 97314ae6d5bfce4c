// JSON answers: a record with its ETag, a list, anything. Knows no store.

import { API_ROOT, recordPath } from "../../core/contract/paths.ts";
import { etagOf, type WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Answer } from "../store/store.ts";

const TYPE = "application/json";

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": TYPE, "cache-control": "private, no-cache", ...headers }, body: JSON.stringify(body) };
}

/** 201 answers carry Location. */
export function recordAnswer(status: number, collection: Collection, record: WireRecord): Answer {
  const id = record[collection.key.name] as unknown as number;
  const headers: Record<string, string> = { etag: etagOf(id, record.version) };
  if (status === 201) headers.location = API_ROOT + recordPath(collection.name, id);
  return jsonAnswer(status, record, headers);
}

export function emptyAnswer(status: 204 | 304, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: "" };
}

/** What a cache has to know, and nothing about a body that does not come (RFC 9110 section 15.4.5). */
export function notModified({ headers }: Answer): Answer {
  return emptyAnswer(304, { etag: headers.etag ?? "", "cache-control": headers["cache-control"] ?? "" });
}
