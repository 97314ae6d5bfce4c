// Conditions of fields hold for every way to write, follow renames, and are no wall for other fields.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";
import { openTestService } from "../../testing/service.ts";
import { createTestDatabase } from "../../testing/store.ts";

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
          field("secret", "string", { visibleIf: 'country == "US"' }),
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

const plain = ({ visibleIf: _, requiredIf: __, choicesIf: ___, ...one }: Record<string, unknown>) => ({ ...one, constraints: {} });

/** A service whose records were stored before there were conditions, and a person who may not see the country. */
async function openNarrowed(records: readonly object[]) {
  const database = await createTestDatabase();
  const [cases] = PACKAGE.resources;
  const schema = { ...cases?.schema, fields: cases?.schema.fields.map(plain) };
  const before = await openTestService({ ...PACKAGE, resources: [{ ...cases, schema }] }, {}, database);
  const made = await before.call("POST", "/v1/cases", records);
  expect(made.status).toBe(201);
  await before.close();
  const own = await openTestService(PACKAGE, {}, database);
  const conditions = { cases: { fields: { hidden: ["country"] } } };
  const role = await own.call("POST", "/v1/roles", { name: "Narrow", scope: "write", conditions });
  const { token } = await own.newPerson(role.json.id);
  const ids: number[] = made.json.cases.map(({ id }: { id: number }) => id);
  const close = async () => {
    await own.close();
    await database.drop();
  };
  return { call: own.call, asPerson: { authorization: `Bearer ${token}` }, ids, close };
}

test("stored records that break a condition are counted and listed, and whoever may not see what it reads learns nothing", async () => {
  const records = [
    { country: "US", state: "Berlin" },
    { status: "closed" },
    { status: "closed", reason: "done" },
    { rejected: true },
    { country: "DE", state: "Ohio", status: "closed" },
  ];
  const { call, asPerson, ids, close } = await openNarrowed(records);
  const counted = (await call("GET", "/v1/cases/violations")).json;
  expect(counted).toEqual({
    complete: true,
    rules: [
      { constraint: "choicesIf", field: "state", count: 2 },
      { constraint: "requiredIf", field: "reason", count: 2 },
      { constraint: "requiredIf", field: "note", count: 1 },
    ],
  });
  const listed = async (query: string) =>
    (await call("GET", `/v1/cases/violations?${query}`)).json.cases.map(({ id }: { id: number }) => id);
  expect(await listed("constraint=choicesIf&field=state")).toEqual([ids[0], ids[4]]);
  expect(await listed("constraint=requiredIf&field=reason")).toEqual([ids[1], ids[4]]);
  expect(await listed("constraint=requiredIf&field=note")).toEqual([ids[3]]);
  expect(await listed("constraint=requiredIf&field=status")).toEqual([]);
  const narrow = await call("GET", "/v1/cases/violations", undefined, asPerson);
  expect(narrow.status, narrow.text).toBe(200);
  expect(narrow.json.rules.map(({ field }: { field: string }) => field)).toEqual(["reason", "note"]);
  const forbidden = { code: "VALIDATION", detail: "A rule about a field that you may not see forbids this." };
  const refused = await call("PATCH", `/v1/cases/${ids[0]}`, { state: "Bavaria" }, asPerson);
  expect([refused.status, refused.json.errors]).toEqual([422, [forbidden]]);
  const many = await call("POST", "/v1/cases?onConflict=update&onError=continue", [{ id: ids[0], state: "Bavaria" }], asPerson);
  expect(many.json.results[0].problem.errors).toEqual([forbidden]);
  const dictionary = await call("GET", "/v1/dictionary", undefined, asPerson);
  expect(`${refused.text}${many.text}${dictionary.text}`).not.toMatch(/Ohio|Berlin|country/);
  const left = async (headers?: Record<string, string>) => {
    const answer = await call("POST", "/v1/cases?onError=continue&dryRun=true", [{ rejected: false, note: "n", secret: "s" }], headers);
    return answer.json.results[0].leftBehind;
  };
  expect([await left(), await left(asPerson)]).toEqual([["note", "secret"], ["note"]]);
  const seen = await call("PATCH", `/v1/cases/${ids[1]}`, { status: "closed", rejected: true, reason: null }, asPerson);
  expect(errorsOf(seen.json)).toEqual([["REQUIRED", "/note", "Enter the note."]]);
  await close();
});

test("many records say which fields keep a value though they are hidden, also in a dry run, and nothing is cleared", async () => {
  const { json } = await send("POST", "/v1/cases", { rejected: true, note: "late" });
  const { id } = json;
  const write = async (record: object, more = "") => {
    const answer = await send("POST", `/v1/cases?onConflict=update&onError=continue${more}`, [{ id, ...record }]);
    return answer.json.results[0].leftBehind;
  };
  expect(await write({ rejected: false }, "&dryRun=true")).toEqual(["note"]);
  expect(await write({ rejected: true, note: "later" })).toBeUndefined();
  expect(await write({ rejected: false })).toEqual(["note"]);
  expect((await send("GET", `/v1/cases/${id}`)).json.note).toBe("later");
  expect(await write({ status: "open" })).toBeUndefined(); // it was hidden before
  expect(await write({ note: "new" })).toEqual(["note"]);
  expect(await write({ note: null })).toBeUndefined();
  const made = await send("POST", "/v1/cases?onError=continue", [{ note: "of a new one" }, { rejected: true, note: "asked for" }]);
  expect(made.json.results.map(({ leftBehind }: { leftBehind?: string[] }) => leftBehind)).toEqual([["note"], undefined]);
});
