// What a new record leaves out begins with the default of its field, whichever way it is made, and nothing else does.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const field = (name: string, type = "string", more: object = {}) => ({ name, title: name, type, ...more });
const PACKAGE = {
  title: "Cases",
  resources: [
    {
      name: "cases",
      singular: "case",
      title: "Cases",
      rules: [{ name: "notPaid", must: 'status != "open" || isEmpty(fee) || fee >= 0', message: "An open case has a fee of 0 at least." }],
      schema: {
        fields: [
          field("id", "integer"),
          field("country"),
          field("status", "string", { constraints: { enum: ["open", "closed"], required: true }, default: '"open"' }),
          field("openedOn", "date", { default: "today" }),
          field("owner", "string", { default: "me.name" }),
          field("currency", "string", { default: 'country == "US" ? "USD" : (isEmpty(country) ? null : "EUR")' }),
          field("amount", "number", { decimals: 2 }),
          field("fee", "number", { decimals: 2, default: "amount * 0.1", constraints: { maximum: 50 } }),
          field("size", "integer", { visibleIf: 'status == "closed"', default: "3" }),
        ],
        primaryKey: "id",
      },
    },
  ],
};

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
});
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
const today = new Date().toISOString().slice(0, 10);
const BEGINS = { country: null, status: "open", openedOn: today, owner: "Ada", currency: null, amount: null, fee: null, size: null };

async function stored(id: number): Promise<object> {
  const {
    createdAt: _,
    updatedAt: __,
    createdBy: ___,
    updatedBy: ____,
    version: _____,
    id: ______,
    ...values
  } = (await send("GET", `/v1/cases/${id}`)).json;
  return values;
}

test.each<[string, object, object]>([
  ["nothing", {}, {}],
  ["what a default reads", { country: "US", amount: "12.5" }, { country: "US", currency: "USD", amount: "12.5", fee: "1.25" }],
  ["null", { status: "closed", openedOn: null, owner: null, size: null }, { status: "closed", openedOn: null, owner: null, size: null }],
  ["what makes a field visible", { status: "closed" }, { status: "closed", size: 3 }],
  ["values of its own", { owner: "Eve", fee: "2" }, { owner: "Eve", fee: "2" }],
])("a record with %s begins with the others' defaults", async (_, given, expected) => {
  const made = await send("POST", "/v1/cases", given);
  expect(made.status, JSON.stringify(made.json)).toBe(201);
  expect(await stored(made.json.id)).toEqual({ ...BEGINS, ...expected });
});

test("lists, upserts and mixed operations fill new records and leave stored ones alone", async () => {
  const list = await send("POST", "/v1/cases", [{ country: "US" }, { status: "closed" }]);
  expect(list.json.cases.map(({ currency, size }: Record<string, unknown>) => [currency, size])).toEqual([
    ["USD", null],
    [null, 3],
  ]);
  const [{ id }] = list.json.cases;
  await send("PATCH", `/v1/cases/${id}`, { owner: null, openedOn: null });
  const upserted = await send("POST", "/v1/cases?onConflict=update&onError=continue", [
    { id, amount: "1" },
    { id: 77, amount: "2" },
  ]);
  expect(upserted.json.summary).toMatchObject({ created: 1, updated: 1 });
  expect(await stored(id)).toMatchObject({ owner: null, openedOn: null, fee: null });
  expect(await stored(77)).toMatchObject({ owner: "Ada", openedOn: today, fee: "0.2" });
  const operations = [
    { action: "create", record: { id: 78 } },
    { action: "update", record: { id, country: "FR" } },
  ];
  expect((await send("POST", "/v1/cases/batch", { operations })).status).toBe(200);
  expect(await stored(78)).toEqual(BEGINS);
  expect(await stored(id)).toMatchObject({ currency: "USD", owner: null });
});

test("a PUT is the whole record, so what it leaves out is empty", async () => {
  expect((await send("PUT", "/v1/cases/80", { status: "open" })).status).toBe(201);
  expect(await stored(80)).toEqual({ ...BEGINS, openedOn: null, owner: null });
});

test("a default is held to the rules of its field, and a refusal says so", async () => {
  const { status, json } = await send("POST", "/v1/cases", { amount: "600" });
  expect([status, json.errors]).toEqual([422, [{ pointer: "/fee", code: "TOO_LARGE", detail: "fee must be 50 or less." }]]);
  const negative = await send("POST", "/v1/cases", { amount: "-1" });
  expect(negative.json.errors?.[0]).toMatchObject({ code: "RULE", rule: "notPaid" });
});

test("a request that is repeated has the answer of before, also under another default", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const first = await send("POST", "/v1/cases", { country: "US" }, key);
  const { version: _, ...dataPackage } = (await send("GET", "/v1/dictionary")).json;
  const next = structuredClone(dataPackage);
  const [cases] = next.resources;
  cases.schema.fields.find(({ name }: { name: string }) => name === "country").name = "land";
  cases.schema.fields.find(({ name }: { name: string }) => name === "status").default = '"closed"';
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "other", comment: "", package: next });
  const impact = (await send("GET", `/v1/dictionary/drafts/${draft.json.id}/impact`)).json;
  expect(impact.changes.map(({ kind, path, effect }: Record<string, string>) => [kind, path, effect])).toEqual([
    ["renamed", "cases.land", "at once"],
    ["appearance", "cases.status", "at once"],
  ]);
  const etag = { "if-match": String(draft.headers.etag) };
  expect((await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, etag)).status).toBe(200);
  const again = await send("POST", "/v1/cases", { country: "US" }, key);
  expect([again.status, again.json.id, again.json.status]).toEqual([201, first.json.id, "open"]);
  const other = await send("POST", "/v1/cases", { land: "US" });
  expect([other.json.status, other.json.currency]).toEqual(["closed", "USD"]); // the default follows the new name
});
