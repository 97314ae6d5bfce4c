import { expect, test } from "vitest";
import { KeyTrust } from "./key-trust.ts";

const HOUR = 3_600_000;
const now = Date.UTC(2026, 10, 27);

test.each([
  ["just sent", 0, true],
  ["sent some hours ago", -22 * HOUR, true],
  ["about to be forgotten", -23 * HOUR, false],
  ["sent before the clock was set back a little", HOUR, true],
  ["sent before the clock was set back a year", 365 * 24 * HOUR, false],
])("a request may be repeated under its key only while the service still knows it: %s", (_, sent, may) => {
  expect(new KeyTrust({ hours: 24, now }, () => now).mayRepeat(now + sent)).toBe(may);
});

test("nothing may be repeated at a service that promises nothing", () => {
  expect(new KeyTrust(undefined, () => now).mayRepeat(now)).toBe(false);
});
