// A draft says before it is applied what names the fields and collections that it changes.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { DictionaryUse } from "../../../core/contract/dictionary.ts";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const key = (name: string) => ({ name, type: "integer" });
const PACKAGE = {
  resources: [
    {
      name: "teams",
      schema: {
        fields: [key("teamId"), { name: "title", type: "string", constraints: { unique: true } }, { name: "title_2", type: "string" }],
        primaryKey: ["teamId"],
      },
    },
    {
      name: "members",
      schema: {
        fields: [key("memberId"), { name: "phone", type: "string" }, { name: "city", type: "string" }, key("teamId")],
        primaryKey: ["memberId"],
        foreignKeys: [{ fields: ["teamId"], as: "team", reference: { resource: "teams", fields: ["teamId"] } }],
      },
    },
  ],
};

let service: LivingService;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
  const made = async (name: string, path: string, body: object) => {
    const { status, json } = await service.send("POST", `/v1/${path}`, body, { as: "admin" });
    expect([name, status, json], JSON.stringify(json)).toEqual([name, 201, expect.anything()]);
    ids[name] = json.id;
  };
  const view = { collection: "members", isShared: true };
  await made("sorted", "views", { ...view, name: "Sorted", search: { sort: "-phone" } });
  await made("own", "views", { ...view, name: "My secret plan", isShared: false, search: { "phone[prefix]": "+49" } });
  await made("parent", "views", { ...view, name: "By team", search: { "team.title": "Red", q: "city" } });
  const content = { form: 1, mode: "upsert", choices: {}, columns: ["phone", "team.title", null], autoFixes: [], leftOutGroups: [] };
  await made("recipe", "recipes", { collection: "members", name: "Phones", headings: ["Tel", "Team", "city"], content });
  const layout = { form: 1, mode: "upsert", layout: { fields: [{ name: "city", start: 1, length: 9 }] } };
  await made("layout", "recipes", { collection: "members", name: "Old system", headings: ["A"], content: layout });
  await made("role", "roles", {
    name: "Branch",
    scope: "members:read",
    conditions: { members: { read: { where: "city=Bonn" }, fields: { hidden: ["phone"] } } },
  });
  const hook = { url: "https://hooks.example.org/in?secret=abc", collections: ["members"], operations: ["updated"] };
  await made("webhook", "webhooks", { ...hook, fields: ["city"] });
  await made("key", "keys", { name: "ERP", scope: "teams:read members:read" });
});
afterAll(() => service.close());

interface Field {
  name: string;
  retired?: boolean;
}
interface Resource extends Field {
  schema: { fields: Field[]; foreignKeys?: object[] };
}

async function usesAfter(edit: (resource: Resource) => void): Promise<[string, readonly DictionaryUse[] | undefined][]> {
  const made = (await service.send("POST", "/v1/dictionary/drafts", { title: "A change" })).json;
  for (const resource of made.package.resources) edit(resource);
  const at = `/v1/dictionary/drafts/${made.id}`;
  expect((await service.send("PATCH", at, { package: made.package })).status).toBe(200);
  const { status, json } = await service.send("GET", `${at}/impact`);
  expect([status, json], JSON.stringify(json)).toEqual([200, expect.anything()]);
  return json.changes.map(({ kind, path, uses }: { kind: string; path: string; uses?: DictionaryUse[] }) => [`${kind} ${path}`, uses]);
}
const editField = (name: string, edit: (field: Field) => void) => (resource: Resource) => {
  for (const field of resource.schema.fields) if (field.name === name) edit(field);
};

test("a field that goes or gets another name is named with its views, recipes, layouts, roles and webhooks", async () => {
  const retired = editField("phone", (field) => Object.assign(field, { retired: true }));
  expect(await usesAfter(retired)).toEqual([
    [
      "retired members.phone",
      [
        { type: "view", id: ids.sorted, name: "Sorted" },
        { type: "view", id: ids.own, name: "" }, // somebody's own
        { type: "recipe", id: ids.recipe, name: "Phones" },
        { type: "role", id: ids.role, name: "Branch" },
      ],
    ],
  ]);
  const renamed = editField("city", (field) => Object.assign(field, { name: "town" }));
  expect(await usesAfter(renamed)).toEqual([
    [
      "renamed members.town",
      [
        { type: "layout", id: ids.layout, name: "Old system" },
        { type: "role", id: ids.role, name: "Branch" },
        { type: "webhook", id: ids.webhook, name: "hooks.example.org" },
      ],
    ],
  ]);
});

test("a field of a parent is found in what goes through the parent, and one with a name that begins alike is not", async () => {
  const ofParent = [
    { type: "view", id: ids.parent, name: "By team" },
    { type: "recipe", id: ids.recipe, name: "Phones" },
  ];
  const renamed = editField("title", (field) => Object.assign(field, { name: "heading" }));
  expect(await usesAfter(renamed)).toEqual([["renamed teams.heading", ofParent]]);
  expect(await usesAfter(editField("title_2", (field) => Object.assign(field, { retired: true })))).toEqual([
    ["retired teams.title_2", undefined],
  ]);
});

test("a collection that goes is named with the keys and roles that are about it, and not with those about everything", async () => {
  await service.send("POST", "/v1/keys", { name: "Everything", scope: "read" }, { as: "admin" });
  const [[, uses] = []] = await usesAfter((resource) => {
    if (resource.name === "members") resource.retired = true;
  });
  expect(uses?.map(({ type, name }) => `${type} ${name}`)).toEqual([
    ...["view By team", "view Sorted", "view ", "layout Old system", "recipe Phones"],
    ...["role Branch", "webhook hooks.example.org", "key ERP"],
  ]);
});
