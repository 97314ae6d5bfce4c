// Names that fields had before are counted as they are used, and can be taken back.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { FormerName } from "../../../core/contract/dictionary.ts";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const PACKAGE = {
  resources: [
    {
      name: "teams",
      schema: {
        fields: [
          { name: "teamId", type: "integer" },
          { name: "title", type: "string", constraints: { unique: true } },
        ],
        primaryKey: ["teamId"],
      },
    },
    {
      name: "members",
      schema: {
        fields: [
          { name: "memberId", type: "integer" },
          { name: "phone", type: "string" },
          { name: "teamId", type: "integer" },
        ],
        primaryKey: ["memberId"],
        foreignKeys: [{ fields: ["teamId"], as: "team", reference: { resource: "teams", fields: ["teamId"] } }],
      },
    },
  ],
};

interface Field {
  name: string;
  withdrawnNames?: string[];
}

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
});
afterAll(() => service.close());

async function draft(edit: (field: Field) => void): Promise<string> {
  const made = (await service.send("POST", "/v1/dictionary/drafts", { title: "A change" })).json;
  for (const { schema } of made.package.resources) for (const field of schema.fields) edit(field);
  const at = `/v1/dictionary/drafts/${made.id}`;
  expect((await service.send("PATCH", at, { package: made.package })).status).toBe(200);
  return at;
}

async function apply(edit: (field: Field) => void): Promise<void> {
  const applied = await service.send("POST", `${await draft(edit)}/apply`);
  expect([applied.status, applied.json]).toEqual([200, expect.anything()]);
}

const names = async () => (await service.send("GET", "/v1/dictionary/former-names")).json.names as FormerName[];

test("each request with a former name is counted once, whoever sends it, and a name that is taken back stops working but in what is kept", async () => {
  const { send } = service;
  const view = { collection: "members", name: "By phone", isShared: true, search: { sort: "phone" } };
  const { id } = (await send("POST", "/v1/views", view)).json;
  await apply((field) => {
    if (field.name === "phone") field.name = "mobile";
    if (field.name === "title") field.name = "heading";
  });
  expect(await names()).toEqual([
    { collection: "teams", field: "heading", name: "title", uses: 0, lastUsedOn: null, lastUsedBy: null },
    { collection: "members", field: "mobile", name: "phone", uses: 0, lastUsedOn: null, lastUsedBy: null },
  ]);
  const today = new Date().toISOString().slice(0, 10);
  await send("POST", "/v1/teams", { heading: "North" });
  expect((await send("GET", "/v1/members?phone=1&sort=phone")).status).toBe(200); // twice in one request
  expect((await send("GET", "/v1/members?team.title=North")).status).toBe(200);
  await names(); // writes what was counted, to which the next is added
  expect((await send("POST", "/v1/members", { phone: "1", "team.title": "North" }, { as: "writer" })).status).toBe(201);
  expect((await send("GET", "/v1/members?mobile=1")).json.members).toHaveLength(1);
  expect((await send("GET", "/v1/members?phone=1", undefined, { authorization: "Bearer wrong" })).status).toBe(401);
  const by = expect.objectContaining({ type: "key", name: "Cleo" });
  expect(await names()).toEqual([
    { collection: "teams", field: "heading", name: "title", uses: 2, lastUsedOn: today, lastUsedBy: by },
    { collection: "members", field: "mobile", name: "phone", uses: 2, lastUsedOn: today, lastUsedBy: by },
  ]);
  expect((await send("GET", "/v1/dictionary/former-names", undefined, { as: "writer" })).status).toBe(403);

  const back = await draft((field) => {
    if (field.name === "mobile") field.withdrawnNames = ["phone"];
  });
  expect((await send("GET", `${back}/impact`)).json.changes).toEqual([
    {
      ...{ kind: "withdrawn", path: "members.mobile", from: "phone", effect: "at once", requests: 2, lastUsedOn: today, lastUsedBy: by },
      uses: [{ type: "view", id, name: "By phone" }],
    },
  ]);
  expect((await send("POST", `${back}/apply`)).status).toBe(200);
  expect((await send("GET", "/v1/members?phone=1")).status).toBe(400);
  expect((await send("POST", "/v1/members", { phone: "2" })).json.errors[0].code).toBe("UNKNOWN_FIELD");
  expect((await names()).map(({ name }) => name)).toEqual(["title"]);
  expect((await send("GET", "/v1/members?mobile=1")).json.members).toHaveLength(1);
  expect((await send("GET", `/v1/views/${id}`)).json.search).toEqual({ sort: "mobile" });

  const taken = await send("POST", "/v1/dictionary/drafts", { title: "Phone again" });
  taken.json.package.resources[1].schema.fields.push({ name: "phone", type: "string" });
  await send("PATCH", `/v1/dictionary/drafts/${taken.json.id}`, { package: taken.json.package });
  const refused = await send("GET", `/v1/dictionary/drafts/${taken.json.id}/impact`);
  expect([refused.status, refused.json.errors[0].detail]).toEqual([
    422,
    '"phone" was the name of "mobile" and still stands for it in what is stored; choose another name',
  ]);
  const again = await draft((field) => {
    if (field.name === "mobile") delete field.withdrawnNames;
  });
  expect((await send("GET", `${again}/impact`)).json.changes).toEqual([
    { kind: "reinstated", path: "members.mobile", to: "phone", effect: "at once" },
  ]);
  expect((await send("POST", `${again}/apply`)).status).toBe(200);
  expect((await send("GET", "/v1/members?phone=1")).json.members).toHaveLength(1);
  await apply((field) => {
    if (field.name === "mobile") field.name = "phone";
  });
  expect((await names()).map(({ name }) => name)).toEqual(["title", "mobile"]);
});

test("uses of days before the last 90 are neither counted nor kept", async () => {
  const { store } = service;
  const by = { type: "key", id: "gone", name: "" } as const;
  const today = Math.floor(Date.now() / 86_400_000);
  const use = (day: number) => ({ collection: "teams", name: "old", day, uses: 5, by });
  await store.formerNames.addUses([use(today - 90), use(today - 89)], today - 100);
  const usesOf = async (since: number) => (await store.formerNames.listUses(since)).find(({ name }) => name === "old");
  expect(await usesOf(today - 89)).toEqual({
    collection: "teams",
    name: "old",
    uses: 5,
    lastDay: today - 89,
    lastBy: { ...by, name: "gone" },
  });
  await store.formerNames.addUses([], today - 89);
  expect((await usesOf(0))?.uses).toBe(5);
});
