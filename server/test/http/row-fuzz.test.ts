// Random roles and requests agree with a model that filters first. The deep tests make many more.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anEncounter, encounter, FUZZED, prepare } from "../../testing/row-fuzz.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(FUZZED);
  await prepare(service);
});
afterAll(() => service.close());

test("a caller who sees some records is answered as if the others were not there", async () => {
  const encounters = service.store.isShared ? 4 : 10; // with PostgreSQL each takes three times as long
  let requests = 0;
  await fc.assert(
    fc.asyncProperty(anEncounter, async (drawn) => {
      requests += await encounter(service, drawn);
    }),
    { numRuns: encounters, endOnFailure: true },
  );
  expect(requests).toBeGreaterThan(14 * encounters);
}, 120_000);
