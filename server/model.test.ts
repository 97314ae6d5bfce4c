// Random operations on the service and on a plain Map: statuses, versions, lists and searches must agree.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { foldWords } from "../dictionary/fold.ts";
import { openTestService, type TestService } from "./test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const RUNS = process.env.DEEP ? 2_000 : 60;
const IDS = 6;

interface Model {
  records: Map<number, { fields: Fields; version: number }>;
  tombstones: Map<number, number>;
}
interface Fields {
  firstName: string | null;
  lastName: string;
  accountID: string;
}

type Op =
  | { do: "put"; id: number; fields: Fields; ifMatch: boolean | null }
  | { do: "patch"; id: number; fields: Partial<Fields>; ifMatch: boolean | null }
  | { do: "delete"; id: number }
  | { do: "post"; items: { id: number; fields: Fields }[]; onConflict: "error" | "skip" | "update"; onError: boolean }
  | { do: "search"; q: string }
  | { do: "dryRun"; id: number; fields: Fields };

const aName = fc.constantFrom("Ek", "Åberg", "van 't Hoff", "O’Brien", "王", "Zoë Ek", "007", "ø-ß");
const someFields = fc.record({ firstName: fc.option(aName), lastName: aName, accountID: fc.constantFrom("1", "007", "A-1") });
const anId = fc.integer({ min: 1, max: IDS });
const aMatch = fc.constantFrom(null, null, true, false);
const anOp: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ do: fc.constant("put" as const), id: anId, fields: someFields, ifMatch: aMatch }),
  fc.record({
    do: fc.constant("patch" as const),
    id: anId,
    fields: fc.record({ firstName: fc.option(aName), lastName: aName }, { requiredKeys: [] }),
    ifMatch: aMatch,
  }),
  fc.record({ do: fc.constant("delete" as const), id: anId }),
  fc.record({
    do: fc.constant("post" as const),
    items: fc.uniqueArray(fc.record({ id: anId, fields: someFields }), { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
    onConflict: fc.constantFrom("error" as const, "skip" as const, "update" as const),
    onError: fc.boolean(),
  }),
  fc.record({ do: fc.constant("search" as const), q: fc.constantFrom("ek", "z", "hoff va", "brien", "0", "王", "oss", "o ss") }),
  fc.record({ do: fc.constant("dryRun" as const), id: anId, fields: someFields }),
);

/** Replaces or merges; a version rises only with a real change. Answers whether anything changed. */
function store(model: Model, id: number, fields: Partial<Fields>): "created" | "updated" | "unchanged" {
  const held = model.records.get(id);
  if (!held) {
    model.records.set(id, { fields: fields as Fields, version: (model.tombstones.get(id) ?? 0) + 1 });
    model.tombstones.delete(id);
    return "created";
  }
  const next = { ...held.fields, ...fields };
  if (JSON.stringify(next) === JSON.stringify(held.fields)) return "unchanged";
  model.records.set(id, { fields: next, version: held.version + 1 });
  return "updated";
}

function expectedOutcomes(model: Model, op: Op & { do: "post" }): string[] {
  return op.items.map(({ id, fields }) => {
    if (!model.records.has(id) || op.onConflict === "update") return store(model, id, fields);
    return op.onConflict === "skip" ? "skipped" : "failed";
  });
}

async function run(model: Model, op: Op, base: number): Promise<void> {
  const path = "id" in op ? `/v1/customers/${base + op.id}` : "";
  const held = "id" in op ? model.records.get(op.id) : undefined;
  const ifMatch = "ifMatch" in op ? op.ifMatch : null;
  const version = (held?.version ?? 1) + (ifMatch === false ? 1 : 0);
  const headers: Record<string, string> = ifMatch === null || !("id" in op) ? {} : { "if-match": `"${base + op.id}-${version}"` };
  const mayChange = ifMatch === null || (ifMatch && held !== undefined);
  switch (op.do) {
    case "put": {
      const { status } = await service.call("PUT", path, op.fields, headers);
      expect(status).toBe(!mayChange ? 412 : store(model, op.id, op.fields) === "created" ? 201 : 200);
      return;
    }
    case "patch": {
      const { status } = await service.call("PATCH", path, op.fields, headers);
      expect(status).toBe(!held ? 404 : mayChange ? 200 : 412);
      if (status === 200) store(model, op.id, op.fields);
      return;
    }
    case "delete": {
      const { status } = await service.call("DELETE", path);
      expect(status).toBe(held || model.tombstones.has(op.id) ? 204 : 404);
      if (held) model.tombstones.set(op.id, held.version);
      model.records.delete(op.id);
      return;
    }
    case "dryRun":
      expect(
        (await service.call("POST", "/v1/customers?dryRun=true&onConflict=skip", { ...op.fields, objectId: base + op.id })).status,
      ).toBeLessThan(300);
      return;
    case "post": {
      const body = op.items.map(({ id, fields }) => ({ ...fields, objectId: base + id }));
      const query = `onConflict=${op.onConflict}${op.onError ? "&onError=continue" : ""}`;
      const reply = await service.call("POST", `/v1/customers?${query}`, body);
      const fails = op.onConflict === "error" && op.items.some(({ id }) => model.records.has(id));
      if (fails && !op.onError) return void expect(reply.status).toBe(409);
      const outcomes = expectedOutcomes(model, op);
      if (op.onError) expect(reply.json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(outcomes);
      else expect(reply.status).toBe(outcomes.includes("created") ? 201 : 200);
      return;
    }
    case "search": {
      const { json } = await service.call("GET", `/v1/customers?limit=1000&sort=-objectId&q=${encodeURIComponent(op.q)}`);
      const found = json.customers.map(({ objectId }: { objectId: number }) => objectId - base).filter((id: number) => id >= 1);
      const finds = ({ fields }: { fields: Fields }) => {
        const words = Object.values(fields).flatMap((value) => foldWords(value ?? ""));
        return foldWords(op.q).every((wanted) => words.some((word) => word.startsWith(wanted)));
      };
      expect(found).toEqual(
        [...model.records]
          .filter(([, record]) => finds(record))
          .map(([id]) => id)
          .sort((a, b) => b - a),
      );
    }
  }
}

test("whatever is done, the service holds what a Map would hold", async () => {
  let base = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anOp, { minLength: 5, maxLength: 25 }), async (ops) => {
      base += 100;
      const model: Model = { records: new Map(), tombstones: new Map() };
      for (const op of ops) await run(model, op, base);
      for (let id = 1; id <= IDS; id++) {
        const reply = await service.call("GET", `/v1/customers/${base + id}`);
        const held = model.records.get(id);
        expect(reply.status).toBe(held ? 200 : 404);
        if (held) expect(reply.json).toMatchObject({ ...held.fields, version: held.version });
        await service.call("DELETE", `/v1/customers/${base + id}`);
      }
    }),
    { numRuns: RUNS },
  );
}, 600_000);
