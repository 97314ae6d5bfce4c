// An answer that is given again, for callers who see some records only: they may see less by now than when it was made.

import type { ProblemBody, ProblemDetail } from "../../core/contract/problems.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Answer, AnswerForm } from "../engine/store.ts";
import { newValuesOf, withoutSimilar } from "./present-written.ts";
import type { RowSight } from "./row-store.ts";

/** A record that is out of sight keeps its key and version alone, a result the values that were sent, and a problem leads to no record. */
export async function presentReplay(
  collection: Collection,
  form: AnswerForm,
  answer: Answer,
  { filtersOf, keepSeen }: RowSight,
): Promise<Answer> {
  const { kind } = form;
  const others = form.kind === "results" ? (form.of ?? []) : [];
  const isLimited = [collection.name, ...others].some((name) => name !== undefined && filtersOf({ name }));
  if (!isLimited || answer.body === "") return answer;
  const body = JSON.parse(answer.body);
  return { ...answer, body: JSON.stringify(await shown()) };

  async function shown(): Promise<unknown> {
    if (answer.status >= 400) return withoutPlaces(body);
    if (kind === "results") return { ...body, results: (body.results as BatchResult[]).map(presentResult) };
    const warned = body.warnings ? { warnings: body.warnings.map(withoutPlace) } : {};
    const list = body[collection.name];
    const all: Record<string, unknown>[] = kind === "merge" ? [body.record] : Array.isArray(list) ? list : [body];
    const seen = new Set(await keepSeen(collection, all, (record) => record));
    const { name } = collection.key;
    const records = all.map((record) => (seen.has(record) ? record : { [name]: record[name], version: record.version }));
    if (kind === "merge") return { ...body, record: records[0] };
    if (Array.isArray(list)) return { ...body, [collection.name]: records, ...warned };
    return { ...records[0], ...(records[0] === body && warned) };
  }
}

function presentResult(result: BatchResult): BatchResult {
  const { changes, problem, warnings, leftBehind: _, ...others } = result;
  return {
    ...others,
    ...(changes && { changes: newValuesOf(changes) }),
    ...(problem && { problem: withoutPlaces(problem) }),
    ...(warnings && { warnings: warnings.map(withoutPlace) }),
  };
}

function withoutPlaces({ current: _, errors, ...problem }: ProblemBody): ProblemBody {
  const plain = errors?.map(withoutPlace);
  const isOfFirst = errors?.[0]?.similar !== undefined && problem.detail === errors[0].detail;
  return { ...problem, ...(plain && { errors: plain }), ...(isOfFirst && plain?.[0] && { detail: plain[0].detail }) };
}

function withoutPlace({ current: _, href: __, ...error }: ProblemDetail): ProblemDetail {
  return error.similar ? withoutSimilar(error) : error;
}
