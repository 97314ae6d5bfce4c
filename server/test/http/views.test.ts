// Views through the API: who sees, saves, changes and deletes them, in which order, and what is checked.

import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_VIEW_SEARCH, MOST_VIEWS } from "../../../core/contract/views.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const PATH = "/v1/views";
let last = 0;
const view = (more: object = {}) => ({
  ...{ name: `Hamburg ${++last}`, collection: "customers", isShared: true },
  ...{ search: { "lastName[prefix]": "ha", sort: "-createdAt", columns: "lastName,accountID" } },
  ...more,
});
const as = (token?: string) => (token ? { authorization: `Bearer ${token}` } : {});
const create = async (given: object, token?: string) => service.call("POST", PATH, given, as(token));
const change = async (id: string, given: object, token?: string) => service.call("PUT", `${PATH}/${id}`, given, as(token));
const namesOf = async (token?: string): Promise<string[]> =>
  (await service.call("GET", `${PATH}?collection=customers`, undefined, as(token))).json.views.map(({ name }: { name: string }) => name);

test("a view can be saved, read, listed, written anew and deleted", async () => {
  const given = view();
  const made = await create(given);
  expect(made.status).toBe(201);
  expect(made.headers).toMatchObject({ location: `${PATH}/${made.json.id}`, "cache-control": "no-store" });
  expect(made.json).toMatchObject({ ...given, version: 1, createdBy: { type: "key" }, updatedAt: made.json.createdAt });
  expect((await service.call("GET", `${PATH}/${made.json.id}`)).json).toEqual(made.json);
  expect((await service.call("GET", PATH)).json.views).toContainEqual(made.json);
  const next = { name: "Other", isShared: false, search: {} };
  const changed = await change(made.json.id, { ...next, version: 1 });
  expect(changed.json).toMatchObject({ ...next, id: made.json.id, collection: "customers", version: 2, createdAt: made.json.createdAt });
  expect((await service.call("DELETE", `${PATH}/${made.json.id}`)).status).toBe(204);
  expect((await service.call("GET", `${PATH}/${made.json.id}`)).status).toBe(404);
});

test("views stand in the order of their places, and a new one comes last", async () => {
  const person = await service.newPerson("editor");
  const own = (name: string, more: object = {}) => create(view({ name, isShared: false, ...more }), person.token);
  const first = (await own("first")).json;
  const second = (await own("second")).json;
  expect(second.place).toBeGreaterThan(first.place);
  await own("between", { place: (first.place + second.place) / 2 });
  await own("before", { place: first.place - 1 });
  const mine = async () => (await namesOf(person.token)).filter((name) => /^(?:first|second|between|before)$/.test(name));
  expect(await mine()).toEqual(["before", "first", "between", "second"]);
  const { name, isShared, search } = first;
  await change(first.id, { name, isShared, search, place: second.place + 1 }, person.token);
  expect(await mine()).toEqual(["before", "between", "second", "first"]);
  expect((await change(first.id, { name, isShared, search }, person.token)).json.place).toBe(second.place + 1); // and it stays there
});

test("of changes at once that name no version each is written", async () => {
  const given = view();
  const path = `${PATH}/${(await create(given)).json.id}`;
  const put = (i: number) => service.call("PUT", path, { name: given.name, isShared: true, search: { q: String(i) } });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => put(i)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(new Set(answers.map(({ json }) => json.version)).size).toBe(12);
  expect((await service.call("GET", path)).json.version).toBe(13);
});

test("a name is there once among the views for all, and once among those of each maker", async () => {
  const [one, other] = [await service.newPerson("editor"), await service.newPerson("editor")];
  const shared = (await create(view({ name: "Straße" }), one.token)).json;
  for (const name of ["Straße", "STRAßE"]) expect((await create(view({ name }), other.token)).json.code).toBe("VIEW_NAME_TAKEN");
  const own = view({ name: "Straße", isShared: false });
  expect((await create(own, one.token)).status).toBe(201);
  expect((await create(own, one.token)).json).toMatchObject({ status: 409, code: "VIEW_NAME_TAKEN" });
  const { json: theirs } = await create(own, other.token);
  const forAll = { name: "Straße", isShared: true, search: {} };
  expect((await change(theirs.id, forAll, other.token)).json.code).toBe("VIEW_NAME_TAKEN");
  expect((await change(shared.id, { ...forAll, name: "straße" }, one.token)).json.name).toBe("straße");
});

test("of many who save under one name at once, one does", async () => {
  const name = `Many ${++last}`;
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => create(view({ name }))));
  expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(outcomes.filter(({ json }) => json.code === "VIEW_NAME_TAKEN")).toHaveLength(19);
});

test("whoever changes an old version learns it and overwrites nothing", async () => {
  const { json: made } = await create(view());
  const given = (name: string) => ({ name: `${name} ${last}`, isShared: true, search: { q: name }, version: 1 });
  expect((await change(made.id, given("First"))).status).toBe(200);
  expect((await change(made.id, given("Second"))).json).toMatchObject({ status: 412, code: "PRECONDITION_FAILED" });
  expect((await service.call("GET", `${PATH}/${made.id}`)).json).toMatchObject({ search: { q: "First" }, version: 2 });
});

test("one's own view is nobody else's business, not even an administrator's", async () => {
  const [maker, colleague] = [await service.newPerson("viewer"), await service.newPerson("editor")];
  const { json: made, status } = await create(view({ isShared: false }), maker.token);
  expect([status, made.createdBy.id]).toEqual([201, maker.id]);
  for (const token of [colleague.token, undefined]) {
    expect(await namesOf(token)).not.toContain(made.name);
    expect((await service.call("GET", `${PATH}/${made.id}`, undefined, as(token))).status).toBe(404);
    expect((await change(made.id, { name: "Mine", isShared: false, search: {} }, token)).status).toBe(404);
    expect((await service.call("DELETE", `${PATH}/${made.id}`, undefined, as(token))).status).toBe(404);
  }
  expect(await namesOf(maker.token)).toContain(made.name);
  expect((await service.call("DELETE", `${PATH}/${made.id}`, undefined, as(maker.token))).status).toBe(204);
});

test("who writes records makes views for all; only their maker or an administrator changes and deletes them", async () => {
  const [maker, colleague, reader] = [
    await service.newPerson("editor"),
    await service.newPerson("editor"),
    await service.newPerson("viewer"),
  ];
  const { json: made } = await create(view(), maker.token);
  expect((await create(view(), reader.token)).json).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" });
  const { json: own } = await create(view({ isShared: false }), reader.token);
  const body = { name: made.name, isShared: true, search: {} };
  expect((await change(own.id, { ...body, name: own.name }, reader.token)).status).toBe(403);
  for (const { token } of [colleague, reader]) {
    expect((await service.call("GET", `${PATH}/${made.id}`, undefined, as(token))).json).toEqual(made);
    expect((await change(made.id, body, token)).status).toBe(403);
    expect((await service.call("DELETE", `${PATH}/${made.id}`, undefined, as(token))).status).toBe(403);
  }
  expect((await change(made.id, body, maker.token)).status).toBe(200);
  expect((await change(made.id, body)).json).toMatchObject({ version: 3, createdBy: { id: maker.id }, updatedBy: { type: "key" } });
  expect((await service.call("DELETE", `${PATH}/${made.id}`)).status).toBe(204);
});

test("an administrator who takes a view from all gives it back to its maker", async () => {
  const maker = await service.newPerson("editor");
  const { json: made } = await create(view(), maker.token);
  expect((await change(made.id, { name: made.name, isShared: false, search: {} })).status).toBe(200);
  expect((await service.call("GET", `${PATH}/${made.id}`)).status).toBe(404);
  expect(await namesOf(maker.token)).toContain(made.name);
});

test("a view that was deleted comes back under its id as its maker's; nobody but an administrator says whose a view is", async () => {
  const [maker, colleague] = [await service.newPerson("editor"), await service.newPerson("editor")];
  const { json: made } = await create(view(), maker.token);
  const { id, name, collection, isShared, search, place, createdBy } = made;
  const back = { id, name, collection, isShared, search, place, createdBy };
  expect((await create(back)).json).toMatchObject({ status: 409, code: "VIEW_NAME_TAKEN" }); // it is still there
  expect((await service.call("DELETE", `${PATH}/${id}`)).status).toBe(204);
  expect((await create(back, colleague.token)).json).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" });
  const restored = await create(back);
  expect(restored.status).toBe(201);
  expect(restored.json).toMatchObject({ ...back, updatedBy: { type: "key" } });
  expect((await service.call("GET", `${PATH}/${id}`)).json).toEqual(restored.json);
  expect((await change(id, { name, isShared, search: {} }, maker.token)).status).toBe(200);
  expect((await service.call("DELETE", `${PATH}/${id}`, undefined, as(maker.token))).status).toBe(204);
  expect((await create(back, maker.token)).json).toMatchObject({ id, createdBy });
  const wrong = { ...view(), id: "../1", createdBy: { type: "role", id: "x" } };
  expect((await create(wrong)).json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/id", "/createdBy"]);
});

test("a view does not come back as that of a person or a key that is not there", async () => {
  for (const [type, what] of [
    ["user", "person"],
    ["key", "API key"],
  ]) {
    const { status, json } = await create(view({ isShared: false, createdBy: { type, id: "nobody-1" } }));
    expect([status, json.code]).toEqual([422, "VALIDATION"]);
    expect(json.errors).toEqual([
      { pointer: "/createdBy", code: "REFERENCE_NOT_FOUND", detail: `There is no ${what} with the id nobody-1.` },
    ]);
  }
  const { json: key } = await service.call("POST", "/v1/keys", { name: "Another program", scope: "customers:read" });
  const { json: back } = await create(view({ createdBy: { type: "key", id: key.id } }));
  expect(back.createdBy).toEqual({ type: "key", id: key.id, name: "Another program" });
});

test("a collection that somebody does not read has no views for them", async () => {
  const { json: made } = await create(view());
  const { id: role } = (await service.call("POST", "/v1/roles", { name: "Entry only", scope: "customers:create" })).json;
  const { token } = await service.newPerson(role);
  expect((await service.call("GET", PATH, undefined, as(token))).json.views).toEqual([]);
  expect((await service.call("GET", `${PATH}/${made.id}`, undefined, as(token))).status).toBe(404);
  expect((await create(view({ isShared: false }), token)).status).toBe(403);
});

test("a view that its maker writes anew keeps what they do not see any more", async () => {
  const role = await service.call("POST", "/v1/roles", { name: "Narrowed later", scope: "customers:read customers:update" });
  const { token } = await service.newPerson(role.json.id);
  const search = { firstName: "Bo", "accountID[prefix]": "7", q: "ha", sort: "accountID,-lastName", columns: "lastName,accountID" };
  const made = (await create(view({ search }), token)).json;
  const read = async (by?: string) => (await service.call("GET", `${PATH}/${made.id}`, undefined, as(by))).json;
  const hides = { conditions: { customers: { fields: { hidden: ["accountID"] } } } };
  expect((await service.call("PATCH", `/v1/roles/${role.json.id}`, hides)).status).toBe(200);
  const seen = { firstName: "Bo", q: "ha", sort: "-lastName", columns: "lastName" };
  expect((await read(token)).search).toEqual(seen);
  const renamed = await change(made.id, { name: "Renamed", isShared: true, search: { ...seen, firstName: "Jo" }, version: 1 }, token);
  expect([renamed.status, renamed.json.search]).toEqual([200, { ...seen, firstName: "Jo" }]);
  expect(await read()).toMatchObject({ name: "Renamed", search: { ...search, firstName: "Jo" } });
  // Another order and other columns are theirs, a filter that they take away goes, and one that they cannot know stays.
  const next = { sort: "firstName", columns: "firstName,lastName", "accountID[prefix]": "8" };
  expect((await change(made.id, { name: "Renamed", isShared: true, search: next }, token)).status).toBe(200);
  expect((await read()).search).toEqual({ ...next, "accountID[prefix]": "7" });
});

test("so many views and no more are kept of one maker", async () => {
  const { token } = await service.newPerson("viewer");
  for (let i = 0; i < MOST_VIEWS; i++) expect((await create(view({ isShared: false }), token)).status).toBe(201);
  expect((await create(view({ isShared: false }), token)).json).toMatchObject({ status: 409, code: "TOO_MANY_VIEWS" });
});

test("what is wrong with a view is said field by field", async () => {
  const wrong = view({ name: "two\nlines", collection: "nobodies", isShared: "yes", search: { q: 1 }, place: "first", more: 1 });
  const { status, json } = await create(wrong);
  const pointers = json.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect([status, pointers]).toEqual([422, ["/collection", "/name", "/isShared", "/search", "/place", "/more"]]);
  expect((await create(view({ search: { q: "ä".repeat(MAX_VIEW_SEARCH) } }))).json.errors).toMatchObject([{ pointer: "/search" }]);
  const most = { q: "ä".repeat(MAX_VIEW_SEARCH - 20) };
  expect((await create(view({ search: most }))).json.search).toEqual(most);
  expect((await service.call("GET", `${PATH}?collection=nobodies`)).status).toBe(400);
});
