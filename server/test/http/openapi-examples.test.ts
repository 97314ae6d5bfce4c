// The examples of the OpenAPI document are sent to a real service, and all that it names is explained.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROBLEM_CATALOGUE } from "../../../core/contract/problem-catalogue.ts";
import { type Example, examplesOf } from "../../openapi/examples.ts";
import { parametersOf } from "../../openapi/openapi-types.ts";
import { createValidator } from "../../testing/openapi-checker.ts";
import { DICTIONARY, EMPLOYEES, openTestService, readCollections, type TestService } from "../../testing/service.ts";
import { mergedSchema } from "../../testing/whole-document.ts";

const CASES = [DICTIONARY, EMPLOYEES].flatMap((dictionary) =>
  readCollections(dictionary).collections.flatMap((collection) =>
    examplesOf(collection).map((example): [string, string, string, Example] => [example.operationId, example.name, dictionary, example]),
  ),
);

/** The names in a value, at every depth: what must be the same in the example and in the real answer. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value === "number" ? "number" : "value";
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !["createdBy", "updatedBy"].includes(name))
      .map(([name, one]) => [name, shapeOf(one)]),
  );
}

test.each(CASES)("the example of %s, %s, is answered as the document says", async (operationId, name, dictionary, example) => {
  const service = await openTestService(dictionary);
  try {
    const { document } = service.checker;
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, one]) => (one.operationId === operationId ? [{ path, method, operation: one }] : [])),
    )[0];
    if (!found) throw new Error("no such operation");
    const path = found.path.replace("{id}", "7");
    const body = Object.values(found.operation.requestBody?.content ?? {})[0]?.examples?.[name] as { value: unknown } | undefined;
    expect(body?.value).toEqual(example.body);
    const [collection] = service.collections;
    const put = examplesOf(collection as never).find((one) => one.name === "create");
    if (example.needsRecord) expect((await service.call("PUT", `/v1/${collection?.name}/7`, put?.body)).status).toBe(201);
    const reply = await service.call(found.method.toUpperCase(), path + (example.query ?? ""), body?.value);
    expect([reply.status, shapeOf(reply.json)]).toEqual([example.status, shapeOf(example.answer)]);
    const response = found.operation.responses[example.status];
    const content = response && "content" in response ? response.content?.["application/json"] : undefined;
    if (!content) throw new Error(`The document has no JSON for ${example.status}.`);
    const answer = content.examples?.[name] as { value: unknown } | undefined;
    expect(answer?.value).toEqual(example.answer);
    expect(createValidator(document)(content.schema)(answer?.value)).toBe(true);
  } finally {
    await service.close();
  }
});

test("each collection of the package and of the example has its examples", () => {
  expect(new Set(CASES.map(([id]) => id)).size).toBe(20);
});

describe("the document explains itself", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(() => service.close());

  test("every operation has a description and a tag, every parameter a description", () => {
    const { document } = service.checker;
    const { paths, tags } = document;
    const known = tags.map(({ name }) => name);
    for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
      expect([operation.operationId, operation.description.length > 20, known]).toEqual([
        operation.operationId,
        true,
        expect.arrayContaining(operation.tags),
      ]);
      for (const { name, description } of parametersOf(document, operation))
        expect([name, String(description).length > 10]).toEqual([name, true]);
    }
  });

  test("bodies are named, PATCH takes one media type, and a version can be written", () => {
    const { paths, components } = service.checker.document;
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const all = operations.flatMap(({ requestBody }) => Object.entries(requestBody?.content ?? {}));
    expect(all.filter(([type]) => type === "*/*").length).toBe(1); // a file has no schema
    const contents = all.flatMap(([type, content]) => (type === "*/*" ? [] : [content]));
    for (const { schema } of contents) expect(schema).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\//) });
    expect(Object.keys(paths["/v1/customers/{id}"]?.patch?.requestBody?.content ?? {})).toEqual(["application/json"]);
    const changes = mergedSchema(service.checker.document, components.schemas.CustomerChanges ?? {});
    expect(changes).toMatchObject({ properties: { version: { type: "integer" } } });
    expect(JSON.stringify(changes)).not.toMatch(/"version":\{[^{}]*readOnly/);
  });

  test("a program finds how to get a token, and each scope that an operation needs", () => {
    const { paths, components } = service.checker.document;
    const { flows } = components.securitySchemes.oauth as { flows: { clientCredentials: { tokenUrl: string; scopes: object } } };
    const { clientCredentials } = flows;
    expect(clientCredentials.tokenUrl).toBe("/v1/oauth/token");
    const needed = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap(({ security }) => security.flatMap(({ oauth = [] }) => oauth)),
    );
    expect(needed.length).toBeGreaterThan(30);
    expect(Object.keys(clientCredentials.scopes)).toEqual(expect.arrayContaining(needed));
  });

  test.each(Object.entries(PROBLEM_CATALOGUE))("the problem %s is explained at its address", async (code, { title }) => {
    const { status, headers, text } = await service.raw("GET", `/problems/${code}`);
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain(`<h1>${title}</h1>`);
  });

  test("a problem leads to its explanation", async () => {
    const { json } = await service.call("POST", "/v1/customers", {});
    expect([json.type, json.title]).toEqual(["/problems/VALIDATION", "The data is refused"]);
    expect((await service.raw("GET", json.type)).text).toContain("<code>REQUIRED</code>");
    expect((await service.raw("GET", "/problems/NONE")).status).toBe(404);
  });
});
