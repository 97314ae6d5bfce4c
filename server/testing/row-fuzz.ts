// Random roles and requests of callers who see some records, held to a model that filters first.

import fc from "fast-check";
import { expect } from "vitest";
import { untilFeedRests } from "./feed-at-rest.ts";
import type { TestService } from "./service.ts";

const key = { name: "id", title: "ID", type: "integer" };
const text = (name: string) => ({ name, title: name, type: "string" });

/** Holds each family of kinds, and a reference. */
export const FUZZED = {
  title: "Fuzzed",
  resources: [
    {
      name: "teams",
      title: "Teams",
      label: ["area"],
      schema: { fields: [key, text("area"), { name: "size", title: "Size", type: "integer" }], primaryKey: ["id"] },
    },
    {
      name: "things",
      title: "Things",
      label: ["name"],
      schema: {
        fields: [
          key,
          text("name"),
          { name: "rank", title: "Rank", type: "integer" },
          { name: "weight", title: "Weight", type: "number" },
          { name: "price", title: "Price", type: "number", decimals: 2 },
          { name: "day", title: "Day", type: "date" },
          { name: "isOpen", title: "Open", type: "boolean" },
          { name: "teamId", title: "Team", type: "integer" },
        ],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["teamId"], reference: { resource: "teams", fields: ["id"] } }],
      },
    },
  ],
};

const NAMES = ["", "Ärger", "arger", "'t Hoff", "hoff", "Zoë 😀", "ZOE", "﹏", "a,b", 'a"b'];
const value = {
  name: fc.constantFrom(...NAMES),
  rank: fc.integer({ min: -2, max: 4 }),
  weight: fc.constantFrom(-1.5, 0, 0.1, 2),
  price: fc.constantFrom(-2.5, 0, 1.25, 10, 9.99),
  day: fc.constantFrom("1999-12-31", "2024-02-29", "2030-01-01"),
  isOpen: fc.boolean(),
  teamId: fc.constantFrom(1, 2, 3),
};
type FieldName = keyof typeof value;

const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 4 });
const aRecord = fc.record(Object.fromEntries(Object.entries(value).map(([name, of]) => [name, orNull(of as fc.Arbitrary<unknown>)])));
const aPart = fc.record(Object.fromEntries(Object.entries(value).map(([name, of]) => [name, orNull(of as fc.Arbitrary<unknown>)])), {
  requiredKeys: [],
});

const quoted = (one: unknown) => `"${String(one).replaceAll('"', '""')}"`;
const param = (name: string, given: unknown) => `${name}=${encodeURIComponent(String(given))}`;

function aFilterOn(name: FieldName): fc.Arbitrary<string> {
  const one = value[name] as fc.Arbitrary<unknown>;
  const plain = one.map((given) => param(name, given));
  const isNull = fc.boolean().map((given) => param(`${name}[null]`, given));
  const other = one.map((given) => param(`${name}[ne]`, given));
  if (name === "isOpen") return fc.oneof(plain, isNull, other);
  const list = fc
    .array(
      one.filter((given) => given !== ""),
      { minLength: 1, maxLength: 3 },
    )
    .map((given) => given.map(quoted).join(","));
  const some = fc.tuple(fc.constantFrom("in", "notIn"), list).map(([operator, given]) => param(`${name}[${operator}]`, given));
  const order = fc
    .tuple(
      fc.constantFrom("gte", "gt", "lte", "lt"),
      one.filter((given) => given !== ""),
    )
    .map(([operator, given]) => param(`${name}[${operator}]`, given));
  if (name !== "name") return fc.oneof(plain, isNull, other, some, order);
  const part = fc
    .tuple(fc.constantFrom("prefix", "suffix", "contains", "notContains"), fc.constantFrom("a", "h", "z", "of", "ae"))
    .map(([operator, given]) => param(`name[${operator}]`, given));
  return fc.oneof(plain, isNull, other, some, order, part);
}

const ownFilter = fc.constantFrom(...(Object.keys(value) as FieldName[])).chain(aFilterOn);
const ofTeam = fc.constantFrom("team.area=north", "team.size[gte]=2", "team.area[ne]=north", "team.size[null]=true");
/** Each name once, as a where has it. */
const aWhere = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: ownFilter },
      { weight: 1, arbitrary: fc.constant("createdBy={me}") },
      { weight: 1, arbitrary: ofTeam },
    ),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  .map((terms) => [...new Map(terms.map((term) => [term.split("=", 1)[0], term])).values()].join("&"));

const RIGHTS = ["read", "create", "update", "delete"] as const;
type Right = (typeof RIGHTS)[number];
type Unseen = "hidden" | "masked";
/** The condition of each right, which is about every record without one, and the fields that the role leaves out. */
interface Drawn {
  wheres: Partial<Record<Right, string>>;
  unseen: Partial<Record<FieldName, Unseen>>;
}

const anUnseen = fc.dictionary(
  fc.constantFrom(...(Object.keys(value) as FieldName[])),
  fc.constantFrom<Unseen>("hidden", "masked", "masked"),
  { maxKeys: 3 },
);
const aRole: fc.Arbitrary<Drawn> = fc.record({
  wheres: fc.record({ read: aWhere, create: aWhere, update: aWhere, delete: aWhere }, { requiredKeys: [] }),
  unseen: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 3, arbitrary: anUnseen }),
});
const aSort = fc.constantFrom("", "sort=name", "sort=-rank", "sort=price,-day", "sort=updatedAt");
const anOp = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.array(ownFilter, { maxLength: 1 }), aSort)
      .map(([filters, sort]) => ({ kind: "list" as const, query: [...filters, sort] })),
  },
  { weight: 2, arbitrary: fc.nat(99).map((which) => ({ kind: "get" as const, which })) },
  { weight: 4, arbitrary: fc.tuple(fc.nat(99), aPart).map(([which, part]) => ({ kind: "patch" as const, which, part })) },
  { weight: 2, arbitrary: aRecord.map((record) => ({ kind: "post" as const, record })) },
  { weight: 1, arbitrary: fc.nat(99).map((which) => ({ kind: "delete" as const, which })) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(99), aPart).map(([which, part]) => ({ kind: "others" as const, which, part })) },
);
type Op = typeof anOp extends fc.Arbitrary<infer T> ? T : never;

export const anEncounter = fc.tuple(fc.array(aRole, { minLength: 1, maxLength: 2 }), fc.array(anOp, { minLength: 15, maxLength: 25 }));

let names = 0;
const letters = (count: number) => [...String(count)].map((digit) => "aeouxztkgs"[Number(digit)]).join("");

interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
  json: any;
}

/** A person with such roles, and what an administrator finds by the same conditions. */
async function meet(service: TestService, roles: readonly Drawn[]) {
  const ids: string[] = [];
  for (const { wheres, unseen } of roles) {
    names += 1;
    const having = (how: Unseen) => Object.keys(unseen).filter((name) => unseen[name as FieldName] === how);
    const lists = { hidden: having("hidden"), masked: having("masked") };
    const fields = Object.keys(unseen).length > 0 && { fields: lists };
    const conditions = { things: { ...Object.fromEntries(Object.entries(wheres).map(([right, where]) => [right, { where }])), ...fields } };
    const body = { name: `Fuzz ${letters(names)}`, scope: "things:read things:create things:update things:delete", conditions };
    const made = await service.call("POST", "/v1/roles", Object.keys(conditions.things).length > 0 ? body : { ...body, conditions: null });
    expect([made.status, made.json.errors, body]).toEqual([201, undefined, body]);
    ids.push(made.json.id);
  }
  const person = await service.newPerson(...ids);
  const call = async (method: string, path: string, body?: object): Promise<Reply> => {
    const reply = await service.app.inject({
      method: method as "GET",
      url: `/v1/${path}`,
      headers: { authorization: `Bearer ${person.token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status: reply.statusCode, json: reply.payload === "" ? undefined : JSON.parse(reply.payload) };
  };
  /** The keys of the records that a right is about. */
  const about = async (right: Right): Promise<Set<number>> => {
    const found = new Set<number>();
    for (const drawn of roles) {
      const where = (drawn.wheres[right] ?? "").replace("{me}", person.id);
      for (const one of (await service.call("GET", `/v1/things?limit=1000&${where}`)).json.things) found.add(one.id);
    }
    return found;
  };
  /** Says whether the person may do this with a record, as the explanation says. */
  const isExplained = async (right: Right, id: number): Promise<boolean> => {
    const { json } = await service.call("GET", `/v1/access?user=${person.id}&collection=things&id=${id}`);
    return json.rights.find((one: { right: Right }) => one.right === right).isAllowed;
  };
  /** The roles together leave this out. */
  const unseen = new Map(
    (Object.keys(value) as FieldName[]).flatMap((name) => {
      const all = roles.map((one) => one.unseen[name]);
      if (all.includes(undefined)) return [];
      return [[name, all.every((how) => how === "hidden") ? ("hidden" as const) : ("masked" as const)] as const];
    }),
  );
  return { call, about, isExplained, unseen };
}

/** A record as a caller has it from whom these fields are kept. No text of the fuzzer is so long that its end is shown. */
function shown(record: object, unseen: Met["unseen"]): object {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, given]) => {
      const how = unseen.get(name as FieldName);
      return how === "hidden" ? [] : [[name, how && given !== null ? "••••" : given]];
    }),
  );
}

/** Returns the part of it that a caller may send. */
function writable(part: object, unseen: Met["unseen"]): object {
  return Object.fromEntries(Object.entries(part).filter(([name]) => !unseen.has(name as FieldName)));
}

/** Does what was drawn, and compares each answer. */
export async function encounter(service: TestService, [roles, ops]: [Drawn[], Op[]]): Promise<number> {
  const met = await meet(service, roles);
  const { call } = met;
  const rest = () => untilFeedRests(service, "teams", {});
  const next = await rest();
  const everything = async () => (await service.call("GET", "/v1/things?limit=1000")).json.things as { id: number }[];
  const mirror = new Map((await call("GET", "things?limit=1000")).json.things.map((one: { id: number }) => [one.id, one]));
  for (const op of ops) await act(service, op, { ...met, everything });
  const throughParents = roles.some(({ wheres }) => wheres.read?.includes("team."));
  await rest();
  if (!throughParents) await follow(call, next, mirror as Map<number, Record<string, unknown>>);
  return ops.length;
}

interface Met extends Awaited<ReturnType<typeof meet>> {
  everything(): Promise<{ id: number }[]>;
}

async function act(service: TestService, op: Op, met: Met): Promise<void> {
  const { call, about, isExplained, everything, unseen } = met;
  const seen = await about("read");
  if (op.kind === "list") {
    const query = op.query.filter(Boolean).join("&");
    const named = op.query.flatMap((one) => (one.startsWith("sort=") ? one.slice(5).split(",") : one.split(/[=[]/, 1)));
    if (named.some((name) => unseen.has(name.replace("-", "") as FieldName))) {
      const { status, json } = await call("GET", `things?limit=1000&${query}`);
      return expect([query, status, JSON.stringify(json).includes('"things":')]).toEqual([query, 400, false]);
    }
    const all = (await service.call("GET", `/v1/things?limit=1000&${query}`)).json.things as { id: number }[];
    const { json } = await call("GET", `things?limit=1000&count=exact&${query}`);
    const expected = all.filter(({ id }) => seen.has(id)).map((one) => shown(one, unseen));
    expect([query, json.things, json.total]).toEqual([query, expected, expected.length]);
    return;
  }
  if (op.kind === "post") {
    await expectRefused(met, "POST", "things", op.record);
    const record = writable(op.record, unseen);
    const made = await call("POST", "things", record);
    if (made.status === 201) {
      expect(made.json).toEqual(shown((await service.call("GET", `/v1/things/${made.json.id}`)).json, unseen));
      return expect([await isIn(about, ["create", "read"], made.json.id), record]).toEqual([true, record]);
    }
    expect(made.status).toBe(403);
    const byOther = (await service.call("POST", "/v1/things", record)).json.id;
    // An administrator makes it theirs, which {me} tells apart.
    const isMine = [await about("create"), await about("read")].every((some) => some.has(byOther));
    expect([isMine, record]).toEqual([false, record]);
    await service.call("DELETE", `/v1/things/${byOther}`);
    return;
  }
  const all = await everything();
  const { id = 999_999 } = all[op.which % Math.max(all.length, 1)] ?? {};
  if (op.kind === "others") {
    await service.call("PATCH", `/v1/things/${id}`, op.part);
    return;
  }
  if (op.kind === "get") {
    const got = await call("GET", `things/${id}`);
    expect(got.status).toBe(seen.has(id) ? 200 : 404);
    if (seen.has(id)) expect(got.json).toEqual(shown((await service.call("GET", `/v1/things/${id}`)).json, unseen));
    if (id !== 999_999) expect(await isExplained("read", id)).toBe(seen.has(id));
    return;
  }
  const right = op.kind === "delete" ? "delete" : "update";
  const before = (await service.call("GET", `/v1/things/${id}`)).json;
  const mayDo = (await about(right)).has(id);
  if (before.id === id) expect(await isExplained(right, id)).toBe(seen.has(id) && mayDo);
  if (op.kind === "patch" && seen.has(id)) await expectRefused(met, "PATCH", `things/${id}`, op.part, before);
  const part = op.kind === "patch" ? writable(op.part, unseen) : {};
  // A masked value comes back as it was read, and changes nothing.
  const back = Object.entries(shown(before, unseen)).filter(([name]) => unseen.has(name as FieldName));
  const sent = { ...part, ...(seen.has(id) && Object.fromEntries(back)) };
  const reply = op.kind === "delete" ? await call("DELETE", `things/${id}`) : await call("PATCH", `things/${id}`, sent);
  if (!seen.has(id)) return expect(reply.status).toBe(404);
  if (op.kind === "delete") return expect(reply.status).toBe(mayDo ? 204 : 403);
  if (reply.status === 200) {
    if (reply.json.version === before.version) return; // nothing was changed
    const now = (await service.call("GET", `/v1/things/${id}`)).json;
    expect([reply.json, [...unseen.keys()].map((name) => now[name])]).toEqual([
      shown(now, unseen),
      [...unseen.keys()].map((name) => before[name]),
    ]);
    return expect([mayDo, await isIn(about, ["update", "read"], id), part]).toEqual([true, true, part]);
  }
  expect(reply.status).toBe(403);
  if (!mayDo) return;
  await service.call("PATCH", `/v1/things/${id}`, part);
  expect([await isIn(about, ["update", "read"], id), part]).toEqual([false, part]);
}

/** A value for a field that is kept from the caller is refused, and that which is stored in the same words as any other. `stored`: the record. */
async function expectRefused({ call, unseen }: Met, method: string, path: string, given: object, stored: object = {}): Promise<void> {
  const entry = Object.entries(given).find(([name, one]) => unseen.has(name as FieldName) && one !== null && one !== ""); // an empty text is none
  if (!entry) return;
  const [name] = entry;
  const isHidden = unseen.get(name as FieldName) === "hidden";
  const refuse = async (one: unknown) => {
    const { status, json } = await call(method, path, { [name]: one });
    const codes = json.errors?.map((error: { code: string }) => error.code) ?? [];
    const isRight = isHidden
      ? codes.includes("UNKNOWN_FIELD")
      : codes.some((code: string) => code === "READ_ONLY" || code === "VALIDATION");
    expect([entry, status, codes.length, isRight]).toEqual([entry, 422, 1, true]);
    return json.errors;
  };
  const now = (stored as Record<string, unknown>)[name] ?? null;
  // Amounts are texts in answers and perhaps numbers in requests, which a mask refuses in other words.
  const errors = await refuse(typeof now === "string" ? String(entry[1]) : entry[1]);
  if (now !== null) expect([now, entry, await refuse(now)]).toEqual([now, entry, errors]);
}

async function isIn(about: Met["about"], rights: readonly Right[], id: number): Promise<boolean> {
  for (const right of rights) if (!(await about(right)).has(id)) return false;
  return true;
}

/** What the feed tells leads to what is seen now. */
async function follow(call: Met["call"], after: string, mirror: Map<number, Record<string, unknown>>): Promise<void> {
  const { json } = await call("GET", `changes?after=${after}&limit=1000&include=changes&collection=things`);
  for (const { objectId, operation, version, changes } of json.changes) {
    const now = Object.fromEntries(Object.entries(changes as Record<string, unknown[]>).map(([name, pair]) => [name, pair[1]]));
    if (operation === "deleted") mirror.delete(objectId);
    else mirror.set(objectId, { ...(operation === "updated" ? mirror.get(objectId) : {}), ...now, version });
  }
  const fields = Object.keys(value);
  const plain = (one: Record<string, unknown>) => [one.version, ...fields.map((name) => one[name] ?? null)];
  const seen = (await call("GET", "things?limit=1000")).json.things as { id: number }[];
  const sorted = <T>(all: [number, T][]) => all.sort(([one], [other]) => one - other);
  expect(sorted([...mirror].map(([id, one]) => [id, plain(one)]))).toEqual(sorted(seen.map((one) => [one.id, plain(one as never)])));
}

/** A few records of each team, and the teams. */
export async function prepare(service: TestService): Promise<void> {
  for (const [id, team] of [
    { area: "north", size: 1 },
    { area: "south", size: 2 },
    { area: null, size: null },
  ].entries())
    await service.call("POST", "/v1/teams", { id: id + 1, ...team });
  const records = fc.sample(aRecord, { numRuns: 30, seed: 7 });
  for (const record of records) expect((await service.call("POST", "/v1/things", record)).status).toBe(201);
}
