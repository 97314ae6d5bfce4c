// Ten thousand random requests of callers who see some records agree with a model that filters first.

import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { rounds } from "../../testing/rounds.ts";
import { anEncounter, encounter, FUZZED, prepare } from "../../testing/row-fuzz.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(FUZZED);
  await prepare(service);
});
afterAll(() => service.close());

test("random roles and requests agree with a model that filters first", async () => {
  const encounters = fc.asyncProperty(anEncounter, async (drawn) => {
    await encounter(service, drawn);
  });
  await fc.assert(encounters, { numRuns: rounds(50, 500), endOnFailure: true });
}, 3_600_000);
