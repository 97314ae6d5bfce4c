// Attributes of people: who sets them, what they may be, and that nothing but an administrator's request changes them.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const JSON_BODY = { "content-type": "application/json" };
let last = 0;
async function join(roles = ["viewer"]) {
  const made = await service.call("POST", "/v1/users", { email: `person${++last}@example.org`, name: "Anna Berg", roles });
  const body = JSON.stringify({ code: made.json.link.url.split("#")[1], password: "gorse lantern 47 quay" });
  const { json } = await service.raw("POST", "/v1/links/use", JSON_BODY, body);
  const bearer = { authorization: `Bearer ${json.access_token}` };
  return { id: made.json.user.id as string, bearer, me: async () => (await service.raw("GET", "/v1/me", bearer)).json };
}
const change = (id: string, attributes: unknown, headers = {}) => service.call("PATCH", `/v1/users/${id}`, { attributes }, headers);

describe("attributes of a person", () => {
  test("are set by name, and a session that is open has them with its next request", async () => {
    const { id, me } = await join();
    expect((await me()).attributes).toEqual({ email: [expect.stringContaining("@example.org")] });
    const first = await change(id, { regions: ["north", " north ", "west"], unit: ["7"] });
    expect(first.json).toMatchObject({ attributes: { regions: ["north", "west"], unit: ["7"] }, claimed: [] });
    expect((await me()).attributes).toMatchObject({ regions: ["north", "west"], unit: ["7"] });
    const second = await change(id, { regions: ["south"], unit: null });
    expect(second.json.attributes).toEqual({ regions: ["south"] });
    expect((await me()).attributes).toEqual({ regions: ["south"], email: [expect.anything()] });
    expect(second.headers.etag).not.toBe(first.headers.etag);
    expect((await service.call("GET", `/v1/users/${id}`)).json.attributes).toEqual({ regions: ["south"] });
    expect((await change(id, { regions: [] })).json.attributes).toEqual({});
  });

  test("two administrators who change different ones at once both do", async () => {
    const { id } = await join();
    const both = await Promise.all([change(id, { one: ["a"] }), change(id, { two: ["b"] })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await service.call("GET", `/v1/users/${id}`)).json.attributes).toEqual({ one: ["a"], two: ["b"] });
  });

  test("are the same ones for an API key of the person", async () => {
    const { id, bearer } = await join();
    const { key } = (await service.raw("POST", "/v1/keys", { ...JSON_BODY, ...bearer }, JSON.stringify({ scope: "customers:read" }))).json;
    await change(id, { regions: ["north"] });
    const mine = await service.raw("GET", "/v1/me", { authorization: `Bearer ${key}` });
    expect(mine.json).toMatchObject({ principal: { type: "key" }, attributes: { regions: ["north"] } });
  });

  test("are nobody's own to change", async () => {
    const { id, bearer } = await join(["editor"]);
    const body = JSON.stringify({ attributes: { regions: ["north"] } });
    expect((await service.raw("PATCH", `/v1/users/${id}`, { ...JSON_BODY, ...bearer }, body)).status).toBe(403);
    expect((await service.raw("PATCH", "/v1/me", { ...JSON_BODY, ...bearer }, body)).status).toBe(422);
  });

  test("names and values have bounds, and a wrong one changes nothing", async () => {
    const { id } = await join();
    await change(id, { regions: ["north"] });
    const wrong = [
      null,
      [],
      "north",
      { "": ["a"] },
      { "a b": ["a"] },
      { "7up": ["a"] },
      { email: ["a@example.org"] },
      { [`a${"b".repeat(40)}`]: ["a"] },
      { regions: "north" },
      { regions: [7] },
      { regions: [""] },
      { regions: ["a\nb"] },
      { regions: ["x".repeat(101)] },
      { regions: Array.from({ length: 101 }, (_, i) => `r${i}`) },
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`name${i}`, ["a"]])),
    ];
    for (const attributes of wrong) {
      const { status, json } = await change(id, attributes);
      expect([status, json.errors?.[0]?.pointer], JSON.stringify(attributes)).toEqual([422, "/attributes"]);
    }
    expect((await service.call("PATCH", `/v1/users/${id}`, '{"attributes":{"__proto__":["a"]}}', {})).status).toBe(422);
    expect((await service.call("GET", `/v1/users/${id}`)).json.attributes).toEqual({ regions: ["north"] });
  });
});
