// Uploads of every kind of input through a proxy with faults: afterwards the store equals the file and the report adds up.

import { expect, test } from "@playwright/test";
import { FAULTS, type Fault, startFaultProxy } from "./support/fault-proxy.ts";
import { type OwnService, ROWS, startService } from "./support/own-service.ts";
import { draw, rounds } from "./support/repetitions.ts";
import { signIn } from "./support/service.ts";
import { expectInputOnce, inputKind, reportOf, startInput, storeRecipe, uploadInput } from "./support/upload-inputs.ts";

let service: OwnService;
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  service = await startService();
  await storeRecipe(service);
});
test.afterAll(() => service.remove());

for (const [i, fault] of FAULTS.entries()) {
  test(`an upload whose batches meet "${fault}" stores each row once`, async ({ page }) => {
    const times = rounds(1, 20);
    test.setTimeout(60_000 * times);
    for (let round = 0; round < times; round++) {
      const kindAt = drawFaults(round, fault);
      const proxy = await startFaultProxy(() => service.port, { fault: kindAt });
      const input = await uploadInput(inputKind(i + round), `F${fault}x${round}y`);
      await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
      await startInput(page, input);
      expect(await reportOf(page, input), input.kind).toEqual({ created: ROWS, inDoubt: 0, notSent: input.leftOut });
      await expectInputOnce(service, input);
      expect(proxy.met).toBeGreaterThan(0);
      proxy.close();
    }
  });
}

test("an upload to a service that ignores idempotency keys doubles nothing and reports unknown rows as in doubt", async ({ page }) => {
  const times = rounds(1, 20);
  test.setTimeout(60_000 * times);
  for (let round = 0; round < times; round++) {
    // Not "dropAfter": a browser repeats a POST by itself when a reused connection drops before the first byte.
    const fault = (batch: number): Fault | undefined => (draw(round, batch) < 0.5 ? (batch % 2 ? "cut" : "500after") : undefined);
    const proxy = await startFaultProxy(() => service.port, { fault, dropsKeys: true });
    for (const from of [undefined, 60_000_000 + round * ROWS]) {
      const kind = inputKind(from === undefined ? round : round + 1);
      const input = await uploadInput(kind, `Nokeys${round}${from === undefined ? "a" : "b"}`, from);
      await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
      await startInput(page, input);
      const { created, inDoubt, notSent } = await reportOf(page, input);
      await expectInputOnce(service, input);
      expect([created + inDoubt, notSent]).toEqual([ROWS, input.leftOut]);
      if (from !== undefined) expect(inDoubt).toBe(0);
    }
    proxy.close();
  }
});

/** About half of the first twelve batches meet the fault, one of them for certain. */
function drawFaults(round: number, fault: Fault): (batch: number) => Fault | undefined {
  const certain = Math.floor(draw(round, 99) * 5);
  return (batch) => (batch < 12 && (batch === certain || draw(round, batch) < 0.4) ? fault : undefined);
}
