import { expect, test } from "vitest";
import { createDeadlines } from "./deadlines.ts";
import { httpErrors } from "./errors.ts";

const forever = () => new Promise<never>(() => undefined);

test("work that ends in time is answered as it ends", async () => {
  const deadline = createDeadlines(60).begin();
  expect(await deadline(Promise.resolve("done"), httpErrors.unavailable)).toBe("done");
  await expect(deadline(Promise.reject(new Error("failed")), httpErrors.unavailable)).rejects.toThrow("failed");
});

test("work that does not end is given up after the time of its request, which its steps share", async () => {
  const deadline = createDeadlines(0.2).begin();
  await expect(deadline(forever(), httpErrors.outcomeUnknown)).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  await expect(deadline(forever(), httpErrors.unavailable)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("one request's late work does not end another's", async () => {
  const deadlines = createDeadlines(0.2);
  const late = deadlines
    .begin()(forever(), httpErrors.unavailable)
    .catch(() => "late");
  expect([await late, await deadlines.begin()(Promise.resolve("in time"), httpErrors.unavailable)]).toEqual(["late", "in time"]);
});
