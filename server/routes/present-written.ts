// Decides what the answer to a write may show. The store answers with all that it knows; this is where the answer leaves.

import { API_ROOT } from "../../core/contract/paths.ts";
import type { ProblemBody, ProblemDetail } from "../../core/contract/problems.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { type Shows, shownByWrite } from "../auth/read-audit.ts";
import { showing } from "../http/responses.ts";
import type { Answer, AnswerForm, Batch, WriteOp } from "../store/store.ts";

/** The parts of a request that decide what its answer holds. */
export type AskedWrite = Pick<Batch, "collection" | "ops" | "isRestore"> & { form: AnswerForm };

/**
 * The answer without what a read by `scope` would not show: of records that may not be read stay the values that were sent, the key and
 * the version; of changes the new values; of a refusal no link to another record, no count and nobody who changed one. It is made at the exit, so a stored
 * answer that is given again shows no more than the scope of the one who repeats the request.
 */
export function presentWritten(answer: Answer, asked: AskedWrite, scope: string): Answer & Shows {
  const isReadable = allows(scope, `${asked.collection.name}:read`);
  const presented = presentAnswer(answer, asked, scope, isReadable);
  return isReadable ? showing(presented, () => shownByWrite(asked.collection, presented)) : presented;
}

function presentAnswer(answer: Answer, asked: AskedWrite, scope: string, isReadable: boolean): Answer {
  if (answer.body === "" || allows(scope, "*:read")) return answer;
  if (isReadable && !answer.body.includes('"IN_USE"')) return answer; // only that names records of other collections
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  const shown = answer.status >= 400 ? presentProblem(body as unknown as ProblemBody, scope) : presentBody(body, asked, scope, isReadable);
  return { ...answer, body: JSON.stringify(shown) };
}

function presentBody(body: Record<string, unknown>, asked: AskedWrite, scope: string, isReadable: boolean): unknown {
  if (asked.form.kind === "results") {
    const results = (body.results as BatchResult[]).map((result) => presentResult(result, scope, isReadable));
    return { ...body, results };
  }
  if (isReadable) return body;
  const sent = sentValues(asked);
  const list = body[asked.collection.name];
  if (!Array.isArray(list)) return presentRecord(asked.collection, body, sent(0));
  return { ...body, [asked.collection.name]: list.map((record, i) => presentRecord(asked.collection, record, sent(i))) };
}

/** The values that the caller sent, by the place of the record in the answer. Those of a restored version are not the caller's. */
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

function presentResult(result: BatchResult, scope: string, isReadable: boolean): BatchResult {
  const { changes, problem } = result;
  return {
    ...result,
    ...(changes && !isReadable && { changes: newValuesOf(changes) }),
    ...(problem && { problem: presentProblem(problem, scope) }),
  };
}

function newValuesOf(changes: NonNullable<BatchResult["changes"]>): NonNullable<BatchResult["changes"]> {
  return Object.fromEntries(Object.entries(changes).map(([name, pair]) => [name, [pair.at(-1)]]));
}

/** A problem as `scope` may see it. */
export function presentProblem({ current, ...problem }: ProblemBody, scope: string): ProblemBody {
  const errors = problem.errors?.map((error) => presentError(error, scope));
  const [first] = problem.errors ?? [];
  // The sentence of the whole document may be that of its first error.
  const detail = problem.detail === first?.detail ? (errors?.[0]?.detail ?? problem.detail) : problem.detail;
  return { ...problem, detail, ...(errors && { errors }), ...(current && mayFollow(current, scope) && { current }) };
}

function presentError({ current, ...error }: ProblemDetail, scope: string): ProblemDetail {
  if (current) return { ...error, ...(mayFollow(current, scope) && { current }) };
  if (error.href === undefined || mayFollow({ href: error.href }, scope)) return error;
  const { href, count, ...others } = error;
  return others.code === "IN_USE" ? { ...others, detail: "Other records refer to it, which you may not read." } : others;
}

function mayFollow({ href }: { href: string }, scope: string): boolean {
  return allows(scope, `${collectionIn(href)}:read`);
}

/** The collection to which a link of a problem leads: the first part of its path below /v1. */
function collectionIn(href: string): string {
  return href.slice(API_ROOT.length + 1).split(/[/?]/, 1)[0] ?? "";
}
