// POST to a collection: one record or many, all or nothing or each for itself. The store decides what becomes of each.

import type { FastifyRequest } from "fastify";
import { checkRecord } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import { isObject } from "../../dictionary/fields.ts";
import {
  type BatchReply,
  type BatchResult,
  MAX_COLLECTION_BODY,
  type OnConflict,
  type OnError,
  type OnMissing,
  type ProblemDetail,
  type WriteOutcome,
} from "../../dictionary/wire.ts";
import type { Answer, Decision, Store, WriteOp } from "../store/store.ts";
import { parseJson } from "./body.ts";
import { notRecord, type Sent, unwrap } from "./body-forms.ts";
import { JSON_TYPE, type Way } from "./door.ts";
import { refusalOf, refusalOfAll, toDetails } from "./failures.ts";
import { answerOf, idempotencyOf } from "./idempotency.ts";
import { jsonAnswer, recordAnswer } from "./json.ts";
import { oneOf, readParameters } from "./parameters.ts";
import { problemAnswer, problemBody } from "./problem.ts";
import { pathOf } from "./record-door.ts";
import { invalid, type Refusal } from "./refusal.ts";

interface Options {
  onConflict: OnConflict;
  onMissing: OnMissing;
}

const PARAMETERS = {
  onError: oneOf<OnError>("stop", "continue"),
  onConflict: oneOf<OnConflict>("error", "skip", "update"),
  onMissing: oneOf<OnMissing>("create", "error"),
};

export function postWay(collection: Collection, store: Store): Way {
  return {
    scope: "write",
    takes: [JSON_TYPE],
    bodyLimit: MAX_COLLECTION_BODY,
    async handle(request, session) {
      const { onError = "stop", onConflict = "error", onMissing = "create" } = readParameters(request.query, PARAMETERS);
      const sent = unwrap(collection, parseJson(request.body));
      const judged = judge(collection, sent, { onConflict, onMissing });
      const isAtomic = onError === "stop";
      if (isAtomic && judged.refused.size > 0) throw invalid([...judged.refused.values()].flat());
      const repeat = idempotencyOf(request, session.keyId);
      const toAnswer = (decisions: readonly Decision[]) =>
        isAtomic ? answerAll(collection, request, sent, decisions) : answerEach(collection, sent, judged.refused, decisions);
      return answerOf(await store.write({ collection, ops: judged.ops, atomic: isAtomic, ...repeat }, toAnswer));
    },
  };
}

/** Records that pass the check become ops, in order; the others' details stand under their index. */
function judge(collection: Collection, sent: Sent, options: Options): { ops: WriteOp[]; refused: Map<number, ProblemDetail[]> } {
  const { key } = collection;
  const check = { from: "json", partial: options.onConflict === "update" } as const;
  const ops: WriteOp[] = [];
  const refused = new Map<number, ProblemDetail[]>();
  for (const [i, item] of sent.items.entries()) {
    if (!isObject(item)) {
      refused.set(i, notRecord(collection, sent.pointerOf(i)).extra.errors ?? []);
      continue;
    }
    const { record, problems } = checkRecord(collection, item, check);
    if (problems) {
      refused.set(i, toDetails(problems, sent.pointerOf(i)));
      continue;
    }
    const id = record[key.name] ?? null;
    if (id === null && options.onMissing === "error") {
      refused.set(
        i,
        toDetails(
          [{ field: key.name, code: "REQUIRED", message: `Without ${key.title} there is no telling which one to change.` }],
          sent.pointerOf(i),
        ),
      );
      continue;
    }
    ops.push({ verb: "post", id: id as number | null, given: record, ...options });
  }
  return { ops, refused };
}

/** All or nothing. */
function answerAll(collection: Collection, request: FastifyRequest, sent: Sent, decisions: readonly Decision[]): Answer {
  const failed = decisions.flatMap((decision, i) =>
    decision.outcome === "failed" ? [{ failure: decision.failure, pointer: sent.pointerOf(i) }] : [],
  );
  if (failed.length > 0) return problemAnswer(refusalOfAll(collection, failed), { instance: pathOf(request), requestId: request.id });
  const records = decisions.flatMap((decision) => ("record" in decision ? [decision.record] : []));
  const status = decisions.some(({ outcome }) => outcome === "created") ? 201 : 200;
  const [first] = records;
  return sent.isMany || !first ? jsonAnswer(status, { [collection.name]: records }) : recordAnswer(status, collection, first);
}

/** Each for itself: 207 whatever became of them, the results in the order of the request. */
function answerEach(
  collection: Collection,
  sent: Sent,
  refused: ReadonlyMap<number, ProblemDetail[]>,
  decisions: readonly Decision[],
): Answer {
  const summary = { total: sent.items.length, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
  let next = 0;
  const results = sent.items.map((item, index) => {
    const details = refused.get(index);
    const decision = details ? undefined : decisions[next++];
    const result = details
      ? failedResult(collection, index, item, invalid(details))
      : resultOf(collection, index, item, decision, sent.pointerOf(index));
    summary[result.outcome]++;
    return result;
  });
  return jsonAnswer(207, { results, summary } satisfies BatchReply);
}

function resultOf(collection: Collection, index: number, item: unknown, decision: Decision | undefined, pointer: string): BatchResult {
  if (!decision || decision.outcome === "deleted" || decision.outcome === "gone") throw new Error("no such outcome of a POST");
  if (decision.outcome === "failed") return failedResult(collection, index, item, refusalOf(collection, decision.failure, pointer));
  const { outcome, record } = decision;
  const result: BatchResult = {
    index,
    outcome: outcome as WriteOutcome,
    status: outcome === "created" ? 201 : 200,
    [collection.key.name]: record[collection.key.name],
    version: record.version,
  };
  if (decision.outcome === "updated") result.changes = decision.changes;
  return result;
}

function failedResult(collection: Collection, index: number, item: unknown, refusal: Refusal): BatchResult {
  const key = collection.key.name;
  const id = isObject(item) && typeof item[key] === "number" ? { [key]: item[key] } : {};
  return { index, outcome: "failed", status: refusal.status, ...id, problem: problemBody(refusal) };
}
