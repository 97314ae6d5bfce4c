// The organisation through the API: what everybody reads, what administrators change, and which pictures are taken.

import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_LOGO_BYTES } from "../../../core/contract/organisation.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const PATH = "/v1/organisation";
const picture = (begin: string, length = 60) => Buffer.concat([Buffer.from(begin, "latin1"), Buffer.alloc(length)]).toString("base64");
const PNG = "\x89PNG\r\n\x1a\n";
const change = (given: object, headers: Record<string, string> = {}) => service.call("PATCH", PATH, given, headers);
/** Without a token. */
const read = (path = PATH, headers: Record<string, string> = {}) => service.raw("GET", path, headers);
const problemOf = async (given: object) => (await change(given)).json.errors?.[0]?.detail;

test("a store begins without any, and everybody may read that", async () => {
  const reply = await read();
  expect(reply.status).toBe(200);
  const nothing = { name: null, accent: null, shades: null, signInNote: null, supportUrl: null, logo: null };
  expect(reply.json).toEqual(nothing);
});

test("an administrator sets it field by field, and null empties one", async () => {
  const given = { name: " Stadtwerke Musterstadt ", accent: "#C8102E", signInNote: "Ask room 7.", supportUrl: "mailto:help@example.org" };
  const changed = await change(given);
  const stored = { ...given, name: "Stadtwerke Musterstadt", accent: "#c8102e" };
  expect(changed.json).toMatchObject({ ...stored, shades: { light: "#c8102e", dark: expect.stringMatching(/^#[0-9a-f]{6}$/) } });
  expect((await change({ signInNote: null })).json).toMatchObject({ ...stored, signInNote: null });
  expect((await read()).json).toMatchObject({ name: "Stadtwerke Musterstadt", signInNote: null });
  expect((await change({ accent: null })).json).toMatchObject({ accent: null, shades: null });
});

test("nobody else changes it", async () => {
  const { token } = await service.newCredentials("write");
  expect((await change({ name: "Mine" }, { authorization: `Bearer ${token}` })).json.code).toBe("INSUFFICIENT_SCOPE");
  expect((await service.raw("PATCH", PATH, { "content-type": "application/json" }, "{}")).status).toBe(401);
});

test("of two changes that were based on one version the second is refused", async () => {
  const { etag = "" } = (await read()).headers as Record<string, string>;
  expect((await read(PATH, { "if-none-match": etag })).status).toBe(304);
  const both = await Promise.all(["A", "B"].map((name) => change({ name }, { "if-match": etag })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  expect((await change({ name: "C" }, { "if-match": etag })).json.code).toBe("PRECONDITION_FAILED");
  expect((await change({ name: "C" }, { "if-match": String((await read()).headers.etag) })).status).toBe(200);
});

test("the logo has an address of its own, which pages of other origins may show and browsers keep", async () => {
  for (const [begin, type] of [
    [PNG, "image/png"],
    ["\xff\xd8\xff\xe0", "image/jpeg"],
    ["RIFF\x01\n\x02\x03WEBP", "image/webp"],
  ] as const) {
    const { logo } = (await change({ logo: picture(begin) })).json;
    expect(logo).toEqual({ href: expect.stringMatching(/^\/v1\/organisation\/logo\/[0-9a-f]{16}$/), type });
    const reply = await read(logo.href);
    expect([reply.status, reply.text.length > 0]).toEqual([200, true]);
    expect(reply.headers).toMatchObject({
      ...{ "content-type": type, "x-content-type-options": "nosniff", "cross-origin-resource-policy": "cross-origin" },
      ...{ "cache-control": expect.stringContaining("immutable"), "content-length": String(begin.length + 60) },
    });
    expect((await read(logo.href, { "if-none-match": String(reply.headers.etag) })).status).toBe(304);
    expect((await service.raw("HEAD", logo.href)).headers["content-length"]).toBe(String(begin.length + 60));
  }
  const { href } = (await read()).json.logo;
  const next = (await change({ logo: picture(PNG, 61) })).json.logo.href;
  expect(next).not.toBe(href);
  expect((await read(href)).status).toBe(404);
  expect((await change({ name: "Kept" })).json.logo.href).toBe(next);
  expect((await change({ logo: null })).json.logo).toBeNull();
  expect((await read(next)).status).toBe(404);
});

test("a picture that is too large or of another kind is refused in one sentence", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString("base64");
  for (const wrong of [svg, "no base64", "", picture("GIF89a"), 7]) expect(await problemOf({ logo: wrong })).toMatch(/^logo must be a PNG/);
  expect((await change({ logo: picture(PNG, MAX_LOGO_BYTES - PNG.length) })).status).toBe(200);
  expect(await problemOf({ logo: picture(PNG, MAX_LOGO_BYTES) })).toBe("logo must be a picture of at most 200 kB.");
});

test("what cannot be shown or would run in a page is refused", async () => {
  for (const wrong of ["blue", "#12345", "#12345g", "", 7, "#1f4fa3;x"]) expect(await problemOf({ accent: wrong })).toMatch(/^accent must/);
  const addresses = ["javascript:alert(1)", "http://example.org", "data:text/html,x", "https://", "https://me@evil.org", "mailto:x", ""];
  for (const wrong of addresses) expect(await problemOf({ supportUrl: wrong }), wrong).toMatch(/^supportUrl must begin/);
  for (const right of ["https://help.example.org/x?y=1#z", "mailto:help@example.org"])
    expect((await change({ supportUrl: right })).json.supportUrl).toBe(right);
  expect(await problemOf({ name: "" })).toMatch(/^name must be a text of 1 to 100/);
  expect(await problemOf({ name: "a\u202eb" })).toMatch(/^name has a character/);
  expect(await problemOf({ colour: "#1f4fa3" })).toMatch(/^There is no field of this name/);
});
