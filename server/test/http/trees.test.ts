// Collections that refer to themselves: parents and children in one request, and no record below itself.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startLivingService } from "../../testing/living-service.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const PART = {
  name: "parts",
  title: "Parts",
  singular: "part",
  noun: "part",
  label: ["name"],
  schema: {
    fields: [
      { name: "id", title: "ID", type: "integer" },
      { name: "name", title: "Name", type: "string" },
      { name: "code", title: "Code", type: "string", constraints: { unique: true } },
      { name: "partOfId", title: "Part of", type: "integer" },
    ],
    primaryKey: ["id"],
    foreignKeys: [{ fields: ["partOfId"], reference: { resource: "parts", fields: ["id"] }, acyclic: true }],
  },
};
const PACKAGE = { title: "Machines", resources: [PART] };

let service: TestService;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown) =>
  service.call(method, `/v1/parts${path}`, body, method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {});
const partOf = async (id: number) => (await call("GET", `/${id}`)).json.partOfId;
const move = (id: number, partOfId: number | null) => call("PATCH", `/${id}`, { partOfId });

describe("a tree", () => {
  test("is stored by one request in whatever order, and is read from both sides", async () => {
    const { status, json } = await call("POST", "", [
      { id: 3, name: "Piston", code: "p", partOfId: 2 },
      { id: 2, name: "Motor", code: "m", partOfId: 1 },
      { id: 1, name: "Lorry", code: "l" },
    ]);
    expect([status, json.parts.map(({ id }: { id: number }) => id)]).toEqual([201, [3, 2, 1]]);
    expect((await call("GET", "/1/parts")).json.parts).toMatchObject([{ id: 2 }]);
    expect((await call("GET", "/3?expand=partOf")).json.partOf).toEqual({ id: 2, name: "Motor" });
    expect((await call("GET", "?partOf.name=Motor")).json.parts).toMatchObject([{ id: 3 }]);
    expect((await call("POST", "", { id: 4, name: "Ring", "partOf.code": "p" })).json.partOfId).toBe(3);
  });

  test.each([
    ["itself", 1, 1],
    ["its child", 1, 2],
    ["what lies deep below it", 1, 4],
  ])("has no record below %s", async (_, id, partOfId) => {
    const { status, json } = await move(id, partOfId);
    expect([status, json.errors]).toEqual([
      422,
      [{ pointer: "/partOfId", code: "CIRCLE", detail: "Part of: a part cannot lie below itself. Choose one that is not below it." }],
    ]);
    expect(await partOf(id)).toBeNull();
  });

  test("has no circle that one request makes of moves that are right alone", async () => {
    expect(
      (
        await call("POST", "", [
          { id: 11, name: "A" },
          { id: 12, name: "B" },
        ])
      ).status,
    ).toBe(201);
    const together = await call("POST", "?onConflict=update&onError=continue", [
      { id: 11, partOfId: 12 },
      { id: 12, partOfId: 11 },
    ]);
    const outcomes = together.json.results.map(({ outcome }: { outcome: string }) => outcome).sort();
    expect(outcomes).toEqual(["failed", "updated"]);
    const made = await call("POST", "", [
      { id: 21, name: "A", partOfId: 22 },
      { id: 22, name: "B", partOfId: 21 },
    ]);
    expect(made.status).toBe(422);
    expect((await call("POST", "", { id: 23, name: "Self", partOfId: 23 })).status).toBe(422);
  });

  test("a move within a request that makes room for another one is right", async () => {
    expect(
      (
        await call("POST", "", [
          { id: 31, name: "A" },
          { id: 32, name: "B", partOfId: 31 },
        ])
      ).status,
    ).toBe(201);
    const turned = await call("POST", "?onConflict=update", [
      { id: 32, partOfId: null },
      { id: 31, partOfId: 32 },
    ]);
    expect([turned.status, await partOf(31), await partOf(32)]).toEqual([200, 32, null]);
  });

  test("keeps a parent while it has children, and both go in one request, children first", async () => {
    expect((await call("DELETE", "/3")).status).toBe(409);
    const both = await call("POST", "/deletions", [{ id: 4 }, { id: 3 }]);
    expect(both.status).toBe(200);
    expect((await call("GET", "/3")).status).toBe(404);
  });

  test("has no circle when many move at once", async () => {
    const ids = Array.from({ length: 12 }, (_, i) => 100 + i);
    expect(
      (
        await call(
          "POST",
          "",
          ids.map((id) => ({ id, name: `N${id}` })),
        )
      ).status,
    ).toBe(201);
    // Each below the next one, the last below the first: all of these moves together would be a circle.
    const moves = await Promise.all(ids.map((id, i) => move(id, ids[(i + 1) % ids.length] as number)));
    expect(moves.filter(({ status }) => status === 422)).toHaveLength(1);
    expect(moves.filter(({ status }) => status === 200)).toHaveLength(ids.length - 1);
  });
});

test("a draft that forbids circles is refused while there is one, and stands once it is gone", async () => {
  const foreignKeys = PART.schema.foreignKeys.map(({ acyclic: _, ...key }) => key);
  const loose = { resources: [{ ...PART, schema: { ...PART.schema, foreignKeys } }] };
  const { send, close } = await startLivingService(loose);
  try {
    const line = [
      { id: 1, name: "A" },
      { id: 2, name: "B", partOfId: 1 },
      { id: 3, name: "C", partOfId: 2 },
    ];
    expect((await send("POST", "/v1/parts", line)).status).toBe(201);
    expect((await send("PATCH", "/v1/parts/1", { partOfId: 2 })).status).toBe(200); // nothing forbids it yet
    const made = (await send("POST", "/v1/dictionary/drafts", { title: "Tree" })).json;
    const at = `/v1/dictionary/drafts/${made.id}`;
    made.package.resources[0].schema.foreignKeys[0].acyclic = true;
    await send("PATCH", at, { package: made.package });
    const { changes } = (await send("GET", `${at}/impact`)).json;
    expect(changes).toMatchObject([{ kind: "reference", path: "parts.partOfId", to: { acyclic: true }, effect: "refused", violations: 3 }]);
    expect((await send("POST", `${at}/apply`)).status).toBe(409);
    expect((await send("PATCH", "/v1/parts/1", { partOfId: null })).status).toBe(200);
    expect((await send("POST", `${at}/apply`)).status).toBe(200);
    expect((await send("PATCH", "/v1/parts/1", { partOfId: 3 })).json.errors).toMatchObject([{ code: "CIRCLE" }]);
  } finally {
    await close();
  }
});
