// A steward prepares a draft, sees what it does, and applies it; others do not, and mistakes change nothing.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createLivingDictionary, type LivingDictionary } from "../../access/living-dictionary.ts";
import { createApp } from "../../app.ts";
import { nextVersion } from "../../dictionary/start-dictionary.ts";
import type { Store } from "../../engine/store.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { NO_RATE_LIMIT } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";
import { rightDictionary, WRONG_DICTIONARIES, withMistake } from "../../testing/wrong-dictionaries.ts";

const FIRST = {
  title: "Customers",
  resources: [
    {
      name: "customers",
      title: "Customers",
      schema: {
        fields: [
          { name: "objectId", title: "Object ID", type: "integer" },
          { name: "name", title: "Name", type: "string", constraints: { required: true } },
          { name: "city", title: "City", type: "string" },
          { name: "status", title: "Status", type: "string", constraints: { enum: ["new", "open"] } },
        ],
        primaryKey: ["objectId"],
      },
    },
  ],
};

type Field = { name: string; id?: string; constraints?: Record<string, unknown>; [word: string]: unknown };
type Loose = Record<string, unknown>;
interface DataPackage {
  resources: { name: string; schema: { fields: Field[] } }[];
}

let database: TestDatabase;
let store: Store;
let living: LivingDictionary;
const apps: Awaited<ReturnType<typeof createApp>>[] = [];
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
  const parts = { ...first, store, keys: createKeys(store), limits: NO_RATE_LIMIT, living };
  apps.push(await createApp(parts), await createApp({ ...parts, isDictionaryFile: true }));
  for (const scope of ["admin", "write dictionary", "write"]) tokens[scope] = `Bearer ${await createKeys(store).create(scope)}`;
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await store.close();
  await database.drop();
});

async function send(
  method: string,
  url: string,
  body?: object,
  { scope = "write dictionary", app = apps[0], ...headers }: { scope?: string; app?: (typeof apps)[0]; [name: string]: unknown } = {},
) {
  const reply = await app?.inject({
    method: method as "GET",
    url,
    headers: { authorization: tokens[scope], ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { payload: JSON.stringify(body) }),
  });
  const payload = reply?.payload ?? "";
  return { status: reply?.statusCode, headers: reply?.headers ?? {}, json: payload === "" ? undefined : JSON.parse(payload) };
}

async function newest(): Promise<{ version: number; dataPackage: DataPackage }> {
  const [{ version }] = (await send("GET", "/v1/dictionary/versions")).json.versions;
  const reply = await send("GET", `/v1/dictionary/versions/${version}`);
  return { version, dataPackage: reply.json };
}

/** Makes a draft of the newest version, changed. */
async function draftOf(edit: (fields: Field[], dataPackage: DataPackage) => unknown, title = "A change"): Promise<string> {
  const { dataPackage } = await newest();
  edit(dataPackage.resources[0]?.schema.fields ?? [], dataPackage);
  const made = await send("POST", "/v1/dictionary/drafts", { title, package: dataPackage });
  expect(made.status).toBe(201);
  return `/v1/dictionary/drafts/${made.json.id}`;
}

const named = (fields: Field[], name: string) => fields.find((field) => field.name === name) as Field;

test("the dictionary says its version, and changes nothing when it is sent back with it", async () => {
  const { version } = await newest();
  const { json, headers } = await send("GET", "/v1/dictionary");
  expect([json.version, headers["dictionary-version"]]).toEqual([version, String(version)]);
  const made = await send("POST", "/v1/dictionary/drafts", { title: "As it is", package: json });
  const at = `/v1/dictionary/drafts/${made.json.id}`;
  expect((await send("GET", `${at}/impact`)).json.changes).toEqual([]);
  expect((await send("DELETE", at)).status).toBe(204);
});

test("a field comes, is required, gets another name and goes, each as a version that says who and why", async () => {
  for (const name of ["Ada", "Ben", "Cleo"]) await send("POST", "/v1/customers", { name, city: "Bonn", status: "new" });
  const added = await draftOf((fields) => fields.push({ name: "vatId", title: "VAT ID", type: "string" }), "VAT for invoices");
  expect((await send("GET", `${added}/impact`)).json).toEqual({
    changes: [{ kind: "added", path: "customers.vatId", effect: "at once" }],
    complete: true,
  });
  expect((await send("POST", `${added}/apply`)).json).toMatchObject({ version: 2, notes: [] });
  expect((await send("GET", added)).status).toBe(404);
  expect((await send("POST", "/v1/customers", { name: "Dan", vatId: "DE1" })).json.vatId).toBe("DE1");

  const required = await draftOf((fields) => Object.assign(named(fields, "vatId"), { constraints: { required: true } }));
  const { changes } = (await send("GET", `${required}/impact`)).json;
  expect(changes).toEqual([expect.objectContaining({ kind: "required", path: "customers.vatId", effect: "stands", violations: 3 })]);
  expect(changes[0].examples).toHaveLength(3);
  expect((await send("POST", `${required}/apply`)).json.notes).toHaveLength(1);

  const renamed = await draftOf((fields) => Object.assign(named(fields, "vatId"), { name: "taxId" }));
  expect((await send("GET", `${renamed}/impact`)).json.changes).toEqual([
    { kind: "renamed", path: "customers.taxId", from: "vatId", to: "taxId", effect: "at once" },
  ]);
  expect((await send("POST", `${renamed}/apply`)).status).toBe(200);
  expect((await send("GET", "/v1/customers?vatId=DE1")).json.customers).toMatchObject([{ name: "Dan", taxId: "DE1" }]);

  const gone = await draftOf((fields, { resources: [resource] }) => {
    if (resource) resource.schema.fields = fields.filter(({ name }) => name !== "taxId");
  });
  expect((await send("GET", `${gone}/impact`)).json.changes).toEqual([{ kind: "retired", path: "customers.taxId", effect: "at once" }]);
  expect((await send("POST", `${gone}/apply`)).status).toBe(200);
  expect(named((await newest()).dataPackage.resources[0]?.schema.fields ?? [], "taxId").retired).toBe(true);
  expect((await send("GET", "/v1/customers?sort=name")).json.customers[0]).not.toHaveProperty("taxId");

  const { versions } = (await send("GET", "/v1/dictionary/versions?limit=3")).json;
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([5, 4, 3]);
  expect(versions[0]).toMatchObject({ by: { type: "key" }, comment: "A change" });
  expect((await send("GET", "/v1/dictionary/versions?before=2")).json.versions).toMatchObject([{ version: 1, by: null }]);
  expect((await send("GET", "/v1/dictionary/versions/99")).status).toBe(404);
  const since = async (version: number, before: number) => send("GET", `/v1/dictionary/versions/${version}?since=${before}`);
  expect((await since(5, 4)).json.changes).toEqual([{ kind: "retired", path: "customers.taxId", effect: "at once" }]);
  expect((await since(5, 5)).json.changes).toEqual([]);
  expect((await since(4, 5)).json.changes).toMatchObject([{ kind: "revived", path: "customers.taxId" }]);
  expect([(await since(5, 99)).status, (await send("GET", "/v1/dictionary/versions/5?since=x")).status]).toEqual([404, 400]);
});

test("a unique field with twins is refused with them, and nothing is changed", async () => {
  const at = await draftOf((fields) => Object.assign(named(fields, "city"), { constraints: { unique: true } }));
  const before = await newest();
  const { changes } = (await send("GET", `${at}/impact`)).json;
  expect(changes).toEqual([expect.objectContaining({ kind: "unique", path: "customers.city", effect: "refused", violations: 3 })]);
  const applied = await send("POST", `${at}/apply`);
  expect([applied.status, applied.json.code]).toEqual([409, "DICTIONARY_REFUSED"]);
  expect(applied.json.errors[0].detail).toContain("customers.city: 3 records");
  expect(await newest()).toEqual(before);
  expect((await send("GET", at)).status).toBe(200);
  expect((await send("DELETE", at)).status).toBe(204);
  expect((await send("DELETE", at)).status).toBe(404);
});

test("a unique field without twins comes at once, and a kind changes while no record has a value", async () => {
  const at = await draftOf((fields) => {
    Object.assign(named(fields, "name"), { constraints: { required: true, unique: true } });
    fields.push({ name: "since", title: "Since", type: "string" });
  });
  const { changes } = (await send("GET", `${at}/impact`)).json;
  expect(
    changes.map(({ kind, effect, violations }: { kind: string; effect: string; violations?: number }) => [kind, effect, violations]),
  ).toEqual([
    ["unique", "at once", 0],
    ["added", "at once", undefined],
  ]);
  expect((await send("POST", `${at}/apply`)).status).toBe(200);
  expect((await send("POST", "/v1/customers", { name: "Ada" })).json.errors[0].code).toBe("UNIQUE");
  const dated = await draftOf((fields) => Object.assign(named(fields, "since"), { type: "date" }));
  expect((await send("GET", `${dated}/impact`)).json.changes).toMatchObject([{ kind: "converted", effect: "at once" }]);
  expect((await send("POST", `${dated}/apply`)).status).toBe(200);
  const made = await send("POST", "/v1/customers", { name: "Eve", since: "2026-01-31" });
  expect([made.status, made.json.since]).toEqual([201, "2026-01-31"]);
  const back = await draftOf((fields) => Object.assign(named(fields, "since"), { type: "string" }));
  expect((await send("GET", `${back}/impact`)).json.changes).toMatchObject([{ kind: "converted", effect: "refused", violations: 1 }]);
  expect((await send("POST", `${back}/apply`)).status).toBe(409);
  await send("DELETE", back);
});

test("a value that goes from a closed list is counted, and stays where it stands", async () => {
  const at = await draftOf((fields) => Object.assign(named(fields, "status"), { constraints: { enum: ["open"] } }));
  const { changes } = (await send("GET", `${at}/impact`)).json;
  expect(changes).toEqual([expect.objectContaining({ kind: "narrowed", effect: "stands", violations: 3 })]);
  expect((await send("POST", `${at}/apply`)).status).toBe(200);
  const [{ objectId }] = (await send("GET", "/v1/customers?sort=objectId")).json.customers;
  expect((await send("PATCH", `/v1/customers/${objectId}`, { city: "Ulm" })).status).toBe(200);
});

test("two values that go are counted together, and apart from what is required now, also under another name", async () => {
  await send("POST", "/v1/customers", { name: "Fay", status: "open" });
  const at = await draftOf((fields) => {
    Object.assign(named(fields, "status"), { constraints: { enum: ["other"], required: true } });
    Object.assign(named(fields, "city"), { name: "town", type: "date" });
  });
  const { changes } = (await send("GET", `${at}/impact`)).json;
  const found = changes.map(({ kind, path, effect, violations }: Record<string, unknown>) => [kind, path, effect, violations]);
  const all = (await send("GET", "/v1/customers?count=exact&status.null=true")).json.total;
  expect(found).toContainEqual(["narrowed", "customers.status", "stands", 4]);
  expect(found).toContainEqual(["required", "customers.status", "stands", all]);
  expect(found).toContainEqual(["converted", "customers.town", "refused", 3]);
  await send("DELETE", at);
});

test("mistakes are refused at their places, before anything is applied", async () => {
  for (const [edit, pointer] of [
    [(fields: Field[]) => Object.assign(named(fields, "city"), { type: "strin" }), "/package/resources/0/schema/fields/2/type"],
    [(fields: Field[]) => Object.assign(named(fields, "city"), { name: "status" }), "/package/resources/0/schema/fields/3/name"],
    [(fields: Field[]) => Object.assign(named(fields, "city"), { id: "0123456789" }), "/package/resources/0/schema/fields/2/id"],
    [(fields: Field[]) => fields.push({ name: "vatId", type: "string" }), "/package/resources/0/schema/fields/6/name"],
    [
      (fields: Field[]) => Object.assign(named(fields, "city"), { constraints: { pattern: "(a+)+b" } }),
      "/package/resources/0/schema/fields/2/constraints/pattern",
    ],
    [(_: Field[], all: DataPackage) => Object.assign(all.resources[0] as object, { name: "clients" }), "/package/resources/0/name"],
  ] as const) {
    const at = await draftOf(edit as Parameters<typeof draftOf>[0]);
    for (const reply of [await send("GET", `${at}/impact`), await send("POST", `${at}/apply`)]) {
      expect([reply.status, reply.json.errors?.[0]?.pointer]).toEqual([422, pointer]);
      expect(reply.json.errors[0].detail.length).toBeGreaterThan(10);
    }
    await send("DELETE", at);
  }
});

test("every kind of mistake is told with the words that a file is refused with", async () => {
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "wrong", package: rightDictionary() });
  let etag = String(draft.headers.etag);
  const at = `/v1/dictionary/drafts/${draft.json.id}`;
  for (const [kind, change, path, message] of WRONG_DICTIONARIES) {
    const changed = await send("PATCH", at, { package: withMistake(change) }, { "if-match": etag });
    etag = String(changed.headers.etag);
    const { status, json } = await send("GET", `${at}/impact`);
    const reported = json.errors?.map((error: Loose) => ({ path: String(error.pointer).replace("/package", ""), message: error.detail }));
    expect({ kind, status, reported }).toEqual({ kind, status: 422, reported: [{ path, message }] });
  }
  await send("DELETE", at, undefined, { "if-match": etag });
});

test("two stewards at once: what does not touch comes together, and the same property is a conflict", async () => {
  const title = (to: string) => (fields: Field[]) => Object.assign(named(fields, "city"), { title: to });
  const [mine, theirs, same] = [
    await draftOf(title("Town")),
    await draftOf((fields) => fields.push({ name: "phone", type: "string" })),
    await draftOf(title("Place")),
  ];
  expect((await send("POST", `${theirs}/apply`)).status).toBe(200);
  expect((await send("POST", `${mine}/apply`)).status).toBe(200);
  const fields = (await newest()).dataPackage.resources[0]?.schema.fields ?? [];
  expect([named(fields, "city").title, named(fields, "phone").type]).toEqual(["Town", "string"]);
  const conflict = await send("POST", `${same}/apply`);
  expect([conflict.status, conflict.json.code, conflict.json.errors.length]).toEqual([409, "DICTIONARY_CONFLICT", 1]);
  const base = (await newest()).version;
  for (const [prefer, city] of [
    ["mine", "Place"],
    ["theirs", "Town"],
  ] as const) {
    const { package: old, base: made, etag } = await send("GET", same).then(({ json, headers }) => ({ ...json, etag: headers.etag }));
    old.resources[0].schema.fields.push({ name: "fax", type: "string" }); // what is new has no id before it is applied
    expect(made).toBeLessThan(base);
    const again = (await send("POST", "/v1/dictionary/drafts", { title: prefer, package: old, base: made })).json.id;
    const path = `/v1/dictionary/drafts/${again}`;
    expect((await send("PATCH", path, { prefer }, { "if-match": etag })).status).toBe(412);
    expect((await send("PATCH", path, { prefer, package: old })).status).toBe(422);
    expect((await send("PATCH", path, { prefer: "both" })).status).toBe(422);
    const brought = await send("PATCH", path, { prefer });
    expect([brought.status, brought.json.base]).toEqual([200, base]);
    expect(named(brought.json.package.resources[0].schema.fields, "city").title).toBe(city);
    expect(named(brought.json.package.resources[0].schema.fields, "phone").type).toBe("string");
    const { changes } = (await send("GET", `${path}/impact`)).json;
    expect(changes.map(({ path, kind }: { path: string; kind: string }) => `${kind} ${path}`)).toEqual(
      prefer === "mine" ? ["text customers.city", "added customers.fax"] : ["added customers.fax"],
    );
    expect((await send("PATCH", path, { prefer })).json.package).toEqual(brought.json.package);
    expect((await send("DELETE", path)).status).toBe(204);
  }
  expect((await newest()).version).toBe(base);
  const both = await Promise.all([await draftOf(title("One")), await draftOf(title("Two"))].map((at) => send("POST", `${at}/apply`)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const added = [
    await draftOf((all) => all.push({ name: "fax", type: "string" })),
    await draftOf((all) => all.push({ name: "web", type: "string" })),
  ];
  for (const at of added) expect((await send("POST", `${at}/apply`)).status).toBe(200); // each has a field that the other does not know
});

test("drafts are changed by those who saw the last state, and only people with the right know of them", async () => {
  const made = await send("POST", "/v1/dictionary/drafts", { title: "Mine" });
  const at = `/v1/dictionary/drafts/${made.json.id}`;
  const changed = await send("PATCH", at, { title: "Ours" }, { "if-match": made.headers.etag });
  expect([changed.status, changed.json.title]).toEqual([200, "Ours"]);
  expect((await send("PATCH", at, { title: "Theirs" }, { "if-match": made.headers.etag })).status).toBe(412);
  expect((await send("POST", `${at}/apply`, undefined, { "if-match": made.headers.etag })).status).toBe(412);
  expect((await send("GET", "/v1/dictionary/drafts")).json).toMatchObject({ isFile: false });
  for (const url of ["/v1/dictionary/drafts", at, `${at}/impact`, "/v1/dictionary/versions", "/v1/dictionary/versions/1"])
    expect((await send("GET", url, undefined, { scope: "write" })).status, url).toBe(403);
  expect((await send("POST", `${at}/apply`, undefined, { scope: "write" })).status).toBe(403);
  expect((await send("GET", at, undefined, { scope: "admin" })).status).toBe(200);
  expect((await send("GET", "/v1/dictionary/schema", undefined, { scope: "write" })).json.title).toBeDefined();
  const byFile = await send("POST", `${at}/apply`, undefined, { app: apps[1] as (typeof apps)[0] });
  expect([byFile.status, byFile.json.detail]).toEqual([409, expect.stringContaining("DICTIONARY")]);
});

test("a start finds the version that was applied last", async () => {
  const { version } = await newest();
  const other = await database
    .open((kept) => {
      expect(kept?.version).toBe(version);
      return { collections: living.served().collections, text: kept?.text ?? "" };
    })
    .catch((error: Error) => error.message); // SQLite's file is held by the service
  if (typeof other !== "string") await other.close();
  else expect(other).toContain("in use");
});

test("a draft may say from which version it was made, and is merged with those since", async () => {
  const { version, dataPackage } = await newest();
  const earlier = structuredClone(dataPackage);
  await send("POST", `${await draftOf((fields) => fields.push({ name: "between", type: "string" }))}/apply`);
  named(earlier.resources[0]?.schema.fields ?? [], "name").title = "Full name";
  const made = await send("POST", "/v1/dictionary/drafts", { title: "Earlier", base: version, package: earlier });
  expect([made.status, made.json.base]).toEqual([201, version]);
  expect((await send("POST", `/v1/dictionary/drafts/${made.json.id}/apply`)).status).toBe(200);
  const { fields } = (await newest()).dataPackage.resources[0]?.schema ?? { fields: [] };
  expect([named(fields, "name").title, named(fields, "between").retired]).toEqual(["Full name", undefined]);
  for (const base of [0, 1e6])
    expect((await send("POST", "/v1/dictionary/drafts", { title: "None", base })).json.errors[0].pointer).toBe("/base");
});

test("with DICTIONARY_APPROVAL another person than the one who changed a draft last applies it", async () => {
  const approving = await createApp({
    ...living.served(),
    store,
    keys: createKeys(store),
    limits: NO_RATE_LIMIT,
    living,
    needsApproval: true,
  });
  apps.push(approving);
  tokens.second = `Bearer ${await createKeys(store).create("dictionary")}`;
  const by = (scope: string) => ({ scope, app: approving });
  const at = await draftOf((fields) => Object.assign(named(fields, "city"), { title: "Town" }));
  const first = await send("POST", `${at}/apply`, undefined, by("write dictionary"));
  expect([first.status, first.json.detail]).toEqual([409, expect.stringContaining("waits for a second person")]);
  const list = (await send("GET", "/v1/dictionary/drafts", undefined, by("second"))).json;
  expect([list.needsApproval, list.drafts[0].isOwn]).toEqual([true, false]);
  // Whoever changes it becomes the one who may not apply it; a comment is no change of it.
  const { package: dataPackage } = (await send("GET", at, undefined, by("second"))).json;
  await send("PATCH", at, { package: dataPackage }, by("second"));
  await send("PATCH", at, { comment: "As agreed" }, by("write dictionary"));
  expect((await send("POST", `${at}/apply`, undefined, by("second"))).status).toBe(409);
  expect((await send("POST", `${at}/apply`, undefined, by("write dictionary"))).status).toBe(200);
  const alone = await send(
    "POST",
    "/v1/dictionary/conversions",
    { field: "customers.city", to: { type: "integer" } },
    by("write dictionary"),
  );
  expect([alone.status, alone.json.detail]).toEqual([409, expect.stringContaining("DICTIONARY_APPROVAL")]);
});

const TRADE = {
  name: "trades",
  title: "Trades",
  schema: {
    fields: [
      { name: "id", title: "ID", type: "integer" },
      { name: "branch", title: "Branch", type: "string" },
      { name: "margin", title: "Margin", type: "number" },
    ],
    primaryKey: ["id"],
  },
};
const withRoles = (roles: readonly object[], added: readonly object[] = []) =>
  draftOf((_, dataPackage) => {
    Object.assign(dataPackage, { roles });
    dataPackage.resources.push(...(added as typeof dataPackage.resources));
  });
const namesOfRoles = async () =>
  (await send("GET", "/v1/roles", undefined, { scope: "admin" })).json.roles.map(({ name }: { name: string }) => name);

test("a package brings roles, which are made once, with it, by whoever may make roles", async () => {
  const trader = {
    name: "Trader",
    scope: "trades:read trades:create",
    conditions: { trades: { read: { where: "branch={me.branch}" }, fields: { hidden: ["margin"] } } },
  };
  const reader = { name: "Trade reader", scope: "trades:read" };
  const at = await withRoles([trader, reader], [TRADE]);
  const asSteward = (await send("GET", `${at}/impact`)).json.roles;
  expect(asSteward).toEqual(
    [trader, reader].map((role) => ({ ...role, outcome: "left out", detail: expect.stringMatching(/administrator/) })),
  );
  const asAdmin = (await send("GET", `${at}/impact`, undefined, { scope: "admin" })).json.roles;
  expect(asAdmin).toEqual([trader, reader].map((role) => ({ ...role, outcome: "made" })));
  expect(await namesOfRoles()).not.toContain("Trader");
  const applied = await send("POST", `${at}/apply`, undefined, { scope: "admin" });
  expect([applied.status, applied.json.roles]).toEqual([200, asAdmin]);
  const all = (await send("GET", "/v1/roles", undefined, { scope: "admin" })).json.roles;
  expect(all).toEqual(expect.arrayContaining([expect.objectContaining(trader), expect.objectContaining(reader)]));
  for (const url of ["/v1/dictionary", `/v1/dictionary/versions/${applied.json.version}`])
    expect(JSON.stringify((await send("GET", url)).json)).not.toMatch(/Trader|"roles"/); // everybody reads it

  // Somebody has changed one of them meanwhile; the same package, once more, leaves it as it is.
  const { id } = all.find(({ name }: { name: string }) => name === "Trader");
  await send("PATCH", `/v1/roles/${id}`, { conditions: null }, { scope: "admin" });
  const again = await withRoles([
    { ...trader, name: "trader" },
    { name: "Тrader", scope: "read" },
  ]);
  const reply = await send("POST", `${again}/apply`, undefined, { scope: "admin" });
  expect(reply.json.roles.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["kept", "left out"]);
  expect((await send("GET", `/v1/roles/${id}`, undefined, { scope: "admin" })).json).not.toHaveProperty("conditions");
});

test("a steward applies the package without its roles, and is told so", async () => {
  const at = await withRoles([{ name: "Clerk of trades", scope: "trades:read" }], [{ ...TRADE, name: "deals", title: "Deals" }]);
  const { status, json } = await send("POST", `${at}/apply`);
  expect([status, json.roles]).toEqual([200, [expect.objectContaining({ name: "Clerk of trades", outcome: "left out" })]]);
  expect(await namesOfRoles()).not.toContain("Clerk of trades");
});

test("two who apply it at once make each role once", async () => {
  const drafts = [await withRoles([{ name: "Twin", scope: "trades:read" }]), await withRoles([{ name: "Twin", scope: "deals:read" }])];
  const applied = await Promise.all(drafts.map((at) => send("POST", `${at}/apply`, undefined, { scope: "admin" })));
  expect(applied.map(({ json }) => json.roles[0].outcome).sort()).toEqual(["kept", "made"]);
  expect((await namesOfRoles()).filter((name: string) => name === "Twin")).toHaveLength(1);
});

test("a role that the dictionary does not allow is refused at its place, and nothing is applied", async () => {
  const before = await newest();
  const roles = [
    { name: "Buyer", scope: "trades:read", conditions: { trades: { fields: { hidden: ["marjin"] } } } },
    { name: "Seller", scope: "trading:read" },
    { name: "", scope: "read" },
    { name: "Buyer", scope: "read" },
  ];
  const at = await withRoles(roles);
  const reply = await send("POST", `${at}/apply`, undefined, { scope: "admin" });
  expect([reply.status, reply.json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ["/package/roles/0/conditions", "/package/roles/1/scope", "/package/roles/2/name"],
  ]);
  expect(reply.json.errors[0].detail).toContain('did you mean "margin"?');
  expect((await send("GET", `${await withRoles([roles[3], roles[3]] as object[])}/impact`)).json.errors[0].pointer).toBe(
    "/package/roles/1/name",
  );
  expect((await send("GET", `${await withRoles([{ nmae: "x" }])}/impact`)).json.errors[0].pointer).toMatch(/^\/package\/roles\/0/);
  expect(await newest()).toEqual(before);
});
