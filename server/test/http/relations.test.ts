// Records that refer to others: customers, their contacts and their orders.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(ORDERS);
});
afterAll(() => service.close());

test("the dictionary names a reference only to whoever may see the one collection and read the other", async () => {
  const seen = async (scope: string) => {
    const { json } = await service.raw("GET", "/v1/dictionary", { authorization: `Bearer ${await service.tokenFor(scope)}` });
    return json.resources.map((resource: { name: string; schema: { foreignKeys?: { as: string }[] } }) => [
      resource.name,
      resource.schema.foreignKeys?.map(({ as }) => as),
    ]);
  };
  expect(await seen("read")).toEqual([
    ["customers", undefined],
    ["contacts", ["customer"]],
    ["orders", ["customer", "contact"]],
  ]);
  expect(await seen("orders:read contacts:read")).toEqual([
    ["contacts", undefined],
    ["orders", ["contact"]],
  ]);
  // Whoever only makes customers cannot ask for their names, by which the app would call each order.
  expect(await seen("orders:read customers:create")).toEqual([
    ["customers", undefined],
    ["orders", undefined],
  ]);
});

let numbers = 0;
/** Text that no other record of the test has. */
const own = (prefix: string) => `${prefix}-${++numbers}`;

async function post(path: string, body: unknown, headers?: Record<string, string>) {
  return service.call("POST", `/v1/${path}`, body, headers);
}

async function newCustomer(fields: object = {}): Promise<number> {
  return (await post("customers", { name: "Ångström", accountNumber: own("A"), ...fields })).json.objectId;
}

async function newContact(customerId: number, fields: object = {}): Promise<number> {
  return (await post("contacts", { name: "Zoë", customerId, ...fields })).json.objectId;
}

async function newOrder(customerId: number, fields: object = {}): Promise<number> {
  return (await post("orders", { customerId, orderNumber: own("B"), ...fields })).json.objectId;
}

const read = async (path: string) => (await service.call("GET", `/v1/${path}`)).json;
const remove = (path: string) => service.call("DELETE", `/v1/${path}`);
const statusOf = async (path: string) => (await service.call("GET", `/v1/${path}`)).status;
const NOBODY = 987_654;

/**
 * Returns those of the wanted changes after a cursor, once all are there: on PostgreSQL the feed waits for transactions of other tests. For
 * the same reason there may be others behind "now", written just before.
 */
async function changesAfter(cursor: string, wanted: readonly string[]): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const { changes } = await read(`changes?after=${cursor}`);
    const seen = changes.map(({ collection, objectId, operation }: Record<string, unknown>) => `${operation} ${collection} ${objectId}`);
    const found = seen.filter((change: string) => wanted.includes(change));
    if (found.length >= wanted.length || tries === 200) return found.sort();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe("a reference to a record that is not there", () => {
  test("is refused with its place in the body, in a record of any form", async () => {
    const order = { customerId: NOBODY, orderNumber: own("B") };
    const forms: [unknown, string][] = [
      [order, "/customerId"],
      [{ order }, "/order/customerId"],
      [[order], "/0/customerId"],
      [{ orders: [order] }, "/orders/0/customerId"],
    ];
    for (const [body, pointer] of forms) {
      const { status, json } = await post("orders", body);
      expect([status, json.code, json.errors]).toEqual([
        422,
        "REFERENCE_NOT_FOUND",
        [{ pointer, code: "REFERENCE_NOT_FOUND", detail: "Customer: there is no customer with this number." }],
      ]);
    }
  });

  test("is refused by PUT and PATCH, and nothing is changed", async () => {
    const customerId = await newCustomer();
    const id = await newOrder(customerId);
    const before = await read(`orders/${id}`);
    const put = await service.call("PUT", `/v1/orders/${id}`, { ...before, customerId: NOBODY });
    const patch = await service.call("PATCH", `/v1/orders/${id}`, { contactId: NOBODY });
    expect([put.status, put.json.errors[0].pointer]).toEqual([422, "/customerId"]);
    expect([patch.status, patch.json.errors[0].pointer]).toEqual([422, "/contactId"]);
    expect(await read(`orders/${id}`)).toEqual(before);
  });

  test("an atomic batch names every record in the way, beside those that are wrong in another way", async () => {
    const customerId = await newCustomer();
    const orders = [
      { customerId, orderNumber: own("B") },
      { customerId: NOBODY, orderNumber: own("B") },
      { customerId, orderNumber: own("B"), contactId: NOBODY },
      { customerId, total: "1.234" },
    ];
    const { status, json } = await post("orders", orders);
    expect([status, json.code]).toEqual([422, "VALIDATION"]);
    expect(json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])).toEqual([
      ["/1/customerId", "REFERENCE_NOT_FOUND"],
      ["/2/contactId", "REFERENCE_NOT_FOUND"],
      ["/3/orderNumber", "REQUIRED"],
      ["/3/total", "TOO_PRECISE"],
    ]);
    expect((await read(`orders?customerId=${customerId}&count=exact`)).total).toBe(0);
  });

  test("with onError=continue each record is for itself, and a dry run says the same", async () => {
    const customerId = await newCustomer();
    const orders = [
      { customerId, orderNumber: own("B") },
      { customerId: NOBODY, orderNumber: own("B") },
    ];
    for (const query of ["onError=continue&dryRun=true", "onError=continue"]) {
      const { status, json } = await post(`orders?${query}`, orders);
      expect([status, json.summary.created, json.summary.failed]).toEqual([207, 1, 1]);
      expect(json.results[1].problem).toMatchObject({ status: 422, code: "REFERENCE_NOT_FOUND", errors: [{ pointer: "/1/customerId" }] });
    }
    expect((await read(`orders?customerId=${customerId}&count=exact`)).total).toBe(1);
  });

  test("no deleted parent comes back through its children: restoring one is refused until the parent is there", async () => {
    const customerId = await newCustomer();
    const id = await newOrder(customerId);
    await remove(`orders/${id}`);
    expect((await remove(`customers/${customerId}`)).status).toBe(204);
    const restore = () => post(`orders/${id}/restore`, { version: 1 });
    const refused = await restore();
    expect([refused.status, refused.json.code]).toEqual([422, "REFERENCE_NOT_FOUND"]);
    expect((await post(`customers/${customerId}/restore`, { version: 1 })).status).toBe(201);
    expect((await restore()).status).toBe(201);
  });

  test("a value that was there before is not looked up again, and an optional reference may be taken away", async () => {
    const customerId = await newCustomer();
    const id = await newOrder(customerId, { contactId: await newContact(customerId) });
    const { status, json } = await service.call("PATCH", `/v1/orders/${id}`, { contactId: null, status: "open" });
    expect([status, json.contactId, json.customerId]).toEqual([200, null, customerId]);
  });
});

describe("the deletion of a parent", () => {
  test("is forbidden while others refer to it: how many there are, and where", async () => {
    const customerId = await newCustomer();
    const orders = [await newOrder(customerId), await newOrder(customerId)];
    const { status, json } = await remove(`customers/${customerId}`);
    const href = `/v1/orders?customerId=${customerId}`;
    expect([status, json.code]).toEqual([409, "IN_USE"]);
    expect(json.errors).toEqual([
      { code: "IN_USE", detail: "2 records of orders refer to this customer. Delete or change them first.", href, count: 2 },
    ]);
    expect((await service.call("GET", href)).json.orders.length).toBe(2);
    for (const id of orders) await remove(`orders/${id}`);
    expect((await remove(`customers/${customerId}`)).status).toBe(204);
  });

  test("takes along what cannot be without it, and the history and the feed say so", async () => {
    const customerId = await newCustomer();
    const contacts = [await newContact(customerId), await newContact(customerId)];
    await read(`contacts/${contacts[0]}`); // is remembered
    const { next: after } = await read("changes?after=now");
    expect((await remove(`customers/${customerId}`)).status).toBe(204);
    expect(await Promise.all(contacts.map((id) => statusOf(`contacts/${id}`)))).toEqual([404, 404]);
    const { history } = await read(`contacts/${contacts[0]}/history`);
    expect(history[0]).toMatchObject({ version: 2, operation: "deleted", changes: { customerId: [customerId, null] } });
    const deleted = [`deleted customers ${customerId}`, ...contacts.map((id) => `deleted contacts ${id}`)].sort();
    expect(await changesAfter(after, deleted)).toEqual(deleted);
    expect((await post(`customers/${customerId}/restore`, { version: 1 })).status).toBe(201);
    expect((await post(`contacts/${contacts[0]}/restore`, { version: 1 })).status).toBe(201);
  });

  test("clears references that may be empty, as a change of those records", async () => {
    const customerId = await newCustomer();
    const contactId = await newContact(customerId);
    const orders = [await newOrder(customerId, { contactId }), await newOrder(customerId, { contactId })];
    await read(`orders/${orders[0]}`);
    const { next: after } = await read("changes?after=now");
    expect((await remove(`contacts/${contactId}`)).status).toBe(204);
    for (const id of orders) expect(await read(`orders/${id}`)).toMatchObject({ contactId: null, customerId, version: 2 });
    const { history } = await read(`orders/${orders[0]}/history`);
    expect(history[0]).toMatchObject({ version: 2, operation: "updated", changes: { contactId: [contactId, null] } });
    const updated = orders.map((id) => `updated orders ${id}`).sort();
    expect(await changesAfter(after, updated)).toEqual(updated);
    expect((await read(`orders?contactId=${contactId}`)).orders).toEqual([]);
  });

  test("goes on behind what it takes along: an order of somebody else only loses its contact", async () => {
    const others = await newCustomer();
    const customerId = await newCustomer();
    const contactId = await newContact(others);
    const order = await newOrder(others, { contactId });
    await service.call("PATCH", `/v1/orders/${order}`, { contactId: null });
    await service.call("PATCH", `/v1/contacts/${contactId}`, { customerId });
    expect((await post(`orders/${order}/restore`, { version: 1 })).json).toMatchObject({ contactId, customerId: others });
    expect((await remove(`customers/${customerId}`)).status).toBe(204);
    expect(await read(`orders/${order}`)).toMatchObject({ contactId: null, customerId: others });
  });

  test("of many: all or nothing names every one in the way, and with onError=continue each is for itself", async () => {
    const [free, used, usedToo] = [await newCustomer(), await newCustomer(), await newCustomer()];
    await newOrder(used);
    await newOrder(usedToo);
    const contact = await newContact(free);
    const wanted = [free, used, usedToo].map((objectId) => ({ objectId }));
    const refused = await post("customers/deletions", wanted);
    expect([refused.status, refused.json.code]).toEqual([409, "IN_USE"]);
    expect(refused.json.errors.map(({ pointer, count }: { pointer: string; count: number }) => [pointer, count])).toEqual([
      ["/1/objectId", 1],
      ["/2/objectId", 1],
    ]);
    expect(await statusOf(`contacts/${contact}`)).toBe(200);
    const dry = await post("customers/deletions?onError=continue&dryRun=true", wanted);
    expect([dry.json.summary.deleted, await statusOf(`contacts/${contact}`)]).toEqual([1, 200]);
    const each = await post("customers/deletions?onError=continue", wanted);
    expect(each.json.summary).toMatchObject({ deleted: 1, failed: 2 });
    expect(each.json.results[1].problem).toMatchObject({ status: 409, code: "IN_USE" });
    expect([await statusOf(`contacts/${contact}`), await statusOf(`customers/${used}`)]).toEqual([404, 200]);
  });

  test("with a stale If-Match changes nothing of what depends on it", async () => {
    const customerId = await newCustomer();
    const contact = await newContact(customerId);
    const stale = await service.call("DELETE", `/v1/customers/${customerId}`, undefined, { "if-match": `"${customerId}-9"` });
    expect([stale.status, await statusOf(`contacts/${contact}`)]).toEqual([412, 200]);
  });
});

test("an upload that made customers cannot be undone over what refers to them now, not even over what would go along", async () => {
  const run = "relations-run-1";
  const made = await post("customers", { name: "Made", accountNumber: own("A") }, { "intake-source": `upload; run=${run}` });
  const id = made.json.objectId;
  const contact = await newContact(id);
  const detail = "1 record of contacts refers to this customer. Delete or change them first.";
  const left = [{ id, why: "failed", code: "IN_USE", field: "objectId", detail }];
  expect((await post("customers/undo", { run })).json).toMatchObject({ reversed: 0, failed: 1, left });
  expect(await statusOf(`contacts/${contact}`)).toBe(200);
  await remove(`contacts/${contact}`);
  expect((await post("customers/undo", { run })).json).toMatchObject({ reversed: 1, failed: 0 });
});

test("erasing is refused while anything refers to the record, whatever becomes of that by a deletion", async () => {
  const customerId = await newCustomer();
  const contact = await newContact(customerId);
  const refused = await post(`customers/${customerId}/erasure`, undefined);
  expect([refused.status, refused.json.code, refused.json.errors[0].count]).toEqual([409, "IN_USE", 1]);
  expect(await statusOf(`customers/${customerId}`)).toBe(200);
  expect((await post(`contacts/${contact}/erasure`, undefined)).status).toBe(200);
  expect((await post(`customers/${customerId}/erasure`, undefined)).status).toBe(200);
});

describe("the address below a parent", () => {
  test("has the children of one parent, with everything that a list has", async () => {
    const [one, other] = [await newCustomer(), await newCustomer()];
    const orders = [await newOrder(one), await newOrder(one), await newOrder(one)];
    await newOrder(other);
    const path = `customers/${one}/orders`;
    const idsOf = ({ orders: found }: { orders: { objectId: number }[] }) => found.map(({ objectId }) => objectId);
    expect(idsOf(await read(path))).toEqual(orders);
    const page = await read(`${path}?limit=2&sort=-objectId&count=exact`);
    expect([idsOf(page), page.total]).toEqual([[...orders].reverse().slice(0, 2), 3]);
    expect(idsOf(await read(`${path}?limit=2&sort=-objectId&cursor=${page.next}`))).toEqual([orders[0]]);
    const csv = await service.call("GET", `/v1/${path}?fields=objectId`, undefined, { accept: "text/csv" });
    expect(csv.text.split("\r\n").slice(1, -1)).toEqual(orders.map(String));
    const [get, head] = [await service.call("GET", `/v1/${path}`), await service.call("HEAD", `/v1/${path}`)];
    expect([head.status, head.headers["content-length"]]).toEqual([200, String(Buffer.byteLength(get.text))]);
    expect(head.headers.allow).toBe("GET, HEAD, POST, OPTIONS");
  });

  test("makes children of that parent, in any form, and of no other", async () => {
    const [customerId, other] = [await newCustomer(), await newCustomer()];
    const path = `customers/${customerId}/orders`;
    const bare = await post(path, { orderNumber: own("B") });
    expect([bare.status, bare.json.customerId, bare.headers.location]).toEqual([201, customerId, `/v1/orders/${bare.json.objectId}`]);
    const many = await post(`${path}?onError=continue`, {
      orders: [
        { orderNumber: own("B"), customerId },
        { orderNumber: own("B"), customerId: other },
      ],
    });
    expect(many.json.results.map(({ status }: { status: number }) => status)).toEqual([201, 422]);
    expect(many.json.results[1].problem.errors).toMatchObject([{ pointer: "/orders/1/customerId", code: "ID_MISMATCH" }]);
    const none = await post(path, { orderNumber: own("B"), customerId: null });
    expect([none.status, none.json.errors[0].code]).toEqual([422, "ID_MISMATCH"]);
    const key = { "idempotency-key": own("key") };
    const body = { orderNumber: own("B") };
    const [first, again] = [await post(path, body, key), await post(path, body, key)];
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
    expect((await read(`${path}?count=exact`)).total).toBe(3);
  });

  test("is not there without its parent, and has no other methods", async () => {
    for (const id of [NOBODY, "x", "007"]) {
      expect([id, await statusOf(`customers/${id}/orders`)]).toEqual([id, 404]);
      expect([id, (await post(`customers/${id}/orders`, { orderNumber: own("B") })).status]).toEqual([id, 404]);
    }
    const customerId = await newCustomer();
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const { status, headers } = await service.call(method, `/v1/customers/${customerId}/orders`, {});
      expect([method, status, headers.allow]).toEqual([method, 405, "GET, HEAD, POST, OPTIONS"]);
    }
    expect(await statusOf(`orders/${await newOrder(customerId)}/customers`)).toBe(404);
  });

  test("is for whoever may read the parents and do the same with the children", async () => {
    const customerId = await newCustomer();
    const ask = async (scope: string, method: string) => {
      const headers = { authorization: `Bearer ${await service.tokenFor(scope)}`, "content-type": "application/json" };
      const body = method === "POST" ? JSON.stringify({ orderNumber: own("B") }) : undefined;
      return (await service.raw(method, `/v1/customers/${customerId}/orders`, headers, body)).status;
    };
    expect(await ask("orders:read", "GET")).toBe(403);
    expect(await ask("customers:read", "GET")).toBe(403);
    expect(await ask("customers:read orders:read", "GET")).toBe(200);
    expect(await ask("orders:create", "POST")).toBe(403);
    expect(await ask("customers:read orders:create", "POST")).toBe(201);
  });
});

describe("parents beside their children", () => {
  test("expand adds key and label fields of the parents that are asked for, in a list and of one record", async () => {
    const customerId = await newCustomer({ name: "Bäckerei Ek" });
    const contactId = await newContact(customerId, { name: "Zoë" });
    const [whole, bare] = [await newOrder(customerId, { contactId }), await newOrder(customerId)];
    const customer = { objectId: customerId, name: "Bäckerei Ek" };
    const { orders } = await read(`customers/${customerId}/orders?expand=customer,contact`);
    expect(orders).toMatchObject([
      { objectId: whole, customerId, customer, contact: { objectId: contactId, name: "Zoë" } },
      { objectId: bare, customerId, customer, contact: null },
    ]);
    expect(await read(`orders?customerId=${customerId}&expand=customer&fields=objectId`)).toMatchObject({
      orders: [
        { objectId: whole, customer },
        { objectId: bare, customer },
      ],
    });
    const one = await service.call("GET", `/v1/orders/${whole}?expand=customer`);
    expect([one.json.customer, one.json.contact, one.headers.etag]).toEqual([customer, undefined, undefined]);
    expect((await service.call("PUT", `/v1/orders/${whole}`, one.json)).status).toBe(200); // as it was read
    expect(await statusOf(`orders?expand=owner`)).toBe(400);
  });

  test("a file has the labels of the parents in columns of their own", async () => {
    const customerId = await newCustomer({ name: "=Ek, Berg" });
    const contactId = await newContact(customerId, { name: "Zoë" });
    const [whole, bare] = [await newOrder(customerId, { contactId }), await newOrder(customerId)];
    const file = async (query: string) =>
      (await service.call("GET", `/v1/customers/${customerId}/orders?${query}`, undefined, { accept: "text/csv" })).text;
    expect(await file("expand=customer,contact&fields=objectId,customerId")).toBe(
      `\uFEFFobjectId,customerId,customer.name,contact.name\r\n${whole},${customerId},"'=Ek, Berg",Zoë\r\n${bare},${customerId},"'=Ek, Berg",\r\n`,
    );
    expect(await file("expand=contact&limit=1")).toMatch(/^\uFEFFobjectId,.*,total,contact\.name\r\n.*,Zoë\r\n$/);
  });

  test("what was deleted is listed for the whole collection, not below a parent", async () => {
    const customerId = await newCustomer();
    const reply = await service.call("GET", `/v1/customers/${customerId}/orders?deleted=true`);
    expect([reply.status, reply.json.errors]).toMatchObject([
      400,
      [{ parameter: "deleted", detail: expect.stringContaining("/v1/orders?deleted=true") }],
    ]);
  });

  test("a list is filtered by what its parents are, with brackets or with a point", async () => {
    const city = own("Utrecht");
    const [one, other] = [await newCustomer({ city, name: "Łódź Ltd" }), await newCustomer({ city })];
    const [first, second] = [await newOrder(one), await newOrder(other)];
    await newOrder(await newCustomer());
    const found = async (query: string) => {
      const { orders, total } = await read(`orders?${query}&count=exact`);
      expect(total).toBe(orders.length);
      return orders.map(({ objectId }: { objectId: number }) => objectId);
    };
    expect(await found(`customer.city=${city}`)).toEqual([first, second]);
    expect(await found(`customer.city[prefix]=${city.toLowerCase()}`)).toEqual([first, second]);
    expect(await found(`customer.city=${city}&customer.city=Nowhere`)).toEqual([first, second]);
    expect(await found(`customer.objectId=${one}&customer.objectId=${other}`)).toEqual([first, second]);
    expect(await found(`customer.name=Nobody&customer.name=No one`)).toEqual([]);
    expect(await found(`filter[customer][city]=${city}`)).toEqual([first, second]);
    expect(await found(`filter[customer][prefix][city]=${city.toLowerCase()}`)).toEqual([first, second]);
    expect(await found(`customer.city.prefix=${city}&customer.name.prefix=lodz`)).toEqual([first]);
    expect(await found(`customer.city=${city}&sort=-orderNumber`)).toEqual([second, first]);
    expect(await found(`customer.objectId.in=${one},${other}`)).toEqual([first, second]);
    expect(await found(`customer.createdAt.gte=2020-01-01T00:00:00Z&customerId.in=${one}`)).toEqual([first]);
    expect(await found(`customer.city=${city}&q=b`)).toEqual([first, second]);
    expect(await read(`customers/${one}/orders?customer.city=${city}&expand=customer`)).toMatchObject({
      orders: [{ customer: { name: "Łódź Ltd" } }],
    });
    for (const query of ["customer.nope=1", "customer.city.like=1", "owner.city=1", "customer=1"]) {
      expect([query, await statusOf(`orders?${query}`)]).toEqual([query, 400]);
    }
  });

  test("a list is sorted by what its parents are called, page by page and in a file", async () => {
    const city = own("Breda");
    const names = ["Zoë", "ångström", "Berg"];
    const parents = await Promise.all(names.map((name) => newCustomer({ name, city })));
    const contacts = await Promise.all(parents.map((id, i) => newContact(id, { name: names.at(-1 - i) })));
    const made: number[] = [];
    for (const [i, id] of [...parents, ...parents].entries()) made.push(await newOrder(id, i < 3 ? { contactId: contacts[i] } : {}));
    const [z, a, b, z2, a2, b2] = made;
    const all = `customer.city=${city}`;
    const sorted = async (query: string) => {
      const seen: number[][] = [];
      for (let cursor = ""; ; ) {
        const { orders, next } = await read(`orders?${all}&limit=4&${query}${cursor}`);
        seen.push(orders.map(({ objectId }: { objectId: number }) => objectId));
        if (!next) return seen;
        cursor = `&cursor=${next}`;
      }
    };
    expect(await sorted("sort=customer")).toEqual([
      [a, a2, b, b2],
      [z, z2],
    ]);
    expect(await sorted("sort=-customer")).toEqual([
      [z2, z, b2, b],
      [a2, a],
    ]);
    expect(await sorted("sort=customer,-objectId")).toEqual([
      [a2, a, b2, b],
      [z2, z],
    ]);
    // The contacts are called the other way round; without one come first.
    expect(await sorted("sort=contact,customer&fields=objectId&expand=customer")).toEqual([
      [a2, b2, z2, a],
      [z, b],
    ]);
    const { next } = await read(`orders?${all}&limit=4&sort=customer`);
    const { prev, orders } = await read(`orders?${all}&limit=4&sort=customer&cursor=${next}`);
    expect(orders).toHaveLength(2);
    expect(
      (await read(`orders?${all}&limit=4&sort=customer&cursor=${prev}`)).orders.map(({ objectId }: { objectId: number }) => objectId),
    ).toEqual([a, a2, b, b2]);
    expect(
      (await read(`orders?${all}&sort=customer&offset=3&limit=2`)).orders.map(({ objectId }: { objectId: number }) => objectId),
    ).toEqual([b2, z]);
    const { text } = await service.call("GET", `/v1/orders.csv?${all}&sort=-customer&fields=objectId`);
    expect(text.trim().split("\r\n").slice(1).map(Number)).toEqual([z2, z, b2, b, a2, a]);
    for (const sort of ["customer.name", "customer,customer", "owner", "customers"])
      expect([sort, await statusOf(`orders?sort=${sort}`)]).toEqual([sort, 400]);
  });

  test("takes the right to read them", async () => {
    await newOrder(await newCustomer());
    const ask = async (scope: string, query: string) => {
      const { status } = await service.raw("GET", `/v1/orders?${query}`, { authorization: `Bearer ${await service.tokenFor(scope)}` });
      return [query, status];
    };
    for (const query of [
      "expand=customer",
      "customer.name=x",
      "customer.name[prefix]=x",
      "customer.name.prefix=x",
      "filter[customer][name]=x",
      "filter[customer][prefix][name]=x",
      "filter[prefix][customer][name]=x",
      "filter[customer.name]=x",
      "expand=contact,customer",
      "expand[]=customer",
      "expand=contact&expand=customer",
      "expand[0]=customer",
      "sort=customer",
      "sort=orderNumber,-customer",
      "sort[]=-customer",
    ]) {
      expect(await ask("orders:read contacts:read", query)).toEqual([query, 403]);
      expect(await ask("orders:read customers:read contacts:read", query)).toEqual([query, 200]);
    }
    expect(await ask("orders:read", "status=open&customerId=1")).toEqual(["status=open&customerId=1", 200]);
  });
});

describe("a unique field of the parent instead of its key", () => {
  test("is replaced by the key, in every write of one record and of many", async () => {
    const [accountNumber, other] = [own("A"), own("A")];
    const [customerId, otherId] = [await newCustomer({ accountNumber }), await newCustomer({ accountNumber: other })];
    const email = `${own("zoe")}@example.org`;
    const contact = await post("contacts", { name: "Zoë", email, "customer.accountNumber": accountNumber });
    expect([contact.status, contact.json.customerId]).toEqual([201, customerId]);
    expect(contact.json).not.toHaveProperty("customer.accountNumber");
    const orders = [
      { orderNumber: own("B"), "customer.accountNumber": accountNumber, "contact.email": email },
      { orderNumber: own("B"), "customer.accountNumber": other },
    ];
    for (const query of ["?dryRun=true", ""]) {
      const { json } = await post(`orders${query}`, orders);
      expect(json.orders.map((order: Record<string, unknown>) => [order.customerId, order.contactId])).toEqual([
        [customerId, contact.json.objectId],
        [otherId, null],
      ]);
    }
    const id = await newOrder(customerId);
    const theirs = `${own("bo")}@example.org`;
    const contactId = await newContact(otherId, { email: theirs });
    const patched = await service.call("PATCH", `/v1/orders/${id}`, { "customer.accountNumber": other, "contact.email": theirs });
    expect([patched.json.customerId, patched.json.contactId]).toEqual([otherId, contactId]);
    const cleared = await service.call("PATCH", `/v1/orders/${id}`, { "contact.email": null });
    expect([cleared.json.contactId, cleared.json.version]).toEqual([null, 3]);
    const put = await service.call("PUT", `/v1/orders/${id}`, { orderNumber: own("B"), "customer.accountNumber": accountNumber });
    expect([put.status, put.json.customerId]).toEqual([200, customerId]);
  });

  test("is refused where no parent has it, where it is not valid, and beside the key", async () => {
    const accountNumber = own("A");
    const customerId = await newCustomer({ accountNumber });
    const order = (fields: object) => ({ orderNumber: own("B"), ...fields });
    const sent = [
      order({ "customer.accountNumber": "nobody's" }),
      order({ "customer.accountNumber": accountNumber, customerId }),
      order({ "customer.accountNumber": 7 }),
      order({ "customer.accountNumber": null }),
      order({ "customer.accountNumber": accountNumber, "contact.email": "nobody@example.org" }),
      order({ "customer.name": "Ångström" }),
      order({}),
    ];
    const { json } = await post("orders?onError=continue", sent);
    const codes = json.results.map(({ problem }: { problem: { errors: { pointer: string; code: string }[] } }) =>
      problem.errors.map(({ pointer, code }) => `${pointer.replace(/^\/\d/, "")} ${code}`),
    );
    expect(codes).toEqual([
      ["/customer.accountNumber REFERENCE_NOT_FOUND"],
      ["/customer.accountNumber ID_MISMATCH"],
      ["/customer.accountNumber KIND"],
      ["/customer.accountNumber REQUIRED"],
      ["/contact.email REFERENCE_NOT_FOUND"],
      ["/customerId REQUIRED", "/customer.name UNKNOWN_FIELD"],
      ["/customerId REQUIRED"],
    ]);
  });
});

describe("matchBy", () => {
  const upsert = (body: unknown, query = "") => post(`customers?onConflict=update&matchBy=accountNumber${query}`, body);

  test("a record that was read before is read as it was changed, though nobody named its key", async () => {
    const accountNumber = own("A");
    const { objectId } = (await post("customers", { name: "Before", accountNumber })).json;
    for (const name of ["Before", "Once", "Twice"]) {
      expect((await upsert({ accountNumber, name })).status).toBe(200);
      expect((await service.call("GET", `/v1/customers/${objectId}`)).json.name).toBe(name);
    }
  });

  test("updates the record that has the value, and creates one where none has", async () => {
    const [known, unknown] = [own("A"), own("A")];
    const id = await newCustomer({ accountNumber: known, name: "Before" });
    const sent = [
      { accountNumber: known, name: "After" },
      { accountNumber: unknown, name: "New" },
      { accountNumber: known, name: "Twice" },
    ];
    const dry = await upsert(sent, "&onError=continue&dryRun=true");
    const { json } = await upsert(sent, "&onError=continue");
    expect(json).toEqual(dry.json);
    expect(json.results).toMatchObject([
      { outcome: "updated", objectId: id, version: 2, changes: { name: ["Before", "After"] } },
      { outcome: "created", version: 1 },
      { outcome: "failed", problem: { code: "DUPLICATE_IN_REQUEST" } },
    ]);
    const again = await upsert(sent.slice(0, 2), "&onError=continue");
    expect(again.json.summary).toMatchObject({ unchanged: 2 });
    expect(again.json.results[1].objectId).toBe(json.results[1].objectId);
  });

  test("with onMissing=error only updates, with onConflict=skip only creates, and without either refuses what is there", async () => {
    const [known, unknown] = [own("A"), own("A")];
    const id = await newCustomer({ accountNumber: known });
    const pure = await upsert(
      [
        { accountNumber: known, city: "Oss" },
        { accountNumber: unknown, name: "X" },
      ],
      "&onMissing=error&onError=continue",
    );
    expect(pure.json.results).toMatchObject([
      { outcome: "updated", objectId: id },
      { outcome: "failed", status: 404 },
    ]);
    const whole = await upsert([{ accountNumber: unknown, name: "X" }], "&onMissing=error");
    expect(whole.json.errors).toMatchObject([{ pointer: "/0/accountNumber", code: "NOT_FOUND" }]);
    const twice = await upsert([{ accountNumber: known }, { accountNumber: known }]);
    expect(twice.json.errors).toMatchObject([{ pointer: "/1/accountNumber", code: "DUPLICATE_IN_REQUEST" }]);
    const skipped = await post("customers?onConflict=skip&matchBy=accountNumber&onError=continue", [{ accountNumber: known, name: "X" }]);
    expect(skipped.json.results).toMatchObject([{ outcome: "skipped", objectId: id }]);
    const refused = await post("customers?matchBy=accountNumber", { accountNumber: known, name: "X" });
    expect([refused.status, refused.json.errors]).toMatchObject([409, [{ pointer: "/accountNumber", href: `/v1/customers/${id}` }]]);
    expect(refused.json.detail).toBe("Another customer already has this Account number.");
    const nameless = await upsert([{ name: "X" }], "&onMissing=error");
    expect([nameless.status, nameless.json.errors[0]]).toMatchObject([422, { pointer: "/0/accountNumber", code: "REQUIRED" }]);
  });

  test("never takes another record for the one that is meant", async () => {
    const [one, other] = [own("A"), own("A")];
    const [id, otherId] = [await newCustomer({ accountNumber: one }), await newCustomer({ accountNumber: other })];
    const { json } = await upsert(
      [
        { objectId: otherId, accountNumber: one },
        { objectId: id, accountNumber: own("A"), name: "X" },
      ],
      "&onError=continue",
    );
    expect(json.results.map(({ problem }: { problem: { errors: { code: string }[] } }) => problem.errors[0]?.code)).toEqual([
      "ID_MISMATCH",
      "ALREADY_EXISTS",
    ]);
    expect(json.results[1].problem.errors[0].pointer).toBe("/1/objectId"); // the account number is new
    expect(await read(`customers/${id}`)).toMatchObject({ accountNumber: one, version: 1 });
    const stale = await upsert([{ accountNumber: one, version: 9, city: "Oss" }], "&match=version");
    expect(stale.status).toBe(412);
    const blind = await upsert([{ accountNumber: one, city: "Oss" }], "&match=version");
    expect([blind.status, blind.json.errors[0].pointer]).toEqual([422, "/0/version"]);
  });

  test("takes unique fields only, and goes with references by other values", async () => {
    for (const field of ["name", "nope", "createdAt"]) {
      const { status, json } = await post(`customers?matchBy=${field}`, { name: "X", accountNumber: own("A") });
      expect([status, json.errors[0].parameter]).toEqual([400, "matchBy"]);
    }
    const accountNumber = own("A");
    const customerId = await newCustomer({ accountNumber });
    const orderNumber = own("B");
    const order = { orderNumber, "customer.accountNumber": accountNumber, status: "open" };
    const first = await post("orders?matchBy=orderNumber&onConflict=update", order);
    const second = await post("orders?matchBy=orderNumber&onConflict=update", { ...order, status: "delivered" });
    expect([first.status, second.status, second.json]).toMatchObject([201, 200, { customerId, status: "delivered", version: 2 }]);
  });

  test("fifty at once that name a new value make one record of it", async () => {
    const accountNumber = own("A");
    // On a busy machine the last ones in line are told to come again.
    const send = async (body: unknown): Promise<[number, number]> => {
      const { status, json } = await upsert(body);
      return status === 503 ? send(body) : [status, json.objectId];
    };
    const all = await Promise.all(Array.from({ length: 50 }, (_, i) => send({ accountNumber, name: `Name ${i}` })));
    expect(all.filter(([status]) => status === 201).length).toBe(1);
    expect(new Set(all.map(([, id]) => id)).size).toBe(1);
    expect((await read(`customers?accountNumber=${accountNumber}&count=exact`)).total).toBe(1);
  });
});
