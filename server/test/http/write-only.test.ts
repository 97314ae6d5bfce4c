// Whoever may write but not read: no answer shows them a stored value.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ORDERS, openTestService, type Reply, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(ORDERS);
});
afterAll(() => service.close());

let numbers = 0;
/** A customer with planted values, of which none may come back. */
async function newCustomer(): Promise<{ id: number; accountNumber: string; secrets: string[] }> {
  numbers += 1;
  const values = { name: `Planted name ${numbers}`, accountNumber: `PLANTED-${numbers}`, city: `Planted city ${numbers}` };
  const { json } = await service.call("POST", "/v1/customers", values);
  return { id: json.objectId, accountNumber: values.accountNumber, secrets: [values.name, values.city, json.createdAt] };
}

async function as(scope: string) {
  const authorization = `Bearer ${await service.tokenFor(scope)}`;
  return (method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
    service.call(method, `/v1/${path}`, body, { authorization, ...headers });
}

function expectNoneOf(secrets: readonly string[], { text, headers }: Reply): void {
  for (const secret of secrets) expect(`${text} ${JSON.stringify(headers)}`).not.toContain(secret);
}

describe("without the right to read", () => {
  test("a preview that skips what is there says its key and version alone, also by another field and in all of its forms", async () => {
    const send = await as("customers:create");
    const { id, accountNumber, secrets } = await newCustomer();
    const byKey = { objectId: id, name: "Guess", accountNumber: "GUESS" };
    const byNumber = { name: "Guess", accountNumber };
    for (const [query, body] of [
      ["onConflict=skip&dryRun=true", [byKey]],
      ["onConflict=skip&dryRun=true", byKey],
      ["onConflict=skip", { customers: [byKey] }],
      ["onConflict=skip&dryRun=true&onError=continue", [byKey]],
      ["onConflict=skip&dryRun=true&matchBy=accountNumber", [byNumber]],
      ["onConflict=skip&matchBy=accountNumber&onError=continue", [byNumber]],
    ] as const) {
      const reply = await send("POST", `customers?${query}`, body);
      expect([200, 207]).toContain(reply.status);
      expect(reply.text).toContain(String(id));
      expectNoneOf(secrets, reply);
    }
    const { json } = await send("POST", "customers?onConflict=skip&dryRun=true", [byKey]);
    expect(json).toEqual({ customers: [{ ...byKey, version: 1 }] });
  });

  test("a new record answers what was sent, its key and its version", async () => {
    const send = await as("customers:create");
    const { status, headers, json } = await send("POST", "customers", { name: "New", accountNumber: "NEW-1" });
    expect([status, json]).toEqual([201, { name: "New", accountNumber: "NEW-1", objectId: expect.any(Number), version: 1 }]);
    expect(headers.etag).toBe(`"${json.objectId}-1"`);
  });

  test("a record that is made again does not say who made the one before, and when", async () => {
    const { id, secrets } = await newCustomer();
    await service.call("DELETE", `/v1/customers/${id}`);
    const send = await as("customers:create customers:update");
    const reply = await send("PUT", `customers/${id}`, { name: "Again", accountNumber: `AGAIN-${id}` });
    expect(reply.status).toBe(201);
    expectNoneOf(secrets, reply);
  });

  test("PATCH and PUT answer what was sent; an empty PATCH says the version", async () => {
    const send = await as("customers:update");
    const { id, secrets } = await newCustomer();
    const empty = await send("PATCH", `customers/${id}`, {});
    expect([empty.status, empty.json]).toEqual([200, { objectId: id, version: 1 }]);
    const patched = await send("PATCH", `customers/${id}`, { city: "Bonn" });
    expect(patched.json).toEqual({ objectId: id, city: "Bonn", version: 2 });
    const put = await send("PUT", `customers/${id}`, { name: "N", accountNumber: `N-${id}` }, { "if-match": "*" });
    expect(put.json).toMatchObject({ objectId: id, name: "N", version: 3 });
    for (const reply of [empty, patched, put]) expectNoneOf(secrets, reply);
  });

  test("an update of many says the new values of what changes", async () => {
    const send = await as("customers:update");
    const { id, secrets } = await newCustomer();
    const query = "onConflict=update&onMissing=error&onError=continue";
    for (const dryRun of ["true", "false"]) {
      const reply = await send("POST", `customers?${query}&dryRun=${dryRun}`, [{ objectId: id, city: "Bonn" }]);
      expect(reply.json.results[0]).toMatchObject({ outcome: "updated", objectId: id, changes: { city: ["Bonn"] } });
      expectNoneOf(secrets, reply);
    }
    const operations = [{ action: "update", record: { objectId: id, city: "Köln" } }];
    const batch = await send("POST", "customers/batch?dryRun=true", { operations });
    expect(batch.json.results[0].changes).toEqual({ city: ["Köln"] });
    const all = await send("POST", "customers?onConflict=update&onMissing=error", [{ objectId: id, name: "New name" }]);
    expect(all.json).toEqual({ customers: [{ objectId: id, name: "New name", version: 3 }] });
    expectNoneOf(secrets, all);
  });

  test("an earlier version that comes back shows none of its values", async () => {
    const send = await as("customers:create customers:update");
    const { id, secrets } = await newCustomer();
    await service.call("PATCH", `/v1/customers/${id}`, { name: "Later", city: null });
    const reply = await send("POST", `customers/${id}/restore`, { version: 1 });
    expect([reply.status, reply.json]).toEqual([200, { objectId: id, version: 3 }]);
    expectNoneOf(secrets, reply);
  });

  test("a request that is repeated after the right is gone shows no more than a new one", async () => {
    const { id, secrets } = await newCustomer();
    const { id: roleId } = (await service.call("POST", "/v1/roles", { name: `Writers ${id}`, scope: "customers:read customers:update" }))
      .json;
    const { token } = await service.newPerson(roleId);
    const headers = { authorization: `Bearer ${token}`, "idempotency-key": `once ${id}`.replace(" ", "-") };
    const first = await service.call("PATCH", `/v1/customers/${id}`, { accountNumber: `R-${id}` }, headers);
    expect(first.json.name).toBe(secrets[0]);
    await service.call("PATCH", `/v1/roles/${roleId}`, { scope: "customers:update" });
    const again = await service.call("PATCH", `/v1/customers/${id}`, { accountNumber: `R-${id}` }, headers);
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(again.json).toEqual({ objectId: id, accountNumber: `R-${id}`, version: 2 });
    expectNoneOf(secrets, again);
  });

  test("another caller who guesses the run and the key of a request gets no stored value", async () => {
    const { id, secrets } = await newCustomer();
    const headers = { "idempotency-key": `run-${id}`, "intake-source": `upload; run=run${id}` };
    const query = "customers?onConflict=update&onMissing=error&onError=continue";
    const body = [{ objectId: id, city: "Ulm" }];
    const first = await service.call("POST", `/v1/${query}`, body, headers);
    expect(first.json.results[0].changes.city).toEqual([secrets[1], "Ulm"]);
    const again = await (await as("customers:update"))("POST", query, body, headers);
    expect(again.json.results[0].changes).toEqual({ city: ["Ulm"] });
    expectNoneOf(secrets, again);
  });

  test("a taken key or number does not lead to who has it", async () => {
    const send = await as("customers:create");
    const { id, accountNumber, secrets } = await newCustomer();
    const taken = await send("POST", "customers", { objectId: id, name: "N", accountNumber: "FREE" });
    expect(taken.json.errors).toEqual([{ pointer: "/objectId", code: "ALREADY_EXISTS", detail: expect.any(String) }]);
    const byNumber = await send("POST", "customers?matchBy=accountNumber&onError=continue", [{ name: "N", accountNumber }]);
    expect(byNumber.json.results[0].problem.errors[0]).toEqual({
      pointer: "/0/accountNumber",
      code: "ALREADY_EXISTS",
      detail: expect.any(String),
    });
    for (const reply of [taken, byNumber]) expectNoneOf(secrets, reply);
  });
});

describe("of collections that the caller may not read", () => {
  test("a refused deletion says neither how many records refer to it nor where they are", async () => {
    const { id } = await newCustomer();
    for (let i = 0; i < 3; i++) await service.call("POST", "/v1/orders", { customerId: id, orderNumber: `IN-USE-${id}-${i}` });
    const scope = "customers:read customers:delete contacts:delete orders:update";
    const blind = await as(scope);
    const one = await blind("DELETE", `customers/${id}`);
    expect([one.status, one.json.code, one.json.errors]).toEqual([
      409,
      "IN_USE",
      [{ code: "IN_USE", detail: "Other records refer to it, which you may not read." }],
    ]);
    const many = await blind("POST", "customers/deletions?onError=continue", [{ objectId: id }]);
    for (const reply of [one, many]) expect(reply.text).not.toMatch(/orders|"count"|3 records/);
    const seeing = await as(`${scope} orders:read`);
    expect((await seeing("DELETE", `customers/${id}`)).json.errors[0]).toMatchObject({ count: 3, href: `/v1/orders?customerId=${id}` });
  });

  test("a deletion takes the right on what goes along, whether something does or not", async () => {
    const { id } = await newCustomer();
    const lone = await as("customers:read customers:delete");
    const ways = [
      () => lone("DELETE", `customers/${id}`),
      () => lone("POST", "customers/deletions", [{ objectId: id }]),
      () => lone("POST", "customers/batch", [{ action: "delete", record: { objectId: id } }]),
    ];
    for (const way of ways) {
      const { status, json } = await way();
      expect([status, json.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
      expect(json.detail).toContain("contacts:delete");
    }
    expect((await (await as("contacts:delete"))("DELETE", "contacts/1")).json.detail).toContain("orders:update");
    expect((await (await as("customers:delete contacts:delete"))("DELETE", `customers/${id}`)).status).toBe(403); // orders lose their contact
    const allowed = await as("customers:delete contacts:delete orders:update");
    expect((await allowed("DELETE", `customers/${id}`)).status).toBe(204);
  });

  test("a parent is named by its key alone", async () => {
    const { id, accountNumber } = await newCustomer();
    const send = await as("orders:read orders:create");
    const named = await send("POST", "orders", { "customer.accountNumber": accountNumber, orderNumber: `L-${id}` });
    expect([named.status, named.json.detail]).toEqual([403, expect.stringContaining("customers:read")]);
    expect((await send("POST", "orders", { customerId: id, orderNumber: `L-${id}` })).status).toBe(201);
  });
});
