// Random operations on the service and on a plain Map: statuses, outcomes, versions, lists and repeats must agree.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Action } from "../../../core/contract/records.ts";
import { foldWords } from "../../../core/text/fold.ts";
import {
  copyModel,
  type Guard,
  isRejected,
  type Model,
  newModel,
  type Outcome,
  patch,
  post,
  put,
  remove,
  statusOfAll,
} from "../../testing/model.ts";
import { anOperation, IDS, type Of, type Operation } from "../../testing/operations.ts";
import { rounds } from "../../testing/rounds.ts";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const SEQUENCES = rounds(60, 10_000);
const OPERATIONS = rounds(25, 50); // in a sequence
const LANES = 4; // sequences at once, on ids of their own
const PATH = "/v1/customers";

interface Sequence {
  base: number;
  model: Model;
  /** Requests with an idempotency key whose answer is stored. */
  repeatable: { send(): Promise<Reply>; answer: Reply }[];
}

let keys = 0;

/** Sends a request; with an idempotency key again, for the same answer or, where none is stored, the same error. */
async function send(
  of: Sequence,
  isKeyed: boolean,
  isStored: (reply: Reply) => boolean,
  method: string,
  path: string,
  body: unknown,
  headers = {},
) {
  const key = isKeyed ? { "idempotency-key": `model-${++keys}` } : {};
  const again = () => service.call(method, path, body, { ...headers, ...key });
  const reply = await again();
  if (isKeyed && isStored(reply)) {
    of.repeatable.push({ send: again, answer: reply });
    await expectRepeated(of, of.repeatable.length - 1);
  }
  return reply;
}

async function expectRepeated({ repeatable }: Sequence, nth: number): Promise<void> {
  const one = repeatable[nth % repeatable.length];
  if (!one) return;
  const reply = await one.send();
  const { status, text, headers } = one.answer;
  expect([reply.status, reply.text, reply.headers.etag, reply.headers.location]).toEqual([status, text, headers.etag, headers.location]);
  expect(reply.headers["idempotent-replayed"]).toBe("true");
}

/** The version that a client believes in. */
function versionOf({ model }: Sequence, at: number, read: string): number | undefined {
  const version = model.records.get(at)?.version ?? 1;
  return read === "nothing" ? undefined : read === "stale" ? version + 1 : version;
}

function guardOf(of: Sequence, at: number, read: string): { guard: Guard; headers: Record<string, string> } {
  if (read === "any") return { guard: "any", headers: { "if-match": "*" } };
  if (read === "new") return { guard: undefined, headers: { "if-none-match": "*" } };
  const version = versionOf(of, at, read);
  return { guard: version, headers: version === undefined ? {} : { "if-match": `"${at}-${version}"` } };
}

function expectRecord({ model }: Sequence, at: number, reply: { json: unknown }): void {
  const expected = model.records.get(at);
  expect(reply.json).toMatchObject({ objectId: at, ...expected?.fields, version: expected?.version });
}

async function runOne(of: Sequence, op: Of<"put" | "patch" | "delete">): Promise<void> {
  const at = of.base + op.id;
  const { guard, headers } = guardOf(of, at, op.guard);
  const path = `${PATH}/${at}`;
  if (op.do === "delete") {
    const { status } = remove(of.model, at, guard);
    expect((await service.call("DELETE", path, undefined, headers)).status).toBe(status === 200 ? 204 : status);
    return;
  }
  const isPut = op.do === "put";
  const { status, version } = isPut ? put(of.model, at, op.given, guard, op.guard === "new") : patch(of.model, at, op.given, guard);
  const isStored = (reply: Reply) => reply.status !== 422;
  const reply = await send(of, op.do === "patch" && op.isKeyed, isStored, op.do.toUpperCase(), path, op.given, headers);
  expect(reply.status).toBe(status);
  if (status >= 300) return;
  expect([reply.headers.etag, reply.headers.location]).toEqual([`"${at}-${version}"`, status === 201 ? path : undefined]);
  expectRecord(of, at, reply);
}

/** The outcomes of many writes, and the model as it is after them if they happen. */
async function expectMany(
  of: Sequence,
  op: Of<"post" | "remove" | "batch">,
  trial: Model,
  reply: Reply,
  outcomes: Outcome[],
  ids: number[],
): Promise<void> {
  const ofAll = statusOfAll(outcomes);
  const status = op.isEach ? 207 : op.do === "batch" && ofAll === 201 ? 200 : ofAll;
  expect(reply.status).toBe(status);
  if (status >= 400) return;
  if (!op.isDry) of.model = trial;
  if (op.do === "post" && !op.isEach) {
    const after = { ...of, model: trial };
    for (const [i, at] of ids.entries()) expectRecord(after, at, { json: reply.json.customers[i] });
    return;
  }
  const { results, summary } = reply.json;
  expect(results).toMatchObject(outcomes.map((outcome, index) => ({ index, ...outcome })));
  expect(results.map((result: Outcome) => result.changes)).toEqual(outcomes.map(({ changes }) => changes));
  for (const name of ["created", "updated", "unchanged", "skipped", "deleted", "failed"]) {
    expect(summary[name] ?? 0).toBe(outcomes.filter(({ outcome }) => outcome === name).length);
  }
}

function queryOf(op: Of<"post" | "remove" | "batch">): string {
  return `dryRun=${op.isDry}${op.isEach ? "&onError=continue" : ""}${op.isMatched ? "&match=version" : ""}`;
}

async function runPost(of: Sequence, op: Of<"post">): Promise<void> {
  const items = op.items.map(({ id, given, read }) => ({
    id: id === null ? null : of.base + id,
    given,
    version: id === null ? undefined : versionOf(of, of.base + id, read),
  }));
  const rejected = items.map((item) => isRejected(item, op));
  const body = items.map(({ id, given, version }) => ({ ...given, ...(id !== null && { objectId: id }), ...(version && { version }) }));
  const isStored = () => !op.isDry && (op.isEach || !rejected.includes(true));
  const path = `${PATH}?onConflict=${op.onConflict}&onMissing=${op.onMissing}&${queryOf(op)}`;
  const reply = await send(of, op.isKeyed, isStored, "POST", path, body);
  // Of a refused request nobody learns which ids it would have had; any that nothing has will do.
  const chosen = (i: number): number => (op.isEach ? reply.json.results?.[i] : reply.json.customers?.[i])?.objectId ?? -1 - i;
  const trial = copyModel(of.model);
  const seen = new Set<number>();
  const ids = items.map(({ id }, i) => id ?? chosen(i));
  for (const [i, { id }] of items.entries()) {
    if (id === null) expect([trial.records.has(chosen(i)), trial.tombstones.has(chosen(i))]).toEqual([false, false]);
  }
  const outcomes = items.map((item, i): Outcome => {
    if (rejected[i]) return { outcome: "failed", status: 422 };
    return post(trial, item, op, seen, ids[i] ?? 0);
  });
  if (!op.isEach && rejected.includes(true)) return void expect(reply.status).toBe(422);
  await expectMany(of, op, trial, reply, outcomes, ids);
}

async function runRemove(of: Sequence, op: Of<"remove">): Promise<void> {
  const items = op.items.map(({ id, read }) => ({ objectId: of.base + id, version: versionOf(of, of.base + id, read) }));
  const rejected = items.map(({ version }) => op.isMatched && version === undefined);
  const isStored = () => !op.isDry && (op.isEach || !rejected.includes(true));
  const reply = await send(of, op.isKeyed, isStored, "POST", `${PATH}/deletions?${queryOf(op)}`, items);
  const trial = copyModel(of.model);
  const seen = new Set<number>();
  const outcomes = items.map(({ objectId, version }, i): Outcome => {
    if (rejected[i] || seen.has(objectId)) return { outcome: "failed", status: 422 };
    seen.add(objectId);
    return remove(trial, objectId, op.isMatched ? version : undefined);
  });
  if (!op.isEach && rejected.includes(true)) return void expect(reply.status).toBe(422);
  await expectMany(of, op, trial, reply, outcomes, []);
}

const HOW: Record<Exclude<Action, "delete">, Pick<Of<"post">, "onConflict" | "onMissing">> = {
  create: { onConflict: "error", onMissing: "create" },
  update: { onConflict: "update", onMissing: "error" },
  upsert: { onConflict: "update", onMissing: "create" },
};

/** Each operation meets what those before it left, as if each were a request of its own. */
async function runBatch(of: Sequence, op: Of<"batch">): Promise<void> {
  const items = op.items.map(({ action, id, given, read }) => {
    const at = id === null ? null : of.base + id;
    return { action, id: at, given, version: at === null ? undefined : versionOf(of, at, read) };
  });
  const rejected = items.map(({ action, ...item }) => {
    if (action === "delete") return item.id === null || (op.isMatched && item.version === undefined);
    return isRejected(item, { ...HOW[action], isMatched: op.isMatched });
  });
  const body = items.map(({ action, id, given, version }) => ({
    action,
    record: { ...given, ...(id !== null && { objectId: id }), ...(version && { version }) },
  }));
  const isStored = () => !op.isDry && (op.isEach || !rejected.includes(true));
  const reply = await send(of, op.isKeyed, isStored, "POST", `${PATH}/batch?${queryOf(op)}`, { operations: body });
  const trial = copyModel(of.model);
  const outcomes = items.map(({ action, ...item }, i): Outcome => {
    if (rejected[i]) return { outcome: "failed", status: 422 };
    if (action === "delete") return remove(trial, item.id ?? 0, op.isMatched ? item.version : undefined);
    const chosen = reply.json.results?.[i]?.objectId ?? -1 - i;
    return post(trial, item, { ...HOW[action], isMatched: op.isMatched }, new Set(), chosen);
  });
  if (!op.isEach && rejected.includes(true)) return void expect(reply.status).toBe(422);
  await expectMany(of, op, trial, reply, outcomes, []);
}

async function runRead(of: Sequence, op: Of<"read">): Promise<void> {
  const at = of.base + op.id;
  const expected = of.model.records.get(at);
  const known = op.isKnown ? { "if-none-match": `"${at}-${expected?.version}"` } : {};
  const reply = await service.call(op.method, `${PATH}/${at}`, undefined, known);
  expect(reply.status).toBe(!expected ? 404 : op.isKnown ? 304 : 200);
  if (expected && op.method === "GET" && !op.isKnown) expectRecord(of, at, reply);
}

async function runList(of: Sequence, op: Of<"list">): Promise<void> {
  const query = `objectId[gte]=${of.base + 1}&objectId[lte]=${of.base + IDS}&q=${encodeURIComponent(op.q)}&sort=${op.isDown ? "-" : ""}objectId`;
  const found: number[] = [];
  for (let next = ""; ; ) {
    const { json } = await service.call("GET", `${PATH}?${query}&limit=${op.limit}${next}`);
    found.push(...json.customers.map(({ objectId }: { objectId: number }) => objectId));
    if (!json.next) break;
    next = `&cursor=${json.next}`;
  }
  const isFound = (at: number) => {
    const words = Object.values(of.model.records.get(at)?.fields ?? {}).flatMap((value) => foldWords(value ?? ""));
    return of.model.records.has(at) && foldWords(op.q).every((wanted) => words.some((word) => word.startsWith(wanted)));
  };
  const ids = Array.from({ length: IDS }, (_, i) => of.base + 1 + i).filter(isFound);
  expect(found).toEqual(op.isDown ? ids.reverse() : ids);
}

function run(of: Sequence, op: Operation): Promise<void> {
  switch (op.do) {
    case "put":
    case "patch":
    case "delete":
      return runOne(of, op);
    case "post":
      return runPost(of, op);
    case "remove":
      return runRemove(of, op);
    case "batch":
      return runBatch(of, op);
    case "repeat":
      return expectRepeated(of, op.nth);
    case "read":
      return runRead(of, op);
    case "list":
      return runList(of, op);
  }
}

/** Every record is there as the Map has it, and goes. */
async function finish(of: Sequence): Promise<void> {
  for (const at of of.model.records.keys()) expectRecord(of, at, await service.call("GET", `${PATH}/${at}`));
  const ids = new Set([...of.model.records.keys(), ...Array.from({ length: IDS }, (_, i) => of.base + 1 + i)]);
  const items = [...ids].map((objectId) => ({ objectId }));
  const { json } = await service.call("POST", `${PATH}/deletions?onError=continue`, items);
  expect(json.summary.deleted).toBe(of.model.records.size);
}

test(`after ${SEQUENCES} sequences of ${OPERATIONS} operations the service has the records that a Map would have`, {
  timeout: 5_400_000, // a machine with a load of 15 takes more than half an hour
}, async () => {
  let base = 0;
  const sequence = fc.asyncProperty(fc.array(anOperation, { minLength: OPERATIONS, maxLength: OPERATIONS }), async (operations) => {
    base += 100;
    const of: Sequence = { base, model: newModel(), repeatable: [] };
    for (const op of operations) await run(of, op);
    await finish(of);
  });
  const lanes = Array.from({ length: LANES }, () => fc.assert(sequence, { numRuns: SEQUENCES / LANES }));
  await Promise.allSettled(lanes); // a failure ends the test, but none of the others may go on beyond it
  await Promise.all(lanes);
});
