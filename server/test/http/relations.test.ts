// Records that refer to others: customers, their contacts and their orders.

import { afterAll, beforeAll, expect, test } from "vitest";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(ORDERS);
});
afterAll(() => service.close());

test("the dictionary names a reference only to whoever may see both collections", async () => {
  const seen = async (scope: string) => {
    const { json } = await service.raw("GET", "/v1/dictionary", { authorization: `Bearer ${await service.tokenFor(scope)}` });
    return json.resources.map((resource: { name: string; schema: { foreignKeys?: { as: string }[] } }) => [
      resource.name,
      resource.schema.foreignKeys?.map(({ as }) => as),
    ]);
  };
  expect(await seen("read")).toEqual([
    ["customers", undefined],
    ["contacts", ["customer"]],
    ["orders", ["customer", "contact"]],
  ]);
  expect(await seen("orders:read contacts:read")).toEqual([
    ["contacts", undefined],
    ["orders", ["contact"]],
  ]);
});
