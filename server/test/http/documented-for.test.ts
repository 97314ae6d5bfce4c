// Everybody reads the general part of the documentation, and about a collection those who have a right on it.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createValidator } from "../../testing/openapi-checker.ts";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(ORDERS);
});
afterAll(() => service.close());

const PLACES = ["/v1/openapi.json", "/docs"];
const read = (path: string, token?: string) => service.raw("GET", path, token === undefined ? {} : { authorization: `Bearer ${token}` });

/** Words by which a text tells of these collections: names, titles and fields, but for those that are words of the interface, too. */
function wordsOf(...names: string[]): string[] {
  const own = service.collections.filter(({ name }) => names.includes(name));
  const others = service.collections.filter(({ name }) => !names.includes(name)).flatMap(({ fields }) => fields.map(({ name }) => name));
  const words = own.flatMap(({ name, singular, title, fields }) => [name, singular, title, ...fields.map((field) => field.name)]);
  return words.filter(
    (word) => !others.includes(word) && !/^(?:objectId|contact|email|order|total|name|date|status|note|code|id)$/.test(word),
  );
}
const found = (text: string, words: readonly string[]) => words.filter((word) => new RegExp(`\\b${word}\\b`).test(text));

test("without a token names no collection and no field, and is a valid document all the same", async () => {
  const names = service.collections.map(({ name }) => name);
  for (const path of PLACES) {
    const { status, text, headers } = await read(path);
    expect([path, status, found(text, wordsOf(...names))]).toEqual([path, 200, []]);
    expect([headers["cache-control"], headers.vary]).toEqual(["no-cache", expect.stringContaining("Authorization")]);
  }
  const { json } = await read("/v1/openapi.json");
  expect(Object.keys(json.paths)).toEqual(expect.arrayContaining(["/v1/oauth/token", "/v1/keys", "/v1/changes", "/v1/openapi.json"]));
  expect(JSON.stringify(json)).not.toContain('"enum":[]');
  const validator = createValidator(json);
  for (const schema of Object.values(json.components.schemas)) validator(schema as object);
  expect(json.paths["/v1/openapi.json"].get.security).toEqual([{}, { token: [] }, { oauth: [] }]);
});

test("names the collections on which the caller has a right, and nothing of the others", async () => {
  const [one = "", ...others] = service.collections.map(({ name }) => name);
  for (const right of ["read", "create"]) {
    const token = await service.tokenFor(`${one}:${right}`);
    for (const path of PLACES) {
      const { text, headers } = await read(path, token);
      expect([path, found(text, [one]), found(text, wordsOf(...others))]).toEqual([path, [one], []]);
      expect([headers["cache-control"], headers.vary]).toEqual(["private, no-cache", expect.stringContaining("Authorization")]);
    }
    const { paths } = (await read("/v1/openapi.json", token)).json;
    expect(Object.keys(paths)).toContain(`/v1/${one}`);
    expect(Object.keys(paths).filter((path) => others.some((name) => path.includes(name)))).toEqual([]);
  }
  const all = await read("/v1/openapi.json", await service.tokenFor("read"));
  for (const { name } of service.collections) expect(Object.keys(all.json.paths)).toContain(`/v1/${name}`);
});

test("is sent once to whoever has it already, and anew when it says something else", async () => {
  const [one = ""] = service.collections.map(({ name }) => name);
  const tokens = [undefined, await service.tokenFor(`${one}:read`), await service.tokenFor("read")];
  for (const path of PLACES) {
    const tags = [];
    for (const token of tokens) {
      const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      const first = await service.raw("GET", path, headers);
      const tag = String(first.headers.etag);
      expect(tag).toMatch(/^W\/"[\w-]{43}"$/);
      for (const sent of [tag, tag.slice(2), `"x", ${tag}`, "*"]) {
        const again = await service.raw("GET", path, { ...headers, "if-none-match": sent, "accept-encoding": "gzip" });
        expect([path, sent, again.status, again.text, again.headers.etag]).toEqual([path, sent, 304, "", tag]);
        expect([again.headers["cache-control"], again.headers.vary]).toEqual([first.headers["cache-control"], first.headers.vary]);
      }
      expect((await service.raw("GET", path, { ...headers, "if-none-match": '"x"' })).status).toBe(200);
      tags.push(tag);
    }
    expect(new Set(tags).size).toBe(3);
    const others = await service.raw("GET", path, { authorization: `Bearer ${tokens[2]}`, "if-none-match": tags[1] ?? "" });
    expect(others.status).toBe(200); // of a caller who may see less
  }
});

test("is short: parameters and header fields stand in it once", async () => {
  const { text } = await read("/v1/openapi.json", await service.tokenFor("read"));
  expect(text.length).toBeLessThan(368_000); // of three collections that refer to each other
});

test("follows what the caller may at that moment", async () => {
  const [one = "", two = ""] = service.collections.map(({ name }) => name);
  const { json: role } = await service.call("POST", "/v1/roles", { name: "Clerk", scope: `${one}:read` });
  const { token } = await service.newPerson(role.id);
  const seen = async () => Object.keys((await read("/v1/openapi.json", token)).json.paths).filter((path) => /^\/v1\/(\w+)$/.test(path));
  expect(await seen()).toContain(`/v1/${one}`);
  expect(await seen()).not.toContain(`/v1/${two}`);
  await service.call("PATCH", `/v1/roles/${role.id}`, { scope: `${two}:read` });
  expect(await seen()).toContain(`/v1/${two}`);
  expect(await seen()).not.toContain(`/v1/${one}`);
});

test("refuses a token that is not known, so that no tool takes the general part for all there is", async () => {
  for (const path of PLACES) {
    const reply = await read(path, "gone");
    expect([path, reply.status, reply.json.code]).toEqual([path, 401, "INVALID_TOKEN"]);
  }
});

test("no message about a wrong name tells which collections there are", async () => {
  const token = await service.tokenFor("customers:read");
  const others = service.collections.map(({ name }) => name).filter((name) => name !== "customers");
  for (const path of ["activity", "activity/days", "activity/exports", "changes", "search", "views", "recipes"]) {
    const { status, text } = await read(`/v1/${path}?collection=nothing`, token);
    expect([path, status, found(text, others)]).toEqual([path, 400, []]);
  }
  const headers = { authorization: `Bearer ${token}` };
  for (const [path, body] of [
    ["views", { name: "x", collection: "nothing", search: {} }],
    ["recipes", { name: "x", collection: "nothing", headings: [], content: {} }],
  ] as const) {
    const { status, text } = await service.call("POST", `/v1/${path}`, body, headers);
    expect([path, status, found(text, others)]).toEqual([path, 422, []]);
  }
});
