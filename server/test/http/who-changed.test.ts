// A refusal with 412 says who changed the record and when, to whoever may read it and to nobody else.

import { afterAll, beforeAll, expect, test } from "vitest";
import { ORDERS, openTestService, type Reply, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(ORDERS);
});
afterAll(() => service.close());

async function as(scope: string) {
  const authorization = `Bearer ${await service.tokenFor(scope)}`;
  return (method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
    service.call(method, `/v1/${path}`, body, { authorization, ...headers });
}

let numbers = 0;
/** A customer in its second version, and the ETag of its first. */
async function changedCustomer() {
  numbers += 1;
  const { json, headers } = await service.call("POST", "/v1/customers", { name: `Who ${numbers}`, accountNumber: `WHO-${numbers}` });
  const { json: now } = await service.call("PATCH", `/v1/customers/${json.objectId}`, { city: "Bonn" });
  const { version, updatedAt, updatedBy } = now;
  return {
    id: json.objectId,
    old: headers.etag as string,
    current: { version, updatedAt, updatedBy, href: `/v1/customers/${json.objectId}` },
  };
}

/** Each way to be refused with 412 about this one record. */
function refusedWays({
  id,
  old,
}: {
  id: number;
  old: string;
}): [name: string, method: string, path: string, body?: unknown, headers?: object][] {
  const ifMatch = { "if-match": old };
  const since = "unlessChangedSince=2020-01-01T00:00:00Z&onConflict=update";
  return [
    ["PATCH", "PATCH", `customers/${id}`, { city: "Ulm" }, ifMatch],
    ["PATCH under a key", "PATCH", `customers/${id}`, { city: "Ulm" }, { ...ifMatch, "idempotency-key": `k-${id}` }],
    ["the same again", "PATCH", `customers/${id}`, { city: "Ulm" }, { ...ifMatch, "idempotency-key": `k-${id}` }],
    ["PUT", "PUT", `customers/${id}`, { name: "Ek", accountNumber: `P-${id}` }, ifMatch],
    ["PUT of a new one", "PUT", `customers/${id}`, { name: "Ek", accountNumber: `P-${id}` }, { "if-none-match": "*" }],
    ["DELETE", "DELETE", `customers/${id}`, undefined, ifMatch],
    ["restore", "POST", `customers/${id}/restore`, { version: 1 }, ifMatch],
    ["all or nothing", "POST", "customers?match=version&onConflict=update", [{ objectId: id, version: 1, city: "Ulm" }]],
    ["each for itself", "POST", "customers?match=version&onConflict=update&onError=continue", [{ objectId: id, version: 1, city: "Ulm" }]],
    ["unlessChangedSince", "POST", `customers?${since}`, [{ objectId: id, city: "Ulm" }]],
    ["deletions", "POST", "customers/deletions?match=version&onError=continue", [{ objectId: id, version: 1 }]],
  ];
}

/** Wherever it stands in the answer. */
function currentIn({ json }: Reply): unknown {
  const problem = json.results?.[0].problem ?? json;
  return problem.current ?? problem.errors?.[0]?.current;
}

test("whoever may read it is told the version, who wrote it, when, and where it is", async () => {
  const customer = await changedCustomer();
  const send = await as(
    "customers:read customers:create customers:update customers:delete contacts:delete contacts:update orders:delete orders:update",
  );
  for (const [name, method, path, body, headers] of refusedWays(customer)) {
    const reply = await send(method, path, body, headers);
    expect([name, reply.status === 207 ? reply.json.results[0].status : reply.status]).toEqual([name, 412]);
    expect([name, currentIn(reply)]).toEqual([name, customer.current]);
  }
  const { json } = await send("GET", `${customer.current.href.slice("/v1/".length)}/history`);
  expect(json.history[0]).toMatchObject({ version: 2, changes: { city: [null, "Bonn"] } });
});

test("whoever may not read it is told nothing of that, also by a stored answer", async () => {
  const customer = await changedCustomer();
  const { updatedAt, updatedBy } = customer.current;
  const send = await as(
    "orders:read customers:create customers:update customers:delete contacts:delete contacts:update orders:delete orders:update",
  );
  for (const [name, method, path, body, headers] of refusedWays(customer)) {
    const reply = await send(method, path, body, headers);
    if (name === "restore" && reply.status === 403) continue; // needs more rights
    expect([name, reply.status === 207 ? reply.json.results[0].status : reply.status]).toEqual([name, 412]);
    expect([name, currentIn(reply)]).toEqual([name, undefined]);
    for (const secret of [updatedAt, updatedBy.name, "current"]) expect(reply.text).not.toContain(secret);
  }
});

test("where no record is there, nothing is said", async () => {
  const { id, old } = await changedCustomer();
  await service.call("DELETE", `/v1/customers/${id}`);
  const refused = await service.call("PUT", `/v1/customers/${id}`, { name: "Ek", accountNumber: `D-${id}` }, { "if-match": old });
  expect([refused.status, currentIn(refused)]).toEqual([412, undefined]);
});
