// A list as CSV, read page by page as the client reads, with one page in memory.

import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { Principal } from "../../core/contract/principals.ts";
import { type Parent, shownFields } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { readFileValues } from "../../core/dictionary/files.ts";
import { textOfValue, type Value } from "../../core/dictionary/kinds.ts";
import { lookupName } from "../../core/dictionary/lookup-name.ts";
import { personTexts } from "../../core/dictionary/people.ts";
import { BOM, csvLine, guardFormula } from "../../core/text/csv.ts";
import type { Awaitable } from "../engine/script/awaitable.ts";
import type { Page, ReadOptions, Store } from "../engine/store.ts";
import { limitErrors } from "../http/limits.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { randomId } from "../people/auth/random-codes.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import { type Expanded, expandRecords } from "./expand.ts";
import { type FindParts, findRecords } from "./find-records.ts";
import { placesOf } from "./sort.ts";

const CHUNK = 500; // records; one page from the store. Larger ones would keep other requests waiting while they become text

const MOST_KEPT = 10_000; // exports of one person or key; the activity has no older ones

/** The exports that are under way. */
export interface Exports {
  /** Returns the lines as a stream, which counts as an export of `owner` until it is closed. Throws 429 when `owner` has too many. */
  begin(owner: string, lines: AsyncIterable<string>): Readable;
}

export function createExports(mostPerOwner: number): Exports {
  const running = new Map<string, number>();
  return {
    begin(owner, lines) {
      const before = running.get(owner) ?? 0;
      if (before >= mostPerOwner) throw limitErrors.tooManyExports(mostPerOwner);
      running.set(owner, before + 1);
      const stream = Readable.from(lines);
      stream.once("close", () => {
        const left = (running.get(owner) ?? 1) - 1;
        if (left > 0) running.set(owner, left);
        else running.delete(owner);
      });
      return stream;
    },
  };
}

/** Says what an export is noted with, here and in the log. */
export interface NotedExport {
  collection: Collection;
  /** Says whose labels stand in the file as well. */
  expanded: readonly Parent[];
  /** Says how the rows were chosen, as parameters of an address. */
  chosenBy: URLSearchParams;
  lines: AsyncIterable<string>;
  /** Rows that were handed over to be sent so far. */
  sent: { rows: number };
}

/**
 * Begins the export of a session as a stream. It is noted in the store before its first byte is sent, and what became of it before its end: who
 * has the whole file finds it noted as complete. If the client has gone, that is noted when the stream closes. Either way the log has a
 * line of it. Values that were searched for are in the store alone, where an erasure finds them.
 */
export async function beginExport(
  { store, exports }: { store: Store; exports: Exports },
  request: FastifyRequest,
  { principal, limitedAs }: Session,
  { collection, expanded, chosenBy, lines, sent }: NotedExport,
): Promise<Readable> {
  const id = randomId();
  const known = {
    collection: collection.name,
    expanded: [...new Set(expanded.map(({ parent }) => parent.name))],
    filter: [...new Set(chosenBy.keys())],
  };
  let isOver = false;
  const end = async (complete: boolean) => {
    if (isOver) return;
    isOver = true;
    logSecurityEvent(request, "exported", { principal, ...known, rows: sent.rows, complete });
    const cannotNote = (error: unknown) => request.log.error({ err: error }, "an export could not be noted");
    await store.exportLog.endExport(id, sent.rows, complete).catch(cannotNote);
  };
  const stream = exports.begin(
    limitedAs,
    notingEnd(lines, () => end(true)),
  );
  stream.once("close", () => void end(false));
  const begun = { id, at: Date.now(), by: principal, ...known, query: String(chosenBy) || null };
  await store.exportLog.beginExport(begun, MOST_KEPT).catch((error) => {
    stream.destroy();
    throw error;
  });
  return stream;
}

async function* notingEnd(lines: AsyncIterable<string>, noteEnd: () => Promise<void>) {
  yield* lines;
  await noteEnd();
}

export interface ExportQuery {
  page: Omit<Page, "limit">;
  fields: readonly string[];
  /** The parents whose labels stand in columns of their own, such as `customer.name`. */
  expanded: readonly Parent[];
  /** An apostrophe goes before what a spreadsheet would run as a formula. */
  isGuarded: boolean;
  /** Undefined: all. */
  maxRows: number | undefined;
  /** Is counted up before each part of the file is handed over. */
  sent: { rows: number };
  /** Is asked before each page but the first: whoever loses a right gets no more of the file. */
  isAllowed: () => Awaitable<boolean>;
  options: ReadOptions;
}

/** Yields the lines of the file. The header row has the fields' names, which an upload recognises in every language. */
export async function* exportLines(source: FindParts, query: ExportQuery) {
  const { collection, parents, store } = source;
  const { page, fields, expanded, isGuarded, maxRows = Number.POSITIVE_INFINITY, sent, isAllowed, options } = query;
  const columns = expanded.flatMap(({ field: { reference }, parent }) =>
    shownFields(parent).flatMap((one) => (one === parent.key ? [] : { as: reference.as, field: one })),
  );
  const shown = [...fields.map((name) => collection.byName.get(name)), ...columns.map(({ field }) => field)];
  const people = shown.some((field) => field?.isPerson) ? await namesOfPeople(store) : new Map<string, string>();
  const textOf = (field: Field | undefined, value: unknown) => cellText(field, value, people);
  const toCell = isGuarded ? (field: Field | undefined, value: unknown) => guardFormula(textOf(field, value)) : textOf;
  yield BOM + csvLine([...fields, ...columns.map(({ as, field }) => lookupName(as, field.name))]);
  let after = page.after;
  for (let left = maxRows; left > 0; ) {
    const limit = Math.min(left, CHUNK);
    const { records, more } = await findRecords(source, { ...page, limit, ...(after && { after }) }, options);
    const whole: readonly Expanded[] = columns.length > 0 ? await expandRecords(store, records, expanded, options) : records;
    const cellsOf = (record: Expanded) => [
      ...fields.map((name) => toCell(collection.byName.get(name), record[name])),
      ...columns.map(({ as, field }) => toCell(field, (record[as] as Expanded | null)?.[field.name])),
    ];
    sent.rows += whole.length;
    if (whole.length > 0) yield whole.map((record) => csvLine(cellsOf(record))).join("");
    const last = records.at(-1);
    if (!more || !last) return;
    left -= records.length;
    if (!(await isAllowed())) throw new Error("the export was broken off: its caller has other rights by now");
    [after] = await placesOf([last], page.sort, { collection, parents, store, options });
  }
}

/**
 * Reads the names that stand in files, by ids. Without addresses: whoever exports may know the names alone, and two of one name are told
 * apart by id.
 */
async function namesOfPeople({ people }: Store): Promise<ReadonlyMap<string, string>> {
  return personTexts((await people.listUsers()).map(({ id, name }) => ({ id, name })));
}

/** Writes a principal, a person and a file by the name. Without a field the value is the service's. */
function cellText(field: Field | undefined, value: unknown, people: ReadonlyMap<string, string>): string {
  if (value === null || value === undefined) return "";
  if (field?.isPerson) return people.get(String(value)) ?? String(value);
  if (field?.file) {
    const names = readFileValues(value).map(({ name }) => name);
    return field.item ? textOfValue(field, names) : (names[0] ?? String(value));
  }
  if (field) return textOfValue(field, value as Value);
  return typeof value === "object" ? (value as Principal).name : String(value);
}
