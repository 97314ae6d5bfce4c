// `onDuplicate`: a new record that is stored already is told or refused, and nobody learns by it of what they may not see.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { checkOnce, createFollower } from "../../duplicates/matcher.ts";
import { createReadAudit } from "../../people/auth/read-audit.ts";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";
import { checkerFor, type OpenApiChecker } from "../../testing/openapi-checker.ts";

const field = (name: string, more: object = {}) => ({ name, title: name, ...more });
const MATCH = {
  comparisons: [
    { fields: ["firstName", "lastName"], as: "name", weight: 6, unlike: 3 },
    { fields: ["phone"], as: "phone", weight: 6 },
  ],
  same: 9,
  maybe: 5,
};
const PACKAGE = {
  title: "People",
  resources: [
    {
      name: "people",
      singular: "person",
      noun: "person",
      title: "People",
      label: ["firstName", "lastName"],
      match: MATCH,
      rules: [{ name: "abroad", severity: "warning", must: 'city != "Rome"', message: "Rome is far." }],
      schema: {
        fields: [
          field("id", { type: "integer" }),
          field("firstName"),
          field("lastName"),
          field("phone"),
          field("city"),
          field("badge", { constraints: { unique: true } }),
        ],
        primaryKey: "id",
      },
    },
    {
      name: "orders",
      title: "Orders",
      schema: {
        fields: [field("id", { type: "integer" }), field("personId", { type: "integer" })],
        primaryKey: "id",
        foreignKeys: [{ fields: ["personId"], reference: { resource: "people", fields: ["id"] } }],
      },
    },
    { name: "marks", title: "Marks", schema: { fields: [field("id", { type: "integer" })], primaryKey: "id" } },
  ],
};

let service: LivingService;
let checker: OpenApiChecker;
const follower = createFollower();
const lines: { event: string; operation: string; ids: number[] }[] = [];
beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) };
  service = await startLivingService(PACKAGE, { audit: createReadAudit("*"), logLevel: "warn", logTo });
  checker = checkerFor(JSON.stringify((await service.send("GET", "/v1/openapi.json", undefined, { as: "admin" })).json));
  // What is stored is looked at once. From then on each request looks at what was written before it.
  await send("POST", "/v1/people", { id: 1, firstName: "Zoe", lastName: "First" });
  await scanAll();
});
afterAll(() => service.close());

/** Who sees all of it gets what the document says. */
const send: LivingService["send"] = async (method, url, body, options) => {
  const reply = await service.send(method, url, body, options);
  const { status, json } = reply;
  const headers = reply.headers as Record<string, string>;
  const faults = options?.authorization ? [] : checker.faultsOf({ method, path: url, status, headers, text: JSON.stringify(json) ?? "" });
  expect([method, url, faults]).toEqual([method, url, []]);
  return reply;
};
async function scanAll(): Promise<void> {
  for (let quiet = 0; quiet < 2; ) quiet = (await checkOnce(service.living, follower)) ? 0 : quiet + 1;
}
/** Transactions of other tests may hold the feed up: then a request does not know yet of the one before it. */
async function seen(): Promise<void> {
  const { json: mark } = await send("POST", "/v1/marks", {});
  const marks = async () => (await send("GET", "/v1/changes?collection=marks&limit=1000")).json.changes as { objectId: number }[];
  await vi.waitFor(async () => expect((await marks()).some(({ objectId }) => objectId === mark.id)).toBe(true), 50_000);
}
async function roleWith(conditions: object, scope = "people:read people:create people:update"): Promise<Record<string, string>> {
  const admin = { as: "admin" };
  const { json: role } = await send("POST", "/v1/roles", { name: randomUUID(), scope, conditions: { people: conditions } }, admin);
  const { json: key } = await send("POST", "/v1/keys", { name: "Desk", roles: [role.id] }, admin);
  return { authorization: `Bearer ${key.key}` };
}

/** A person of each test's own: nobody else has the name or the number. */
let own: { firstName: string; lastName: string; phone: string };
let number = 100_000;
let stored: number;
beforeEach(async () => {
  number += 1;
  const word = [...String(number)].map((digit) => "bdfgklmnpr"[Number(digit)]).join("a");
  own = { firstName: `Ona${word}`, lastName: `Lim${word}`, phone: `0171 ${number}77` };
  stored = (await send("POST", "/v1/people", { ...own, city: "Bonn" })).json.id;
  await seen();
});

const same = () => ({
  code: "DUPLICATE",
  detail: "The same person is stored already. Name: the same. phone: the same.",
  href: `/v1/people/${stored}`,
  similar: {
    ...{ id: stored, level: "same", score: 12 },
    reasons: [
      { fields: ["firstName", "lastName"], as: "name", found: "same" },
      { fields: ["phone"], as: "phone", found: "same" },
    ],
  },
});
const maybe = () => ({
  code: "DUPLICATE",
  detail: "Perhaps the same person is stored already. phone: the same.",
  href: `/v1/people/${stored}`,
  similar: { id: stored, level: "maybe", score: 6, reasons: [{ fields: ["phone"], as: "phone", found: "same" }] },
});
const onlyPhone = () => ({ phone: own.phone });
const quite = () => ({ firstName: `Quite${number}` });
const countOf = async () => (await send("GET", `/v1/people?phone=${encodeURIComponent(own.phone)}&count=exact`)).json.total;

describe("one record", () => {
  test("is stored with a warning that names what is like it, and why", async () => {
    const { status, json } = await send("POST", "/v1/people?onDuplicate=warn", own);
    expect([status, json.warnings]).toEqual([201, [{ pointer: "", ...same() }]]);
    expect((await send("GET", `/v1/people/${json.id}`)).json).not.toHaveProperty("warnings");
    expect(JSON.stringify((await send("GET", `/v1/people/${json.id}/history`)).json)).not.toContain("acknowledged");
  });

  test("is refused where one is the same, and only warned of where one may be", async () => {
    const refused = await send("POST", "/v1/people?onDuplicate=error", { person: own });
    expect([refused.status, refused.json.code, refused.json.errors]).toEqual([409, "DUPLICATE", [{ pointer: "/person", ...same() }]]);
    expect(await countOf()).toBe(1);
    const { status, json } = await send("POST", "/v1/people?onDuplicate=error", onlyPhone());
    expect([status, json.warnings]).toEqual([201, [{ pointer: "", ...maybe() }]]);
  });

  test("is told nothing without the parameter, or when nothing is like it", async () => {
    expect((await send("POST", "/v1/people", own)).json).not.toHaveProperty("warnings");
    const other = await send("POST", "/v1/people?onDuplicate=error", { firstName: "Nobody", lastName: "Known" });
    expect([other.status, other.json.warnings]).toEqual([201, undefined]);
  });

  test("that comes right after its twin knows of it, and of what became of it", async () => {
    expect((await send("DELETE", `/v1/people/${stored}`)).status).toBe(204);
    await seen();
    const first = await send("POST", "/v1/people?onDuplicate=error", own);
    expect([first.status, first.json.warnings]).toEqual([201, undefined]);
    await seen();
    expect((await send("POST", "/v1/people?onDuplicate=error", own)).json.errors[0].href).toBe(`/v1/people/${first.json.id}`);
  });

  test("has the same warnings and the same refusal in a dry run", async () => {
    const tried = await send("POST", "/v1/people?onDuplicate=warn&dryRun=true", own);
    expect([tried.status, tried.json.warnings]).toEqual([201, [{ pointer: "", ...same() }]]);
    expect((await send("POST", "/v1/people?onDuplicate=error&dryRun=true", own)).status).toBe(409);
    expect(await countOf()).toBe(1);
  });

  test("says what breaks its rules first, and stands beside warnings of rules", async () => {
    const rome = { ...own, city: "Rome" };
    const asked = await send("POST", "/v1/people?onDuplicate=error", rome);
    expect([asked.status, asked.json.code]).toEqual([422, "WARNING"]);
    const { json } = await send("POST", "/v1/people?onDuplicate=warn&acknowledge=abroad", rome);
    expect(json.warnings.map(({ code }: { code: string }) => code)).toEqual(["WARNING", "DUPLICATE"]);
    expect((await send("POST", "/v1/people?onDuplicate=error&acknowledge=all", rome)).status).toBe(409);
  });

  test("an update is no new record", async () => {
    const { status, json } = await send("POST", "/v1/people?onConflict=update&onDuplicate=error", { id: stored, ...own, city: "Ulm" });
    expect([status, json.city, json.warnings]).toEqual([200, "Ulm", undefined]);
    const made = await send("POST", "/v1/people?onConflict=update&onDuplicate=error", { id: number * 10, ...own });
    expect([made.status, made.json.code]).toEqual([409, "DUPLICATE"]);
    const only = await send("POST", "/v1/people?onConflict=update&onMissing=error&onDuplicate=error", { id: stored, ...own });
    expect(only.status).toBe(200);
  });

  test.each([
    ["/v1/orders?onDuplicate=warn", 'Orders are not compared: the dictionary has no "match" for them. Leave onDuplicate out.'],
    ["/v1/orders/batch?onDuplicate=error", 'Orders are not compared: the dictionary has no "match" for them. Leave onDuplicate out.'],
    ["/v1/people?onDuplicate=skip", "onDuplicate must be one of warn, error."],
  ])("%s is refused", async (path, detail) => {
    const { status, json } = await send("POST", path, []);
    expect([status, json.errors]).toEqual([400, [{ parameter: "onDuplicate", code: "BAD_PARAMETER", detail }]]);
  });
});

describe("many records", () => {
  test("each for itself: the row that is the same fails alone, and one that may be is warned of", async () => {
    const { status, json } = await send("POST", "/v1/people?onError=continue&onDuplicate=error", [own, onlyPhone(), quite()]);
    expect(status).toBe(207);
    expect(json.summary).toMatchObject({ created: 2, failed: 1 });
    expect(json.results[0]).toMatchObject({
      outcome: "failed",
      status: 409,
      problem: { code: "DUPLICATE", errors: [{ pointer: "/0", ...same() }] },
    });
    expect(json.results[1]).toMatchObject({ outcome: "created", warnings: [{ pointer: "/1", ...maybe() }] });
    expect(json.results[2].warnings).toBeUndefined();
  });

  test("all or nothing: nothing is stored, and the refusal names the rows", async () => {
    const refused = await send("POST", "/v1/people?onDuplicate=error", { people: [quite(), own] });
    expect([refused.status, refused.json.errors]).toEqual([409, [{ pointer: "/people/1", ...same() }]]);
    const warned = await send("POST", "/v1/people?onDuplicate=warn", { people: [quite(), own] });
    expect([warned.status, warned.json.warnings]).toEqual([201, [{ pointer: "/people/1", ...same() }]]);
  });

  test("rows of one request are not compared with each other", async () => {
    const twins = { firstName: "Both", lastName: `New${number}`, phone: `0160 ${number}88` };
    const { json } = await send("POST", "/v1/people?onError=continue&onDuplicate=error", [twins, twins]);
    expect(json.summary).toMatchObject({ created: 2, failed: 0 });
  });

  test("of operations those that make a record are compared", async () => {
    const operations = [
      { action: "create", record: own },
      { action: "upsert", record: { id: stored, city: "Ulm", phone: own.phone } },
      { action: "update", record: { id: stored, lastName: own.lastName } },
      { action: "create", record: onlyPhone() },
      { action: "delete", record: { id: stored } },
    ];
    const { status, json } = await send("POST", "/v1/people/batch?onError=continue&onDuplicate=error", operations);
    expect(status).toBe(207);
    expect(json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "failed",
      "updated",
      "unchanged",
      "created",
      "deleted",
    ]);
    expect(json.results[0].problem.errors).toEqual([{ pointer: "/0/record", ...same() }]);
    expect(json.results[3].warnings).toEqual([{ pointer: "/3/record", ...maybe() }]);
  });

  test("of several collections in one request only those that are compared are", async () => {
    const operations = [
      { action: "create", record: own },
      { action: "create", collection: "orders", record: { personId: { $ref: "0" } } },
    ];
    const warned = await send("POST", "/v1/people/batch?onDuplicate=warn", operations);
    expect([warned.status, warned.json.results[0].warnings, warned.json.results[1].warnings]).toEqual([
      200,
      [{ pointer: "/0/record", ...same() }],
      undefined,
    ]);
    const refused = await send("POST", "/v1/people/batch?onDuplicate=error", operations);
    expect([refused.status, refused.json.code]).toEqual([409, "DUPLICATE"]);
  });
});

describe("asked again under an idempotency key", () => {
  test("a row's answer stays what it was, though the record itself is stored by now", async () => {
    const again = () =>
      send("POST", "/v1/people?onError=continue&onDuplicate=error", [own, onlyPhone()], { "idempotency-key": `k${number}` });
    const first = await again();
    await seen();
    const second = await again();
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.json).toEqual(first.json);
    expect(first.json.summary).toMatchObject({ created: 1, failed: 1 });
  });

  test("what was stored with a warning is stored once, and a refusal can be corrected under its key", async () => {
    const headers = { "idempotency-key": `one${number}` };
    expect((await send("POST", "/v1/people?onDuplicate=error", own, headers)).status).toBe(409);
    const first = await send("POST", "/v1/people?onDuplicate=warn", own, headers);
    await seen();
    const second = await send("POST", "/v1/people?onDuplicate=warn", own, headers);
    expect([second.status, second.json]).toEqual([201, first.json]);
    expect(second.json.warnings).toHaveLength(1);
    expect(await countOf()).toBe(2);
  });

  test("who may see less by now is not told any more what is like it", async () => {
    const admin = { as: "admin" };
    const scope = "people:read people:create";
    const { json: role } = await send("POST", "/v1/roles", { name: randomUUID(), scope, conditions: {} }, admin);
    const { json: key } = await send("POST", "/v1/keys", { name: "Desk", roles: [role.id] }, admin);
    const headers = { authorization: `Bearer ${key.key}`, "idempotency-key": `less${number}` };
    const ask = (path: string, body: object) => send("POST", path, body, headers);
    const [one, each] = ["/v1/people?onDuplicate=warn", "/v1/people?onDuplicate=error&onError=continue"];
    expect((await ask(one, { ...own, city: "Ulm" })).json.warnings).toEqual([{ pointer: "", ...same() }]);
    await seen();
    headers["idempotency-key"] += "b";
    expect((await ask(each, [own])).json.results[0].problem.errors).toHaveLength(2);
    for (const conditions of [{ fields: { hidden: ["phone"] } }, { read: { where: "city=Ulm" } }]) {
      const changed = await send("PATCH", `/v1/roles/${role.id}`, { conditions: { people: conditions } }, admin);
      expect(changed.status).toBe(200);
      headers["idempotency-key"] = `less${number}`;
      const again = await ask(one, { ...own, city: "Ulm" });
      headers["idempotency-key"] += "b";
      const row = await ask(each, [own]);
      expect([again.status, row.status]).toEqual([201, 207]);
      for (const { json } of [again, row])
        for (const word of [`/people/${stored}"`, "score", "the same"]) expect(JSON.stringify(json)).not.toContain(word);
      expect(again.json.warnings).toEqual([{ pointer: "", code: "DUPLICATE", detail: "A record that is like it is stored already." }]);
    }
  });

  test("of a record that is erased the stored answer says no more than that there was one", async () => {
    const headers = { "idempotency-key": `erase${number}` };
    const first = await send("POST", "/v1/people?onDuplicate=warn", own, headers);
    expect((await send("POST", `/v1/people/${stored}/erasure`, undefined, { as: "admin" })).status).toBeLessThan(300);
    const again = await send("POST", "/v1/people?onDuplicate=warn", own, headers);
    expect([again.status, again.json.id]).toEqual([201, first.json.id]);
    expect(again.json.warnings).toEqual([{ code: "DUPLICATE", detail: "A record was like it that was erased since." }]);
  });
});

describe("rights", () => {
  test("who is told what is like a record is noted, where reads are", async () => {
    for (const query of ["onDuplicate=warn", "onDuplicate=error", "onDuplicate=error&onError=continue"]) {
      lines.length = 0;
      await send("POST", `/v1/people?${query}&dryRun=true`, [own]);
      const noted = lines.filter(({ event }) => event === "read").map(({ operation, ids }) => [operation, ids.includes(stored)]);
      expect(noted).toEqual([["post_people", true]]);
    }
  });

  test("a record out of sight is not there: it is neither named nor in the way", async () => {
    const ulm = await roleWith({ read: { where: "city=Ulm" } });
    const { status, json } = await send("POST", "/v1/people?onDuplicate=error", { ...own, city: "Ulm" }, ulm);
    expect([status, json.warnings]).toEqual([201, undefined]);
  });

  test.each(["hidden", "masked"])("what is %s is neither compared nor named", async (how) => {
    const caller = await roleWith({ fields: { [how]: ["phone"] } });
    const { phone: _, ...name } = own;
    const { json } = await send("POST", "/v1/people?onDuplicate=error", name, caller);
    expect(json.warnings).toMatchObject([
      { code: "DUPLICATE", similar: { id: stored, level: "maybe", score: 6, reasons: [{ as: "name" }] } },
    ]);
    expect(JSON.stringify(json.warnings)).not.toContain("phone");
  });

  test("who knows nothing that is compared is told that nothing is", async () => {
    const caller = await roleWith({ fields: { hidden: ["firstName", "phone"] } });
    const { status, json } = await send("POST", "/v1/people?onDuplicate=warn", { city: "Ulm" }, caller);
    expect([status, json.errors[0].detail]).toEqual([
      400,
      'People are not compared: the dictionary has no "match" for them. Leave onDuplicate out.',
    ]);
  });

  test("who may only create is refused", async () => {
    const caller = await roleWith({}, "people:create");
    for (const [path, body] of [
      ["/v1/people", own],
      ["/v1/people/batch", [{ action: "create", record: own }]],
    ] as const) {
      expect((await send("POST", `${path}?onDuplicate=warn`, body, caller)).status).toBe(403);
      expect((await send("POST", path, body, caller)).status).toBeLessThan(300);
    }
  });
});
