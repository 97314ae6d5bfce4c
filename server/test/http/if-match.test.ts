// Two administrators who change one person, role or webhook: If-Match lets neither overwrite what they have not seen.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DICTIONARY, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(DICTIONARY, { webhooks: { allowsPrivate: true, within: 1_000 } });
});
afterAll(() => service.close());

let last = 0;
const OF_EACH: [what: string, path: string, made: () => object, one: object, other: object, canDelete: boolean][] = [
  [
    "a person",
    "/v1/users",
    () => ({ email: `ann${++last}@example.org`, name: "Ann", roles: ["viewer"] }),
    { name: "Ann Lee" },
    { roles: ["editor"] },
    false,
  ],
  ["a role", "/v1/roles", () => ({ name: `Clerk ${++last}`, scope: "*:read" }), { scope: "*:read *:update" }, { scope: "*:delete" }, true],
  ["a webhook", "/v1/webhooks", () => ({ url: "http://127.0.0.1:1/" }), { operations: ["deleted"] }, { collections: ["customers"] }, true],
];

describe.each(OF_EACH)("%s", (_, path, body, one, other, canDelete) => {
  async function make() {
    const made = await service.call("POST", path, body());
    expect(made.status).toBe(201);
    return { at: String(made.headers.location), tag: String(made.headers.etag) };
  }
  const change = (at: string, given: object, tag?: string) =>
    service.call("PATCH", at, given, tag === undefined ? {} : { "if-match": tag });

  test("has an ETag, the same in every answer, until it changes", async () => {
    const { at, tag } = await make();
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect((await service.call("GET", at)).headers.etag).toBe(tag);
    expect((await service.call("HEAD", at)).headers.etag).toBe(tag);
    expect((await change(at, {}, tag)).headers.etag).toBe(tag);
    const changed = await change(at, one, tag);
    expect(changed).toMatchObject({ status: 200, json: one });
    expect(changed.headers.etag).not.toBe(tag);
    expect((await service.call("GET", at)).headers.etag).toBe(changed.headers.etag);
  });

  test("is not changed with an ETag of before, and without one as ever", async () => {
    const { at, tag } = await make();
    await change(at, one);
    const before = (await service.call("GET", at)).text;
    for (const stale of [tag, `W/${tag}`, '"other"', `"other", ${tag}`]) {
      const refused = await change(at, other, stale);
      expect([refused.status, refused.json.code]).toEqual([412, "PRECONDITION_FAILED"]);
    }
    expect((await service.call("GET", at)).text).toBe(before);
    expect((await change(at, other, "anything")).json.code).toBe("BAD_HEADER");
    expect((await change(at, other, "*")).json).toMatchObject(other);
    expect((await change(at, one)).status).toBe(200);
  });

  test("changed by two at once with one ETag is changed by one of them", async () => {
    const { at, tag } = await make();
    const both = await Promise.all([one, other].map((given) => change(at, given, tag)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test.runIf(canDelete)("is not deleted with an ETag of before", async () => {
    const { at, tag } = await make();
    const { headers } = await change(at, one);
    const refused = await service.call("DELETE", at, undefined, { "if-match": tag });
    expect([refused.status, refused.json.code]).toEqual([412, "PRECONDITION_FAILED"]);
    expect((await service.call("DELETE", at, undefined, { "if-match": String(headers.etag) })).status).toBe(204);
    expect((await service.call("GET", at)).status).toBe(404);
    expect((await service.call("DELETE", at, undefined, { "if-match": String(headers.etag) })).status).toBe(404);
  });
});

test("a sign-in leaves a person's ETag as it was", async () => {
  const { json } = await service.call("POST", "/v1/users", { email: "bo@example.org", name: "Bo", roles: ["viewer"] });
  const password = "gorse lantern 47 quay";
  const post = (path: string, body: object) =>
    service.raw("POST", path, { "content-type": "application/json" }, JSON.stringify({ ...body, password }));
  await post("/v1/links/use", { code: json.link.url.split("#")[1] });
  const read = () => service.call("GET", `/v1/users/${json.user.id}`);
  const before = await read();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  const signedIn = await post("/v1/sessions", { email: "bo@example.org" }).finally(() => vi.useRealTimers());
  expect(signedIn.status).toBe(201);
  const after = await read();
  expect(after.json.lastSeenAt).not.toBe(before.json.lastSeenAt);
  expect(before.headers.etag).toBeTruthy();
  expect(after.headers.etag).toBe(before.headers.etag);
});

test("a new name of a role and new rights, given by two at once, are both kept", async () => {
  const { headers } = await service.call("POST", "/v1/roles", { name: "Desk", scope: "*:read" });
  const at = String(headers.location);
  const both = await Promise.all([{ name: "Front desk" }, { scope: "*:create" }].map((given) => service.call("PATCH", at, given)));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect((await service.call("GET", at)).json).toMatchObject({ name: "Front desk", scope: "*:create" });
});

test("a built-in role can be read, with its ETag", async () => {
  const read = await service.call("GET", "/v1/roles/viewer");
  expect(read.json).toEqual({ id: "viewer", name: "Viewer", scope: "*:read", isBuiltIn: true });
  expect(read.headers.etag).toBeTruthy();
});
