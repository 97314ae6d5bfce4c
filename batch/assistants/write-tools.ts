// The tools that write: carrying out what was proposed, and taking it back.

import { ApiError } from "../../client/errors.ts";
import { isPassing, withRetries } from "../../client/retries.ts";
import { type ChosenReply, writeChosen } from "../../client/write-chosen.ts";
import { acknowledgement, undoPart } from "../../client/write-records.ts";
import { type LeftRecord, type RunSummary, SOURCE_HEADER, type UndoCounts } from "../../core/contract/history.ts";
import { batchPath, runPath } from "../../core/contract/paths.ts";
import type { HttpErrorCode } from "../../core/contract/problems.ts";
import type { OperationsReply } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { parentsFirst } from "../../core/dictionary/parents-first.ts";
import { ToolError } from "./answers.ts";
import { ASSISTANT_RUN, type Proposal } from "./proposals.ts";
import { countOutcomes, describeRejection, PROPOSE } from "./propose.ts";
import { collectionOf, type Tool, tool, type Use } from "./tool.ts";

const PATIENCE = 20_000; // ms; a client waits a minute for a tool
const MOST_NAMED = 20; // records that were refused, or left as they are
const WRITES = { hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true }, isForWriters: true };

const CARRY_OUT = tool<{ proposal: string }>({
  name: "carry_out",
  title: "Carry out a proposal",
  description:
    "Stores what an earlier call of propose has shown, and nothing else. Call it only when the person has seen what the proposal would do and agrees. A second call with the same proposal does nothing twice. The answer names the run by which undo takes all of it back.",
  properties: { proposal: { type: "string", maxLength: 100, description: "The proposal, as propose has named it." } },
  required: ["proposal"],
  ...WRITES,
  run: async ({ proposal: token }, use) => {
    const proposal = use.proposals.find(use.caller.owner, token);
    if (!proposal)
      throw new ToolError("You have no such proposal: it has expired, was made with another key, or never was. Propose the change again.");
    return carryOut(proposal, use);
  },
});

const UNDO = tool<{ run: string }>({
  name: "undo",
  title: "Take a carried-out proposal back",
  description:
    "Takes back what carry_out has stored under a run, for the key that did it. Records that somebody has changed since are left as they are, and are named. Called again it does nothing twice.",
  properties: { run: { type: "string", maxLength: 64, description: "The run, as the answer of carry_out has named it." } },
  required: ["run"],
  ...WRITES,
  run: undo,
});

export const WRITE_TOOLS: readonly Tool[] = [PROPOSE, CARRY_OUT, UNDO];

async function carryOut(proposal: Proposal, use: Use): Promise<object> {
  const { run, work } = proposal;
  const collection = await collectionOf(proposal.collection, use);
  const isAgain = proposal.carriedOut === true;
  const { results } = await withRetries(() => send(proposal, use), { patience: PATIENCE, signal: use.signal }).catch((error: unknown) => {
    throw explained(error);
  });
  proposal.carriedOut = true;
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const left = "total" in work ? work.total - results.length : 0;
  return {
    done: countOutcomes(results),
    ...(isAgain && {
      again:
        "This proposal had been carried out before. This is the answer of then, whatever has become of it since; nothing was done twice.",
    }),
    ...("operations" in work && { records: results.map((result) => keyed(collection, result)) }),
    ...(left > 0 && {
      leftAlone: `${left} of the proposed records were changed, deleted or no longer chosen meanwhile, and were left alone.`,
    }),
    ...(failed.length > 0 && { refused: failed.slice(0, MOST_NAMED).map((result) => describeRejection(collection, result)) }),
    run,
    toTakeBack: `Call undo with run "${run}".`,
  };
}

type Written = Pick<OperationsReply, "results"> | Pick<ChosenReply, "results">;

/** Sends one request, always with the same idempotency key: sent again, it has the answer of the first time. */
async function send({ collection, run, work }: Proposal, { caller, signal }: Use): Promise<Written> {
  const source = `api; run=${run}`;
  if ("token" in work) return writeChosen(caller.client, collection, work.choice, work.token, { idempotencyKey: run, source, signal });
  const match = work.operations.some(({ action }) => action !== "create") ? { match: "version" } : {};
  const { json } = await caller.client.request("POST", batchPath(collection), {
    query: { onError: "stop", ...match, ...acknowledgement(work.acknowledge) },
    headers: { "Idempotency-Key": run, [SOURCE_HEADER]: source },
    body: work.operations,
    signal,
  });
  return json as OperationsReply;
}

/** Says whether something was stored, and of records or rights that are others now what to do. */
function explained(error: unknown): unknown {
  if (isPassing(error)) {
    const why = error instanceof ApiError ? `${error.message} (${error.code})` : "The service has not answered.";
    return new ToolError(`${why} It may be stored or not: call carry_out again with the same proposal, which does nothing twice.`);
  }
  if (!(error instanceof ApiError)) return error;
  const isToken = error.code === "BAD_PARAMETER";
  const isChanged = isToken || error.status === 412 || error.status === 404;
  const why = isToken ? "Other records might be meant now, because records, their parents or your rights have changed." : error.message;
  const next = isChanged ? " The records are not as they were proposed any more: look at them again and propose anew." : "";
  const body = { code: error.code as HttpErrorCode, detail: `Nothing was stored. ${why}${next}`, errors: isToken ? [] : [...error.errors] };
  return new ApiError(error.status, body, error.retryAfter);
}

function keyed({ key }: Collection, result: object): object {
  const { [key.name]: id, outcome, version } = result as Record<string, unknown>;
  return { [key.name]: id, outcome, version };
}

async function undo({ run }: { run: string }, use: Use): Promise<object> {
  const { client, principal } = use.caller;
  if (!ASSISTANT_RUN.test(run)) throw new ToolError("This is no run of carry_out. What came in otherwise is taken back in the app.");
  const { parts } = (await client.request("GET", runPath(run), { signal: use.signal })).json as RunSummary;
  const own = parts.filter(({ source }) => source.type !== "undo");
  const isOwn = own.every(({ by, others }) => by?.type === principal.type && by.id === principal.id && others.length === 0);
  if (own.length === 0 || !isOwn)
    throw new ToolError("Nothing of such a run is in the history for this key. Whoever carried it out can take it back.");
  const collections = await use.caller.collections(use.signal);
  const order = parentsFirst([...new Set(own.map(({ collection }) => collection))], collections).reverse();
  // Children that failed are asked for once more: those that a deletion took along come back only once their parent is there.
  const first = await undoAll(order, run, use);
  const { counts, left } = first.counts.failed > 0 && order.length > 1 ? await undoAll(order, run, use) : first;
  return {
    takenBack: counts.reversed,
    kept: counts.kept,
    failed: counts.failed,
    ...(left.length > 0 && { left: left.slice(0, MOST_NAMED) }),
  };
}

type Left = LeftRecord & { collection: string };

/** `order`: the collections, children first, because a parent cannot go while others refer to it. */
async function undoAll(order: readonly string[], run: string, { caller, signal }: Use): Promise<{ counts: UndoCounts; left: Left[] }> {
  const counts: UndoCounts = { reversed: 0, kept: 0, failed: 0 };
  const left: Left[] = [];
  for (const collection of order) {
    for (let after: string | undefined; ; ) {
      const ask = () => undoPart(caller.client, collection, { run, after }, signal);
      const { next, left: some, ...part } = await withRetries(ask, { patience: PATIENCE, signal });
      for (const name of ["reversed", "kept", "failed"] as const) counts[name] += part[name];
      left.push(...some.map((one) => ({ collection, ...one })));
      if (next === null) break;
      after = next;
    }
  }
  return { counts, left };
}
