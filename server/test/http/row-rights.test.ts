// A role's conditions choose the records of each right: by values, by who asks, and through parents.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { untilFeedRests } from "../../testing/feed-at-rest.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const key = { name: "id", title: "ID", type: "integer" };
const text = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const PACKAGE = {
  title: "Branches",
  resources: [
    {
      name: "customers",
      title: "Customers",
      label: ["name"],
      schema: {
        fields: [
          key,
          text("name", { constraints: { required: true } }),
          text("region"),
          text("email", { constraints: { unique: true } }),
          { name: "rank", title: "Rank", type: "integer" },
        ],
        primaryKey: ["id"],
      },
    },
    {
      name: "orders",
      title: "Orders",
      label: ["number"],
      schema: {
        fields: [
          key,
          text("number", { constraints: { required: true } }),
          text("status"),
          { name: "customerId", title: "Customer", type: "integer" },
        ],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["customerId"], onDelete: "cascade", reference: { resource: "customers", fields: ["id"] } }],
      },
    },
  ],
};

let service: TestService;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
});
afterAll(() => service.close());

let names = 0;
/** A name that nobody takes for another one. */
function newName(): string {
  names += 1;
  return `Role ${[...String(names)].map((digit) => "abcdefghij"[Number(digit)]).join("")}x`;
}

async function roleWith(scope: string, conditions: object): Promise<string> {
  const made = await service.call("POST", "/v1/roles", { name: newName(), scope, conditions });
  expect([made.status, made.json.conditions]).toEqual([201, conditions]);
  return made.json.id;
}

type Call = Awaited<ReturnType<typeof personWith>>["call"];

async function personWith(...roles: string[]) {
  const { token, id, email } = await service.newPerson(...roles);
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    as(token, method, path, body, headers);
  return { call, id, email, token };
}

async function as(token: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await service.app.inject({
    method: method as "GET",
    url: `/v1${path}`,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  const isJson = /json/.test(String(reply.headers["content-type"])) && reply.payload !== "";
  return { status: reply.statusCode, text: reply.payload, json: isJson ? JSON.parse(reply.payload) : undefined, headers: reply.headers };
}

async function made(path: string, body: object): Promise<number> {
  const reply = await service.call("POST", `/v1/${path}`, body);
  expect(reply.status).toBe(201);
  return reply.json.id;
}

let mails = 0;
const customer = (region: string | null, more: object = {}) => {
  mails += 1;
  return made("customers", { name: `Of ${region}`, region, email: `c${mails}@example.org`, ...more });
};

/** Leaves out what differs from request to request. */
const plain = ({ status, text: body }: { status: number; text: string }, id: number) =>
  [status, body.replaceAll(String(id), "#").replace(/"requestId":"[^"]*"/, "")] as const;

describe("the wire", () => {
  test("keeps a condition as it was written, under the names of today", async () => {
    const where = "region.in=north,south&rank[gte]=3";
    const id = await roleWith("orders:read customers:read", {
      customers: { read: { where } },
      orders: { read: { where: "customer.region={me.regions}" }, update: { where: "createdBy={me}" } },
    });
    expect((await service.call("GET", `/v1/roles/${id}`)).json.conditions.customers).toEqual({ read: { where } });
  });

  test("refuses what is no condition, in the words of a list's filter", async () => {
    const refused = async (own: unknown) => {
      const reply = await service.call("POST", "/v1/roles", { name: newName(), scope: "read", conditions: { customers: own } });
      expect([own, reply.status]).toEqual([own, 422]);
      return reply.json.errors[0].detail as string;
    };
    const list = (await service.call("GET", "/v1/customers?regoin=x")).json.errors[0].detail as string;
    expect(list).toContain("Did you mean region?");
    expect(await refused({ read: { where: "regoin=x" } })).toContain("Did you mean region?");
    expect(await refused({ read: { where: "rank=high" } })).toContain("rank must be");
    expect(await refused({ read: { where: "" } })).toContain("a filter is needed");
    expect(await refused({ read: "region=x" })).toContain('such as { "where"');
    expect(await refused({ read: { where: "region=x&region=y" } })).toContain("twice");
    expect(await refused({ read: { where: "region[prefix]={me.region}" } })).toContain("after =, [in], [notIn] or [hasAny]");
    expect(await refused({ read: { where: "region=x{me}" } })).toContain("stand alone");
    expect(await refused({ read: { where: "updatedBy={me}" } })).toContain("changes with each write");
    expect(await refused({ read: { where: "createdAt[gte]=today-7d" } })).toContain("give a fixed time");
    expect(await refused({ reads: { where: "region=x" } })).toContain("there are read, create, update, delete");
  });
});

describe("a person who sees some records", () => {
  let call: Call;
  let north: number;
  let south: number;
  beforeEach(async () => {
    [north, south] = [await customer("north"), await customer("south")];
    const role = await roleWith(
      "customers:read customers:create customers:update customers:delete orders:read orders:update orders:delete",
      {
        customers: { read: { where: "region=north" } },
      },
    );
    ({ call } = await personWith(role));
  });

  test("finds these alone: one, list, count, search, hints, file", async () => {
    expect((await call("GET", `/customers/${north}`)).json.region).toBe("north");
    const never = 999_999;
    expect(plain(await call("GET", `/customers/${south}`), south)).toEqual(plain(await call("GET", `/customers/${never}`), never));
    for (const query of ["", "?q=of", "?sort=-region", "?region[in]=north,south", "?rank[null]=true", "?sort=name"]) {
      const { json } = await call("GET", `/customers${query}${query ? "&" : "?"}count=exact&limit=1000`);
      expect([query, json.total]).toEqual([query, json.customers.length]);
      expect(new Set(json.customers.map((one: { region: string }) => one.region))).toEqual(new Set(["north"]));
    }
    const searched = await call("GET", "/customers?q=south&hints=true&count=exact");
    expect(searched.json).toEqual({ customers: [], total: 0 });
    expect((await call("GET", `/customers?q=${south}&hints=true`)).json.exact).toBeUndefined();
    expect((await call("GET", "/customers.csv")).text).not.toContain("south");
  });

  test("writes to others as to what is not there", async () => {
    const never = 999_999;
    for (const [method, body, headers] of [
      ["PATCH", { name: "x" }, {}],
      ["DELETE", undefined, {}],
      ["PUT", { name: "x", region: "north" }, { "if-match": '"1"' }],
      ["PATCH", { name: "x" }, { "if-match": '"1"' }],
    ] as const) {
      const [hidden, missing] = [
        await call(method, `/customers/${south}`, body, headers),
        await call(method, `/customers/${never}`, body, headers),
      ];
      expect([method, plain(hidden, south)]).toEqual([method, plain(missing, never)]);
    }
    const put = await call("PUT", `/customers/${south}`, { name: "x", region: "north" });
    expect([put.status, put.json.code, put.text.includes("href")]).toEqual([409, "ALREADY_EXISTS", false]);
    for (const onConflict of ["error", "skip", "update"]) {
      const post = await call("POST", `/customers?onConflict=${onConflict}`, { id: south, name: "x", region: "north" });
      expect([onConflict, post.status, post.text.includes("href"), post.text.includes("example.org")]).toEqual([
        onConflict,
        409,
        false,
        false,
      ]);
    }
    const batch = await call("POST", "/customers/batch", { operations: [{ action: "delete", record: { id: south } }] });
    expect(batch.text).toContain("NOT_FOUND");
    expect((await service.call("GET", `/v1/customers/${south}`)).json).toMatchObject({ name: "Of south", version: 1 });
  });

  test("does not move a record out of sight, nor make one there", async () => {
    const moved = await call("PATCH", `/customers/${north}`, { region: "south" });
    expect([moved.status, moved.json.code, moved.json.detail]).toEqual([
      403,
      "INSUFFICIENT_SCOPE",
      expect.stringMatching(/^Your role “Role \w+” lets you see only records with region=north; you would not see this one any more\.$/),
    ]);
    expect((await call("POST", "/customers", { name: "x", region: "south" })).status).toBe(403);
    expect((await call("POST", "/customers", { name: "x", region: "north" })).status).toBe(201);
    const several = await call("POST", "/customers?onError=continue", [
      { name: "a", region: "north" },
      { name: "b", region: "south" },
    ]);
    expect(several.json.results.map((one: { status: number }) => one.status)).toEqual([201, 403]);
    const all = await call("POST", "/customers", [
      { name: "a", region: "north" },
      { name: "b", region: "south" },
    ]);
    expect([all.status, all.json.errors.map((one: { pointer: string }) => one.pointer)]).toEqual([403, ["/1/id"]]);
  });

  test("learns no more of a unique value than that it is taken", async () => {
    const { email } = (await service.call("GET", `/v1/customers/${south}`)).json;
    const taken = await call("POST", "/customers", { name: "x", region: "north", email });
    expect([taken.status, taken.json.errors]).toEqual([
      422,
      [{ pointer: "/email", code: "UNIQUE", detail: "email must be unique; another record has this value." }],
    ]);
    for (const query of ["matchBy=email&onConflict=update", "matchBy=email&onConflict=skip", "matchBy=email&onConflict=error"]) {
      const matched = await call("POST", `/customers?${query}`, { name: "x", region: "north", email });
      expect([query, matched.status, matched.text.includes(String(south))]).toEqual([query, 422, false]);
    }
    const only = "matchBy=email&onConflict=update&onMissing=error";
    const missing = await call("POST", `/customers?${only}`, { name: "x", region: "north", email: "nobody@example.org" });
    const hidden = await call("POST", `/customers?${only}`, { name: "x", region: "north", email });
    expect(plain(hidden, 0)).toEqual(plain(missing, 0));
  });

  test("knows of deleted ones what was in sight", async () => {
    await service.call("DELETE", `/v1/customers/${south}`);
    await service.call("DELETE", `/v1/customers/${north}`);
    const deleted = await call("GET", "/customers?deleted=true&limit=100");
    const ids = deleted.json.customers.map((one: { id: number }) => one.id);
    expect([ids.includes(north), ids.includes(south)]).toEqual([true, false]);
    expect((await call("GET", `/customers/${south}/history`)).status).toBe(404);
    expect((await call("GET", `/customers/${north}/history`)).status).toBe(200);
    const never = 999_999;
    expect(plain(await call("DELETE", `/customers/${south}`), south)).toEqual(plain(await call("DELETE", `/customers/${never}`), never));
    expect((await call("DELETE", `/customers/${north}`)).status).toBe(204);
    expect((await call("POST", `/customers/${south}/restore`, { version: 1 })).status).toBe(404);
    expect((await call("POST", `/customers/${north}/restore`, { version: 1 })).status).toBe(201);
  });

  test("lists what was deleted before thousands of records that were out of sight", async () => {
    const keys = async (region: string, count: number) => {
      const records = Array.from({ length: count }, (_, i) => ({ name: `${region} ${i}`, region }));
      const { json } = await service.call("POST", "/v1/customers", records);
      return (json.customers as { id: number }[]).map(({ id }) => ({ id }));
    };
    const [seen, unseen] = [await keys("north", 2), await keys("south", 5_200)];
    for (const gone of [seen, unseen]) expect((await service.call("POST", "/v1/customers/deletions", gone)).status).toBe(200);
    const found: number[] = [];
    let cursor = "";
    do {
      const { json } = await call("GET", `/customers?deleted=true&limit=1${cursor}`);
      found.push(...json.customers.map((one: { id: number }) => one.id));
      cursor = json.next ? `&cursor=${json.next}` : "";
    } while (cursor !== "" && found.length < 3);
    expect(found.slice(0, 2).sort()).toEqual(seen.map(({ id }) => id).sort());
  }, 60_000);
});

describe("who asks", () => {
  test("has their own records by {me}, and those of their attributes", async () => {
    const own = await roleWith("customers:read customers:create", { customers: { read: { where: "createdBy={me}" } } });
    const [one, other] = [await personWith(own), await personWith(own)];
    const id = (await one.call("POST", "/customers", { name: "Mine" })).json.id;
    expect([(await one.call("GET", `/customers/${id}`)).status, (await other.call("GET", `/customers/${id}`)).status]).toEqual([200, 404]);
    expect((await one.call("GET", "/customers?count=exact")).json.total).toBe(1);
    await service.call("DELETE", `/v1/customers/${id}`);
    const deleted = async (call: Call) =>
      (await call("GET", "/customers?deleted=true")).json.customers.map((each: { id: number }) => each.id);
    expect([await deleted(one.call), await deleted(other.call)]).toEqual([[id], []]);
  });

  test("has the address of their account in {me.email}, and chooses nothing by what they lack", async () => {
    const mail = await roleWith("customers:read", { customers: { read: { where: "email={me.email}" } } });
    const person = await personWith(mail);
    const id = await made("customers", { name: "By mail", email: person.email });
    expect((await person.call("GET", "/customers")).json.customers.map((each: { id: number }) => each.id)).toEqual([id]);
    for (const where of ["region={me.regions}", "region[notIn]={me.regions}", "rank={me.email}"]) {
      const lacking = await roleWith("customers:read", { customers: { read: { where } } });
      expect([where, (await (await personWith(lacking)).call("GET", "/customers")).json.customers]).toEqual([where, []]);
    }
  });

  test("adds up several roles: a record is seen if one shows it", async () => {
    const north = await roleWith("customers:read", { customers: { read: { where: "region=north" } } });
    const high = await roleWith("customers:read", { customers: { read: { where: "rank[gte]=9" } } });
    const writes = await roleWith("customers:read customers:update", {
      customers: { read: { where: "rank=11" }, update: { where: "rank=11" } },
    });
    const all = await roleWith("customers:read", { customers: { fields: { readOnly: ["rank"] } } });
    const [a, b, c] = [await customer("north"), await customer("west", { rank: 9 }), await customer("west", { rank: 1 })];
    const seen = async ({ call }: { call: Call }) =>
      (await Promise.all([a, b, c].map((id) => call("GET", `/customers/${id}`)))).map(({ status }) => status);
    expect(await seen(await personWith(north, high))).toEqual([200, 200, 404]);
    expect(await seen(await personWith(north, high, all))).toEqual([200, 200, 200]);
    const both = await personWith(north, writes);
    expect(await seen(both)).toEqual([200, 404, 404]);
    const refused = await both.call("PATCH", `/customers/${a}`, { name: "x" });
    expect([refused.status, refused.json.detail]).toEqual([403, expect.stringMatching(/lets you change only records with rank=11\.$/)]);
  });

  test("sees through parents: the orders of their customers", async () => {
    const role = await roleWith("orders:read orders:create orders:update customers:read", {
      customers: { read: { where: "region=north" } },
      orders: { read: { where: "customer.region=north" }, create: { where: "customer.region=north" } },
    });
    const { call } = await personWith(role);
    const [north, south] = [await customer("north"), await customer("south")];
    const [theirs, others] = [
      await made("orders", { number: "1", customerId: north }),
      await made("orders", { number: "2", customerId: south }),
    ];
    expect([(await call("GET", `/orders/${theirs}`)).status, (await call("GET", `/orders/${others}`)).status]).toEqual([200, 404]);
    expect((await call("GET", "/orders")).json.orders.map((each: { id: number }) => each.id)).toEqual([theirs]);
    expect((await call("POST", "/orders", { number: "3", customerId: north })).status).toBe(201);
    const missing = await call("POST", "/orders", { number: "3", customerId: 999_999 });
    const hidden = await call("POST", "/orders", { number: "3", customerId: south });
    expect([missing.status, plain(hidden, south)]).toEqual([403, plain(missing, 999_999)]);
    await service.call("PATCH", `/v1/customers/${north}`, { region: "south" });
    expect((await call("GET", `/orders/${theirs}`)).status).toBe(404);
  });

  test("sees of a parent out of sight its key alone, and finds and orders nothing by it", async () => {
    const role = await roleWith("orders:read orders:create orders:update customers:read", {
      customers: { read: { where: "region=north" } },
    });
    const { call } = await personWith(role);
    const south = await customer("south", { rank: 5 });
    const id = await made("orders", { number: "77", customerId: south });
    expect((await call("GET", `/orders/${id}?expand=customer`)).json).toMatchObject({ customerId: south, customer: null });
    for (const query of ["customer.region=south", "customer.rank[null]=false", "customer.region[ne]=north"])
      expect([query, (await call("GET", `/orders?id=${id}&${query}`)).json.orders]).toEqual([query, []]);
    expect((await call("GET", "/orders?sort=customer")).status).toBe(400);
    expect((await call("GET", `/customers/${south}/orders`)).status).toBe(404);
    const kept = await call("PATCH", `/orders/${id}`, { number: "78" });
    expect([kept.status, kept.json.customerId]).toEqual([200, south]);
    const hidden = await call("POST", "/orders", { number: "3", customerId: south });
    expect(plain(hidden, south)).toEqual(plain(await call("POST", "/orders", { number: "3", customerId: 999_999 }), 999_999));
    expect(hidden.json.code).toBe("REFERENCE_NOT_FOUND");
  });

  test("deletes nothing along that they may not delete, and learns not how much it is", async () => {
    const role = await roleWith("orders:read orders:delete orders:update customers:read customers:delete", {
      orders: { read: { where: "status=open" } },
    });
    const { call } = await personWith(role);
    const [free, held] = [await customer("north"), await customer("north")];
    await made("orders", { number: "1", status: "open", customerId: free });
    for (const status of ["open", "closed", "closed"]) await made("orders", { number: "2", status, customerId: held });
    expect((await call("DELETE", `/customers/${free}`)).status).toBe(204);
    const refused = await call("DELETE", `/customers/${held}`);
    expect([refused.status, refused.json.code, /[23] record/.test(refused.text)]).toEqual([409, "IN_USE", false]);
  });
});

test("rights that change hold from the next request on, and a condition goes with its field's name", async () => {
  const role = await roleWith("customers:read", { customers: { read: { where: "region=north" } } });
  const { call } = await personWith(role);
  const south = await customer("south");
  expect((await call("GET", `/customers/${south}`)).status).toBe(404);
  await service.call("PATCH", `/v1/roles/${role}`, { conditions: { customers: { read: { where: "region=south" } } } });
  expect((await call("GET", `/customers/${south}`)).status).toBe(200);
  await service.call("PATCH", `/v1/roles/${role}`, { conditions: null });
  expect((await call("GET", "/customers?count=exact")).json.total).toBeGreaterThan(2);
});

test("an administrator sees all, and an account of no such role is as before", async () => {
  const role = await roleWith("admin", { customers: { read: { where: "region=nowhere" } } });
  const { call } = await personWith(role);
  expect((await call("GET", "/customers")).json.customers.length).toBeGreaterThan(0);
});

describe("what became of records", () => {
  interface Change {
    objectId: number;
    operation: string;
    version: number;
    changes?: Record<string, unknown>;
    record?: object | null;
    cursor: string;
  }
  let call: Call;
  let token: string;
  let start: string;
  beforeEach(async () => {
    const role = await roleWith(
      "customers:read customers:update customers:delete customers:create orders:read orders:update orders:delete",
      {
        customers: { read: { where: "region=north" } },
        orders: { read: { where: "customer.region=north" } },
      },
    );
    ({ call, token } = await personWith(role));
    start = await rest();
  });
  /** The order of nobody is seen by nobody whose orders are chosen by their customers. */
  const rest = () => untilFeedRests(service, "orders", { number: "Nobody's" });
  const change = (id: number, body: object, headers = {}) => service.call("PATCH", `/v1/customers/${id}`, body, headers);
  const heard = async (include = "record,changes") => {
    await rest();
    return (await call("GET", `/changes?after=${start}&limit=1000&include=${include}`)).json.changes as Change[];
  };
  const brief = (changes: Change[]) => changes.map(({ objectId, operation, version }) => [objectId, operation, version]);

  test("is told as the caller's sight had it: what comes in is created, what goes out is deleted, the rest was never", async () => {
    const mover = await customer("south", { name: "Mover" });
    const other = await customer("south");
    const stays = await customer("north");
    await change(mover, { name: "Unseen" });
    await change(mover, { region: "north" });
    await change(mover, { name: "Seen", rank: 3 });
    await change(stays, { name: "Kept" });
    await change(other, { name: "Other" });
    await change(mover, { region: "south" });
    await change(mover, { name: "Unseen again" });
    await change(mover, { region: "north" });
    await service.call("DELETE", `/v1/customers/${other}`);
    await service.call("DELETE", `/v1/customers/${stays}`);
    await service.call("DELETE", `/v1/customers/${mover}`);
    const changes = await heard();
    expect(brief(changes)).toEqual([
      [stays, "created", 1],
      [mover, "created", 3],
      [mover, "updated", 4],
      [stays, "updated", 2],
      [mover, "deleted", 5],
      [mover, "created", 7],
      [stays, "deleted", 3],
      [mover, "deleted", 8],
    ]);
    expect(changes[1]?.changes).toEqual({ name: [null, "Unseen"], region: [null, "north"], email: [null, expect.any(String)] });
    expect(changes[4]?.changes).toMatchObject({ name: ["Seen", null], region: ["north", null], rank: [3, null] });
    expect(JSON.stringify(changes)).not.toMatch(/south|Other/);
  });

  test("is told by the stream as well, which goes on after the rights have changed", async () => {
    const mover = await customer("north", { name: "In the stream" });
    const address = await service.app.listen({ port: 0, host: "127.0.0.1" });
    const leaving = new AbortController();
    const reply = await fetch(`${address}/v1/changes?after=${start}&include=record`, {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
      signal: leaving.signal,
    });
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
    let streamed = "";
    const until = async (sought: RegExp) => {
      while (!sought.test(streamed)) {
        const { value, done } = await reader.read();
        if (done) break;
        streamed += new TextDecoder().decode(value);
      }
      expect(streamed).toMatch(sought);
    };
    await until(/"operation":"created"/);
    await change(mover, { region: "south" });
    await until(/"operation":"deleted"/);
    await change(mover, { name: "zxqplanted" });
    const later = await customer("north", { name: "Later" });
    await until(/"name":"Later"/);
    expect(streamed).not.toContain("zxqplanted");
    leaving.abort();
    const cursor = [...streamed.matchAll(/^id: (.+)$/gm)].at(-1)?.[1];
    const rest = await call("GET", `/changes?after=${cursor}`);
    expect([rest.status, rest.json.changes.filter((one: Change) => one.objectId === later).length]).toEqual([200, 0]);
  });

  test("stands so in a record's history, and brings nothing back that was out of sight", async () => {
    const id = await customer("north", { name: "First" });
    await change(id, { region: "south" });
    await change(id, { name: "zxqplanted" });
    await change(id, { name: "Back", region: "north" });
    const { json, text: answered } = await call("GET", `/customers/${id}/history`);
    expect(json.history.map(({ version, operation }: { version: number; operation: string }) => [version, operation])).toEqual([
      [4, "created"],
      [2, "deleted"],
      [1, "created"],
    ]);
    expect(answered).not.toMatch(/zxqplanted|south/);
    expect((await call("POST", `/customers/${id}/restore`, { version: 3 })).status).toBeGreaterThanOrEqual(403);
    const first = await call("POST", `/customers/${id}/restore`, { version: 1 });
    expect([first.status, first.json.name, first.json.region]).toEqual([200, "First", "north"]);
  });

  test("stands so in the activity: lines, changes of a run, and no counts", async () => {
    const run = { "intake-source": "upload; run=rows1" };
    const [north, south] = [await customer("north"), await customer("south", { name: "zxqplanted" })];
    await service.call("PATCH", `/v1/customers/${north}`, { name: "By run" }, run);
    await service.call("PATCH", `/v1/customers/${south}`, { name: "zxqplanted too" }, run);
    await service.call("DELETE", `/v1/customers/${south}`);
    const activity = await call("GET", "/activity?collection=customers&limit=200");
    const lines = activity.json.activity as { objectId: number; size: number; source: { run: string | null } }[];
    expect(lines.filter(({ objectId }) => objectId === south)).toEqual([]);
    expect(lines.find(({ source }) => source.run === "rows1")).toMatchObject({ objectId: north, size: 1 });
    expect(activity.text).not.toContain("zxqplanted");
    expect((await call("GET", "/activity?run=rows1")).json.activity.map((one: { objectId: number }) => one.objectId)).toEqual([north]);
    expect((await call("GET", "/activity/runs/rows1")).json.parts).toMatchObject([{ collection: "customers", size: 1 }]);
    const { days, uncounted } = (await call("GET", "/activity/days?collection=customers")).json;
    expect([days.every(({ changes }: { changes: number }) => changes === 0), uncounted]).toEqual([true, ["customers"]]);
    expect((await service.call("GET", "/v1/activity/days?collection=customers")).json.uncounted).toEqual([]);
    const undone = (await call("POST", "/customers/undo", { run: "rows1" })).json;
    expect(undone).toMatchObject({ reversed: 1, kept: 0, failed: 0, size: 1, left: [] });
    expect((await service.call("GET", `/v1/customers/${north}`)).json.name).toBe("Of north");
  });

  test("is told of what is judged through a parent by the parent as it is now", async () => {
    const [north, south] = [await customer("north"), await customer("south")];
    const theirs = await made("orders", { number: "1", customerId: north });
    await made("orders", { number: "2", customerId: south });
    await service.call("PATCH", `/v1/orders/${theirs}`, { customerId: south });
    await rest();
    const changes = (await call("GET", `/changes?after=${start}&collection=orders`)).json.changes;
    expect(brief(changes)).toEqual([
      [theirs, "created", 1],
      [theirs, "deleted", 2],
    ]);
  });

  test("an answer that is given again shows no record that is out of sight by now", async () => {
    const role = await roleWith("customers:create customers:read customers:update", { customers: { read: { where: "region=north" } } });
    const own = await personWith(role);
    const send = () => own.call("POST", "/customers", { name: "zxqplanted", region: "north" }, { "idempotency-key": "rows-1" });
    const first = await send();
    expect([first.status, first.json.name, (await send()).json.name]).toEqual([201, "zxqplanted", "zxqplanted"]);
    await service.call("PATCH", `/v1/roles/${role}`, { conditions: { customers: { read: { where: "region=south" } } } });
    const again = await send();
    expect([again.status, again.json]).toEqual([201, { id: first.json.id, version: 1 }]);
  });
});

test("a field by which roles choose records keeps its kind, and its condition follows its name", async () => {
  const role = await roleWith("customers:read", { customers: { read: { where: "rank[gte]=7" } } });
  const { call } = await personWith(role);
  const id = await customer("north", { rank: 7 });
  const convert = await service.call("POST", "/v1/dictionary/conversions", { field: "customers.rank", to: { type: "string" } });
  expect([convert.status, convert.json.detail]).toEqual([409, expect.stringContaining('choose records by "customers.rank"')]);
  const dataPackage = (await service.call("GET", "/v1/dictionary")).json;
  const fields = dataPackage.resources[0].schema.fields as { name: string }[];
  Object.assign(fields.find(({ name }) => name === "rank") as object, { name: "grade" });
  const draft = (await service.call("POST", "/v1/dictionary/drafts", { title: "Rename", package: dataPackage })).json;
  const applied = await service.call("POST", `/v1/dictionary/drafts/${draft.id}/apply`);
  expect([applied.status, applied.text]).toEqual([200, expect.anything()]);
  expect((await service.call("GET", `/v1/roles/${role}`)).json.conditions).toEqual({ customers: { read: { where: "grade[gte]=7" } } });
  expect((await call("GET", `/customers/${id}`)).status).toBe(200);
});

test("a key that was used twice shows each of the two records to whoever made it", async () => {
  const own = await roleWith("customers:read customers:create customers:delete orders:read orders:update orders:delete", {
    customers: { read: { where: "createdBy={me}" } },
  });
  const [one, other] = [await personWith(own), await personWith(own)];
  const start = (await service.call("GET", "/v1/changes?after=now")).json.next;
  const id = (await one.call("POST", "/customers", { name: "zxqplanted" })).json.id;
  await one.call("DELETE", `/customers/${id}`);
  expect((await other.call("POST", "/customers", { id, name: "Again" })).status).toBe(201);
  for (const step of ["there", "deleted"]) {
    if (step === "deleted") expect((await other.call("DELETE", `/customers/${id}`)).status).toBe(204);
    for (const path of [`/customers/${id}/history`, `/changes?after=${start}&include=changes`, "/customers?deleted=true", "/activity"])
      expect([step, path, (await other.call("GET", path)).text.includes("zxqplanted")]).toEqual([step, path, false]);
  }
  const deleted = (await other.call("GET", "/customers?deleted=true")).json.customers;
  expect(deleted.map((each: { name: string }) => each.name)).toEqual(["Again"]);
});

test("a condition that was pasted from an address is the same condition", async () => {
  const pasted = { customers: { read: { where: "?region=north&&id[gte]=1&" } } };
  const made = await service.call("POST", "/v1/roles", { name: newName(), scope: "customers:read", conditions: pasted });
  expect([made.status, made.json.conditions]).toEqual([201, { customers: { read: { where: "region=north&id[gte]=1" } } }]);
});
