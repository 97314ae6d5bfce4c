import { expect, test } from "vitest";
import type { StoredWebhook } from "../store/webhooks.ts";
import type { Posted } from "./post.ts";
import { consequenceOf } from "./retries.ts";

const NOW = 1_900_000_000_000;
const HOUR = 3_600_000;
const refused = (status: number | null = 500, retryAfter?: number): Posted => ({ status, problem: "status", excerpt: "", retryAfter });
const after = (failures: number, since: number | null = NOW - HOUR) => ({ failures, since }) as StoredWebhook;
const pause = (posted: Posted, webhook: StoredWebhook, random = 0.5) => {
  const consequence = consequenceOf(posted, webhook, NOW, random);
  return consequence.do === "try again" ? consequence.nextAt - NOW : consequence;
};

test("what is taken goes on", () => {
  expect(consequenceOf({ ...refused(200), problem: null }, after(3), NOW)).toEqual({ do: "go on" });
});

test("the first pause is short, the others double from 5 seconds up to an hour, and all differ by a quarter either way", () => {
  expect([0, 1, 2, 3, 10, 11, 500].map((failures) => pause(refused(), after(failures)))).toEqual([
    250,
    5_000,
    10_000,
    20_000,
    2_560_000,
    HOUR,
    HOUR,
  ]);
  expect(pause(refused(null), after(1), 0)).toBe(3_750);
  expect(pause(refused(null), after(1), 1)).toBe(6_250);
  expect(pause(refused(null), after(0, null), 0)).toBe(188);
});

test("a pause that the receiver asks for is kept, within a day", () => {
  expect(pause(refused(429, 120_000), after(0))).toBe(120_000);
  expect(pause(refused(503, 1_000), after(3))).toBe(20_000);
  expect(pause(refused(503, 900 * HOUR), after(3))).toBe(24 * HOUR);
});

test("410 ends it at once, and a day without success does", () => {
  expect(pause(refused(410), after(0, null))).toEqual({ do: "switch off", reason: "gone" });
  expect(pause(refused(), after(30, NOW - 24 * HOUR + 1))).toBeTypeOf("number");
  expect(pause(refused(), after(30, NOW - 24 * HOUR))).toEqual({ do: "switch off", reason: "failing" });
});
