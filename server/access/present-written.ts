// Decides what the answer to a write may show. The store answers with all that it knows; this is where the answer leaves.

import { API_ROOT } from "../../core/contract/paths.ts";
import type { ProblemBody, ProblemDetail } from "../../core/contract/problems.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { fieldsOfRule } from "../../core/dictionary/rules.ts";
import { type Fields, SERVICE_FIELDS } from "../../core/dictionary/validate.ts";
import type { Answer, AnswerForm, Batch, WriteOp } from "../engine/store.ts";
import { showing } from "../http/responses.ts";
import type { Session, UnseenFields } from "../people/auth/access-tokens.ts";
import { type Shows, shownByWrite } from "../people/auth/read-audit.ts";
import { present, presentChanges } from "./present.ts";

/** The parts of a request that decide what its answer holds. */
export type AskedWrite = Pick<Batch, "collection" | "ops" | "isRestore"> & {
  form: AnswerForm;
  /** All collections, as the caller knows them, where records of several are written. */
  collections?: readonly Collection[];
};

/** The caller who gets the answer. */
export type Reader = Pick<Session, "scope" | "hidden" | "narrowed">;

/**
 * Returns the answer without what a read by `reader` would not show: of records that may not be read stay the values that were sent, the key and
 * the version; of changes the new values; of a refusal no link to another record, no count and nobody who changed one; of hidden fields
 * nothing. It is made at the exit, so a stored answer that is given again shows no more than may be known by the one who repeats the request.
 */
export function presentWritten(answer: Answer, asked: AskedWrite, reader: Reader): Answer & Shows {
  const written = writtenCollections(asked);
  const presented = presentAnswer(answer, asked, reader, written);
  const readable = written.filter((one) => isReadableBy(reader, one));
  if (readable.length === 0) return presented;
  return showing(presented, () => readable.flatMap((one) => shownByWrite(one, presented, (index) => collectionAt(asked, index) === one)));
}

function isReadableBy({ scope }: Reader, { name }: Collection): boolean {
  return allows(scope, `${name}:read`);
}

function writtenCollections(asked: AskedWrite): Collection[] {
  const others = asked.form.kind === "results" ? (asked.form.of ?? []) : [];
  return [...new Set([asked.collection, ...others.map((_, i) => collectionAt(asked, i))])];
}

/** Returns the collection of the record at this place of the request. */
function collectionAt({ collection, collections, form }: AskedWrite, index: number): Collection {
  const name = form.kind === "results" ? form.of?.[index] : undefined;
  return collections?.find((one) => one.name === name) ?? collection;
}

/** Returns the collection of the record to which a pointer into the request leads. */
function collectionOf(asked: AskedWrite, { pointer = "" }: ProblemDetail): Collection {
  const start = "pointer" in asked.form ? `${asked.form.pointer}/` : "/";
  return collectionAt(asked, pointer.startsWith(start) ? Number.parseInt(pointer.slice(start.length), 10) : -1);
}

function presentAnswer(answer: Answer, asked: AskedWrite, reader: Reader, written: readonly Collection[]): Answer {
  if (answer.body === "") return answer;
  const isWhole = written.every((one) => isReadableBy(reader, one) && !reader.hidden?.has(one.name));
  // Only IN_USE names records of other collections.
  const namesOthers = answer.body.includes('"IN_USE"') && (!allows(reader.scope, "*:read") || reader.narrowed?.rows !== undefined);
  if (isWhole && !namesOthers && asked.form.kind !== "merge") return answer;
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  const shown =
    answer.status >= 400
      ? presentWith(body as unknown as ProblemBody, (details) => presentEach(details, (one) => collectionOf(asked, one), reader), reader)
      : presentBody(body, asked, reader);
  return { ...answer, body: JSON.stringify(shown) };
}

function presentBody({ warnings, ...body }: Record<string, unknown>, asked: AskedWrite, reader: Reader): unknown {
  const { collection } = asked;
  const isReadable = isReadableBy(reader, collection);
  const warned = Array.isArray(warnings) ? { warnings: presentDetails(warnings, collection, reader) } : {};
  if (asked.form.kind === "results") {
    const results = (body.results as BatchResult[]).map((result, i) => presentResult(result, collectionAt(asked, i), reader));
    return { ...body, results };
  }
  if (asked.form.kind === "merge") return { ...presentMerge(body, collection, reader, isReadable), ...warned };
  const sent = sentValues(asked);
  const hidden = reader.hidden?.get(collection.name);
  const presentOne = (record: Record<string, unknown>, i: number) =>
    isReadable ? present(namedToday(record, collection, hidden), hidden) : presentRecord(collection, record, sent(i));
  const list = body[collection.name];
  return { ...(Array.isArray(list) ? { ...body, [collection.name]: list.map(presentOne) } : presentOne(body, 0)), ...warned };
}

/** Says how many records were moved of those collections alone that may be read. */
function presentMerge(body: Record<string, unknown>, collection: Collection, reader: Reader, isReadable: boolean): object {
  const shown: Record<string, unknown> = { ...body };
  const hidden = reader.hidden?.get(collection.name);
  const record = body.record as Record<string, unknown> | null;
  if (record) shown.record = isReadable ? present(record, hidden) : presentRecord(collection, record, {});
  for (const name of ["moved", "kept"])
    if (body[name]) {
      const counts = Object.entries(body[name] as Record<string, number>);
      shown[name] = Object.fromEntries(counts.filter(([child]) => allows(reader.scope, `${child}:read`)));
    }
  if (body.errors) shown.errors = presentDetails(body.errors as ProblemDetail[], collection, reader);
  return shown;
}

/** Finds the values that the caller sent, by the place of the record in the answer. Those of a restored version are not the caller's. */
function sentValues({ ops, form, isRestore = false }: AskedWrite): (index: number) => Fields {
  // A replay of a request that today's rules refuse has fewer ops than its answer has records.
  const isKnown = !isRestore && !("rejected" in form && form.rejected.size > 0);
  return (index) => (isKnown ? givenOf(ops[index]) : {});
}

function givenOf(op: WriteOp | undefined): Fields {
  if (op === undefined || op.verb === "delete") return {};
  // The check fills a new record up with empty fields, and a record that is skipped has other values there.
  return op.verb === "post" ? Object.fromEntries(Object.entries(op.given).filter(([, value]) => value !== null)) : op.given;
}

function presentRecord({ key }: Collection, record: Record<string, unknown>, sent: Fields): Record<string, unknown> {
  return { ...sent, [key.name]: record[key.name], version: record.version };
}

function presentResult(result: BatchResult, collection: Collection, reader: Reader): BatchResult {
  const { changes, problem, warnings, leftBehind, ...others } = result;
  const isReadable = isReadableBy(reader, collection);
  const hidden = reader.hidden?.get(collection.name);
  // This caller's dictionary says only of some fields when they are asked for.
  const left = isReadable ? (leftBehind?.filter((name) => collection.byName.get(name)?.visibleIf !== undefined) ?? []) : [];
  return {
    ...others,
    ...(changes && { changes: presentChanges(namedToday(isReadable ? changes : newValuesOf(changes), collection, hidden), hidden) }),
    ...(problem && { problem: presentProblem(problem, collection, reader) }),
    ...(warnings && { warnings: presentDetails(warnings, collection, reader) }),
    ...(left.length > 0 && { leftBehind: left }),
  };
}

/**
 * Returns the values without those that no field has today which this caller knows: a stored answer that is given again has the names of its
 * time, and what is hidden goes by those of today.
 */
function namedToday<Values extends object>(values: Values, { byName }: Collection, hidden: UnseenFields | undefined): Values {
  if (!hidden) return values;
  const known = Object.entries(values).filter(([name]) => byName.has(name) || SERVICE_FIELDS.has(name));
  return Object.fromEntries(known) as Values;
}

/** Returns the new values of changed fields, without those before. */
export function newValuesOf(changes: NonNullable<BatchResult["changes"]>): NonNullable<BatchResult["changes"]> {
  return Object.fromEntries(Object.entries(changes).map(([name, pair]) => [name, [pair.at(-1)]]));
}

/** Takes from a problem of a write to `collection` what `reader` may not see. */
export function presentProblem(problem: ProblemBody, collection: Collection, reader: Reader): ProblemBody {
  return presentWith(problem, (details) => presentDetails(details, collection, reader), reader);
}

type PresentDetails = (details: readonly ProblemDetail[]) => ProblemDetail[];

function presentWith({ current, ...problem }: ProblemBody, presentAll: PresentDetails, reader: Reader): ProblemBody {
  const errors = problem.errors && presentAll(problem.errors);
  const [first] = problem.errors ?? [];
  // The sentence of the whole document may be that of its first error.
  const detail = problem.detail === first?.detail ? (errors?.[0]?.detail ?? problem.detail) : problem.detail;
  return { ...problem, detail, ...(errors && { errors }), ...(current && mayFollow(current, reader.scope) && { current }) };
}

/** Takes from the errors of a write to `collection` what `reader` may not see. */
export function presentDetails(details: readonly ProblemDetail[], collection: DescribedCollection, reader: Reader): ProblemDetail[] {
  return presentEach(details, () => collection, reader);
}

type DescribedCollection = Pick<Collection, "name" | "fields" | "rules" | "uniqueKeys">;

/** `ofDetail`: the collection of the record that an error is about. */
function presentEach(
  details: readonly ProblemDetail[],
  ofDetail: (detail: ProblemDetail) => DescribedCollection,
  reader: Reader,
): ProblemDetail[] {
  const hiddenOf = ({ code }: ProblemDetail) => (code === "WARNING" ? HIDDEN_WARNING : HIDDEN_PROBLEM);
  const shown = details.map((one) => {
    const collection = ofDetail(one);
    const hidden = reader.hidden?.get(collection.name);
    if (one.similar) return mayKnowWhy(one, collection, reader) ? one : withoutSimilar(one);
    const isHidden = isAboutHidden(one, hidden) || isOfHiddenRule(one, collection, hidden) || isOfHiddenKey(one, collection, hidden);
    return isHidden ? hiddenOf(one) : presentError(one, reader);
  });
  return shown.filter((one, i) => (one !== HIDDEN_PROBLEM && one !== HIDDEN_WARNING) || shown.indexOf(one) === i);
}

/** The sentence of a rule or of a condition tells of all fields that it reads, also where it stands at another one. */
export function isOfHiddenRule(
  { pointer, rule, constraint }: Pick<ProblemDetail, "pointer" | "rule" | "constraint">,
  collection: Pick<Collection, "name" | "fields" | "rules">,
  hidden: UnseenFields | undefined,
): boolean {
  if ((rule === undefined && constraint === undefined) || !hidden) return false;
  const read = fieldsOfRule(collection, { rule, constraint, field: fieldAt(pointer) });
  return read.size === 0 || [...read].some((name) => hidden.has(name)); // this caller's dictionary may be without it
}

/** The sentence about values that are unique together names all fields. This caller's dictionary may be without them. */
function isOfHiddenKey(
  { pointer, code }: ProblemDetail,
  { fields, uniqueKeys }: Pick<Collection, "fields" | "uniqueKeys">,
  hidden: UnseenFields | undefined,
): boolean {
  const field = fields.find(({ name }) => name === fieldAt(pointer));
  if (code !== "UNIQUE" || !hidden || !field || field.unique) return false;
  return !uniqueKeys.some((own) => own.includes(field) && !own.some(({ name }) => hidden.has(name)));
}

/** A stored answer that is given again may say by which fields records are alike that this caller does not see, or has by the names of its time. */
function mayKnowWhy({ href = "", similar }: ProblemDetail, { name, fields }: Pick<Collection, "name" | "fields">, reader: Reader): boolean {
  if (!mayFollow({ href }, reader.scope)) return false;
  const hidden = reader.hidden?.get(name);
  const compared = similar?.reasons.flatMap((reason) => reason.fields) ?? [];
  return !hidden || compared.every((own) => !hidden.has(own) && fields.some((field) => field.name === own));
}

/** Leaves of a record that is like a new one that there is one. */
export function withoutSimilar({ similar: _, href: __, ...detail }: ProblemDetail): ProblemDetail {
  return { ...detail, detail: "A record that is like it is stored already." };
}

/** Returns the name of the field to which a pointer into a body leads. */
function fieldAt(pointer = ""): string {
  return pointer.split("/").at(-1) ?? "";
}

/** Stands in place of an error that a hidden field has. */
export const HIDDEN_PROBLEM: ProblemDetail = { code: "VALIDATION", detail: "A rule about a field that you may not see forbids this." };

const HIDDEN_MOVE = "A record that would refer to the survivor breaks a rule that you may not see.";

/** Stands in place of a warning of such a rule: only `acknowledge=all` confirms it. */
const HIDDEN_WARNING: ProblemDetail = {
  code: "WARNING",
  detail: "A rule about a field that you may not see asks whether this is meant so.",
};

/** Is false where the caller has named a field that is unknown to them, or that they know and may not change. */
function isAboutHidden({ pointer, code }: ProblemDetail, hidden: UnseenFields | undefined): boolean {
  return code !== "UNKNOWN_FIELD" && code !== "READ_ONLY" && hidden?.has(fieldAt(pointer)) === true;
}

function presentError({ current, ...error }: ProblemDetail, { scope, narrowed, hidden }: Reader): ProblemDetail {
  const isOfChild = error.pointer === undefined && error.href !== undefined && error.code !== "IN_USE"; // it would move with a merge
  const child = collectionIn(error.href ?? "");
  if (isOfChild && (!allows(scope, `${child}:read`) || hidden?.has(child))) return { code: error.code, detail: HIDDEN_MOVE };
  if (current) return { ...error, ...(mayFollow(current, scope) && { current }) };
  // Only who sees all of them is told how many there are.
  const isCounted = error.code !== "IN_USE" || !narrowed?.rows?.get(collectionIn(error.href ?? ""))?.read;
  if (error.href === undefined || (isCounted && mayFollow({ href: error.href }, scope))) return error;
  const { href, count, ...others } = error;
  return others.code === "IN_USE" ? { ...others, detail: "Other records refer to it, which you may not read." } : others;
}

function mayFollow({ href }: { href: string }, scope: string): boolean {
  return allows(scope, `${collectionIn(href)}:read`);
}

/** Returns the collection to which a link of a problem leads: the first part of its path below /v1. */
function collectionIn(href: string): string {
  return href.slice(API_ROOT.length + 1).split(/[/?]/, 1)[0] ?? "";
}
