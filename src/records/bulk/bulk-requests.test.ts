import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError, NoReply } from "../../../client/errors.ts";
import type { HttpErrorCode } from "../../../core/contract/problems.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import { readDataPackage } from "../../../core/dictionary/collections.ts";
import {
  type PostResult,
  planItems,
  planRequests,
  type RecordOutcome,
  type Request,
  runRequests,
  type Transport,
  toNoResult,
} from "./bulk-requests.ts";

const read = readDataPackage(JSON.parse(readFileSync(new URL("../../../core/dictionary/datapackage.json", import.meta.url), "utf8")));
const [collection] = "collections" in read ? read.collections : [];
if (!collection) throw new Error("dictionary");
const customers = collection;

const row = (objectId: number): WireRecord => ({
  objectId,
  firstName: null,
  lastName: `L${objectId}`,
  accountID: "1",
  version: 3,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  createdBy: null,
  updatedBy: null,
});
const rows = (count: number) => Array.from({ length: count }, (_, i) => row(i + 1));

let drawn = 0;
const newKey = () => `key ${drawn++}`;

/** Gives the answers in order, then repeats the last one. */
function transport(answers: ((request: Request) => PostResult)[], slept: number[] = []): Transport {
  let posted = 0;
  return {
    post: async (request) => (answers[Math.min(posted++, answers.length - 1)] as (request: Request) => PostResult)(request),
    sleep: async (seconds) => void slept.push(seconds),
    isStopped: () => false,
  };
}

async function run(requests: Request[], given: Transport): Promise<RecordOutcome[]> {
  const all: RecordOutcome[] = [];
  for await (const { outcomes } of runRequests(requests, given)) all.push(...outcomes);
  return all;
}

const done = (request: Request): PostResult => ({ results: request.items.map(() => ({ outcome: "updated" })) });
const requestsOf = (count: number) => planRequests("change", planItems(customers, { verb: "delete" }, rows(count)), newKey);

test("a change names one field and the version that was seen; a deletion only the version", () => {
  const change = planItems(customers, { verb: "change", values: () => ({ firstName: null }) }, [row(7)]);
  expect(change).toEqual([{ id: 7, body: { objectId: 7, version: 3, firstName: null } }]);
  expect(planItems(customers, { verb: "delete" }, [row(7)])).toEqual([{ id: 7, body: { objectId: 7, version: 3 } }]);
});

test("every row is in exactly one request, each request with a key of its own, and has exactly one outcome", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3_500 }), async (count) => {
      const requests = requestsOf(count);
      expect(new Set(requests.map(({ sendKey }) => sendKey)).size).toBe(requests.length);
      expect((await run(requests, transport([done]))).map(({ id }) => id)).toEqual(rows(count).map(({ objectId }) => objectId));
    }),
    { numRuns: 20 },
  );
});

test("a service that asks to wait gets the same request again after that time", async () => {
  const slept: number[] = [];
  const keys: string[] = [];
  const waiting = (request: Request): PostResult => {
    keys.push(request.sendKey);
    return keys.length < 3 ? { wait: 7 } : done(request);
  };
  const outcomes = await run(requestsOf(2), transport([waiting], slept));
  expect([slept, new Set(keys).size, outcomes.map(({ outcome }) => outcome)]).toEqual([[7, 7], 1, ["updated", "updated"]]);
});

test("without a reply the rows of a request are in doubt and the rest is not sent", async () => {
  const outcomes = await run(requestsOf(3_000), transport([done, () => ({ lost: true })]));
  const of = (outcome: string) => outcomes.filter((one) => one.outcome === outcome).length;
  expect([of("updated"), of("inDoubt"), of("notSent")]).toEqual([1_000, 1_000, 1_000]);
});

test.each([
  ["asks to wait until the last try", { wait: 1 }],
  ["refuses it", { refused: "No right." }],
])("a request without a reply stays in doubt when the service then %s", async (_, then: PostResult) => {
  const outcomes = await run(requestsOf(2), transport([() => ({ lost: true }), () => then]));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["inDoubt", "inDoubt"]);
});

test("only an answer that says so means that a request was not carried out", () => {
  const error = (status: number, code: HttpErrorCode) => new ApiError(status, { code, detail: "Why." }, 7);
  expect(toNoResult(error(429, "TOO_MANY_REQUESTS"))).toEqual({ wait: 7 });
  expect(toNoResult(error(503, "UNAVAILABLE"))).toEqual({ wait: 7 });
  expect(toNoResult(error(403, "INSUFFICIENT_SCOPE"))).toEqual({ refused: "Why." });
  const unclear = [new NoReply("None."), error(500, "INTERNAL"), error(503, "OUTCOME_UNKNOWN"), error(409, "IDEMPOTENCY_IN_PROGRESS")];
  for (const one of unclear) expect(toNoResult(one)).toEqual({ lost: true });
});

test("a request that is refused as a whole fails each of its rows, with the reason, and the next goes on", async () => {
  const outcomes = await run(requestsOf(1_500), transport([() => ({ refused: "Too large." }), done]));
  expect([outcomes[0], outcomes[1_499]]).toEqual([
    { id: 1, outcome: "failed", why: "Too large." },
    { id: 1_500, outcome: "updated" },
  ]);
});

test("stopping between two requests leaves the rest unsent", async () => {
  let sent = 0;
  const given: Transport = { ...transport([done]), isStopped: () => sent > 0 };
  const post = (request: Request) => {
    sent++;
    return given.post(request);
  };
  expect((await run(requestsOf(2_000), { ...given, post })).map(({ outcome }) => outcome).indexOf("notSent")).toBe(1_000);
});
