// Recipes through the API: who sees, saves, changes and deletes them, and what is checked.

import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_RECIPE_CONTENT } from "../../../core/contract/recipes.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const PATH = "/v1/recipes";
let last = 0;
const recipe = (more: object = {}) => ({
  ...{ name: `Orders ${++last}`, collection: "customers", headings: ["Nr", "Größe"] },
  ...{ content: { columns: { Nr: "objectId" }, rules: [{ field: "status", from: "Actve", to: "Active" }] } },
  ...more,
});
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const create = async (given: object, token?: string) => service.call("POST", PATH, given, token ? as(token) : {});

test("a recipe can be saved, read, listed, written anew and deleted", async () => {
  const given = recipe();
  const made = await create(given);
  expect(made.status).toBe(201);
  expect(made.headers).toMatchObject({ location: `${PATH}/${made.json.id}`, "cache-control": "no-store" });
  expect(made.json).toMatchObject({ ...given, version: 1, createdBy: { type: "key" }, updatedAt: made.json.createdAt });
  expect((await service.call("GET", `${PATH}/${made.json.id}`)).json).toEqual(made.json);
  const { content: _, ...info } = made.json;
  expect((await service.call("GET", PATH)).json.recipes).toContainEqual(info); // without the content, which may be long
  const next = { name: "Other", headings: [], content: {} };
  const changed = await service.call("PUT", `${PATH}/${made.json.id}`, { ...next, version: 1 });
  expect(changed.json).toMatchObject({ ...next, id: made.json.id, collection: "customers", version: 2, createdAt: made.json.createdAt });
  expect((await service.call("DELETE", `${PATH}/${made.json.id}`)).status).toBe(204);
  expect((await service.call("GET", `${PATH}/${made.json.id}`)).status).toBe(404);
});

test("of changes at once that name no version each is written", async () => {
  const given = recipe();
  const path = `${PATH}/${(await create(given)).json.id}`;
  const put = (i: number) => service.call("PUT", path, { name: given.name, headings: [], content: { turn: i } });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => put(i)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(new Set(answers.map(({ json }) => json.version)).size).toBe(12);
  expect((await service.call("GET", path)).json.version).toBe(13);
});

test("are listed by name, numbers by their value", async () => {
  for (const name of ["Liste 10", "Liste 2", "Liste 1"]) expect((await create(recipe({ name }))).status).toBe(201);
  const { recipes } = (await service.call("GET", PATH)).json as { recipes: { name: string }[] };
  expect(recipes.map(({ name }) => name).filter((name) => name.startsWith("Liste"))).toEqual(["Liste 1", "Liste 2", "Liste 10"]);
});

test("a name is there once, whatever its case; the same recipe may keep it", async () => {
  const { json: one } = await create(recipe({ name: "Straße" }));
  const { json: other } = await create(recipe());
  for (const name of ["Straße", "STRAßE", "Stra\u00dfe"]) expect((await create(recipe({ name }))).json.code).toBe("RECIPE_NAME_TAKEN");
  const renamed = { name: "straße", headings: [], content: {} };
  expect((await service.call("PUT", `${PATH}/${other.id}`, renamed)).json).toMatchObject({ status: 409, code: "RECIPE_NAME_TAKEN" });
  expect((await service.call("PUT", `${PATH}/${one.id}`, renamed)).json.name).toBe("straße");
});

test("of many who save under one name at once, one does", async () => {
  const name = `Many ${++last}`;
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => create(recipe({ name }))));
  expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(outcomes.filter(({ json }) => json.code === "RECIPE_NAME_TAKEN")).toHaveLength(19);
});

test("whoever changes an old version learns it and overwrites nothing", async () => {
  const { json: made } = await create(recipe());
  const change = (name: string) => ({ name, headings: [], content: {}, version: 1 });
  expect((await service.call("PUT", `${PATH}/${made.id}`, change("First"))).status).toBe(200);
  const late = await service.call("PUT", `${PATH}/${made.id}`, change("Second"));
  expect(late.json).toMatchObject({ status: 412, code: "PRECONDITION_FAILED" });
  expect((await service.call("GET", `${PATH}/${made.id}`)).json).toMatchObject({ name: "First", version: 2 });
});

test("who uploads saves recipes; only their maker or an administrator changes and deletes them", async () => {
  const [maker, colleague, reader] = [
    await service.newPerson("editor"),
    await service.newPerson("editor"),
    await service.newPerson("viewer"),
  ];
  const { json: made, status } = await create(recipe(), maker.token);
  expect([status, made.createdBy.id]).toEqual([201, maker.id]);
  expect((await create(recipe(), reader.token)).json).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" });
  const body = { name: made.name, headings: [], content: {} };
  for (const { token } of [colleague, reader]) {
    expect((await service.call("GET", `${PATH}/${made.id}`, undefined, as(token))).json).toEqual(made);
    expect((await service.call("PUT", `${PATH}/${made.id}`, body, as(token))).status).toBe(403);
    expect((await service.call("DELETE", `${PATH}/${made.id}`, undefined, as(token))).status).toBe(403);
  }
  expect((await service.call("PUT", `${PATH}/${made.id}`, body, as(maker.token))).status).toBe(200);
  const byAdministrator = await service.call("PUT", `${PATH}/${made.id}`, body);
  expect(byAdministrator.json).toMatchObject({ version: 3, createdBy: { id: maker.id }, updatedBy: { type: "key" } });
  expect((await service.call("DELETE", `${PATH}/${made.id}`, undefined, as(maker.token))).status).toBe(204);
});

test("a collection that somebody does not see has no recipes for them", async () => {
  const { json: made } = await create(recipe());
  const by = { type: "key", id: "ab", name: "ab" } as const;
  const hidden = { id: "1234567890abcdef", kind: "recipe", name: "Hidden", collection: "products", isShared: true, version: 1 } as const;
  await service.store.saved.addSaved(
    { ...hidden, brief: "[]", content: "{}", createdAt: 1, createdBy: by, updatedAt: 1, updatedBy: by },
    { all: 1_000, ofMaker: 1_000, isOfCollection: false },
  );
  const { id: role } = (await service.call("POST", "/v1/roles", { name: "Customers", scope: "customers:read" })).json;
  const { token } = await service.newPerson(role);
  const { recipes } = (await service.call("GET", PATH, undefined, as(token))).json;
  expect(recipes.map(({ id }: { id: string }) => id)).toContain(made.id);
  expect(recipes.map(({ collection }: { collection: string }) => collection)).not.toContain("products");
  expect((await service.call("GET", `${PATH}/1234567890abcdef`, undefined, as(token))).status).toBe(404);
  expect((await service.call("GET", `${PATH}/1234567890abcdef`)).status).toBe(200);
});

test("what is wrong with a recipe is said field by field", async () => {
  const wrong = recipe({ name: "two\nlines", collection: "nobodies", headings: "Nr", content: [], more: 1 });
  const { status, json } = await create(wrong);
  expect([status, json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ["/collection", "/name", "/headings", "/content", "/more"],
  ]);
  const large = { text: "ä".repeat(MAX_RECIPE_CONTENT) };
  expect((await create(recipe({ content: large }))).json.errors).toMatchObject([{ pointer: "/content" }]);
  const most = { text: "ä".repeat(MAX_RECIPE_CONTENT - 20) };
  expect((await create(recipe({ content: most }))).json.content).toEqual(most);
  const headings = [...Array(400).keys()].map((i) => `${"ä".repeat(60)}${i}`);
  expect((await create(recipe({ headings }))).json.errors).toMatchObject([{ pointer: "/headings" }]);
  expect((await create(recipe({ headings: headings.slice(0, 300) }))).status).toBe(201);
  expect((await service.call("GET", `${PATH}?collection=nobodies`)).status).toBe(400);
});

test("a number with more digits than a double keeps is no content, and within it is the nearest double", async () => {
  const send = (content: string) => service.call("POST", PATH, JSON.stringify(recipe({ content: "@" })).replace('"@"', content));
  expect((await send("12345678901234567890")).json.errors).toMatchObject([{ pointer: "/content" }]);
  expect((await send('{"x":0.12345678901234567891}')).json.content).toEqual({ x: 0.12345678901234568 });
});
