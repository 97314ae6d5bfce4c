// Conditions of fields hold for every way to write, follow renames, and are no wall for other fields.

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
      schema: {
        fields: [
          field("id", "integer"),
          field("country"),
          field("state", "string", {
            choicesIf: [
              { when: 'country == "DE"', values: ["Bavaria", "Berlin"] },
              { when: 'country == "US"', values: ["Ohio"] },
            ],
          }),
          field("status", "string", { constraints: { enum: ["open", "closed"] } }),
          field("reason", "string", { requiredIf: 'status == "closed"' }),
          field("rejected", "boolean"),
          field("note", "string", { visibleIf: "rejected", constraints: { required: true } }),
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
const errorsOf = (json: { errors?: { code: string; pointer?: string; detail: string }[] }) =>
  (json.errors ?? []).map(({ code, pointer, detail }) => [code, pointer, detail]);

test.each<[string, object, string[][]]>([
  ["a list that depends on another field", { country: "DE", state: "Ohio" }, [["ENUM", "/state", "state must be one of Bavaria, Berlin."]]],
  ["another list", { country: "US", state: "Berlin" }, [["ENUM", "/state", "state must be one of Ohio."]]],
  ["a field that is needed", { status: "closed" }, [["REQUIRED", "/reason", "Enter the reason."]]],
  ["a required field that is asked for", { rejected: true }, [["REQUIRED", "/note", "Enter the note."]]],
  ["no list", { country: "FR", state: "Alsace" }, []],
  ["no value", { country: "DE" }, []],
  ["nothing", {}, []],
  ["a value under a field that is not asked for", { rejected: false, note: "kept" }, []],
  ["all of them", { country: "DE", state: "Berlin", status: "closed", reason: "done", rejected: true, note: "no" }, []],
])("a new record with %s", async (_, values, errors) => {
  const { status, json } = await send("POST", "/v1/cases", values);
  expect([errorsOf(json), status]).toEqual([errors, errors.length > 0 ? 422 : 201]);
});

test("a condition that a record breaks is no wall for its other fields, and follows a field's new name", async () => {
  const { json } = await send("POST", "/v1/cases", { country: "DE", state: "Berlin" });
  const path = `/v1/cases/${json.id}`;
  expect(errorsOf((await send("PATCH", path, { country: "US" })).json)).toEqual([["ENUM", "/state", "state must be one of Ohio."]]);
  const before = (await send("GET", "/v1/dictionary")).json;
  const { version: _, ...dataPackage } = before;
  const [cases] = dataPackage.resources;
  const fields = cases.schema.fields.map((one: { name: string }) => (one.name === "country" ? { ...one, name: "land" } : one));
  const next = { ...dataPackage, resources: [{ ...cases, schema: { ...cases.schema, fields } }] };
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "rename", comment: "", package: next });
  const impact = (await send("GET", `/v1/dictionary/drafts/${draft.json.id}/impact`)).json;
  expect(draft.status, JSON.stringify(draft.json)).toBe(201);
  expect(impact.changes.map(({ kind }: { kind: string }) => kind)).toEqual(["renamed"]);
  const applied = await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, { "if-match": String(draft.headers.etag) });
  expect(applied.status, JSON.stringify(applied.json)).toBe(200);
  const after = (await send("GET", "/v1/dictionary")).json.resources[0].schema.fields;
  expect(after.find(({ name }: { name: string }) => name === "state").choicesIf[0].when).toBe('land == "DE"');
  expect((await send("PATCH", path, { land: "US" })).status).toBe(422);
  expect((await send("PATCH", path, { status: "open" })).status).toBe(200);
});
