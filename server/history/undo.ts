// Takes an upload or a batch run back, as its history says: part by part, the last changes first.

import type { LeftRecord, Operation, UndoCounts, UndoReply } from "../../core/contract/history.ts";
import { API_ROOT, undoPath } from "../../core/contract/paths.ts";
import type { ProblemBody } from "../../core/contract/problems.ts";
import type { BatchResult, DeletionReply } from "../../core/contract/records.ts";
import { allows, type Needed } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { scopesAlongDeletion } from "../../core/dictionary/deletion-rights.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { readOnlyProblem } from "../../core/dictionary/validate.ts";
import { HIDDEN_PROBLEM, presentProblem } from "../access/present-written.ts";
import type { Store, WriteOp } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { nullable, object, type Schema } from "../http/json-schemas.ts";
import { type FieldReader, optional, readFields } from "../http/read-fields.ts";
import { pathOf } from "../http/request.ts";
import { jsonAnswer } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import { type Session, unwritableFields } from "../people/auth/access-tokens.ts";
import type { Whole } from "./record-history.ts";
import { RUN_END, type RunEntry, type RunPlace } from "./store/runs.ts";
import { type Obstacle, undoOf } from "./undo-record.ts";

const MOST_CHANGES = 1_000; // in one request

const COUNT: Schema = { type: "integer", minimum: 0 };
const REPLY = object({
  reversed: { ...COUNT, description: "As before the run, by this request or by an earlier one." },
  already: { ...COUNT, description: "Of `reversed`: what was as before the run already, by an earlier undo or a deletion." },
  kept: { ...COUNT, description: "Changed again since, so left alone." },
  failed: { ...COUNT, description: "Not possible today, because a rule of the dictionary or another record is in the way." },
  size: { ...COUNT, description: "Changes of the whole run in this collection." },
  left: {
    type: "array",
    items: object(
      {
        id: { type: "integer" },
        why: { enum: ["kept", "failed"] },
        code: { type: "string" },
        field: { type: "string" },
        detail: { type: "string" },
      },
      ["id", "why"],
    ),
    description: "The records that were kept as they are, and those that failed; these with the code of the problem that is in the way.",
  },
  next: { ...nullable({ type: "string" }), description: "Send it as `after` to go on; null: all of the run has been looked at." },
});

const run: FieldReader<string> = (given) =>
  typeof given === "string" && /^[\w-]{1,64}$/.test(given)
    ? { value: given }
    : { problem: "run must be the id of an upload or a batch run, as its history has it." };

const after: FieldReader<RunPlace> = (given) => {
  const { write, id } = (typeof given === "string" && /^(?<write>\d{1,16})\.(?<id>\d{1,16})$/.exec(given)?.groups) || {};
  return write === undefined
    ? { problem: "after must be `next` of an earlier answer." }
    : { value: { write: Number(write), id: Number(id) } };
};

/** A record of which the run changed what the caller may not change stays as it is. */
export function undoRoute(name: string, { collections, store }: Whole): Route {
  const collection = collections.find((one) => one.name === name) as Collection;
  return {
    url: API_ROOT + undoPath(collection.name),
    POST: {
      scope: `${collection.name}:update`,
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: `undo_${collection.name}`,
        summary: `${collection.title}: takes up to ${MOST_CHANGES} changes of a run back, the last first; sent again it does nothing twice`,
        body: { ...object({ run: { type: "string" }, after: { type: "string" } }, ["run"]), additionalProperties: false },
        responses: { 200: REPLY },
        errors: [422],
      },
      async handle(request, session) {
        const given = readFields(request.body, { run, after: optional(after) });
        const work: Work = { collection, collections, store, session, run: given.run, instance: pathOf(request), requestId: request.id };
        const { entries, rest } = await store.history.listRunEntries(collection.name, given.run, given.after ?? RUN_END, MOST_CHANGES);
        const { type } = entries[0]?.source ?? {};
        if (type === "conversion" || type === "computation") {
          const what = type === "conversion" ? "converted a field" : "computed values anew";
          const detail = `This run has ${what}. Take it back where the dictionary is changed.`;
          throw httpErrors.validation([{ pointer: "/run", code: "VALIDATION", detail }]);
        }
        if (type === "merge" || type === "unmerge") {
          const detail = "This run has merged records. A merge is taken apart as a whole, by DELETE at its own address.";
          throw httpErrors.validation([{ pointer: "/run", code: "VALIDATION", detail }]);
        }
        await requireRights(work); // afterwards and each time: the run may have gone on, and anybody can send an `after`
        const reply: UndoReply = {
          ...(await undoEntries(work, entries)),
          size: await store.history.sizeOfRun(collection.name, given.run),
          next: rest && `${rest.write}.${rest.id}`,
        };
        return jsonAnswer(200, { ...reply });
      },
    },
  };
}

interface Work {
  collection: Collection;
  collections: readonly Collection[];
  store: Store;
  session: Session;
  run: string;
  instance: string;
  requestId: string;
}

/** Who may not do all that the undo needs must not do half of it: what was created is deleted, and what was deleted is created. */
async function requireRights({ collection, collections, store, session, run }: Work): Promise<void> {
  const needed: readonly (readonly [Operation, readonly Needed[]])[] = [
    ["created", [`${collection.name}:delete`, ...scopesAlongDeletion(collection, collections)]],
    ["deleted", [`${collection.name}:create`]],
  ];
  for (const [operation, scopes] of needed) {
    const missing = scopes.filter((scope) => !allows(session.scope, scope));
    if (missing.length > 0 && (await store.history.hasOperation(collection.name, run, operation)))
      throw httpErrors.insufficientScope(missing.join(" "));
  }
}

/** The run's changes of one record, from its last one back: `op` undoes them all. */
interface Undoing {
  id: number;
  op: WriteOp;
  changes: number;
}

/** Changes that are not the last of their record count with that one: it is undone in one step. */
async function undoEntries(work: Work, entries: readonly RunEntry[]): Promise<Omit<UndoReply, "size" | "next">> {
  const counts: UndoCounts & { already: number } = { reversed: 0, already: 0, kept: 0, failed: 0 };
  const left: LeftRecord[] = [];
  const add = (id: number, { became, obstacle }: Became, changes: number) => {
    counts[became] += changes;
    if (became !== "reversed") left.push({ id, why: became, ...obstacle });
  };
  const isAlready = (changes: number) => {
    counts.reversed += changes;
    counts.already += changes;
  };
  const undoings: Undoing[] = [];
  for (const entry of entries) {
    if (entry.next === "run") continue;
    const { op, changes } = await undoOf(work, entry);
    if (entry.next === "undo" || op === "none") isAlready(changes);
    else if (entry.next === "other") {
      if ("verb" in op && (await isGone(work, op))) isAlready(changes);
      else add(entry.id, { became: "kept" }, changes);
    } else if ("verb" in op) {
      const obstacle = writeObstacle(work, op);
      if (obstacle) add(entry.id, { became: "failed", obstacle }, changes);
      else undoings.push({ id: entry.id, op, changes });
    } else add(entry.id, { became: "failed", obstacle: presentObstacle(work, op) }, changes);
  }
  const outcomes = undoings.length === 0 ? [] : await write(work, undoings);
  for (const [i, { id, changes }] of undoings.entries()) {
    const outcome = outcomes[i] ?? { became: "failed" };
    if (outcome.became === "kept" && (await isUndone(work, id))) isAlready(changes);
    else add(id, outcome, changes);
  }
  return { ...counts, left };
}

/** Whoever may not change a field does not get its earlier value back either; what was deleted comes back whole. */
function writeObstacle({ collection, session }: Work, op: WriteOp): Obstacle | undefined {
  if (op.verb !== "patch" || !session.narrowed) return undefined;
  const unwritable = unwritableFields(session, collection.name);
  const field = collection.fields.find(({ name }) => unwritable.has(name) && Object.hasOwn(op.given, name));
  if (!field) return undefined;
  return session.hidden?.get(collection.name)?.has(field.name) ? HIDDEN_PROBLEM : readOnly(field);
}

function readOnly(given: Field): Obstacle {
  const { code, field, message } = readOnlyProblem(given);
  return { code, field, detail: message };
}

/** Says what became of a change, and with failed why. */
interface Became {
  became: keyof UndoCounts;
  obstacle?: Obstacle;
}

/** What the run created is not there any more: somebody else has deleted it. */
async function isGone({ collection, store }: Work, op: WriteOp): Promise<boolean> {
  return op.verb === "delete" && (await store.read(collection, op.id)) === undefined;
}

/** An undo of the same run, in another request, was faster than this one: nobody else has changed the record since. */
async function isUndone({ collection, store, run }: Work, id: number): Promise<boolean> {
  const [last] = await store.history.listEntries(collection.name, id, Number.MAX_SAFE_INTEGER, 1);
  return last?.source.type === "undo" && last.source.run === run;
}

type Results = (BatchResult | DeletionReply["results"][number])[];

async function write({ collection, store, session, run, instance, requestId }: Work, undoings: readonly Undoing[]): Promise<Became[]> {
  const ops = undoings.map(({ op }) => op);
  const form = {
    kind: "results",
    verb: "write",
    atomic: false,
    pointer: "",
    isMany: true,
    ids: ops.map(({ id }) => id),
    rejected: new Map(),
  } as const;
  const source = { type: "undo", run } as const;
  const written = await store.write({
    collection,
    by: session.principal,
    source,
    ops,
    isRestore: true,
    atomic: false,
    form: { ...form, instance, requestId },
  });
  if ("rejected" in written) throw new Error("an undo has no idempotency key");
  const { results } = JSON.parse(written.answer.body) as { results: Results };
  return results.map(({ outcome, status, problem }) => {
    if (outcome !== "failed") return { became: "reversed" };
    if (status === 412 || status === 404) return { became: "kept" };
    return {
      became: "failed",
      ...(problem !== undefined && { obstacle: obstacleOf(presentProblem(problem as ProblemBody, collection, session)) }),
    };
  });
}

function presentObstacle({ collection, session }: Work, obstacle: Obstacle): Obstacle {
  return session.hidden?.get(collection.name)?.has(obstacle.field ?? "") ? HIDDEN_PROBLEM : obstacle;
}

function obstacleOf({ code, detail, errors: [first] = [] }: ProblemBody): Obstacle {
  const field = first?.pointer?.split("/").at(-1);
  return { code: first?.code ?? code, ...(field !== undefined && { field }), detail: first?.detail ?? detail };
}
