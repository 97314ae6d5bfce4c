// Fields with several values: what is stored and found, and what rights, history and undo make of it.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

const GROUPS = [
  { value: "board", label: "Board", translations: { de: { label: "Vorstand" } } },
  { value: "youth", label: "Youth" },
  "choir",
];
const PACKAGE = {
  title: "Club",
  resources: [
    {
      name: "members",
      title: "Members",
      label: ["name"],
      rules: [{ name: "notBoth", must: '!("board" in groups && "youth" in groups)', message: "Nobody is in both." }],
      schema: {
        fields: [
          { name: "id", title: "ID", type: "integer" },
          { name: "name", title: "Name", type: "string" },
          { name: "groups", title: "Groups", type: "list", categories: GROUPS, constraints: { maxLength: 2 } },
          { name: "tags", title: "Tags", type: "list", delimiter: ";", aliases: ["labels"] },
          { name: "sizes", title: "Sizes", type: "list", itemType: "number", default: "[1.5, 2]" },
        ],
        primaryKey: ["id"],
      },
    },
  ],
};

let service: TestService;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.call(method, `/v1/members${path}`, body, headers);
const ids = async (query: string) => (await call("GET", `?sort=id&${query}`)).json.members?.map(({ id }: { id: number }) => id);

let names = 0;
async function personWith(conditions: object, more: object = {}) {
  const role = await service.call("POST", "/v1/roles", {
    name: `Role ${"abcdefghij"[names++]}`,
    scope: "members:read members:update",
    conditions: { members: conditions },
  });
  expect(role.status).toBe(201);
  const { token, id } = await service.newPerson(role.json.id);
  if (Object.keys(more).length > 0) expect((await service.call("PATCH", `/v1/users/${id}`, more)).status).toBe(200);
  return async (method: string, path: string, body?: unknown) => {
    const reply = await service.app.inject({
      method: method as "GET",
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return { status: reply.statusCode, text: reply.payload, json: JSON.parse(reply.payload) };
  };
}

describe("records with several values", () => {
  beforeAll(async () => {
    const members = [
      { id: 1, name: "Ada", groups: ["board", "choir"], tags: ["a", 'a","b'], sizes: [1, 2.5] },
      { id: 2, name: "Bo", groups: ["choir"], tags: ["A", "b"], sizes: null },
      { id: 3, name: "Cy", groups: [], tags: ["Größe; 50 %"] },
      { id: 4, name: "Di" },
    ];
    expect((await call("POST", "", members)).status).toBe(201);
  });

  test("come back in their order; an empty list is no value, and a default may be one", async () => {
    expect((await call("GET", "/1")).json).toMatchObject({ groups: ["board", "choir"], tags: ["a", 'a","b'], sizes: [1, 2.5] });
    expect((await call("GET", "/3")).json).toMatchObject({ groups: null, tags: ["Größe; 50 %"], sizes: [1.5, 2] });
    expect((await call("GET", "/4")).json).toMatchObject({ groups: null, tags: null });
  });

  test.each([
    ["groups[has]=choir", [1, 2]],
    ["groups[has]=Vorstand", [1]],
    ["groups[hasAll]=board,choir", [1]],
    ["groups[hasAny]=board,youth", [1]],
    ["tags[has]=a", [1]],
    ["tags[has]=b", [2]],
    [`tags[has]=${encodeURIComponent('a","b')}`, [1]],
    [`tags[hasAny]=${encodeURIComponent('"Größe; 50 %",A')}`, [2, 3]],
    ["sizes[has]=2.5", [1]],
    ["sizes[hasAny]=2.50,1.5", [1, 3, 4]],
    ["groups[null]=true", [3, 4]],
    ["q=vorstand", [1]],
    ["q=grosse", [3]],
    ["q=choir%20bo", [1, 2]], // Ada is on the board,
  ])("the list %s has the members %j", async (query, wanted) => {
    expect(await ids(query)).toEqual(wanted);
  });

  test("neither sort nor are compared as one, and the answer says what there is", async () => {
    expect((await call("GET", "?sort=groups")).status).toBe(400);
    for (const filter of ["groups=choir", "groups[in]=choir", "groups[prefix]=c", "sizes[has]=x", "groups[hasAny]="])
      expect([filter, (await call("GET", `?${filter}`)).status]).toEqual([filter, 400]);
  });

  test("are one cell of an export, with the field's delimiter, which a file gives back", async () => {
    const csv = await call("GET", "?fields=groups,tags,sizes&sort=id", undefined, { accept: "text/csv" });
    expect(csv.text.split("\r\n").slice(0, 3)).toEqual(["\uFEFFgroups,tags,sizes", '"board,choir","a;a"",""b","1,2.5"', 'choir,"A;b",']);
  });

  test("are as they were after a change, a deletion and an undo, and the history has both", async () => {
    const { json: made } = await call("POST", "", { name: "Ed", tags: ["x", "y"] });
    const same = await call("PATCH", `/${made.id}`, { tags: ["x", "y"] });
    expect(same.json.version).toBe(1);
    const run = { "intake-source": "form; run=lists-1" };
    expect((await call("PATCH", `/${made.id}`, { tags: ["y", "x"] }, run)).json.version).toBe(2);
    const { json } = await call("GET", `/${made.id}/history`);
    expect(json.history[0].changes).toEqual({
      tags: [
        ["x", "y"],
        ["y", "x"],
      ],
    });
    expect((await call("POST", "/undo", { run: "lists-1" })).status).toBe(200);
    expect((await call("GET", `/${made.id}`)).json.tags).toEqual(["x", "y"]);
    expect((await call("DELETE", `/${made.id}`)).status).toBe(204);
    const [gone] = (await call("GET", `/${made.id}/history`)).json.history;
    expect(gone.changes).toMatchObject({ tags: [["x", "y"], null], sizes: [[1.5, 2], null] });
    const restored = await call("POST", `/${made.id}/restore`, { version: 3 });
    expect([restored.status, restored.json.tags, restored.json.sizes]).toEqual([201, ["x", "y"], [1.5, 2]]);
    expect((await service.call("DELETE", `/v1/members/${made.id}`)).status).toBe(204);
  });

  test("are asked by rules", async () => {
    expect((await call("POST", "", { groups: ["youth", "board"] })).json.errors[0]).toMatchObject({ code: "RULE", rule: "notBoth" });
  });

  test("choose the records of a right, by an attribute as well, and are masked as one", async () => {
    const choir = await personWith(
      { read: { where: "groups[has]=choir" }, update: { where: "tags[hasAny]={me.tags}" } },
      { attributes: { tags: ["b"] } },
    );
    const seen = (await choir("GET", "/members?sort=id")).json.members;
    expect(seen.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
    expect((await choir("PATCH", "/members/2", { name: "Bob" })).status).toBe(200);
    expect((await choir("PATCH", "/members/1", { name: "Adam" })).status).toBe(403);
    expect((await choir("PATCH", "/members/2", { groups: ["youth"] })).status).toBe(403); // they would not see it any more
    const masked = await personWith({ fields: { masked: ["groups"], hidden: ["tags"] } });
    const one = await masked("GET", "/members/1");
    expect([typeof one.json.groups, one.text.includes("board"), one.text.includes("choir"), "tags" in one.json]).toEqual([
      "string",
      false,
      false,
      false,
    ]);
    await call("PATCH", "/1", { groups: ["choir", "youth"] });
    const { json } = await masked("GET", "/members/1/history");
    expect(json.history[0].changes.groups.map((value: unknown) => typeof value)).toEqual(["string", "string"]);
    expect((await masked("GET", "/members?groups[has]=choir")).status).toBe(400);
  });

  test("count in the quality of data, and the document says what they are", async () => {
    const { json } = await service.call("GET", "/v1/openapi.json");
    const { schemas } = json.components;
    expect(schemas.MemberRules.properties.groups).toMatchObject({ type: ["array", "null"], maxItems: 2, uniqueItems: true });
    expect(schemas.MemberRules.properties.groups.items.enum).toEqual(["board", "youth", "choir"]);
    expect(schemas.MemberValues.properties.sizes).toMatchObject({ type: ["array", "null"], items: { type: "number" } });
    expect((await call("GET", "/violations")).json).toEqual({ rules: [], complete: true });
  });
});
