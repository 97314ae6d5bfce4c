// Tests what an error of the store becomes on the wire.

import { expect, test } from "vitest";
import { StoreFull, StoreInDoubt, StoreTooCostly, StoreUnavailable } from "../engine/store.ts";
import { problemAnswer, toHttpError } from "./problem.ts";

test.each([
  [new StoreTooCostly(), 503, "READ_TOO_COSTLY", "10"],
  [new StoreInDoubt(), 503, "OUTCOME_UNKNOWN", "2"],
  [new StoreUnavailable(), 503, "UNAVAILABLE", "2"],
  [new StoreFull(), 507, "STORE_FULL", undefined],
  [new Error("a bug"), 500, "INTERNAL", undefined],
])("%o gets its status, its code and the time to wait", (error, status, code, seconds) => {
  const answer = problemAnswer(toHttpError(error), {});
  expect([answer.status, JSON.parse(answer.body).code, answer.headers["Retry-After"]]).toEqual([status, code, seconds]);
});

test("a read that was too costly says how to ask for less", () => {
  expect(toHttpError(new StoreTooCostly()).message).toMatch(/fewer filters, another sort.* no count/);
});
