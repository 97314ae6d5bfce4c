// PATCH and DELETE of a collection: changes or deletes the records that filters choose, as a dry run has shown them.

import { createHash, randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { CHOICE_SECONDS, type ChosenDryRun } from "../../core/contract/chosen-writes.ts";
import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { ADVISED_BATCH, MAX_PAGE, MAX_SEARCH } from "../../core/contract/limits.ts";
import type { Acknowledged, DeletionOutcome, WireRecord, WriteOutcome } from "../../core/contract/records.ts";
import { parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { withCurrentNames } from "../../core/dictionary/current-names.ts";
import { scopesAlongDeletion } from "../../core/dictionary/deletion-rights.ts";
import { validateRecord } from "../../core/dictionary/validate.ts";
import { resolveFilters } from "../access/row-conditions.ts";
import { throughParents } from "../engine/row-rights.ts";
import { wordsOfSearch } from "../engine/search-words.ts";
import { createSealer, type Sealer } from "../engine/secrets/master-secrets.ts";
import type { Answer, Filter, ReadOptions, Store, WriteOp } from "../engine/store.ts";
import { MAX_CURSOR } from "../http/cursor.ts";
import { timeZone } from "../http/days.ts";
import type { RequestEnd } from "../http/deadlines.ts";
import { HttpError, httpErrors } from "../http/errors.ts";
import { filtersOf } from "../http/far-filters.ts";
import { type AskedFilter, documentedFilters, filtersIn } from "../http/filters.ts";
import { madeOf, named, resultsSchema, schemaNames } from "../http/json-schemas.ts";
import type { Limits } from "../http/limits.ts";
import { parseJson } from "../http/parse-json-body.ts";
import { acknowledge, clampedCount, flag, readParameters, text } from "../http/query-parameters.ts";
import { pathOf } from "../http/request.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { Shows } from "../people/auth/read-audit.ts";
import { type BulkWrite, replayOf, writeBulk } from "./bulk-write.ts";
import { scopesForParents } from "./expand.ts";
import { countRecords, type FindParts, findRecords } from "./find-records.ts";
import { toDetails } from "./store-errors.ts";
import { unwrapOne } from "./unwrap-body.ts";
import { toValues } from "./write-one.ts";
import { writeSourceOf } from "./write-source.ts";

/** `version`: of the dictionary. */
export interface ChosenParts {
  store: Store;
  collections: readonly Collection[];
  version: number;
  limits: Limits;
}

const PATCHED = Object.keys({ created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 } satisfies Record<WriteOutcome, 0>);
const DELETED = Object.keys({ deleted: 0, unchanged: 0, failed: 0 } satisfies Record<DeletionOutcome, 0>);

/** Makes the members of the route at the address of a collection. */
export function chosenHandlers(collection: Collection, parts: ChosenParts): Pick<Route, "PATCH" | "DELETE"> {
  const { name } = collection;
  const along = scopesAlongDeletion(collection, parts.collections);
  const change = createWriter(collection, parts, "write");
  const deletion = createWriter(collection, parts, "delete");
  return {
    PATCH: {
      scope: `${name}:update`,
      alsoNeeds: (request) => [`${name}:read`, ...change.scopes(request)],
      acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
      doc: {
        ...docOf(collection, `patch_${name}`, "changes the records that filters choose, as a dry run has shown", PATCHED),
        parameters: change.documented,
        body: named(schemaNames(collection).part),
      },
      handle: (request, session, end) => change.handle(request, session, end, () => toChange(collection, request)),
    },
    DELETE: {
      scope: `${name}:delete`,
      alsoNeeds: (request) => [`${name}:read`, ...change.scopes(request), ...along],
      doc: {
        ...docOf(collection, `delete_${name}`, "deletes the records that filters choose, as a dry run has shown", DELETED),
        parameters: deletion.documented,
      },
      handle: (request, session, end) => deletion.handle(request, session, end, () => ({ body: null, pointer: "", toOp: deletionOf })),
    },
  };
}

function docOf(collection: Collection, id: string, summary: string, outcomes: readonly string[]): RouteHandler["doc"] {
  return {
    id,
    summary: `${collection.title}: ${summary}`,
    headers: ["Idempotency-Key", SOURCE_HEADER],
    responses: { 207: madeOf([resultsSchema(collection, outcomes), named("IntakeChoice")]) },
    errors: [409, 422],
  };
}

/** Says what is done to each record. `body`: as it was sent. */
interface Change {
  body: unknown;
  pointer: string;
  toOp(id: number, version: number, acknowledge: Acknowledged | undefined): WriteOp;
}

const deletionOf: Change["toOp"] = (id, version) => ({ verb: "delete", id, ifMatch: [version] });

/** Throws VALIDATION for what no stored record could excuse. A value against a rule may be the one that a record has already. */
function toChange(collection: Collection, request: FastifyRequest): Change {
  const { item, pointer } = unwrapOne(collection, parseJson(request.body));
  const { key } = collection;
  if (Object.hasOwn(item, key.name)) {
    const detail = `The records are chosen by filters, and their ${key.title} never changes. Leave it out.`;
    throw httpErrors.validation([{ pointer: `${pointer}/${key.name}`, code: "ID_MISMATCH", detail }], "ID_MISMATCH");
  }
  const values = toValues(validateRecord(collection, withCurrentNames(collection, item), { from: "json", partial: true }));
  const wrong = values.problems?.filter(({ field }) => !Object.hasOwn(values.refused ?? {}, field)) ?? [];
  if (wrong.length > 0) throw httpErrors.validation(toDetails(wrong, pointer));
  return { body: item, pointer, toOp: (id, version, known) => ({ verb: "patch", id, ...values, ifMatch: [version], acknowledge: known }) };
}

interface Given {
  dryRun: boolean;
  token: string;
  limit: number;
  cursor: string;
  q: string;
  timeZone: string;
  acknowledge: Acknowledged;
}

/** Says behind which key a part begins. All parts of a run choose what had not been changed since its first dry run, at `now` (ms). */
interface Place {
  run: string;
  now: number;
  after: number;
}

/**
 * Says what a dry run has seen: so many records to the key `last`, of which none was changed after `seen`. `digest`: of their versions.
 * `rights`: what the caller was shown of all of them.
 */
interface Seen extends Place {
  last: number;
  count: number;
  seen: string;
  digest: string;
  rights: string;
  expires: number;
}

const REFUSED =
  "This token does not fit: it is for who made the dry run, for the same filters and change, and holds for half an hour, until the dictionary changes or others may be chosen. Ask again with dryRun=true.";

function createWriter(collection: Collection, { store, collections, version, limits }: ChosenParts, verb: "write" | "delete") {
  const parents = parentsOf(collection, collections);
  const own = {
    dryRun: { ...flag, meaning: "`true`: tries all, writes nothing, and answers with the token that does it." },
    token: { ...text(MAX_CURSOR), meaning: "That of a dry run, in place of `dryRun`." },
    limit: {
      ...clampedCount(limits.recordsPerRequest),
      meaning: `How many records this part has, in the order of their keys; ${ADVISED_BATCH} unless given.`,
    },
    cursor: { ...text(MAX_CURSOR), meaning: "`next` of the dry run of the part before." },
    q: text(MAX_SEARCH),
    timeZone,
    ...(verb === "write" && { acknowledge }),
  };
  /** Throws what is wrong with the request. What it returns writes. */
  async function prepare(request: FastifyRequest, session: Session, { signal }: RequestEnd, readChange: () => Change): Promise<Prepared> {
    const filters = filtersOf(collection, parents, { query: request.query, collections });
    const given = readParameters<Record<string, unknown>>(request.query, { ...own, ...filters });
    const { dryRun, token, cursor, ...asked } = given as Partial<Given>;
    if ((dryRun === true) === (token !== undefined)) throw askFirst();
    const change = readChange();
    const work: Work = {
      find: { collection, parents, store, hidden: session.hidden },
      options: { owner: session.limitedAs, signal },
      sealer: createSealer(store.secrets, "chosen records"),
      choice: choiceOf(collection, asked, filtersIn(given, Object.keys(filters)), session),
      rights: rightsTo(collection, session),
      boundTo(...more) {
        const bound = [request.method, collection.name, version, session.owner, Object.entries(asked).sort(byName), ...more];
        return createHash("sha256").update(JSON.stringify(bound)).digest("base64url");
      },
      toWrite(records, made) {
        const ids = records.map((record) => record[collection.key.name] as number);
        const ops = records.map(({ version: stored }, i) => change.toOp(ids[i] as number, stored, asked.acknowledge));
        return writeOf(request, { ids, ops, pointer: change.pointer, dryRun: dryRun === true, made });
      },
      write: (write) => writeBulk(store, request, session, write),
    };
    const { limit = Math.min(ADVISED_BATCH, limits.recordsPerRequest) } = asked;
    if (token === undefined) return () => tryPart(work, { cursor, body: change.body, limit, counted: limits.countedRecords });
    const write = await writeOfPart(work, token, [cursor, change.body]);
    return () => work.write(write);
  }

  function writeOf(request: FastifyRequest, { ids, ops, pointer, dryRun, made }: ChosenWrite): BulkWrite {
    const run = writeSourceOf(request).run ?? made;
    const place = { pointer, isMany: false, instance: pathOf(request), requestId: request.id };
    const form = { kind: "results", verb, atomic: false, ...place, ids, rejected: new Map(), run } as const;
    return { collection, ops, atomic: false, dryRun, form, run };
  }

  /** A request that was carried out before, under its idempotency key, has the answer of then even if it is refused today. */
  const handle = async (request: FastifyRequest, session: Session, end: RequestEnd, readChange: () => Change) => {
    let prepared: Prepared;
    try {
      prepared = await prepare(request, session, end, readChange);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const nothing = writeOf(request, { ids: [], ops: [], pointer: "", dryRun: true, made: "" });
      const replayed = await replayOf(store, request, session, nothing);
      if (!replayed) throw error;
      return replayed;
    }
    return prepared();
  };
  return {
    documented: { ...own, ...documentedFilters(collection, parents) },
    scopes: ({ query }: FastifyRequest) => scopesForParents(parents, query, collections),
    handle,
  };
}

/** Says of one request how it chooses, seals and writes. */
interface Work {
  find: FindParts;
  options: ReadOptions;
  sealer: Sealer;
  choice(now: number): Choice;
  rights: Rights;
  /** Says to what a token or a cursor is bound: the caller, the filters, the dictionary, and more. */
  boundTo(...more: readonly unknown[]): string;
  toWrite(records: readonly WireRecord[], run: string): BulkWrite;
  write(write: BulkWrite): Promise<Answer & Shows>;
}

type Prepared = () => Promise<Answer & Shows>;

/** `made`: the run to which it belongs, unless the request names one. */
interface ChosenWrite {
  ids: readonly number[];
  ops: readonly WriteOp[];
  pointer: string;
  dryRun: boolean;
  made: string;
}

/** Makes the write of what a dry run has shown. Throws BAD_PARAMETER. */
async function writeOfPart(work: Work, token: string, bound: readonly unknown[]): Promise<BulkWrite> {
  const { sealer } = work;
  const seen = open<Seen>(sealer, token, work.boundTo(...bound));
  const records = seen && seen.expires > Date.now() ? await findSeen(work, seen) : undefined;
  if (!seen || !records) throw wrong("token", REFUSED);
  return work.toWrite(records, seen.run);
}

interface AskedPart {
  cursor: string | undefined;
  body: unknown;
  limit: number;
  counted: number;
}

async function tryPart(work: Work, { cursor, body, limit, counted }: AskedPart): Promise<Answer & Shows> {
  const { find, options, sealer } = work;
  const listed = work.boundTo();
  const place = cursor === undefined ? { run: randomUUID(), now: Date.now(), after: 0 } : open<Place>(sealer, cursor, listed);
  if (!place) throw httpErrors.badCursor();
  const choice = work.choice(place.now);
  const { records, more } = await findChosen(find, choice, place.after, limit, options);
  const written = await work.write(work.toWrite(records, place.run));
  const last = (records.at(-1)?.[find.collection.key.name] as number | undefined) ?? place.after;
  const expires = Date.now() + CHOICE_SECONDS * 1_000;
  const digest = digestOf(find.collection, records);
  const seen: Seen = { ...place, last, count: records.length, seen: latestOf(records), digest, rights: work.rights.digest, expires };
  const dry: Omit<ChosenDryRun, "run"> = {
    token: sealer.seal(JSON.stringify(seen), work.boundTo(cursor, body)),
    expiresAt: new Date(expires).toISOString(),
    next: more ? sealer.seal(JSON.stringify({ ...place, after: last }), listed) : null,
    ...(cursor === undefined && (await totalOf(find, choice, counted, options))),
  };
  return { ...written, body: JSON.stringify({ ...dry, ...JSON.parse(written.body) }) };
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

function open<Kind>(sealer: Sealer, sealed: string, bound: string): Kind | undefined {
  const opened = sealer.open(sealed, bound);
  return opened === undefined ? undefined : (JSON.parse(opened) as Kind);
}

function askFirst(): HttpError {
  return wrong(
    "dryRun",
    "Ask first with dryRun=true what would be done. The same request with the token of that answer, in place of dryRun, does it.",
  );
}

function wrong(parameter: string, detail: string): HttpError {
  return httpErrors.badParameters([{ parameter, code: "BAD_PARAMETER", detail }]);
}

interface Choice {
  words: readonly string[];
  filters: readonly Filter[];
  /** `q` has only signs, with which no word begins. */
  findsNothing: boolean;
}

/** Reads relative times as they were at the first dry run, so that midnight chooses no others. */
function choiceOf(
  collection: Collection,
  { q = "", timeZone: zone = "UTC" }: Partial<Given>,
  asked: readonly AskedFilter[],
  session: Session,
): (now: number) => Choice {
  const words = wordsOfSearch(collection, q);
  return (now) => ({ words, filters: resolveFilters(asked, zone, session, now), findsNothing: words.length === 0 && q.trim() !== "" });
}

/** Lists at most `most` of the chosen records behind a key, in the order of their keys. */
async function findChosen(parts: FindParts, choice: Choice, behind: number, most: number, options: ReadOptions) {
  const { name } = parts.collection.key;
  const records: WireRecord[] = [];
  let after = behind;
  for (let more = !choice.findsNothing; more; ) {
    if (records.length === most) return { records, more };
    const filters: Filter[] = [...choice.filters, { name, operator: "gt", values: [after] }];
    const page = { words: choice.words, filters, sort: [{ name, descending: false }], limit: Math.min(MAX_PAGE, most - records.length) };
    const found = await findRecords(parts, page, options);
    records.push(...found.records);
    after = (found.records.at(-1)?.[name] as number | undefined) ?? after;
    more = found.more;
  }
  return { records, more: false };
}

/** Says what a caller is shown of the records of a collection. `leads`: a parent decides which. */
interface Rights {
  digest: string;
  leads: boolean;
}

function rightsTo({ name }: Collection, { narrowed, hidden }: Session): Rights {
  const only = narrowed?.rows?.get(name)?.read ?? [];
  const shown = JSON.stringify([only, [...(hidden?.get(name) ?? [])]]);
  return { digest: createHash("sha256").update(shown).digest("base64url"), leads: throughParents(only).length > 0 };
}

/**
 * Finds those that the dry run has seen and nobody has changed since. It is undefined where others may be among them: after a change of a parent or of the
 * caller's rights nobody can tell whether fewer records are some of those that it has seen.
 */
async function findSeen({ find, options, choice: choiceAt, rights }: Work, seen: Seen): Promise<WireRecord[] | undefined> {
  if (seen.count === 0) return [];
  const choice = choiceAt(seen.now);
  const { name } = find.collection.key;
  const bounds: Filter[] = [
    { name, operator: "lte", values: [seen.last] },
    { name: "updatedAt", operator: "lte", values: [seen.seen] },
  ];
  const within = { ...choice, filters: [...choice.filters, ...bounds] };
  const { records, more } = await findChosen(find, within, seen.after, seen.count, options);
  if (more) return undefined;
  if (records.length === seen.count) return digestOf(find.collection, records) === seen.digest ? records : undefined;
  const mayBeOthers = rights.leads || rights.digest !== seen.rights || throughParents(choice.filters).length > 0;
  return mayBeOthers && records.length > 0 ? undefined : records;
}

function latestOf(records: readonly WireRecord[]): string {
  return records.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), "");
}

function digestOf({ key }: Collection, records: readonly WireRecord[]): string {
  const hash = createHash("sha256");
  for (const record of records) hash.update(`${record[key.name]}-${record.version}\n`);
  return hash.digest("base64url");
}

async function totalOf(parts: FindParts, { words, filters, findsNothing }: Choice, most: number, options: ReadOptions) {
  const sort = [{ name: parts.collection.key.name, descending: false }];
  const total = findsNothing ? 0 : await countRecords(parts, { words, filters, sort, most }, options);
  return total > most ? { total: most, totalIsAtLeast: true as const } : { total };
}
