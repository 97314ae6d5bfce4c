// Whole numbers beyond 2^53: exact on every way in and out, and in the order of their size.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

const MAX = "9223372036854775807";
let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    title: "Parts",
    resources: [
      {
        name: "parts",
        singular: "part",
        title: "Parts",
        label: ["sap"],
        schema: {
          fields: [
            { name: "id", title: "ID", type: "integer" },
            {
              name: "sap",
              title: "SAP key",
              type: "integer",
              format: "big",
              example: MAX,
              constraints: { unique: true, minimum: "-99999999999999999999999999" },
            },
          ],
          primaryKey: ["id"],
        },
      },
    ],
  });
});
afterAll(() => service.close());
const send: TestService["call"] = (...given) => service.call(...given);

test("digits come as text and as a number of JSON, and go out as text", async () => {
  expect((await send("POST", "/v1/parts", { sap: MAX })).json.sap).toBe(MAX);
  const raw = '{"sap": 9223372036854775806}' as never; // as it stands
  expect((await send("POST", "/v1/parts", raw)).json.sap).toBe("9223372036854775806");
  expect((await send("POST", "/v1/parts", { sap: 7 })).json.sap).toBe("7");
  for (const sap of ["7.5", "x", "123456789012345678901234567", "007", true])
    expect([sap, (await send("POST", "/v1/parts", { sap })).status]).toEqual([sap, 422]);
  expect((await send("POST", "/v1/parts", { sap: MAX })).json.errors[0].code).toBe("UNIQUE");
  const changed = await send("PATCH", "/v1/parts?matchBy=sap", { sap: MAX });
  expect(changed.status).toBeGreaterThanOrEqual(400); // one record is named by its key
  const matched = await send("POST", "/v1/parts?matchBy=sap&onConflict=update", { parts: [{ sap: MAX }] });
  expect(matched.json.parts).toMatchObject([{ sap: MAX, version: 1 }]);
});

test("the document of the API and files have every digit", async () => {
  const schemas = (await send("GET", "/v1/openapi.json")).json.components.schemas;
  expect(JSON.stringify(schemas)).toContain('"pattern":"^-?(0|[1-9][0-9]*)$"');
  expect((await send("GET", "/v1/parts", undefined, { accept: "text/csv" })).text).toContain(MAX);
  const { id } = (await send("GET", `/v1/parts?sap=${MAX}`)).json.parts[0];
  await send("PATCH", `/v1/parts/${id}`, { sap: "9223372036854775808" }, { "if-match": "*" });
  const { history } = (await send("GET", `/v1/parts/${id}/history`)).json;
  expect(history[0].changes.sap).toEqual([MAX, "9223372036854775808"]);
});

test("lists sort and filter by size, as BigInt does", { timeout: 60_000 }, async () => {
  const bigs = fc.uniqueArray(fc.bigInt({ min: -(10n ** 26n) + 1n, max: 10n ** 26n - 1n }), { minLength: 40, maxLength: 40 });
  const [given = []] = fc.sample(bigs, { numRuns: 1, seed: 7 });
  const numbers = [...new Set([...given.filter((n) => n !== 7n), 9007199254740992n, 9007199254740993n, -9007199254740993n, 0n])];
  const { json } = await send("POST", "/v1/parts", { parts: numbers.map((n) => ({ sap: String(n) })) });
  const least = Math.min(...json.parts.map(({ id }: { id: number }) => id));
  const read = async (query: string) =>
    (await send("GET", `/v1/parts?limit=100&id[gte]=${least}&${query}`)).json.parts.map(({ sap }: { sap: string }) => sap);
  const sorted = [...numbers].sort((a, b) => (a < b ? -1 : 1));
  expect(await read("sort=sap")).toEqual(sorted.map(String));
  expect(await read("sort=-sap")).toEqual([...sorted].reverse().map(String));
  for (const bound of [sorted[5], sorted[20], 9007199254740993n, 0n] as bigint[]) {
    expect(await read(`sort=sap&sap[gt]=${bound}`)).toEqual(sorted.filter((n) => n > bound).map(String));
    expect(await read(`sort=sap&sap[lte]=${bound}`)).toEqual(sorted.filter((n) => n <= bound).map(String));
    expect(await read(`sap=${bound}`)).toEqual([String(bound)]);
  }
});
