// A field that is unique whatever the case of its letters, switched on and off over stored values.

import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
const field = (constraints: object) => ({ name: "mail", title: "Mail", type: "string", constraints });
const packageWith = (constraints: object) => ({
  title: "Members",
  resources: [
    {
      name: "members",
      singular: "member",
      title: "Members",
      label: ["name"],
      schema: {
        fields: [{ name: "id", title: "ID", type: "integer" }, { name: "name", title: "Name", type: "string" }, field(constraints)],
        primaryKey: ["id"],
      },
    },
    {
      name: "visits",
      singular: "visit",
      title: "Visits",
      label: ["id"],
      schema: {
        fields: [
          { name: "id", title: "ID", type: "integer" },
          { name: "memberId", title: "Member", type: "integer" },
        ],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["memberId"], reference: { resource: "members", fields: ["id"] }, as: "member" }],
      },
    },
  ],
});

beforeAll(async () => {
  service = await openTestService(packageWith({}));
});
afterAll(() => service.close());

const send: TestService["call"] = (...given) => service.call(...given);

/** Makes a draft with these constraints, and returns its changes of the field and what applying it answers. */
async function become(constraints: object) {
  const now = (await send("GET", "/v1/dictionary")).json;
  const resources = now.resources.map((resource: { name: string; schema: { fields: { name: string }[] } }) => ({
    ...resource,
    schema: { ...resource.schema, fields: resource.schema.fields.map((one) => (one.name === "mail" ? { ...one, constraints } : one)) },
  }));
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "case", comment: "", package: { ...now, resources } });
  const { changes } = (await send("GET", `/v1/dictionary/drafts/${draft.json.id}/impact`)).json;
  const applied = await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, { "if-match": String(draft.headers.etag) });
  if (applied.status !== 200) await send("DELETE", `/v1/dictionary/drafts/${draft.json.id}`);
  return { changes: changes.filter(({ path }: { path: string }) => path === "members.mail"), status: applied.status };
}

const add = (id: number, mail: string | null) => send("POST", "/v1/members", { id, name: `Member ${id}`, mail });

test("it is refused while values differ in their case alone, with the pairs, and holds once they do not", async () => {
  const texts = ["Ben@x.org", "ben@x.org", "Straße", "STRASSE", "Ö", "ö", "alone", "Ä", null, null];
  for (const [i, text] of texts.entries()) expect((await add(i + 1, text)).status).toBe(201);
  const { changes, status } = await become({ unique: true, caseless: true });
  expect(status).toBe(409);
  expect(changes).toMatchObject([
    {
      kind: "unique",
      effect: "refused",
      violations: 6,
      detail: "6 records share their values with others, whatever the case, but the field is unique now: 1 and 2, 4 and 3, 5 and 6",
    },
  ]);
  expect(await become({ unique: true })).toMatchObject({ status: 200 });
  expect(await become({ unique: true, caseless: true })).toMatchObject({ status: 409, changes: [{ kind: "unique", violations: 6 }] });
  for (const id of [2, 4, 6]) expect((await send("DELETE", `/v1/members/${id}`)).status).toBe(204);
  expect(await become({ unique: true, caseless: true })).toMatchObject({
    status: 200,
    changes: [{ kind: "unique", effect: "at once", violations: 0 }],
  });
  for (const mail of ["BEN@X.ORG", "strasse", "STRAẞE", "ö", "ä", "ALONE"]) {
    const reply = await add(50, mail);
    expect([mail, reply.status, reply.json.errors?.[0]?.code]).toEqual([mail, 422, "UNIQUE"]);
  }
  expect((await send("PATCH", "/v1/members/1", { mail: "BEN@x.org" }, { "if-match": "*" })).status).toBe(200);
});

test("filters, matchBy and references by the value find the record in any case", async () => {
  const keysOf = async (query: string) =>
    (await send("GET", `/v1/members?${query}`)).json.members.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
  expect(await keysOf("mail=ben%40X.org")).toEqual([1]);
  expect(await keysOf("mail[in]=STRASSE,%C3%A4")).toEqual([3, 8]);
  expect(await keysOf("mail[ne]=STRASSE&id[lte]=5")).toEqual([1, 5]);
  const batch = await send("POST", "/v1/members?matchBy=mail&onConflict=update", { members: [{ mail: "STRASSE", name: "Renamed" }] });
  expect(batch.json.members).toMatchObject([{ id: 3 }]);
  expect((await send("GET", "/v1/members/3")).json).toMatchObject({ name: "Renamed", mail: "STRASSE" });
  const visit = await send("POST", "/v1/visits", { "member.mail": "straße" });
  expect([visit.status, visit.json.memberId]).toEqual([201, 3]);
});

test("a role that chooses records by the value chooses them in any case, in lists and by number", async () => {
  const role = await send("POST", "/v1/roles", {
    name: "Street",
    scope: "members:read",
    conditions: { members: { read: { where: "mail=straße" } } },
  });
  const { token } = await service.newPerson(role.json.id);
  const get = async (path: string) => {
    const reply = await service.app.inject({ url: `/v1${path}`, headers: { authorization: `Bearer ${token}` } });
    return { status: reply.statusCode, json: JSON.parse(reply.payload) };
  };
  expect((await get("/members")).json.members).toMatchObject([{ id: 3 }]);
  expect([(await get("/members/3")).status, (await get("/members/1")).status]).toEqual([200, 404]);
});

test("it is switched off, stored otherwise, and switched on again", async () => {
  expect(await become({ unique: true })).toMatchObject({ status: 200, changes: [{ kind: "loosened" }] });
  expect((await add(60, "straße")).status).toBe(201);
  expect((await become({ unique: true, caseless: true })).status).toBe(409);
  expect((await send("PATCH", "/v1/members/60", { mail: "weg" }, { "if-match": "*" })).status).toBe(200);
  expect((await become({ unique: true, caseless: true })).status).toBe(200);
  expect((await add(61, "WEG")).status).toBe(422);
  expect((await become({})).status).toBe(200);
  expect((await add(61, "WEG")).status).toBe(201);
  expect((await add(62, "WEG")).status).toBe(201);
});
