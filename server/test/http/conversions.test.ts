// A steward converts a field into another kind, and nothing is lost on the way there and back.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createLivingDictionary, type LivingDictionary } from "../../access/living-dictionary.ts";
import { narrowedBy } from "../../access/role-conditions.ts";
import { createApp } from "../../app.ts";
import { createConverter } from "../../dictionary/converter.ts";
import { nextVersion } from "../../dictionary/start-dictionary.ts";
import type { Store } from "../../engine/store.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { narrowRights } from "../../people/store/role-rights.ts";
import { NO_RATE_LIMIT } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const FIRST = {
  title: "Customers",
  resources: [
    {
      name: "customers",
      title: "Customers",
      list: ["name", "birthday"],
      rules: [{ name: "note", must: '!note.startsWith("#")', message: "A note begins with a word." }],
      schema: {
        fields: [
          { name: "objectId", title: "Object ID", type: "integer" },
          { name: "name", title: "Name", type: "string" },
          { name: "birthday", title: "Birthday", type: "string", aliases: ["Born"], constraints: { maxLength: 40 } },
          { name: "points", title: "Points", type: "number" },
          { name: "active", title: "Active", type: "string" },
          { name: "land", title: "Land", type: "string" },
          { name: "pay", title: "Pay", type: "string" },
          { name: "code", title: "Code", type: "string", constraints: { unique: true } },
          { name: "note", title: "Note", type: "string" },
        ],
        primaryKey: ["objectId"],
      },
    },
  ],
};

let database: TestDatabase;
let store: Store;
let living: LivingDictionary;
let app: Awaited<ReturnType<typeof createApp>>;
const stopping = new AbortController();
let running: Promise<void>;
const failures: unknown[] = [];
const tokens: Record<string, string> = {};

beforeAll(async () => {
  database = await createTestDatabase();
  const file = { dataPackage: FIRST, placeOf: (place: string) => place };
  let first = nextVersion(file, undefined);
  store = await database.open((kept) => {
    first = nextVersion(file, kept);
    return { collections: first.collections, text: JSON.stringify(first.dataPackage) };
  });
  living = createLivingDictionary({ ...first, store }, () => undefined);
  const converter = createConverter(living, (_, error) => error !== undefined && failures.push(error));
  running = converter.run(stopping.signal);
  app = await createApp({ ...first, store, keys: createKeys(store), limits: NO_RATE_LIMIT, living, converter });
  for (const scope of ["admin", "write dictionary", "dictionary", "customers:read customers:update"])
    tokens[scope] = `Bearer ${await createKeys(store).create(scope)}`;
});
afterAll(async () => {
  stopping.abort();
  await running;
  await app.close();
  await store.close();
  await database.drop();
  expect(failures).toEqual([]);
});

async function send(method: string, url: string, body?: object, scope = "write dictionary") {
  const headers = { authorization: tokens[scope], ...(body && { "content-type": "application/json" }) };
  const reply = await app.inject({ method: method as "GET", url, headers, ...(body && { payload: JSON.stringify(body) }) });
  return { status: reply.statusCode, headers: reply.headers, json: reply.payload === "" ? undefined : JSON.parse(reply.payload) };
}

async function create(...records: object[]): Promise<number[]> {
  const { status, json } = await send("POST", "/v1/customers", { customers: records });
  expect(status).toBe(201);
  return json.customers.map(({ objectId }: { objectId: number }) => objectId);
}

const convert = (order: object, scope?: string) => send("POST", "/v1/dictionary/conversions", order, scope);
const read = async (id: number | undefined) => (await send("GET", `/v1/customers/${id}`)).json;

async function ended(id: string) {
  for (let i = 0; i < 400; i++) {
    const { json } = await send("GET", `/v1/dictionary/conversions/${id}`);
    if (json.state !== "running") return json;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("the conversion does not end");
}

async function kindOf(name: string): Promise<string> {
  const { resources } = (await send("GET", "/v1/dictionary")).json;
  return resources[0].schema.fields.find((field: { name: string }) => field.name === name)?.type;
}

test("a field that a rule reads does not become a kind that the rule cannot read", async () => {
  const refused = await convert({ field: "customers.note", to: { type: "integer" } });
  expect(refused).toMatchObject({ status: 409, json: { code: "DICTIONARY_REFUSED" } });
  expect(refused.json.detail).toBe(
    '"customers.note" cannot become another kind: in a rule startsWith is written as text.startsWith("begin"), and this is a number (character 2). Change the rule first.',
  );
});

test("text becomes dates: first it is said what would become of the values, and what does not convert stays and is listed", async () => {
  const texts = ["1980-01-01", "31.12.1981", "5/6/82", "unknown", undefined];
  const ids = await create(...texts.map((birthday, i) => ({ name: `N${i}`, ...(birthday && { birthday }) })));
  const order = { field: "customers.birthday", to: { type: "date" } };
  const preview = await convert({ ...order, dryRun: true });
  expect(preview.status).toBe(200);
  expect(preview.json).toMatchObject({ converted: 2, left: 2, empty: 1, complete: true });
  expect(preview.json.convertedExamples).toContainEqual({ id: ids[1], from: "31.12.1981", to: "1981-12-31" });
  expect(preview.json.leftExamples).toContainEqual({ id: ids[3], from: "unknown", count: 1 });
  expect(preview.json.forms.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(["date:d.m.y", "date:d/m/yy", "date:m/d/yy"]),
  );
  expect(await kindOf("birthday")).toBe("string"); // nothing has changed

  const begun = await convert({ ...order, forms: ["date:d.m.y", "date:d/m/yy"] });
  expect(begun).toMatchObject({ status: 201, json: { state: "running", fromKind: "string", toKind: "date", total: 5 } });
  const done = await ended(begun.json.id);
  expect(done).toMatchObject({ state: "done", converted: 3, left: 1, empty: 1, seen: 5, leftRecords: [ids[3]], canUndo: true });
  expect(await kindOf("birthday")).toBe("date");
  const values = await Promise.all(ids.map(async (id) => (await read(id)).birthday));
  expect(values).toEqual(["1980-01-01", "1981-12-31", "1982-06-05", null, null]);
  expect(Object.keys(await read(ids[0])).filter((name) => name.startsWith("birth"))).toEqual(["birthday"]);
  // It is sorted and filtered by dates, the history has the run, and a stranger's form of a date is refused.
  expect(
    (await send("GET", "/v1/customers?birthday[gte]=1981-01-01&sort=-birthday")).json.customers.map(
      (one: { objectId: number }) => one.objectId,
    ),
  ).toEqual([ids[2], ids[1]]);
  const { history } = (await send("GET", `/v1/customers/${ids[1]}/history`)).json;
  expect(history[0]).toMatchObject({ source: { type: "conversion", run: begun.json.id }, changes: { birthday: [null, "1981-12-31"] } });
  expect((await send("PATCH", `/v1/customers/${ids[0]}`, { birthday: "1.2.1980" })).status).toBe(422);
  expect((await send("POST", "/v1/customers/undo", { run: begun.json.id })).status).toBe(422);

  // The old field can be brought back beside the new one.
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "Both" });
  const both = JSON.parse(JSON.stringify(draft.json.package));
  delete both.resources[0].schema.fields.find((field: { name: string }) => field.name === "birthday_string").retired;
  await send("PATCH", `/v1/dictionary/drafts/${draft.json.id}`, { package: both });
  const impact = await send("GET", `/v1/dictionary/drafts/${draft.json.id}/impact`);
  expect([impact.status, impact.json.changes?.[0]?.kind]).toEqual([200, "revived"]);
  await send("DELETE", `/v1/dictionary/drafts/${draft.json.id}`);

  // A change since then is converted back, what nobody has touched is as it was written, and what was left is there again.
  expect((await send("PATCH", `/v1/customers/${ids[0]}`, { birthday: "1990-02-03" })).status).toBe(200);
  expect((await send("PATCH", `/v1/customers/${ids[4]}`, { birthday: "1991-02-03" })).status).toBe(200);
  const back = await send("POST", `/v1/dictionary/conversions/${begun.json.id}/undo`);
  expect(back.status).toBe(201);
  expect(await ended(back.json.id)).toMatchObject({ state: "done", undoes: begun.json.id, canUndo: false });
  const again = await Promise.all(ids.map(async (id) => (await read(id)).birthday));
  const fields = (await send("GET", "/v1/dictionary")).json.resources[0].schema.fields;
  expect(fields.find(({ name }: { name: string }) => name === "birthday")).toMatchObject({
    title: "Birthday",
    aliases: ["Born"],
    type: "string",
  });
  expect(again).toEqual(["1990-02-03", "31.12.1981", "5/6/82", "unknown", "1991-02-03"]);
  expect((await send("POST", `/v1/dictionary/conversions/${begun.json.id}/undo`)).status).toBe(409);
  // A second time the same way is no different.
  const second = await convert({ ...order, values: { unknown: "" } });
  expect(await ended(second.json.id)).toMatchObject({ state: "done", left: 1, converted: 4 });
});

test.each([
  ["customers.points", { type: "integer" }, [1, 2.5], [1, null]],
  ["customers.active", { type: "boolean" }, ["ja", "no", "true", "perhaps"], [true, false, true, null]],
  [
    "customers.land",
    { type: "string", categories: [{ value: "nl", label: "Netherlands" }] },
    ["Netherlands", "nl", "x"],
    ["nl", "nl", null],
  ],
])("%s becomes %j", async (path, to, given, expected) => {
  const name = path.split(".")[1] as string;
  const ids = await create(...given.map((value) => ({ name: "A", [name]: value })));
  const { status, json } = await convert({ field: path, to });
  expect([status, json.detail]).toEqual([201, ""]);
  expect(await ended(json.id)).toMatchObject({ state: "done", left: 1 });
  expect(await Promise.all(ids.map(async (id) => (await read(id))[name]))).toEqual(expected);
});

test("values that are written meanwhile are converted by their writes, and a second conversion is refused", async () => {
  const ids = await create(...Array.from({ length: 1_000 }, (_, i) => ({ name: `P${i}`, points: i })));
  const begun = await convert({ field: "customers.points", to: { type: "string" } });
  expect(begun.status).toBe(201);
  const second = await convert({ field: "customers.points", to: { type: "number" } });
  expect(second).toMatchObject({ status: 409, json: { detail: expect.stringContaining("is being converted") } });
  const written: [number, number][] = [];
  for (let i = 0; (await send("GET", `/v1/dictionary/conversions/${begun.json.id}`)).json.state === "running"; i++) {
    const id = ids[(i * 37) % ids.length] as number;
    const { status } = await send("PATCH", `/v1/customers/${id}`, { points: 5_000 + i });
    if (status === 200) written.push([id, 5_000 + i]);
  }
  const [made] = await create({ name: "new", points: "77" });
  expect(await ended(begun.json.id)).toMatchObject({ state: "done", left: 0 });
  const last = new Map(written);
  expect(last.size).toBeGreaterThan(0);
  for (const [id, points] of last) expect((await read(id)).points).toBe(String(points));
  for (const [i, id] of ids.entries()) if (!last.has(id)) expect((await read(id)).points).toBe(String(i));
  expect((await read(made)).points).toBe("77");
});

test("a conversion is cancelled, and the field is as it was", async () => {
  const ids = await create(...Array.from({ length: 1_000 }, (_, i) => ({ name: `${i}`, land: null })));
  const begun = await convert({ field: "customers.name", to: { type: "integer" } });
  expect((await send("DELETE", `/v1/dictionary/conversions/${begun.json.id}`)).status).toBe(204);
  expect(await ended(begun.json.id)).toMatchObject({ state: "cancelled", canUndo: false });
  expect(await kindOf("name")).toBe("string");
  expect((await read(ids[7])).name).toBe("7");
  expect((await send("DELETE", `/v1/dictionary/conversions/${begun.json.id}`)).status).toBe(409);
  expect(JSON.stringify((await send("GET", "/v1/dictionary/versions/1")).json)).not.toContain("convertedFrom");
});

test("what makes no sense is refused in a sentence, and who may not do it does nothing", async () => {
  const refused = async (order: object, detail: string, status = 409) => {
    const reply = await convert(order);
    expect([reply.status, reply.json.detail]).toEqual([status, expect.stringContaining(detail)]);
  };
  await refused({ field: "customers.objectId", to: { type: "string" } }, "is the key");
  await refused({ field: "customers.code", to: { type: "integer" } }, "is unique");
  await refused({ field: "customers.birthday", to: { type: "boolean" } }, "No value of type date can mean one of type boolean.");
  await refused({ field: "customers.birthday", to: { type: "date" } }, "is of type date already");
  await refused({ field: "customers.nothing", to: { type: "date" } }, "There is no field", 422);
  await refused({ field: "customers.name", to: { type: "dates" } }, "is not one of", 422);
  await refused({ field: "customers.name", to: { type: "integer", constraints: { minimum: "x" } } }, "must be", 422);
  await refused({ field: "customers.name", to: { type: "date", title: "X" } }, "to must be", 422);
  const order = { field: "customers.name", to: { type: "integer" }, dryRun: true };
  expect((await convert(order, "dictionary")).status).toBe(403);
  expect((await convert(order, "customers:read customers:update")).status).toBe(403);
  expect((await convert(order)).status).toBe(200);
});

test("a draft that touches a field while it is converted is refused, another one is not", async () => {
  await create(...Array.from({ length: 1_000 }, (_, i) => ({ name: `${i}` })));
  const draftWith = async (name: string) => {
    const draft = await send("POST", "/v1/dictionary/drafts", { title: name });
    const changed = draft.json.package;
    changed.resources[0].schema.fields.find((field: { name: string }) => field.name === name).description = "Other";
    await send("PATCH", `/v1/dictionary/drafts/${draft.json.id}`, { package: changed });
    return `/v1/dictionary/drafts/${draft.json.id}/apply`;
  };
  const begun = await convert({ field: "customers.name", to: { type: "integer" } });
  const [own, other] = [await draftWith("name"), await draftWith("code")];
  const refused = await send("POST", own);
  const applied = await send("POST", other);
  expect((await send("GET", `/v1/dictionary/conversions/${begun.json.id}`)).json.state).toBe("running"); // else nothing was tested
  expect(refused).toMatchObject({ status: 409, json: { detail: expect.stringContaining("is being converted") } });
  expect(applied.status).toBe(200);
  expect(await ended(begun.json.id)).toMatchObject({ state: "done" });
  expect(await kindOf("name")).toBe("integer");
});

test("a name that the field had before goes on working when it has another kind", async () => {
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "Renamed" });
  const changed = draft.json.package;
  changed.resources[0].schema.fields.find((field: { name: string }) => field.name === "points").name = "score";
  await send("PATCH", `/v1/dictionary/drafts/${draft.json.id}`, { package: changed });
  expect((await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`)).status).toBe(200);
  const [id] = await create({ code: "renamed", score: "12" });
  const begun = await convert({ field: "customers.score", to: { type: "integer" } });
  expect((await send("PATCH", `/v1/customers/${id}`, { points: "13" })).status).toBeLessThan(500); // before or after it has the new kind
  expect(await ended(begun.json.id)).toMatchObject({ state: "done" });
  expect((await send("PATCH", `/v1/customers/${id}`, { points: 1_400_001 })).status).toBe(200);
  expect((await read(id)).score).toBe(1_400_001);
  expect((await send("GET", "/v1/customers?points=1400001")).json.customers).toHaveLength(1);
});

test("whoever may not see a field sees nothing of what it is converted into, nor after that is taken back", async () => {
  await create({ pay: "49" });
  const conditions = { customers: { fields: { hidden: ["pay"] } } };
  const made = await send("POST", "/v1/roles", { name: "Narrow", scope: "customers:read", conditions }, "admin");
  expect(made.status).toBe(201);
  const isHidden = async () => {
    const rights = narrowRights([made.json.id], await store.people.listRoles()) ?? [];
    return narrowedBy(rights, living.served().dataPackage).hidden.get("customers")?.has("pay");
  };
  const role = () => send("GET", `/v1/roles/${made.json.id}`, undefined, "admin");
  const { json } = await convert({ field: "customers.pay", to: { type: "integer" } });
  await ended(json.id);
  expect([await kindOf("pay"), await isHidden(), (await role()).json.conditions]).toEqual(["integer", true, conditions]);
  const back = await send("POST", `/v1/dictionary/conversions/${json.id}/undo`);
  await ended(back.json.id);
  expect([await kindOf("pay"), await isHidden(), (await role()).json.conditions]).toEqual(["string", true, conditions]);
});
