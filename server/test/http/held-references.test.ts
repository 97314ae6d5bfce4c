// A reference that must agree with its parent in one more field is counted before it holds.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const PACKAGE = {
  resources: [
    {
      name: "contacts",
      schema: {
        fields: [
          { name: "contactId", type: "integer" },
          { name: "name", type: "string" },
          { name: "city", type: "string" },
        ],
        primaryKey: ["contactId"],
      },
    },
    {
      name: "orders",
      schema: {
        fields: [
          { name: "orderId", type: "integer" },
          { name: "contactId", type: "integer" },
          { name: "town", title: "Town", type: "string" },
        ],
        primaryKey: ["orderId"],
        foreignKeys: [{ fields: ["contactId"], reference: { resource: "contacts", fields: ["contactId"] } }],
      },
    },
  ],
};

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
});
afterAll(() => service.close());

test("a pair of fields in a reference's where narrows it: what disagrees is counted, named and left, and a new name of a field counts nothing", async () => {
  const { send } = service;
  const { contactId } = (await send("POST", "/v1/contacts", { name: "Ada", city: "Bonn" })).json;
  const bare = (await send("POST", "/v1/contacts", { name: "Ben" })).json.contactId;
  const order = async (to: number, town: string | null) => (await send("POST", "/v1/orders", { contactId: to, town })).json.orderId;
  await order(contactId, "Bonn");
  await order(contactId, null);
  const wrong = [await order(contactId, "Ulm"), await order(bare, "Bonn")];
  const made = (await send("POST", "/v1/dictionary/drafts", { title: "Same town" })).json;
  const at = `/v1/dictionary/drafts/${made.id}`;
  Object.assign(made.package.resources[1].schema.foreignKeys[0], { where: { city: "town" } });
  await send("PATCH", at, { package: made.package });
  const { changes } = (await send("GET", `${at}/impact`)).json;
  expect(changes).toEqual([
    expect.objectContaining({ kind: "narrowed", path: "orders.contactId", effect: "stands", violations: 2, examples: wrong }),
  ]);
  expect(changes[0].detail).toContain("2 records have another Town than the contact that the field names");
  expect((await send("POST", `${at}/apply`)).json.notes).toEqual([
    expect.stringContaining("orders.contactId: 2 records have another Town"),
  ]);

  const renamed = (await send("POST", "/v1/dictionary/drafts", { title: "Place" })).json;
  const fields = renamed.package.resources[1].schema.fields as { name: string }[];
  for (const field of fields) if (field.name === "town") field.name = "place";
  await send("PATCH", `/v1/dictionary/drafts/${renamed.id}`, { package: renamed.package });
  expect((await send("GET", `/v1/dictionary/drafts/${renamed.id}/impact`)).json.changes.map(({ kind }: { kind: string }) => kind)).toEqual([
    "renamed",
  ]);
  expect((await send("POST", `/v1/dictionary/drafts/${renamed.id}/apply`)).json.notes).toEqual([]);
  expect((await send("PATCH", `/v1/orders/${wrong[0]}`, { place: "Köln" })).json.errors[0].code).toBe("REFERENCE_MISMATCH");
});
