// Fields that are unique together: what they refuse, how a record is named by them, and what a draft says of them.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const PACKAGE = {
  resources: [
    {
      name: "customers",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "name", type: "string" },
          { name: "code", title: "Code", type: "string", constraints: { unique: true } },
        ],
        primaryKey: ["id"],
      },
    },
    {
      name: "lines",
      singular: "line",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "customerId", title: "Customer", type: "integer" },
          { name: "number", title: "Number", type: "integer" },
          { name: "note", title: "Note", type: "string" },
          { name: "place", title: "Place", type: "string" },
        ],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["customerId"], reference: { resource: "customers", fields: ["id"] }, as: "customer", onDelete: "clear" }],
        uniqueKeys: [["customerId", "number"]],
      },
    },
  ],
};

let service: LivingService;
let customers: number[];
let number = 0;
const newNumber = () => ++number;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
  const { json } = await send("POST", "/v1/customers", [
    { name: "A", code: "a" },
    { name: "B", code: "b" },
  ]);
  customers = json.customers.map(({ id }: { id: number }) => id);
}, 60_000);
afterAll(() => service.close());
const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
const line = (fields: object) => send("POST", "/v1/lines", fields);
const TAKEN = "Customer + Number must be unique together; another record has these values.";

describe("a second record with the same values", () => {
  test("is refused where both are given, where one is changed, and within a batch; an empty value is compared with none", async () => {
    const [customerId, other] = customers;
    const first = newNumber();
    const { id } = (await line({ customerId, number: first })).json;
    const refused = { status: 422, json: { errors: [{ code: "UNIQUE", pointer: "/customerId", detail: TAKEN }] } };
    expect(await line({ customerId, number: first })).toMatchObject(refused);
    const { id: second } = (await line({ customerId: other, number: first })).json;
    expect(await send("PATCH", `/v1/lines/${second}`, { customerId })).toMatchObject(refused);
    expect((await send("PATCH", `/v1/lines/${id}`, { note: "kept" })).status).toBe(200);
    for (const fields of [{ number: first }, { number: first }, { customerId }, { customerId }])
      expect((await line(fields)).status).toBe(201);
    const next = newNumber();
    const batch = await send("POST", "/v1/lines?onError=continue", [
      { customerId, number: next },
      { customerId, number: next },
    ]);
    expect(batch.json.results).toMatchObject([{ outcome: "created" }, { outcome: "failed", problem: { errors: [{ code: "UNIQUE" }] } }]);
  });

  test("two that swap their values in one batch are stored, and a sequence may give a value on", async () => {
    const [customerId] = customers;
    const [a, b] = [newNumber(), newNumber()];
    const [one, two] = (
      await line([
        { customerId, number: a },
        { customerId, number: b },
      ] as never)
    ).json.lines;
    const swapped = await send("POST", "/v1/lines?onConflict=update&onError=continue", [
      { id: one.id, number: b },
      { id: two.id, number: newNumber() },
    ]);
    expect(swapped.json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["failed", "updated"]);
    const operations = [
      { action: "delete", record: { id: one.id } },
      { action: "create", record: { customerId, number: a, note: "again" } },
      { action: "update", record: { id: two.id, number: newNumber() } },
      { action: "create", record: { customerId, number: a } },
    ];
    const { json } = await send("POST", "/v1/lines/batch?onError=continue", { operations });
    expect(json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["deleted", "created", "updated", "failed"]);
  });

  test("sent at once is stored once", async () => {
    const [customerId] = customers;
    const own = newNumber();
    const answers = await Promise.all(Array.from({ length: 8 }, () => line({ customerId, number: own })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(7);
  });

  test("is refused, too, where the reference is to a record that has become part of the other's parent", async () => {
    const [kept, gone] = await Promise.all(
      ["kept", "gone"].map(async (code) => (await send("POST", "/v1/customers", { name: code, code })).json),
    );
    const first = newNumber();
    const { id } = (await line({ customerId: kept.id, number: first })).json;
    const versions = { [kept.id]: 1, [gone.id]: 1 };
    expect((await send("POST", "/v1/customers/merges", { survivor: kept.id, others: [gone.id], versions })).status).toBe(201);
    for (const query of ["", "?dryRun=true", "?dryRun=true&onError=continue"]) {
      const { json } = await send("POST", `/v1/lines${query}`, [{ customerId: gone.id, number: first }]);
      expect([query, JSON.stringify(json).includes("UNIQUE")]).toEqual([query, true]);
    }
    expect((await send("POST", "/v1/lines", { customerId: gone.id, number: newNumber() })).json.customerId).toBe(kept.id);
    expect((await send("GET", `/v1/lines/${id}`)).json.number).toBe(first);
  });
});

describe("matchBy", () => {
  const PATH = "/v1/lines?onConflict=update&matchBy=customerId,number";

  test("names the record by both values, the parent also by a value of its own", async () => {
    const own = newNumber();
    const { id } = (await line({ customerId: customers[0], number: own, note: "before" })).json;
    const sent = [
      { customerId: customers[0], number: own, note: "after" },
      { "customer.code": "b", number: own, note: "new" },
      { "customer.code": "a", number: own, note: "twice" },
    ];
    const { json } = await send("POST", `${PATH}&onError=continue`, sent);
    expect(json.results).toMatchObject([
      { outcome: "updated", id, changes: { note: ["before", "after"] } },
      { outcome: "created" },
      { outcome: "failed", problem: { code: "DUPLICATE_IN_REQUEST", errors: [{ detail: expect.stringContaining("Customer + Number") }] } },
    ]);
    const { json: again } = await send("POST", `${PATH}&onError=continue`, [{ "customer.code": "b", number: own, note: "new" }]);
    expect(again.results).toMatchObject([{ outcome: "unchanged", id: json.results[1].id }]);
  });

  test("without one of the values nothing is named, and an unknown pair is a 404", async () => {
    const lacking = await send("POST", `${PATH}&onMissing=error`, { number: newNumber(), note: "x" });
    expect(lacking.json.errors).toMatchObject([{ code: "REQUIRED", pointer: "/customerId" }]);
    const unknown = await send("POST", `${PATH}&onMissing=error`, { customerId: customers[0], number: newNumber() });
    expect(unknown).toMatchObject({ status: 404, json: { errors: [{ code: "NOT_FOUND", pointer: "/customerId" }] } });
    expect((await send("POST", "/v1/lines?matchBy=number", {})).status).toBe(400);
    expect((await send("POST", "/v1/lines?matchBy=number,customerId", {})).json.errors).toMatchObject([{ parameter: "matchBy" }]);
  });
});

test("a draft counts the records that share their values, with pairs, and holds once they do not; a new name and a retired field follow", async () => {
  const shared = (await line([{ note: "n", place: "p" }, { note: "n", place: "p" }, { note: "n" }, { note: "n" }] as never)).json.lines;
  const [one, two] = shared.map(({ id }: { id: number }) => id);
  const made = (await send("POST", "/v1/dictionary/drafts", { title: "Together" })).json;
  const at = `/v1/dictionary/drafts/${made.id}`;
  made.package.resources[1].schema.uniqueKeys.push(["note", "place"]);
  await send("PATCH", at, { package: made.package });
  expect((await send("GET", `${at}/impact`)).json.changes).toEqual([
    expect.objectContaining({ kind: "unique", path: "lines", effect: "refused", violations: 2, examples: [one, two] }),
  ]);
  const refused = await send("POST", `${at}/apply`);
  expect(refused.status).toBe(409);
  expect(JSON.stringify(refused.json)).toContain(
    `share their values of Note + Place with others, but the fields are unique together now (${one} and ${two})`,
  );
  await send("PATCH", `/v1/lines/${two}`, { place: "q" });
  expect((await send("POST", `${at}/apply`)).status).toBe(200);
  expect((await send("PATCH", `/v1/lines/${two}`, { place: "p" })).json.errors[0].code).toBe("UNIQUE");

  const renamed = (await send("POST", "/v1/dictionary/drafts", { title: "Spot" })).json;
  for (const field of renamed.package.resources[1].schema.fields as { name: string }[]) if (field.name === "place") field.name = "spot";
  await send("PATCH", `/v1/dictionary/drafts/${renamed.id}`, { package: renamed.package });
  expect((await send("POST", `/v1/dictionary/drafts/${renamed.id}/apply`)).status).toBe(200);
  expect((await send("PATCH", `/v1/lines/${two}`, { spot: "p" })).json.errors[0].code).toBe("UNIQUE");

  const retired = (await send("POST", "/v1/dictionary/drafts", { title: "No spot" })).json;
  for (const field of retired.package.resources[1].schema.fields) if (field.name === "spot") field.retired = true;
  await send("PATCH", `/v1/dictionary/drafts/${retired.id}`, { package: retired.package });
  expect((await send("POST", `/v1/dictionary/drafts/${retired.id}/apply`)).status).toBe(200);
  expect((await send("PATCH", `/v1/lines/${two}`, { note: "other" })).status).toBe(200);
  expect((await send("PATCH", `/v1/lines/${one}`, { note: "other" })).status).toBe(200);
});

test("who does not see one of the fields learns no more than that something is taken, and replaces nothing unseen", async () => {
  const [customerId, other] = customers;
  const taken = newNumber();
  expect((await line({ customerId, number: taken })).status).toBe(201);
  const { id } = (await line({ customerId: other, number: taken })).json;
  const conditions = { lines: { fields: { hidden: ["number"] } } };
  const scope = "lines:read lines:create lines:update";
  const role = await send("POST", "/v1/roles", { name: "Desk", scope, conditions }, { as: "admin" });
  const { json: key } = await send("POST", "/v1/keys", { name: "Desk", roles: [role.json.id] }, { as: "admin" });
  const headers = { authorization: `Bearer ${key.key}` };
  for (const [method, body] of [
    ["PUT", { customerId, note: "put" }],
    ["PATCH", { customerId }],
  ] as const) {
    const { status, json } = await send(method, `/v1/lines/${id}`, body, headers);
    expect([method, status, JSON.stringify(json).includes("Number")]).toEqual([method, 422, false]);
  }
  expect((await send("PUT", `/v1/lines/${id}`, { note: "no customer" }, headers)).status).toBe(200);
  expect((await send("GET", `/v1/lines/${id}`)).json).toMatchObject({ customerId: null, number: taken, note: "no customer" });
});
