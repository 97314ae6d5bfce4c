// A dictionary of 60 collections with 100 fields each: its document is one that tools can read.

import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";
import { wideDictionary } from "../../testing/wide-dictionary.ts";

const MOST = 3_780_000; // bytes, not compressed: 63 kB for each collection of 100 fields

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await openTestService(wideDictionary(60, 100));
  token = await service.tokenFor("read");
}, 300_000);
afterAll(() => service.close());

const read = (path: string, headers = {}) => service.raw("GET", path, { authorization: `Bearer ${token}`, ...headers });

test("its document names every field, in 3.8 MB", async () => {
  const { text, json } = await read("/v1/openapi.json");
  expect(Buffer.byteLength(text)).toBeLessThan(MOST);
  for (const { fields, singular } of service.collections) {
    const name = (singular[0] ?? "").toUpperCase() + singular.slice(1);
    const { properties } = json.components.schemas[`${name}Values`];
    expect([name, Object.keys(properties)]).toEqual([name, fields.map((field) => field.name)]);
  }
});

test("is made once for those who may see the same, and not sent to whoever has it", async () => {
  const first = await read("/v1/openapi.json");
  const again = await read("/v1/openapi.json", { "if-none-match": first.headers.etag });
  expect([again.status, again.text]).toEqual([304, ""]);
  const part = await service.raw("GET", "/v1/openapi.json", { authorization: `Bearer ${await service.tokenFor("collection1s:read")}` });
  expect(
    Object.keys(part.json.paths)
      .filter((path) => path.startsWith("/v1/collection"))
      .every((path) => /\/collection1s\b/.test(path)),
  ).toBe(true);
  expect(part.text.length).toBeLessThan(first.text.length / 10);
});

test("its records are answered as the document says, and found by its filters", async () => {
  const { collections } = service;
  const made = await service.call("POST", "/v1/collection7s", {
    property1x7: "Ek",
    property2x7: 5,
    property4x7: true,
    property5x7: "2026-03-09",
  });
  expect(made.status).toBe(201);
  expect(Object.keys(made.json)).toEqual(expect.arrayContaining(collections[6]?.fields.map(({ name }) => name) ?? ["none"]));
  for (const query of ["property2x7[gte]=5", "filter[gte][property2x7]=5&filter[property1x7]=Ek", "filter[null][property3x7]=true"])
    expect([query, (await service.call("GET", `/v1/collection7s?${query}`)).json.collection7s.length]).toEqual([query, 1]);
  const unknown = await service.call("GET", "/v1/collection7s?property2x8=5");
  expect([unknown.status, unknown.json.detail]).toEqual([400, expect.stringContaining("Did you mean")]);
});
