// The OpenAPI document: every answer that it promises is given, for each path, method and status.

import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { readMailSettings } from "../../../core/contract/mail-settings.ts";
import { childrenOf } from "../../../core/dictionary/children.ts";
import { OPERATORS_OF } from "../../../core/dictionary/filters.ts";
import type { Schema } from "../../http/json-schemas.ts";
import { createMailer } from "../../mail/mailer.ts";
import { type OpenApi, type Operation, parametersOf } from "../../openapi/openapi-types.ts";
import { createValidator } from "../../testing/openapi-checker.ts";
import { collectionOf, examplesIn, type Promised, promisedBy, requestFor, scopeOf } from "../../testing/response-coverage.ts";
import { isOffered, PAGE, tokenFor } from "../../testing/response-coverage-people.ts";
import { DICTIONARY, EMPLOYEES, NO_RATE_LIMIT, ORDERS, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase } from "../../testing/store.ts";
import { mergedSchema } from "../../testing/whole-document.ts";

/** Says what a service offers only if its settings say so. Nobody listens at this mail server. */
const OFFERING: Parameters<typeof openTestService>[1] = {
  signUp: "request",
  mailer: createMailer(readMailSettings("smtp://127.0.0.1:1", "intake@example.org")),
  publicUrl: PAGE.origin,
};

const DICTIONARIES = [
  ["customers", DICTIONARY],
  ["employees", EMPLOYEES],
  ["customers, contacts and orders", ORDERS],
] as const;

// The document does not know the engine: for the second one, the largest is enough.
describe.each(DICTIONARIES.slice(0, inject("postgres") ? 1 : undefined))("the interface of %s", (_, dictionary) => {
  let service: TestService;
  let document: OpenApi;
  beforeAll(async () => {
    service = await openTestService(dictionary, OFFERING);
    document = service.checker.document;
  });
  afterAll(() => service.close());

  /** With HEAD and OPTIONS, which the document describes once for all. */
  const operations = (): [where: string, operation: Operation][] =>
    Object.entries(service.checker.whole.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
    );

  test("every parameter says what it means, and not only what it must be", () => {
    const bare = operations().flatMap(([where, operation]) =>
      parametersOf(document, operation)
        .filter(({ name, in: place, description }) => place === "query" && String(description).startsWith(`${name} must be`))
        .map(({ name }) => `${where} ${name}`),
    );
    expect(bare).toEqual([]);
  });

  test("the document has only valid schemas, examples and references", () => {
    const validate = createValidator(document);
    const text = JSON.stringify(document);
    const { schemas, responses, headers, parameters } = document.components;
    for (const [, kind, name = ""] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      expect([name, name in document.components[kind as keyof OpenApi["components"]]]).toEqual([name, true]);
    }
    for (const [kind, components] of Object.entries({ responses, headers, parameters }))
      for (const name of Object.keys(components)) expect([name, text.includes(`"#/components/${kind}/${name}"`)]).toEqual([name, true]);
    const bodies = [...Object.values(responses), ...operations().flatMap(([, one]) => Object.values(one.responses))].flatMap((response) =>
      "$ref" in response ? [] : Object.values(response.content ?? {}),
    );
    const sent = [
      ...operations().flatMap(([, { requestBody }]) => Object.values(requestBody?.content ?? {})),
      ...Object.values(parameters),
      ...Object.values(headers),
    ];
    const all = [...Object.values(schemas), ...[...bodies, ...sent].map(({ schema }) => schema as object)];
    expect(all.length).toBeGreaterThan(100);
    for (const schema of all) expect(validate(schema)).toBeTypeOf("function");
    const examples = Object.values(schemas).flatMap(examplesIn);
    expect(examples.length).toBeGreaterThan(4);
    for (const [schema, example] of examples) expect([example, validate(schema)(example)]).toEqual([example, true]);
  });

  test("the operation ids are unique, and each operation has its path's parameters once", () => {
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [where, operation] of operations()) {
      const names = parametersOf(document, operation).map((one) => `${one.in} ${String(one.name).toLowerCase()}`);
      expect([where, new Set(names).size]).toEqual([where, names.length]);
      expect([where, names.filter((name) => name.startsWith("path"))]).toEqual([
        where,
        [...where.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`.toLowerCase()),
      ]);
    }
  });

  test("a parameter that came later stands behind the older ones, for generated clients that take them by their place", () => {
    const namesOf = (path: string) =>
      parametersOf(document, document.paths[path]?.post as Operation).flatMap((one) => (one.in === "query" ? one.name : []));
    for (const collection of Object.keys(document.paths).filter((path) => `${path}/deletions` in document.paths)) {
      const older = ["onError", "match", "dryRun"];
      expect(namesOf(collection).filter((name) => name !== "matchBy" && name !== "onDuplicate")).toEqual([
        ...older,
        "onConflict",
        "onMissing",
        "unlessChangedSince",
        "acknowledge",
      ]);
      expect(namesOf(`${collection}/deletions`)).toEqual([...older, "unlessChangedSince"]);
      const newest = `${collection}/duplicates` in document.paths ? "onDuplicate" : "acknowledge";
      for (const path of [collection, `${collection}/batch`]) expect(namesOf(path).at(-1)).toBe(newest);
    }
  });

  const PEOPLE_OPEN = [
    "/v1/sign-in",
    "/v1/sessions",
    "/v1/sessions/refresh",
    "/v1/sessions/passkey-options",
    "/v1/links/lookup",
    "/v1/links/use",
    "/v1/password-resets",
    "/v1/access-requests",
    "/v1/oidc/start",
    "/v1/oidc/callback",
  ];
  test("each operation names the scope that it needs, or none if it is open", () => {
    const open = operations()
      .filter(([where]) => !where.startsWith("options") && !where.startsWith("head"))
      .filter(([, operation]) => scopeOf(operation) === undefined)
      .map(([where]) => where.split(" ")[1]);
    const routes = [
      ...PEOPLE_OPEN,
      "/livez",
      "/readyz",
      "/v1/oauth/token",
      "/v1/oauth/revoke",
      "/metrics",
      "/docs.css",
      "/v1/organisation",
      "/v1/organisation/logo/{id}",
      "/problems/{code}",
    ];
    expect(open.sort()).toEqual(routes.sort());
    for (const [where, operation] of operations()) {
      if (where.startsWith("options")) expect([where, operation.security]).toEqual([where, []]);
      if (where.startsWith("head")) expect(operation.security).toEqual(document.paths[where.split(" ")[1] ?? ""]?.get?.security);
    }
    expect(Object.keys(document.components.securitySchemes)).toEqual(["token", "oauth"]);
  });

  test("each operation accepts the parameters of the document and no others", async () => {
    for (const [where, operation] of operations().filter(([one, { security }]) => security.length > 0 && !one.startsWith("head"))) {
      const [method = "", template = ""] = where.split(" ");
      const path = `${template.replace("{id}", "1")}?nonsense=1`;
      const token = await tokenFor(service, template);
      const headers = { authorization: `Bearer ${token}`, ...(operation.requestBody && { "content-type": "application/json" }) };
      const { json } = await service.raw(method.toUpperCase(), path, headers, operation.requestBody && "{}");
      const names = parametersOf(document, operation).flatMap((one) =>
        one.in !== "query" || one.name === "or" ? [] : one.name === "filter" ? filtersOf(document, one.schema as Schema) : one.name,
      );
      const detail = `There is no parameter of this name here. There are: ${names.join(", ") || "none"}.`;
      expect([where, json.errors]).toEqual([where, [{ parameter: "nonsense", code: "BAD_PARAMETER", detail }]]);
    }
  });

  test("each answer of the document is given by some request", async () => {
    const hurried = await openTestService(dictionary, { limits: { ...NO_RATE_LIMIT, requestsPerSecond: 1, requestBurst: 1 } });
    const [attacked, stopping] = [
      await openTestService(dictionary, OFFERING),
      await openTestService(dictionary, { isStopping: () => true }),
    ];
    const [closed, strict] = [
      await openTestService(dictionary, { imports: undefined }),
      await openTestService(dictionary, { requirePasskey: true }),
    ];
    const placeOf = ({ status, operation, template }: Promised) => {
      if (status === 429) return scopeOf(operation) ? hurried : attacked;
      if (status === 409 && template.startsWith("/v1/keys/")) return attacked; // loses its own administrator
      if (status === 409 && template === "/v1/me/passkeys/{id}") return strict;
      if (status === 404 && (isOffered(template) || template.endsWith("/imports"))) return closed;
      return status === 503 ? stopping : service;
    };
    const answer = async (promised: Promised) => {
      const own = placeOf(promised);
      const { path, headers, body } = await requestFor(own, collectionOf(own, promised.template), promised);
      const send = () => own.raw(promised.method, path, headers, body);
      return promised.status === 429 ? untilRateLimited(send) : (await send()).status;
    };
    const missed: string[] = [];
    const promises = promisedBy(service).filter(({ template }) => dictionary === DICTIONARY || isOfRecords(service, template));
    for (const promised of promises.filter(
      (one) => !isLateCopy(one) && !isOnlyTooMany(service, one) && !isOnlyTooLarge(one) && !isOnlyNarrowed(one),
    )) {
      const status = await answer(promised);
      const { method, template, operation } = promised;
      if (status !== promised.status) missed.push(`${method} ${template} (${operation.operationId}): not ${promised.status} but ${status}`);
    }
    for (const own of [hurried, attacked, stopping, closed, strict]) await own.close();
    expect(missed).toEqual([]);
    expect(promises.length).toBeGreaterThan(250);
  }, 600_000);
});

/** The names of the filters that a list's `filter` has: its fields, and behind them those of each parent. */
function filtersOf(document: OpenApi, schema: Schema, above = ""): string[] {
  const members = Object.entries(mergedSchema(document, schema).properties as Record<string, Schema>);
  const fields = members.filter(([name]) => ![...OPERATORS_OF.text, ...OPERATORS_OF.list].some((operator) => operator === name));
  return fields.flatMap(([name, one]) => (one.$ref ? filtersOf(document, one, `${name}.`) : [`${above}${name}`]));
}

// Only several processes on one PostgreSQL see a repeated request while the first one is still running.
test.runIf(inject("postgres"))(
  "a repetition of a request that is still running is a 409",
  async () => {
    const database = await createTestDatabase();
    const service = await openTestService(DICTIONARY, {}, database);
    const client = new pg.Client({ connectionString: database.url });
    try {
      const [collection] = service.collections;
      if (!collection) throw new Error("no collection");
      const copies = promisedBy(service).filter(isLateCopy);
      expect(copies.map(({ method }) => method).sort()).toEqual(["DELETE", "PATCH", "PATCH", "POST", "POST"]);
      const requests: (() => ReturnType<typeof service.raw>)[] = [];
      for (const one of copies) {
        // In turn: a record that is stored with a lower key after a dry run, in the same millisecond, makes the token one of other records.
        const { path, headers, body } = await requestFor(service, collection, { ...one, status: 200 });
        requests.push(() => service.raw(one.method, path, { ...headers, "idempotency-key": "late" }, body));
      }
      for (const send of requests) expect((await send()).status).toBeLessThan(300);
      await client.connect();
      await client.query("BEGIN; DELETE FROM replies"); // as if the first requests were still running
      for (const reply of await Promise.all(requests.map((send) => send()))) {
        expect([reply.status, reply.json.code, reply.headers["retry-after"]]).toEqual([409, "IDEMPOTENCY_IN_PROGRESS", "1"]);
      }
    } finally {
      await client.end();
      await service.close();
      await database.drop();
    }
  },
  180_000,
);

/** Says whether the dictionary says what is asked for and answered. What else there is, such as people and keys, is the same with all. */
function isOfRecords({ collections }: TestService, template: string): boolean {
  return collections.some(({ name }) => template.startsWith(`/v1/${name}`)) || template === "/v1/changes";
}

/** A 409 that only several processes can cause: PATCH, deletions and restoring never find an id in use. */
function isLateCopy({ method, template, status }: Promised): boolean {
  const isOfChosen = method === "DELETE" && /^\/v1\/[^/]+$/.test(template);
  const isOfMany = isOfChosen || /\/(?:deletions|restore)$/.test(template);
  return status === 409 && !/^\/v1\/(?:users|roles)/.test(template) && (method === "PATCH" || isOfMany);
}

/** A 409 to a rewrite of more than a gigabyte: erasure.test.ts. */
function isOnlyTooLarge({ template, status }: Promised): boolean {
  return status === 409 && template === "/v1/rewrite";
}

/** A stored record breaks a constraint only where that was narrowed since: constraint-exceptions.test.ts. */
function isOnlyNarrowed({ method, template, status }: Promised): boolean {
  return method === "PUT" && template.includes("/exceptions/") && status === 200;
}

/** A 409 to a deletion that no rule forbids: more than five thousand records would go or change along. */
function isOnlyTooMany(service: TestService, { method, template, status }: Promised): boolean {
  const children = childrenOf(service.collections, collectionOf(service, template));
  return (
    status === 409 && method === "DELETE" && children.length > 0 && !children.some(({ field }) => field.reference.onDelete === "restrict")
  );
}

/** Sends until the rate limit answers, with the clock stopped so that no limit refills on a slow machine. */
async function untilRateLimited(send: () => Promise<{ status: number }>): Promise<number> {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    for (let i = 0; i < 120; i++) if ((await send()).status === 429) return 429;
    return 0;
  } finally {
    vi.useRealTimers();
  }
}
