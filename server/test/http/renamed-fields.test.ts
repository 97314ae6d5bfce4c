// A field gets another name, and is retired and brought back, while records and their history stay as they are.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createLivingDictionary, type LivingDictionary } from "../../access/living-dictionary.ts";
import { createApp } from "../../app.ts";
import { nextVersion } from "../../dictionary/start-dictionary.ts";
import type { Store } from "../../engine/store.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { NO_RATE_LIMIT } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const PACKAGE = {
  title: "Members",
  resources: [
    {
      name: "teams",
      title: "Teams",
      label: ["title"],
      schema: {
        fields: [
          { name: "teamId", title: "Team ID", type: "integer" },
          { name: "title", title: "Title", type: "string", constraints: { required: true, unique: true } },
        ],
        primaryKey: ["teamId"],
      },
    },
    {
      name: "members",
      title: "Members",
      label: ["name"],
      schema: {
        fields: [
          { name: "memberId", title: "Member ID", type: "integer" },
          { name: "name", title: "Name", type: "string", constraints: { required: true } },
          { name: "phone", title: "Phone", type: "string", constraints: { unique: true } },
          { name: "fax", title: "Fax", type: "string" },
          { name: "teamId", title: "Team", type: "integer" },
        ],
        primaryKey: ["memberId"],
        foreignKeys: [{ fields: ["teamId"], as: "team", reference: { resource: "teams", fields: ["teamId"] } }],
      },
    },
  ],
};

let database: TestDatabase;
let store: Store;
let living: LivingDictionary;
let app: Awaited<ReturnType<typeof createApp>>;
let authorization: string;

const atOnce = (place: string) => place;

/** Applies the dictionary that is served, changed. */
async function change(edit: (dataPackage: typeof PACKAGE) => unknown): Promise<void> {
  const { dataPackage, version } = living.served();
  const draft = structuredClone(dataPackage) as typeof PACKAGE;
  const edited = edit(draft) ?? draft;
  const file = { dataPackage: edited, placeOf: atOnce };
  const next = nextVersion(file, { version, text: JSON.stringify(dataPackage) });
  await living.apply(next.dataPackage, next.collections);
}

function fieldsOf(dataPackage: typeof PACKAGE, name: string): Record<string, unknown>[] {
  const resource = dataPackage.resources.find((one) => one.name === name);
  return (resource?.schema.fields ?? []) as Record<string, unknown>[];
}

async function rename(collection: string, from: string, to: string): Promise<void> {
  await change((dataPackage) => {
    for (const field of fieldsOf(dataPackage, collection)) if (field.name === from) field.name = to;
  });
}

async function send(method: string, url: string, body?: object, more: Record<string, string> = {}) {
  const reply = await app.inject({
    method: method as "GET",
    url,
    headers: {
      authorization,
      ...more,
      ...(body && { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" }),
    },
    ...(body && { payload: JSON.stringify(body) }),
  });
  return { status: reply.statusCode, headers: reply.headers, json: reply.payload === "" ? undefined : JSON.parse(reply.payload) };
}

beforeAll(async () => {
  database = await createTestDatabase();
  const file = { dataPackage: PACKAGE, placeOf: atOnce };
  let first = nextVersion(file, undefined);
  store = await database.open((kept) => {
    first = nextVersion(file, kept);
    return { collections: first.collections, text: JSON.stringify(first.dataPackage) };
  });
  living = createLivingDictionary({ ...first, store }, () => undefined);
  app = await createApp({ ...first, store, keys: createKeys(store), limits: NO_RATE_LIMIT, living });
  authorization = `Bearer ${await createKeys(store).create("admin")}`;
});
afterAll(async () => {
  await app.close();
  await store.close();
  await database.drop();
});

test("a new name changes no value: records, filters, sorts, search, unique, references, history, restore and undo follow", async () => {
  const team = (await send("POST", "/v1/teams", { title: "North" })).json.teamId;
  const ada = (await send("POST", "/v1/members", { name: "Ada", phone: "0228 1", fax: "0228 9", teamId: team })).json.memberId;
  expect((await send("PATCH", `/v1/members/${ada}`, { phone: "0228 2" })).status).toBe(200);
  for (const [before, now] of [
    ["phone", "mobile"],
    ["mobile", "cell"],
  ] as const) {
    await rename("members", before, now);
    const { json } = await send("GET", `/v1/members/${ada}`);
    expect(json[now]).toBe("0228 2");
    expect(json).not.toHaveProperty(before);
    const found = async (query: string) =>
      (await send("GET", `/v1/members?${query}`)).json.members.map(({ name }: { name: string }) => name);
    expect(await found(`${now}=0228 2`)).toEqual(["Ada"]);
    expect(await found(`sort=-${now}`)).toEqual(["Ada"]);
    expect(await found("q=0228")).toEqual(["Ada"]);
    expect((await send("POST", "/v1/members", { name: "Twin", [now]: "0228 2" })).json.errors[0]).toMatchObject({
      code: "UNIQUE",
      pointer: `/${now}`,
    });
    const { history } = (await send("GET", `/v1/members/${ada}/history`)).json;
    expect(history.map(({ changes }: { changes: object }) => changes)[0]).toEqual({ [now]: ["0228 1", "0228 2"] });
  }
  await rename("teams", "teamId", "teamNo");
  await rename("members", "teamId", "teamNumber");
  expect((await send("GET", "/v1/members?team.title=North&expand=team")).json.members[0].team).toMatchObject({
    teamNo: team,
    title: "North",
  });
  expect((await send("GET", "/v1/members?sort=teamNumber,-name")).status).toBe(200);
  expect((await send("DELETE", `/v1/teams/${team}`)).json.errors[0].code).toBe("IN_USE");
  expect((await send("POST", "/v1/members", { name: "Ben", "team.title": "North" })).json.teamNumber).toBe(team);
  const restored = await send("POST", `/v1/members/${ada}/restore`, { version: 1 });
  expect([restored.status, restored.json.cell]).toEqual([200, "0228 1"]);
  expect((await send("DELETE", `/v1/members/${ada}`)).status).toBe(204);
  await rename("members", "cell", "telephone");
  const deleted = (await send("GET", "/v1/members?deleted=true")).json;
  expect(JSON.stringify(deleted)).toContain('"telephone":"0228 1"');
  const version = (await send("GET", `/v1/members/${ada}/history`)).json.history[1].version;
  const back = await send("POST", `/v1/members/${ada}/restore`, { version });
  expect([back.status, back.json.telephone, back.json.fax]).toEqual([201, "0228 1", "0228 9"]);
});

test("former names go on working in bodies, filters, sorts and columns, and the answer says so", async () => {
  await rename("members", "fax", "telefax");
  const renamedBy = living.served().version;
  const made = await send("POST", "/v1/members", { members: [{ name: "Eve", fax: "12" }] });
  expect([made.status, made.json.members[0].telefax, made.headers["intake-renamed"]]).toEqual([201, "12", "fax=telefax"]);
  const at = `/v1/members/${made.json.members[0].memberId}`;
  const patched = await send("PATCH", at, { fax: "13", telephone: "7" });
  expect([patched.status, patched.json.telefax, patched.headers["intake-renamed"]]).toEqual([200, "13", "fax=telefax"]);
  const found = await send("GET", "/v1/members?fax[gte]=13&sort=-fax&fields=name,fax&teamId.null=true");
  expect(found.json).toMatchObject({ members: [{ name: "Eve", telefax: "13" }] });
  expect(found.headers["intake-renamed"]).toContain("fax=telefax");
  const summary = await send("GET", "/v1/members/summary?group=fax&measure=distinct:fax&sort=-distinct:fax");
  expect([summary.json.total, summary.headers["intake-renamed"]]).toEqual([{ "distinct:telefax": expect.any(Number) }, "fax=telefax"]);
  expect((await send("PATCH", at, { fax: "1", telefax: "2" })).json.errors[0].code).toBe("UNKNOWN_FIELD");
  expect((await send("GET", at)).headers["intake-renamed"]).toBeUndefined();
  const versions = await store.versions.listVersions(living.served().version + 1, 100);
  const since = `@${Math.floor((versions.find(({ version }) => version === renamedBy)?.at ?? 0) / 1_000)}`;
  await change((dataPackage) => {
    for (const field of fieldsOf(dataPackage, "members")) if (field.name === "name") field.description = "As people call them";
  });
  const later = await send("GET", "/v1/members?fax=13");
  for (const answer of [made, patched, summary, later]) expect(answer.headers.deprecation).toBe(since);
  expect((await send("GET", at)).headers.deprecation).toBeUndefined();
  expect((await send("GET", at)).headers["dictionary-version"]).toBe(String(living.served().version));
  await rename("members", "telefax", "fax");
  expect((await send("GET", at)).json.fax).toBe("13");
});

test("a parent's unique field stands for the reference under its former name, too", async () => {
  const team = (await send("POST", "/v1/teams", { title: "South" })).json;
  await rename("teams", "title", "heading");
  const made = await send("POST", "/v1/members", [{ name: "Mia", "team.title": "South" }]);
  expect([made.status, made.json.members?.[0].teamNumber]).toEqual([201, team.teamNo]);
  expect(made.headers["intake-renamed"]).toContain("team.title=team.heading");
  await rename("teams", "heading", "title");
});

test("a view that was saved before knows its fields by their names of today", async () => {
  const view = {
    collection: "members",
    name: "By fax",
    isShared: true,
    search: { "fax[gte]": "1", sort: "-fax,name", columns: "name,fax" },
  };
  const { id } = (await send("POST", "/v1/views", view)).json;
  await rename("members", "fax", "telefax");
  for (const one of [(await send("GET", `/v1/views/${id}`)).json, (await send("GET", "/v1/views")).json.views[0]])
    expect(one.search).toEqual({ "telefax[gte]": "1", sort: "-telefax,name", columns: "name,telefax" });
  await rename("members", "telefax", "fax");
});

test("nobody learns the name of a retired field by one that it had before", async () => {
  await rename("members", "fax", "telefax");
  await change((dataPackage) => {
    for (const field of fieldsOf(dataPackage, "members")) if (field.name === "telefax") field.retired = true;
  });
  const { memberId } = (await send("POST", "/v1/members", { name: "Gus" })).json;
  for (const reply of [
    await send("GET", "/v1/members?fax=1"),
    await send("GET", "/v1/members?sort=fax"),
    await send("PATCH", `/v1/members/${memberId}`, { fax: "1" }),
    await send("POST", "/v1/members?onError=continue", [{ name: "Hal", fax: "1" }, { name: "Ian" }]),
  ]) {
    expect(reply.status).not.toBe(500);
    expect(JSON.stringify([reply.json, reply.headers])).not.toContain("telefax");
  }
  await change((dataPackage) => {
    for (const field of fieldsOf(dataPackage, "members")) if (field.name === "telefax") delete field.retired;
  });
  await rename("members", "telefax", "fax");
});

test("an answer that is given again has no values of a field that had another name and is hidden since", async () => {
  const made = (await send("POST", "/v1/members", { name: "Jan", fax: "planted-first" })).json;
  const one = () => send("PATCH", `/v1/members/${made.memberId}`, { name: "Jane" }, { "idempotency-key": "hidden-one" });
  const many = () =>
    send("POST", "/v1/members?onError=continue&onConflict=update", [{ memberId: made.memberId, fax: "planted-second" }], {
      "idempotency-key": "hidden-many",
    });
  expect(JSON.stringify((await one()).json)).toContain("planted-first");
  expect(JSON.stringify((await many()).json)).toContain("planted-second");
  await rename("members", "fax", "telefax");
  expect(JSON.stringify((await one()).json)).toContain("planted-first");
  await change((dataPackage) => {
    for (const field of fieldsOf(dataPackage, "members")) if (field.name === "telefax") field.retired = true;
  });
  for (const again of [await one(), await many()]) {
    expect([200, 207]).toContain(again.status);
    expect(JSON.stringify(again.json)).not.toContain("planted");
    expect(JSON.stringify(again.json)).toContain(String(made.memberId));
  }
  await change((dataPackage) => {
    for (const field of fieldsOf(dataPackage, "members")) if (field.name === "telefax") delete field.retired;
  });
  await rename("members", "telefax", "fax");
});

test("an erasure finds answers that were stored under former names of the fields and of the key", async () => {
  const again = () => send("POST", "/v1/members", { name: "Erased Ely", fax: "planted-answer" }, { "idempotency-key": "erase-me" });
  const made = (await again()).json;
  await rename("members", "name", "fullName");
  await rename("members", "memberId", "memberNo");
  expect((await send("POST", `/v1/members/${made.memberId}/erasure`)).status).toBe(200);
  const replayed = JSON.stringify((await again()).json);
  expect(replayed).toContain(String(made.memberId));
  expect(replayed).not.toContain("Ely");
  expect(replayed).not.toContain("planted-answer");
  await rename("members", "memberNo", "memberId");
  await rename("members", "fullName", "name");
});

test("a field that is retired is hidden everywhere, keeps its values through changes, deletions and restores, and comes back", async () => {
  const made = (await send("POST", "/v1/members", { name: "Cleo", fax: "planted-fax" })).json;
  const at = `/v1/members/${made.memberId}`;
  await change((dataPackage) => {
    for (const field of fieldsOf(dataPackage, "members")) if (field.name === "fax") field.retired = true;
  });
  const places = [
    at,
    "/v1/members",
    `${at}/history`,
    "/v1/changes?include=record,changes",
    "/v1/activity",
    "/v1/dictionary",
    "/v1/openapi.json",
    "/v1/members/template",
  ];
  for (const place of places) {
    const reply = await app.inject({ url: place, headers: { authorization } });
    expect(reply.payload, place).not.toContain("planted-fax");
    if (!place.includes("changes")) expect(reply.payload, place).not.toMatch(/"fax"|fax,/);
  }
  const copy = (await send("GET", `${at}/copy`)).json; // whoever asks what is stored about them is told of this, too
  expect([copy.record.fax, JSON.stringify(copy.history)]).toEqual(["planted-fax", expect.stringContaining("planted-fax")]);
  expect((await send("GET", "/v1/members?fax=planted-fax")).status).toBe(400);
  expect((await send("PATCH", at, { fax: "x" })).json.errors[0].code).toBe("UNKNOWN_FIELD");
  const put = await send("PUT", at, { name: "Cleo P" });
  expect(put.status).toBe(200);
  expect((await send("DELETE", at)).status).toBe(204);
  const { history } = (await send("GET", `${at}/history`)).json;
  expect((await send("POST", `${at}/restore`, { version: history[1].version })).status).toBe(201);
  await change((dataPackage) => {
    for (const field of fieldsOf(dataPackage, "members")) if (field.name === "fax") delete field.retired;
  });
  expect((await send("GET", at)).json.fax).toBe("planted-fax");
});

test("a collection that is retired is not there, keeps its records, and comes back with them", async () => {
  const { total } = (await send("GET", "/v1/teams?count=exact")).json;
  const team = (await send("POST", "/v1/teams", { title: "planted-team" })).json;
  await change((dataPackage) => ({ ...dataPackage, resources: dataPackage.resources.filter(({ name }) => name !== "teams") }));
  expect((await send("GET", "/v1/teams")).status).toBe(404);
  expect((await send("GET", `/v1/teams/${team.teamNo}/copy`)).json.record).toMatchObject({ title: "planted-team" });
  expect((await send("POST", `/v1/teams/${team.teamNo}/erasure`)).status).toBe(200);
  expect((await send("GET", `/v1/teams/${team.teamNo}/copy`)).json).toMatchObject({ record: null, history: [{ operation: "erased" }] });
  expect((await send("GET", "/v1/members?expand=team")).status).toBe(400);
  expect((await send("GET", "/v1/dictionary")).json.resources.map(({ name }: { name: string }) => name)).toEqual(["members"]);
  await change((dataPackage) => {
    for (const resource of dataPackage.resources) if (resource.name === "teams") delete (resource as { retired?: boolean }).retired;
  });
  expect((await send("GET", "/v1/teams?count=exact")).json.total).toBe(total);
});
