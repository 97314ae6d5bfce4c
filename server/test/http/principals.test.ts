// Tests who did it: createdBy and updatedBy on every record, whichever request wrote it, and in lists.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Principal } from "../../../core/contract/principals.ts";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";

interface Caller {
  who: Principal;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

let service: TestService;
let [ann, bob, cas] = [] as unknown as [Caller, Caller, Caller];
beforeAll(async () => {
  service = await openTestService();
  [ann, bob, cas] = [await newCaller(), await newCaller(), await newCaller()];
});
afterAll(() => service.close());

/** Signs in with an API key of its own. */
async function newCaller(): Promise<Caller> {
  const { keyId, token } = await service.newCredentials("write");
  return {
    who: { type: "key", id: keyId, name: keyId },
    call: (method, path, body, headers = {}) => service.call(method, path, body, { ...headers, authorization: `Bearer ${token}` }),
  };
}

const LIST = "/v1/customers";
const old = { firstName: "Zoë", lastName: "Hoff", accountID: "1" };
const changed = { ...old, lastName: "Ek" };
let id = 0;
beforeEach(async () => {
  id += 1;
  await ann.call("POST", LIST, { objectId: id, ...old });
});

const path = () => `${LIST}/${id}`;
const stamps = async () => {
  const { json } = await service.call("GET", path());
  return [json.createdBy, json.updatedBy];
};

type Write = () => Promise<Reply>;
const post = (records: object | object[], query = "", headers = {}) => bob.call("POST", `${LIST}${query}`, records, headers);
const CHANGES: Record<string, Write> = {
  PUT: () => bob.call("PUT", path(), changed),
  PATCH: () => bob.call("PATCH", path(), { lastName: "Ek" }),
  "PATCH that says who did it": () => bob.call("PATCH", path(), { lastName: "Ek", createdBy: bob.who, updatedBy: ann.who }),
  "POST of one, update": () => post({ objectId: id, ...changed }, "?onConflict=update"),
  "POST of many, update": () => post([{ objectId: id, ...changed }], "?onConflict=update"),
  "POST of many, each on its own": () => post([{ objectId: id, ...changed }, {}], "?onConflict=update&onError=continue"),
  "POST of a record as it was read": async () => {
    const { json } = await bob.call("GET", path());
    return post([{ ...json, lastName: "Ek" }], "?onConflict=update&match=version");
  },
};

test.each(Object.entries(CHANGES))("%s by another key changes updatedBy and leaves createdBy", async (_, write) => {
  expect((await write()).status).toBeLessThan(300);
  expect(await stamps()).toEqual([ann.who, bob.who]);
});

const NO_CHANGES: Record<string, Write> = {
  "PUT of the same": () => bob.call("PUT", path(), old),
  "PATCH of nothing": () => bob.call("PATCH", path(), {}),
  "PATCH of the same": () => bob.call("PATCH", path(), { lastName: "Hoff" }),
  "PATCH of createdBy alone": () => bob.call("PATCH", path(), { createdBy: bob.who, updatedBy: bob.who }),
  "PATCH of an old version": () => bob.call("PATCH", path(), { lastName: "Ek" }, { "if-match": `"${id}-9"` }),
  "POST of an objectId in use": () => post({ objectId: id, ...changed }),
  "POST, skip": () => post({ objectId: id, ...changed }, "?onConflict=skip"),
  "POST of the same, update": () => post([{ objectId: id, ...old }], "?onConflict=update"),
  "POST that is only tried": () => post([{ objectId: id, ...changed }], "?onConflict=update&dryRun=true"),
  "POST of which another record is refused": () => post([{ objectId: id, ...changed }, {}], "?onConflict=update"),
  "a deletion that is only tried": () => bob.call("POST", `${LIST}/deletions?dryRun=true`, [{ objectId: id }]),
};

test.each(Object.entries(NO_CHANGES))("%s by another key leaves both", async (_, write) => {
  expect((await write()).status).toBeLessThan(500);
  expect(await stamps()).toEqual([ann.who, ann.who]);
});

test("the answer to a write says who did it, also the one of a trial", async () => {
  expect((await bob.call("PATCH", path(), { lastName: "Ek" })).json).toMatchObject({ createdBy: ann.who, updatedBy: bob.who });
  expect((await post({ ...old, objectId: id + 1e6 })).json).toMatchObject({ createdBy: bob.who, updatedBy: bob.who });
  expect((await post([old], "?dryRun=true")).json.customers[0]).toMatchObject({ createdBy: bob.who, updatedBy: bob.who });
  expect((await cas.call("POST", `${LIST}?onConflict=update&dryRun=true`, { objectId: id, ...old })).json).toMatchObject({
    createdBy: ann.who,
    updatedBy: cas.who,
  });
});

test("keys that write in turn each stand on the record", async () => {
  for (const [i, caller] of [bob, cas, bob, ann, cas].entries()) {
    await caller.call("PATCH", path(), { lastName: `Name ${i}` });
    expect(await stamps()).toEqual([ann.who, caller.who]);
  }
});

test("a record that is created again after its deletion is by whom creates it", async () => {
  await bob.call("DELETE", path());
  await cas.call("POST", LIST, { objectId: id, ...old });
  expect(await stamps()).toEqual([cas.who, cas.who]);
  await bob.call("POST", `${LIST}/deletions`, [{ objectId: id }]);
  await ann.call("PUT", path(), old);
  expect(await stamps()).toEqual([ann.who, ann.who]);
});

test("a request that is sent again changes nothing, and is answered as at first", async () => {
  const again = () => bob.call("PATCH", path(), { lastName: "Ek" }, { "idempotency-key": `again-${id}` });
  const first = await again();
  await cas.call("PATCH", path(), { lastName: "Ik" });
  const second = await again();
  expect([second.headers["idempotent-replayed"], second.text]).toEqual(["true", first.text]);
  expect(await stamps()).toEqual([ann.who, cas.who]);
});

test("lists and exports say who did it", async () => {
  await bob.call("PATCH", path(), { lastName: "Ek" });
  const { json } = await service.call("GET", `${LIST}?objectId=${id}&fields=createdBy,updatedBy`);
  expect(json.customers).toEqual([{ createdBy: ann.who, updatedBy: bob.who }]);
  const csv = await service.call("GET", `${LIST}?objectId=${id}&fields=objectId,createdBy,updatedBy`, undefined, { accept: "text/csv" });
  expect(csv.text).toBe(`\uFEFFobjectId,createdBy,updatedBy\r\n${id},${ann.who.name},${bob.who.name}\r\n`);
});

test("a list is filtered by who did it", async () => {
  await bob.call("PATCH", path(), { lastName: "Only this one" });
  const found = async (query: string) => {
    const { status, json } = await service.call("GET", `${LIST}?${query}&count=exact&limit=1000`);
    const ids = (json.customers as { objectId: number }[]).map((record) => record.objectId);
    expect([status, json.total]).toEqual([200, ids.length]);
    return ids;
  };
  const here = `objectId=${id}`;
  expect(await found(`createdBy=${ann.who.id}&${here}`)).toEqual([id]);
  expect(await found(`createdBy=${bob.who.id}&${here}`)).toEqual([]);
  expect(await found(`updatedBy=${bob.who.id}&${here}`)).toEqual([id]);
  expect(await found(`updatedBy[in]=${cas.who.id},${bob.who.id}&${here}`)).toEqual([id]);
  expect(await found(`updatedBy=${bob.who.id}&q=only&sort=-updatedAt`)).toEqual([id]);
  expect(await found(`createdBy=&${here}`)).toEqual([]);
  expect(await found("createdBy=nobody")).toEqual([]);
  expect(await found("updatedBy[in]=nobody,no%20one&sort=lastName")).toEqual([]);
  const [byAnn, byAll] = [await found(`createdBy=${ann.who.id}`), await found(`createdBy[in]=${ann.who.id},${bob.who.id},${cas.who.id}`)];
  expect(byAnn).toContain(id);
  expect(byAll).toEqual(await found(""));
});

test.each(["sort=createdBy", "sort=-updatedBy", "createdBy[prefix]=a", "updatedBy[gte]=a"])("the query %s is refused", async (query) => {
  const { status, json } = await service.call("GET", `${LIST}?${query}`);
  expect([status, json.code]).toEqual([400, "BAD_PARAMETER"]);
});

test("a key that gets another name has it on all its records", async () => {
  await bob.call("PATCH", path(), { lastName: "Ek" });
  expect(await stamps()).toEqual([ann.who, bob.who]);
  const key = await service.store.readKey(bob.who.id);
  if (key) await service.store.putKey({ ...key, name: "Nightly import" });
  bob = { ...bob, who: { ...bob.who, name: "Nightly import" } };
  await expect.poll(stamps, { timeout: 20_000 }).toEqual([ann.who, bob.who]);
  const { json } = await service.call("GET", `${LIST}?objectId=${id}&fields=updatedBy`);
  expect(json.customers).toEqual([{ updatedBy: bob.who }]);
});

test("who did it is still known after a restart", async () => {
  await service.reopen();
  const { keyId, token } = await service.newCredentials("write");
  await service.call("PATCH", path(), { lastName: "Ek" }, { authorization: `Bearer ${token}` });
  expect(await stamps()).toEqual([ann.who, { type: "key", id: keyId, name: keyId }]);
});

test("a person stands on what they wrote, by the name that they have now", async () => {
  const { id: userId, token } = await service.newPerson("editor");
  const mine = (method: string, address: string, body: object) => service.call(method, address, body, { authorization: `Bearer ${token}` });
  await mine("PATCH", path(), { lastName: "Ek" });
  const named = async (name: string) => {
    expect((await mine("PATCH", "/v1/me", { name })).status).toBe(200);
    await expect.poll(stamps, { timeout: 20_000 }).toEqual([ann.who, { type: "user", id: userId, name }]);
  };
  await named("Dora Lund");
  await named("Dora Berg");
  expect((await service.call("GET", `${LIST}?updatedBy=${userId}&fields=objectId`)).json.customers).toEqual([{ objectId: id }]);
});
