// Takes a record out of the answers that are stored for repeated requests.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { ask, type Cell, type Script } from "../people/script.ts";
import { packResponse, unpackBody } from "../stored-responses.ts";

const PAGE = 20; // answers; each may have a megabyte

/** One record: its collection, and its id. */
interface Sought {
  collection: Collection;
  id: number;
}

/**
 * Goes through a page of answers after a key, and answers the last key; undefined at the end. The answers stay, so that a request
 * which comes again still changes nothing.
 */
export function* redactAnswers(collection: Collection, id: number, after: string): Script<string | undefined> {
  const sought = { collection, id };
  const { rows } = yield* ask(
    "SELECT key, status, body FROM replies WHERE key > $1 AND status IS NOT NULL ORDER BY key LIMIT $2",
    after,
    PAGE,
  );
  for (const [name, status, packed] of rows) {
    const redacted = bodyWithout(packed as Cell, sought);
    if (redacted === undefined) continue;
    const { body } = packResponse({ status: Number(status), headers: {}, body: redacted });
    yield* ask("UPDATE replies SET body = $2 WHERE key = $1", name as Cell, body);
  }
  return rows.length === PAGE ? String(rows.at(-1)?.[0]) : undefined;
}

/** The text of a packed answer without the record's values; undefined where the record is not in it. */
function bodyWithout(packed: Cell, sought: Sought): string | undefined {
  const body = unpackBody(packed as Uint8Array);
  if (!mayHold(body, sought)) return undefined;
  let isFound = false;
  const redacted = JSON.stringify(JSON.parse(body), (_, value: unknown) => {
    if (!isRecord(value, sought)) return value;
    isFound = true;
    return withoutValues(value, sought.collection);
  });
  return isFound ? redacted : undefined;
}

/** A record without its values, or what became of it without what was changed. */
function withoutValues(record: Record<string, unknown>, { fields, key }: Collection): Record<string, unknown> {
  const { changes: _, ...rest } = record;
  const names = fields.filter((field) => field !== key && Object.hasOwn(rest, field.name)).map(({ name }) => [name, null]);
  return { ...rest, ...Object.fromEntries(names) };
}

/** Quick: most answers have other records only. */
function mayHold(body: string, { collection, id }: Sought): boolean {
  return body.includes(`${JSON.stringify(collection.key.name)}:${id}`);
}

function isRecord(value: unknown, { collection, id }: Sought): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && (value as Record<string, unknown>)[collection.key.name] === id;
}
