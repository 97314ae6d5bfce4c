// Records that break a constraint on purpose are listed apart until what decides about it changes.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const field = (name: string, type = "string", more: object = {}) => ({ name, title: name, type, ...more });
const PACKAGE = {
  title: "Stock",
  resources: [
    {
      name: "parts",
      singular: "part",
      title: "Parts",
      schema: {
        fields: [
          field("id", "integer"),
          field("name"),
          field("size", "integer"),
          field("code"),
          field("place"),
          field("colour"),
          field("country"),
          field("state"),
          field("note"),
        ],
        primaryKey: "id",
      },
    },
  ],
};
/** Narrows each field that has a name here. */
const NARROWER: Record<string, object> = {
  size: { constraints: { maximum: 10 } }, // SQL judges it
  code: { constraints: { pattern: "[A-Z]+" } }, // a value is read for it
  place: { constraints: { required: true } },
  colour: { constraints: { enum: ["red", "blue"] } },
  state: { choicesIf: [{ when: 'country == "DE"', values: ["Berlin"] }] }, // the record is read for it
};
/** Names each with a change that ends an exception, and one that breaks it again. */
const CONSTRAINTS = [
  ["maximum", "size", { size: 5 }, { size: 22 }],
  ["pattern", "code", { code: "A" }, { code: "lower still" }],
  ["required", "place", { place: "Shelf" }, { place: null }],
  ["enum", "colour", { colour: "red" }, { colour: "pink" }],
  ["choicesIf", "state", { country: "FR" }, { country: "DE" }],
] as const;

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
  const parts = [1, 2, 3].map((id) => ({ id, name: `${id}`, size: 20, code: "small", colour: "green", country: "DE", state: "Ohio" }));
  expect((await send("POST", "/v1/parts", parts)).status).toBe(201);
  await narrow(NARROWER);
});
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
async function apply(change: (own: { schema: { fields: { name: string }[] } }) => object): Promise<void> {
  const { version: _, ...dataPackage } = (await send("GET", "/v1/dictionary")).json;
  const next = { ...dataPackage, resources: [change(dataPackage.resources[0])] };
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "narrower", comment: "", package: next });
  const headers = { "if-match": String(draft.headers.etag) };
  const applied = await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, headers);
  expect(applied.status, applied.text).toBe(200);
}
function narrow(fields: Record<string, object>): Promise<void> {
  return apply((own) => ({ ...own, schema: { ...own.schema, fields: own.schema.fields.map((one) => ({ ...one, ...fields[one.name] })) } }));
}
const pathOf = (constraint: string, name: string, id: number) => `/v1/parts/violations/${constraint}/exceptions/${id}?field=${name}`;
const counts = async (headers = {}): Promise<Record<string, [count: number, exceptions?: number]>> => {
  const { rules } = (await send("GET", "/v1/parts/violations", undefined, headers)).json;
  const pairs = rules.map((one: { constraint: string; field: string; count: number; exceptions?: number }) => [
    `${one.constraint} ${one.field}`,
    one.exceptions === undefined ? [one.count] : [one.count, one.exceptions],
  ]);
  return Object.fromEntries(pairs);
};
const listed = async (constraint: string, name: string, exceptions: boolean) => {
  const { json } = await send("GET", `/v1/parts/violations?constraint=${constraint}&field=${name}&exceptions=${exceptions}`);
  const reasons = json.exceptions?.map(({ id, reason }: { id: number; reason: string }) => [id, reason]);
  return [json.parts.map(({ id }: { id: number }) => id), reasons];
};
/** Makes changes that a narrower constraint refuses: the dictionary is narrowed again afterwards. */
async function write(id: number, values: object): Promise<void> {
  const loose = Object.fromEntries(Object.keys(NARROWER).map((name) => [name, { constraints: {}, choicesIf: undefined }]));
  await narrow(loose);
  expect((await send("PATCH", `/v1/parts/${id}`, values)).status).toBe(200);
  await narrow(NARROWER);
}

test.each(CONSTRAINTS)(
  "an exception of %s of %s is counted and listed apart until that changes",
  async (constraint, name, ends, breaksAgain) => {
    const own = `${constraint} ${name}`;
    const path = pathOf(constraint, name, 1);
    expect((await counts())[own]).toEqual([3]);
    const made = await send("PUT", path, { reason: "An old one." });
    expect([made.status, made.json.reason, made.json.by.name]).toEqual([200, "An old one.", "Ada"]);
    expect((await send("PUT", path, { reason: "A very old one." })).status).toBe(200);
    expect((await counts())[own]).toEqual([2, 1]);
    expect(await listed(constraint, name, false)).toEqual([[2, 3], undefined]);
    expect(await listed(constraint, name, true)).toEqual([[1], [[1, "A very old one."]]]);
    expect((await send("PATCH", "/v1/parts/1", { note: own })).status).toBe(200);
    expect((await counts())[own]).toEqual([2, 1]);
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await counts())[own]).toEqual([3]);
    expect((await send("PUT", path, { reason: "So." })).status).toBe(200);
    expect((await send("PATCH", "/v1/parts/1", ends)).status).toBe(200);
    await write(1, breaksAgain);
    expect((await counts())[own]).toEqual([3]);
  },
);

test("a new name of the field keeps the exception, and a deletion takes it along", async () => {
  expect((await send("PUT", pathOf("maximum", "size", 2), { reason: "So." })).status).toBe(200);
  await apply((own) => ({
    ...own,
    schema: { ...own.schema, fields: own.schema.fields.map((one) => (one.name === "size" ? { ...one, name: "width" } : one)) },
  }));
  expect((await counts())["maximum width"]).toEqual([2, 1]);
  expect((await send("DELETE", pathOf("maximum", "width", 2))).status).toBe(204);
  expect((await send("PUT", pathOf("maximum", "width", 3), { reason: "So." })).status).toBe(200);
  await send("DELETE", "/v1/parts/3");
  await send("POST", "/v1/parts/3/restore", { version: 1 });
  expect((await counts())["maximum width"]).toEqual([3]);
  await apply((own) => ({
    ...own,
    schema: { ...own.schema, fields: own.schema.fields.map((one) => (one.name === "width" ? { ...one, name: "size" } : one)) },
  }));
});

test("what is no violation, no constraint or no field is refused, and so is whoever may not see or change it", async () => {
  expect((await send("POST", "/v1/parts", { id: 9, name: "Nine", size: 5, code: "A", place: "Shelf", colour: "red" })).status).toBe(201);
  const so = { reason: "So." };
  const kept = await send("PUT", pathOf("maximum", "size", 9), so);
  expect([kept.status, kept.json.detail]).toEqual([404, "This part does not break the rule, so there is nothing to leave as it is."]);
  expect((await send("PUT", pathOf("largest", "size", 1), so)).status).toBe(404);
  expect((await send("PUT", pathOf("maximum", "length", 1), so)).status).toBe(400);
  expect((await send("PUT", "/v1/parts/violations/maximum/exceptions/1", so)).status).toBe(404);
  expect((await send("GET", "/v1/parts/violations?constraint=maximum&exceptions=true")).status).toBe(400);
  const conditions = { parts: { fields: { hidden: ["size", "country"] } } };
  const { json: role } = await send("POST", "/v1/roles", { name: "Desk", scope: "parts:read parts:update", conditions }, { as: "admin" });
  const { json: key } = await send("POST", "/v1/keys", { name: "Desk", roles: [role.id] }, { as: "admin" });
  const limited = { authorization: `Bearer ${key.key}` };
  expect((await send("PUT", pathOf("maximum", "size", 1), so)).status).toBe(200);
  expect(Object.keys(await counts(limited))).toEqual(["pattern code", "required place", "enum colour"]);
  expect((await send("PUT", pathOf("maximum", "size", 1), so, limited)).status).toBe(400); // as of a field that is not there
  expect((await send("PUT", pathOf("choicesIf", "state", 1), so, limited)).status).toBe(404);
  expect((await send("PUT", pathOf("enum", "colour", 2), so, limited)).status).toBe(200);
  const { json: reader } = await send("POST", "/v1/keys", { name: "Reader", scope: "parts:read" }, { as: "admin" });
  expect((await send("PUT", pathOf("enum", "colour", 3), so, { authorization: `Bearer ${reader.key}` })).status).toBe(403);
});
