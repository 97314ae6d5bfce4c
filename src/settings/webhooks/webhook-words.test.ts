import { expect, test } from "vitest";
import type { Attempt, Webhook } from "../../../core/contract/webhooks.ts";
import { describeAttempt, describeFilter, describeState } from "./webhook-words.ts";

const attempt = { at: "2026-11-22T16:00:00.000Z", milliseconds: 1_200, status: 204, problem: null, excerpt: "" } satisfies Attempt;

test.each<[Partial<Attempt>, string]>([
  [{}, "204 after 1,200 ms"],
  [{ status: 500, problem: "status", excerpt: "out of order" }, "500 after 1,200 ms: out of order"],
  [{ status: 302, problem: "redirect" }, "302 – Redirects are not followed after 1,200 ms"],
  [{ status: null, problem: "timeout" }, "No answer in time after 1,200 ms"],
])("an attempt %j in words", (more, words) => {
  expect(describeAttempt({ ...attempt, ...more })).toBe(words);
});

const webhook = {
  collections: [],
  operations: [],
  where: null,
  fields: [],
  state: "working",
  since: null,
  offReason: null,
  nextAttemptAt: null,
} as unknown as Webhook;
const known = [{ name: "customers", title: "Customers" }];

test("what is sent in words; a collection that is no more keeps its name", () => {
  expect(describeFilter(webhook, known)).toBe("All records · Every change");
  expect(describeFilter({ ...webhook, collections: ["customers", "gone"], operations: ["deleted"] }, known)).toBe(
    "Customers, gone · Deleted",
  );
  expect(describeFilter({ ...webhook, collections: ["customers"], where: "city=Bonn" }, known)).toBe(
    "Customers · Every change · With conditions",
  );
});

test("each state says since when, and why", () => {
  const since = "2026-11-22T16:00:00.000Z";
  expect(describeState(webhook)).toBe("Working");
  expect(describeState({ ...webhook, state: "retrying", since, nextAttemptAt: since })).toMatch(
    /^Not accepted since .*2026.*; next attempt .*2026/,
  );
  expect(describeState({ ...webhook, state: "off", since, offReason: "failing" })).toMatch(
    /^Off since .*2026.*: no message was accepted for a day$/,
  );
  expect(describeState({ ...webhook, state: "off", since, offReason: "condition" })).toMatch(/: its filter or fields are no longer/);
});
