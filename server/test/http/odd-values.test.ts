// Odd values in every path, query parameter and text of a body that the OpenAPI document has, one by one.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_ROOT, BACKUP_PATH } from "../../../core/contract/paths.ts";
import type { Schema } from "../../http/json-schemas.ts";
import { type Operation as DocumentedOperation, type OpenApi, parametersOf } from "../../openapi/openapi-types.ts";
import { drawValue } from "../../testing/request-generator.ts";
import { DICTIONARY, ORDERS, openTestService, type TestService } from "../../testing/service.ts";

const BYTES = ["%00", "a%00", "%ef%bf%bf", "%ed%a0%80", "%f0%9f%98%80", "%2f", "%5c", "..%2f"];
const ODD_IDS = [...BYTES, "__proto__", "constructor", "-0", "1e3", "x".repeat(500)];
// With one of each kind that is right, so that they reach what comes after the reading, too.
const VALUES = ["Ek", "7", "true", "2026-03-09", "2026-03-09T14:30:00Z", "12:30:00", "%00", "", ","];

interface Operation {
  method: string;
  path: string;
  parameters: string[];
  /** The media type of a body and its JSON Schema. */
  type: string;
  schema: Schema | undefined;
}

describe.each([
  ["customers", DICTIONARY],
  ["customers, contacts and orders", ORDERS],
])("%s", (_, dictionary) => {
  let service: TestService;
  let operations: Operation[];
  beforeAll(async () => {
    service = await openTestService(dictionary);
    operations = Object.entries(service.checker.document.paths)
      .filter(([path]) => path !== API_ROOT + BACKUP_PATH)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => {
          const [type = "", { schema } = {}] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
          return { method: method.toUpperCase(), path, parameters: namesInQuery(service.checker.document, operation), type, schema };
        }),
      );
  });
  afterAll(() => service.close());

  async function serverFaults(addresses: readonly { method: string; address: string }[]): Promise<string[]> {
    const found: string[] = [];
    for (const { method, address } of addresses) {
      const reply = await service.call(method, address, ["POST", "PUT", "PATCH"].includes(method) ? {} : undefined);
      if (reply.status >= 500) found.push(`${method} ${address}: ${reply.status}`);
    }
    return found;
  }

  test("an odd id is no fault of the service, on any path", async () => {
    const withIds = operations.filter(({ path }) => path.includes("{"));
    expect(withIds.length).toBeGreaterThan(10);
    const addresses = withIds.flatMap(({ method, path }) => ODD_IDS.map((id) => ({ method, address: withId(path, id) })));
    expect(await serverFaults(addresses)).toEqual([]);
  });

  test("nor is any value of a query parameter, once or twice", async () => {
    const reads = operations.filter(({ method, parameters }) => method === "GET" && parameters.length > 0);
    expect(reads.length).toBeGreaterThan(5);
    const queries = (name: string) => VALUES.flatMap((value) => [`${name}=${value}`, `${name}=${value}&${name}=${value}`]);
    const addresses = reads.flatMap(({ method, path, parameters }) =>
      parameters.flatMap((name) =>
        queries(encodeURIComponent(name)).map((query) => ({ method, address: `${withId(path, "7")}?${query}` })),
      ),
    );
    expect(await serverFaults(addresses)).toEqual([]);
  }, 300_000);

  test("nor is a NUL in any text of a body", async () => {
    const found: string[] = [];
    let sent = 0;
    for (const { method, path, type, schema } of operations) {
      if (!schema || !type.endsWith("json")) continue;
      const drawn = fc.sample(drawValue(service.checker.document, schema), { seed: 1, numRuns: 3 });
      for (const body of drawn.flatMap(withNuls)) {
        const reply = await service.call(method, withId(path, "7"), JSON.stringify(body), { "content-type": type });
        sent++;
        if (reply.status >= 500) found.push(`${method} ${path} ${JSON.stringify(body)}: ${reply.status}`);
      }
    }
    expect(sent).toBeGreaterThan(200);
    expect(found).toEqual([]);
  });
});

/** Copies of a value, each with a NUL in one of its texts. */
function withNuls(value: unknown): unknown[] {
  if (typeof value === "string") return [`${value}\0`];
  if (Array.isArray(value)) return value.flatMap((one, i) => withNuls(one).map((changed) => value.with(i, changed)));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => withNuls(one).map((changed) => ({ ...value, [name]: changed })));
}

/** Without the one that makes a request wait for news. */
function namesInQuery(document: OpenApi, operation: DocumentedOperation): string[] {
  return parametersOf(document, operation).flatMap((one) => (one.in === "query" && one.name !== "wait" ? one.name : []));
}

function withId(path: string, id: string): string {
  return path.replace(/\{[^}]*\}/g, id);
}
