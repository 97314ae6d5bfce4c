// AUDIT_READS: who was shown which records. Answers say what they show; only this file writes it down.

import { API_ROOT, collectionPath } from "../../../core/contract/paths.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import { type LoggedRequest, logSecurityEvent, logServiceEvent, type ServiceLog } from "./security-events.ts";

/** Records of one collection with at least one stored value in what was sent. An id may come twice. */
export interface Shown {
  collection: string;
  ids: readonly number[];
}

/** Stands beside an answer. It is only called where reads are logged, so that others pay nothing for it. */
export interface Shows {
  shows?(): readonly Shown[];
}

/** Says which collections are covered: their names, or all of them. */
export type AuditedCollections = readonly string[] | "*";

export interface ReadAudit {
  /** `operation`: the operationId of what was asked for. */
  note(request: LoggedRequest, principal: Pick<Principal, "type" | "id">, operation: string, shown: readonly Shown[]): void;
  /** A webhook was sent these records' changes, without their values. */
  noteDelivery(log: ServiceLog, webhookId: string, shown: readonly Shown[]): void;
}

const MOST_IDS = 1_000; // in one line; what is more stands in further lines of the same request

/** Returns undefined where no reads are logged. */
export function createReadAudit(audited: AuditedCollections): ReadAudit | undefined {
  if (audited.length === 0) return undefined;
  const isAudited = (collection: string) => audited === "*" || audited.includes(collection);
  /** Yields one after the other, each id once, in lines of a bounded length. */
  function* linesOf(shown: readonly Shown[]): Generator<Shown> {
    for (const { collection, ids } of byCollection(shown)) {
      if (!isAudited(collection)) continue;
      for (let from = 0; from < ids.length; from += MOST_IDS) yield { collection, ids: ids.slice(from, from + MOST_IDS) };
    }
  }
  return {
    note(request, principal, operation, shown) {
      for (const line of linesOf(shown)) logSecurityEvent(request, "read", { principal, operation, ...line });
    },
    noteDelivery(log, webhookId, shown) {
      for (const line of linesOf(shown)) logServiceEvent(log, "read", { by: `webhook ${webhookId}`, operation: "webhook", ...line });
    },
  };
}

function byCollection(shown: readonly Shown[]): Shown[] {
  const all = new Map<string, Set<number>>();
  for (const { collection, ids } of shown) {
    const known = all.get(collection) ?? new Set();
    for (const id of ids) known.add(id);
    all.set(collection, known);
  }
  return [...all].map(([collection, ids]) => ({ collection, ids: [...ids] }));
}

/**
 * Returns the records that the answer to a write shows: those that it has whole, and those of which it has old values (`changes`). The answer may
 * be one that was stored for an earlier request. A problem document has no stored value, but it says of some that they are like those that were
 * sent, as warnings do (`onDuplicate`). `isOwn`: whether the result at this place is of a record of the collection.
 */
export function shownByWrite(
  { name, key }: Pick<Collection, "name" | "key">,
  { status, body }: { status: number; body: string },
  isOwn: (index: number) => boolean = () => true,
): Shown[] {
  const similar = similarIn(name, body);
  if (status >= 300 || body === "") return similar;
  const given: unknown = JSON.parse(body);
  if (!isObject(given)) return similar;
  const { results, record, [name]: several } = given; // what a merge makes stands below "record"
  const shown = Array.isArray(results)
    ? results.filter((result, i) => isObject(result) && result.changes !== undefined && isOwn(i))
    : Array.isArray(several)
      ? several
      : [isObject(record) ? record : given];
  const ids = shown.map((one) => (isObject(one) ? one[key.name] : undefined)).filter((id) => typeof id === "number");
  return [{ collection: name, ids }, ...similar];
}

/** Returns the records of the collection whose values the answer says to be like those that were sent. */
function similarIn(collection: string, body: string): Shown[] {
  const ids: number[] = [];
  if (body.includes('"similar":'))
    JSON.parse(body, (_, value: unknown) => {
      if (isDuplicate(value) && value.href.startsWith(`${API_ROOT}${collectionPath(collection)}/`)) ids.push(value.similar.id);
      return value;
    });
  return ids.length > 0 ? [{ collection, ids }] : [];
}

function isDuplicate(value: unknown): value is { href: string; similar: { id: number } } {
  return isObject(value) && value.code === "DUPLICATE" && typeof value.href === "string" && isObject(value.similar);
}
