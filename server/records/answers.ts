// Answers to writes, made from the store's decisions. They run inside the transaction; with SQLite that is another thread.

import { API_ROOT, recordPath } from "../../core/contract/paths.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import type {
  BatchResult,
  DeletionOutcome,
  DeletionReply,
  OperationOutcome,
  OperationResult,
  WireRecord,
  WriteOutcome,
} from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { MergeOutcome } from "../engine/merge-steps.ts";
import type { Answer, AnsweredBatch, AnswerForm, Decision, Rejected, Sender, SentForm } from "../engine/store.ts";
import { type HttpError, httpErrors } from "../http/errors.ts";
import { problemAnswer } from "../http/problem.ts";
import { emptyAnswer, jsonAnswer, recordAnswer } from "../http/responses.ts";
import { failedResult } from "./bulk-write.ts";
import { duplicateDetails } from "./on-duplicate.ts";
import { httpErrorOf, httpErrorOfAll, toDetails } from "./store-errors.ts";
import { pointerOf } from "./unwrap-body.ts";

type FormOf<Kind extends AnswerForm["kind"]> = Extract<AnswerForm, { kind: Kind }>;

/** Makes the answer to a batch, as the store's ToAnswer. */
export function toAnswer({ collection, form, collections }: AnsweredBatch, decisions: readonly Decision[], merged?: MergeOutcome): Answer {
  switch (form.kind) {
    case "record":
      return answerOne(collection, form, decisions[0]);
    case "records":
      return problemOf(() => collection, form, decisions) ?? answerAll(collection, form, decisions);
    case "results": {
      const ofItem = (index: number) => collections?.find(({ name }) => name === form.of?.[index]) ?? collection;
      const problem = form.atomic ? problemOf(ofItem, form, decisions) : undefined;
      return problem ?? jsonAnswer(form.atomic ? 200 : 207, eachResult(ofItem, form, decisions));
    }
    case "merge":
      return answerMerge(collection, form, merged);
  }
}

function answerMerge(collection: Collection, form: FormOf<"merge">, outcome: MergeOutcome | undefined): Answer {
  switch (outcome?.status) {
    case undefined:
      throw new Error("the store merged nothing");
    case "asks":
      return problemAnswer(httpErrors.mergeChanged(outcome.fields, collection), form);
    case "failed": {
      const error = mergeError(collection, form, outcome);
      const isShown = form.isDryRun && (outcome.failure.code === "VALIDATION" || outcome.failure.code === "IN_USE");
      return isShown
        ? jsonAnswer(200, { record: null, moved: outcome.moved, errors: error.extra.errors ?? [] })
        : problemAnswer(error, form);
    }
    case "done": {
      const { record, moved, back, kept, warnings } = outcome;
      if (form.isApart) return jsonAnswer(200, { id: form.merge, record, back, moved, kept });
      if (form.isDryRun) return jsonAnswer(200, { record, moved, errors: [] });
      const warned = warnings.length > 0 ? { warnings: toDetails(warnings, form.pointer) } : {};
      return jsonAnswer(201, { id: form.merge, record, moved, ...warned });
    }
  }
}

/** The error names the record that is in the way by its place in the request. */
function mergeError(collection: Collection, form: FormOf<"merge">, { failure, id, child }: MergeOutcome & { status: "failed" }): HttpError {
  if (child && failure.code === "VALIDATION") {
    const details = toDetails(failure.problems ?? [], "");
    const moved = details.map(({ code, detail }) => ({ code, detail: `${child.title}, ${id}: ${detail}`, href: recordHref(child, id) }));
    return httpErrors.validation(moved);
  }
  if (form.isApart || failure.code === "VALIDATION" || id === undefined) return httpErrorOf(collection, failure, form.pointer);
  const at = form.others.indexOf(id);
  const { code, extra } = httpErrorOf(collection, failure, "");
  const pointer = at > 0 ? `/others/${at - 1}` : "/survivor";
  const which = `${collection.key.title} ${id}`;
  switch (failure.code) {
    case "NOT_FOUND":
      return httpErrors.notFound(`There is no ${collection.noun} with this ${collection.key.title}: ${id}.`, [
        { pointer, code, detail: `There is no ${collection.noun} with this ${collection.key.title}.` },
      ]);
    case "PRECONDITION_FAILED":
      return httpErrors.preconditionFailed([{ pointer, code, detail: `It was changed meanwhile (${which}). Look at it again.` }]);
    default:
      return extra.errors?.length ? httpErrorOf(collection, failure, "") : httpErrorOf(collection, failure, pointer);
  }
}

function recordHref(collection: Collection, id: number | undefined): string {
  return API_ROOT + recordPath(collection.name, Number(id));
}

function answerOne(collection: Collection, form: FormOf<"record">, decision: Decision | undefined): Answer {
  if (!decision) throw new Error("the store decided nothing");
  switch (decision.outcome) {
    case "failed":
      return problemAnswer(httpErrorOf(collection, decision.failure, form.pointer), form);
    case "deleted":
    case "gone":
      return emptyAnswer(204);
    case "created":
      return recordAnswer(201, collection, decision.record, warningsOf(collection, decision, form.pointer));
    case "updated":
    case "unchanged":
    case "skipped":
      return recordAnswer(200, collection, decision.record, warningsOf(collection, decision, form.pointer));
  }
}

/** Makes the problem document of an atomic batch that something is in the way of. */
function problemOf(
  ofItem: (index: number) => Collection,
  form: Sender & SentForm & { rejected: Rejected },
  decisions: readonly Decision[],
): Answer | undefined {
  const httpError = httpErrorOfAll(ofItem, form, decisions);
  return httpError && problemAnswer(httpError, form);
}

/** Holds the warnings that were acknowledged, and the stored records that are like a new one, if there were any. */
function warningsOf(collection: Collection, decision: Decision, pointer: string): { warnings?: ProblemDetail[] } {
  const rules = "warnings" in decision ? toDetails(decision.warnings ?? [], pointer) : [];
  const similar = "similar" in decision ? duplicateDetails(collection, decision.similar ?? [], pointer) : [];
  return rules.length + similar.length > 0 ? { warnings: [...rules, ...similar] } : {};
}

function leftBehindOf({ left }: { left?: readonly string[] }): Pick<BatchResult, "leftBehind"> {
  return left ? { leftBehind: left } : {};
}

function answerAll(collection: Collection, form: FormOf<"records">, decisions: readonly Decision[]): Answer {
  const records = decisions.flatMap((decision) => ("record" in decision ? [decision.record] : []));
  const status = decisions.some(({ outcome }) => outcome === "created") ? 201 : 200;
  const [first] = records;
  const all = decisions.flatMap((decision, i) => warningsOf(collection, decision, pointerOf(form, i)).warnings ?? []);
  const warned = all.length > 0 ? { warnings: all } : {};
  const one = records.length === 1 && first ? recordAnswer(status, collection, first, warned) : undefined;
  if (one && !form.isMany) return one;
  const { etag, location } = one?.headers ?? {};
  return jsonAnswer(status, { [collection.name]: records, ...warned }, { ...(etag && { etag }), ...(location && { location }) });
}

// Each outcome has a place, also where it is zero.
const SUMMARIES = {
  write: { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 } satisfies Record<WriteOutcome, 0>,
  delete: { deleted: 0, unchanged: 0, failed: 0 } satisfies Record<DeletionOutcome, 0>,
  mixed: { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 } satisfies Record<OperationOutcome, 0>,
};

function eachResult(ofItem: (index: number) => Collection, form: FormOf<"results">, decisions: readonly Decision[]) {
  const counts: Record<string, number> = { ...SUMMARIES[form.verb] };
  let next = 0;
  const results = form.ids.map((id, index) => {
    const details = form.rejected.get(index);
    const collection = ofItem(index);
    const result = details
      ? failedResult(collection, index, id, httpErrors.validation(details))
      : resultOf(collection, index, id, decisions[next++], pointerOf(form, index));
    counts[result.outcome] = (counts[result.outcome] ?? 0) + 1;
    return result;
  });
  return { ...(form.run !== undefined && { run: form.run }), results, summary: { total: form.ids.length, ...counts } };
}

type Result = BatchResult | DeletionReply["results"][number] | OperationResult;

function resultOf(collection: Collection, index: number, id: unknown, decision: Decision | undefined, pointer: string): Result {
  if (!decision) throw new Error("the store decided nothing");
  const done = <Outcome extends string>(outcome: Outcome, record: WireRecord) => {
    const status = outcome === "created" ? 201 : 200;
    return { index, outcome, status, [collection.key.name]: record[collection.key.name], version: record.version };
  };
  switch (decision.outcome) {
    case "created":
      return { ...done("created", decision.record), ...warningsOf(collection, decision, pointer), ...leftBehindOf(decision) } as Result;
    case "unchanged":
    case "skipped":
    case "deleted":
      return { ...done(decision.outcome, decision.record), ...warningsOf(collection, decision, pointer) } as Result;
    case "updated":
      return {
        ...done("updated", decision.record),
        changes: decision.changes,
        ...warningsOf(collection, decision, pointer),
        ...leftBehindOf(decision),
      };
    case "gone":
      // This request did not delete it, so there is nothing to undo.
      return { index, outcome: "unchanged", status: 200, [collection.key.name]: id };
    case "failed":
      return failedResult(collection, index, id, httpErrorOf(collection, decision.failure, pointer));
  }
}
