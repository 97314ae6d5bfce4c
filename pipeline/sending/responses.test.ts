// Holds the upload to which answers leave open whether a batch was stored.

import { expect, test } from "vitest";
import { type BatchAnswer, isUnclear, type Refused } from "./responses.ts";

const refused = (status: number, code = ""): Refused => ({ kind: "refused", status, code, detail: "", problems: [], retryAfter: null });

test.each<[string, BatchAnswer, boolean]>([
  ["no reply", { kind: "noReply", detail: "" }, true],
  ["a proxy's 502", refused(502), true],
  ["a fault of the service", refused(500, "INTERNAL"), true],
  ["a service that does not know", refused(503, "OUTCOME_UNKNOWN"), true],
  ["a service that is busy", refused(503, "UNAVAILABLE"), false],
  ["a refusal", refused(422, "VALIDATION"), false],
  ["results", { kind: "answered", results: [] }, false],
])("after %s it is unclear whether the batch was stored: %#", (_, answer, isOpen) => {
  expect(isUnclear(answer)).toBe(isOpen);
});
