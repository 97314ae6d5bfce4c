// Several records become one, and a merge is taken apart again.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { untilFeedRests } from "../../testing/feed-at-rest.ts";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(ORDERS);
});
afterAll(() => service.close());

let numbers = 0;
/** Text that no other record of the test has. */
const own = (prefix: string) => `${prefix}-${++numbers}`;
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.call(method, `/v1/${path}`, body, headers);
const read = async (path: string) => (await call("GET", path)).json;

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
type Wire = any;

async function newCustomer(fields: object = {}): Promise<Wire> {
  return (await call("POST", "customers", { name: "Ada Fox", accountNumber: own("A"), ...fields })).json;
}
async function newOrder(customer: Wire, fields: object = {}): Promise<Wire> {
  return (await call("POST", "orders", { customerId: customer.objectId, orderNumber: own("B"), ...fields })).json;
}
function merging(survivor: Wire, others: readonly Wire[], values: object = {}) {
  const versions = Object.fromEntries([survivor, ...others].map(({ objectId, version }) => [objectId, version]));
  return { survivor: survivor.objectId, others: others.map(({ objectId }) => objectId), values, versions };
}
const merge = (survivor: Wire, others: readonly Wire[], values: object = {}) =>
  call("POST", "customers/merges", merging(survivor, others, values));
const takeApart = (id: string, answers = "") =>
  call("DELETE", `customers/merges/${id}${answers && `?values=${encodeURIComponent(answers)}`}`);

describe("a merge", () => {
  test("moves what refers to the others, and gives the survivor the chosen values", async () => {
    const [kept, gone, third] = [await newCustomer(), await newCustomer({ name: "Ada B. Fox" }), await newCustomer()];
    const orders = [await newOrder(kept), await newOrder(gone), await newOrder(gone), await newOrder(third)];
    const accountNumber = gone.accountNumber;
    const { status, json } = await merge(kept, [gone, third], { name: "Ada B. Fox", accountNumber });
    expect([status, json.moved]).toEqual([201, { orders: 3 }]);
    expect(json.record).toMatchObject({ objectId: kept.objectId, name: "Ada B. Fox", accountNumber, version: 2 });
    expect(await read(`customers/${kept.objectId}`)).toEqual(json.record);
    for (const { objectId } of orders) expect((await read(`orders/${objectId}`)).customerId).toBe(kept.objectId);
    const found = await read(`customers/merges?survivor=${kept.objectId}`);
    expect(found.merges).toMatchObject([{ id: json.id, survivor: kept.objectId, others: [gone.objectId, third.objectId] }]);
  });

  test("lets old addresses, files and references lead to the survivor", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    await merge(kept, [gone]);
    const moved = await call("GET", `customers/${gone.objectId}`);
    expect([moved.status, moved.headers.location]).toEqual([308, `/v1/customers/${kept.objectId}`]);
    const row = { objectId: gone.objectId, name: "By its old key", accountNumber: kept.accountNumber };
    const written = await call("POST", "customers?onConflict=update", row);
    expect(written.json).toMatchObject({ objectId: kept.objectId, name: "By its old key" });
    expect((await read(`customers/${kept.objectId}`)).name).toBe("By its old key");
    expect((await newOrder(gone)).customerId).toBe(kept.objectId);
    const put = await call("PUT", `customers/${gone.objectId}`, { name: "New", accountNumber: own("A") });
    expect([put.status, put.json.code, put.json.errors[0].href]).toEqual([409, "MERGED", `/v1/customers/${kept.objectId}`]);
    expect((await call("PATCH", `customers/${gone.objectId}`, { name: "New" })).status).toBe(409);
    expect((await call("POST", `customers/${gone.objectId}/restore`, { version: 1 })).json.code).toBe("MERGED");
    expect((await read("customers?deleted=true&limit=100")).customers.map(({ objectId }: Wire) => objectId)).not.toContain(gone.objectId);
  });

  test("that is one of a run is found by it, and taken apart like every other one", async () => {
    const run = own("run_of_many").replace("-", "_");
    const pairs = await Promise.all([1, 2, 3].map(async () => [await newCustomer(), await newCustomer()] as const));
    const made = [];
    for (const [kept, gone] of pairs) made.push((await call("POST", "customers/merges", { ...merging(kept, [gone]), run })).json.id);
    for (const id of made) expect(id.startsWith(`${run}-`)).toBe(true);
    await merge(await newCustomer(), [await newCustomer()]);
    const listed = async (name: string) => (await read(`customers/merges?run=${name}`)).merges.map(({ id }: Wire) => id);
    expect((await listed(run)).sort()).toEqual([...made].sort());
    expect([await listed(run.slice(0, -1)), await listed(`${run}x`), await listed("no-run")]).toEqual([[], [], []]);
    expect((await read(`customers/merges?run=${run}&survivor=${pairs[1]?.[0].objectId}`)).merges).toMatchObject([{ id: made[1] }]);
    expect((await takeApart(made[1])).status).toBe(200);
    expect((await listed(run)).sort()).toEqual([made[0], made[2]].sort());
    const named = await call("POST", "customers/merges", { ...merging(await newCustomer(), [await newCustomer()]), run: "a-b" });
    expect([named.status, named.json.errors[0].pointer]).toEqual([422, "/run"]);
  });

  test("tells whoever follows the changes", async () => {
    const { next } = await read("changes?after=now");
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    await newOrder(gone);
    const { id } = (await merge(kept, [gone])).json;
    await untilFeedRests(service, "customers", { name: "Last", accountNumber: own("A") });
    const { changes } = await read(`changes?after=${next}&run=${id}`);
    const lines = changes.map((one: Wire) => [one.collection, one.objectId, one.operation, one.source.type, one.mergedInto]);
    expect(lines.sort()).toEqual(
      [
        ["customers", gone.objectId, "deleted", "merge", kept.objectId],
        ["orders", expect.any(Number), "updated", "merge", undefined],
      ].sort(),
    );
  });

  test("lets the histories be read as one, page by page", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer({ name: "Two" })];
    await call("PATCH", `customers/${gone.objectId}`, { name: "Two B" });
    await call("PATCH", `customers/${kept.objectId}`, { name: "One B" });
    await merge({ ...kept, version: 2 }, [{ ...gone, version: 2 }], { city: "Bonn" });
    const toLine = ({ version, operation, mergedFrom }: Wire) => [mergedFrom ?? kept.objectId, version, operation];
    const whole = (await read(`customers/${kept.objectId}/history`)).history;
    expect(whole.map(toLine)).toEqual([
      [kept.objectId, 3, "updated"],
      [gone.objectId, 3, "deleted"],
      [kept.objectId, 2, "updated"],
      [gone.objectId, 2, "updated"],
      [gone.objectId, 1, "created"],
      [kept.objectId, 1, "created"],
    ]);
    expect(whole[4].changes).toMatchObject({ name: [null, "Two"] });
    const pages: Wire[] = [];
    for (let before = ""; before !== "&before=null"; ) {
      const page = await read(`customers/${kept.objectId}/history?limit=1${before}`);
      pages.push(...page.history);
      before = `&before=${page.next}`;
    }
    expect(pages).toEqual(whole);
  });

  test("is tried without being done", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    const order = await newOrder(gone);
    const tried = await call("POST", "customers/merges?dryRun=true", merging(kept, [gone], { name: "Tried" }));
    expect(tried.json).toMatchObject({ record: { name: "Tried" }, moved: { orders: 1 }, errors: [] });
    expect(await read(`customers/${kept.objectId}`)).toEqual(kept);
    expect(await read(`customers/${gone.objectId}`)).toEqual(gone);
    expect(await read(`orders/${order.objectId}`)).toEqual(order);
    const wrong = await call("POST", "customers/merges?dryRun=true", merging(kept, [gone], { name: "" }));
    expect(wrong.json).toMatchObject({ record: null, moved: { orders: 1 }, errors: [{ pointer: "/values/name" }] });
  });

  test("is refused with its reason, and nothing is done", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    const order = await newOrder(gone);
    const other = await newCustomer();
    const taken = await merge(kept, [gone], { accountNumber: other.accountNumber });
    expect([taken.status, taken.json.errors]).toMatchObject([422, [{ pointer: "/values/accountNumber", code: "UNIQUE" }]]);
    const old = await merge(kept, [{ ...gone, version: 7 }]);
    expect([old.status, old.json.errors[0].pointer]).toEqual([412, "/others/0"]);
    expect((await merge(kept, [{ objectId: 999_999, version: 1 }])).status).toBe(404);
    expect((await merge(kept, [kept])).status).toBe(422);
    expect((await merge(kept, [gone], { objectId: 5 })).status).toBe(422);
    expect(await read(`customers/${gone.objectId}`)).toEqual(gone);
    expect(await read(`orders/${order.objectId}`)).toEqual(order);
  });

  test("is done once, however often it is sent", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    const headers = { "idempotency-key": own("merge") };
    const body = merging(kept, [gone]);
    const first = await call("POST", "customers/merges", body, headers);
    const second = await call("POST", "customers/merges", body, headers);
    expect([first.status, second.status, second.json]).toEqual([201, 201, first.json]);
  });
});

describe("a merge that is taken apart", () => {
  test("gives every record back as it was, with what was moved", async () => {
    const [kept, gone, third] = [await newCustomer(), await newCustomer({ name: "Bea" }), await newCustomer()];
    const orders = [await newOrder(kept), await newOrder(gone), await newOrder(third)];
    const { id } = (await merge(kept, [gone, third], { name: "Bea", accountNumber: gone.accountNumber })).json;
    const apart = await takeApart(id);
    expect([apart.status, apart.json]).toMatchObject([200, { back: [gone.objectId, third.objectId], moved: { orders: 2 }, kept: {} }]);
    const plain = ({ version: _, updatedAt: __, ...record }: Wire) => record;
    for (const one of [kept, gone, third]) expect(plain(await read(`customers/${one.objectId}`))).toEqual(plain(one));
    for (const one of orders) expect(plain(await read(`orders/${one.objectId}`))).toEqual(plain(one));
    expect((await read(`customers/merges?survivor=${kept.objectId}`)).merges).toEqual([]);
    expect((await takeApart(id)).status).toBe(404);
  });

  test("leaves with the survivor what was changed since", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    const [changed, left] = [await newOrder(gone), await newOrder(gone)];
    const { id } = (await merge(kept, [gone])).json;
    await call("PATCH", `orders/${changed.objectId}`, { orderNumber: own("B") });
    expect((await takeApart(id)).json).toMatchObject({ moved: { orders: 1 }, kept: { orders: 1 } });
    expect((await read(`orders/${changed.objectId}`)).customerId).toBe(kept.objectId);
    expect((await read(`orders/${left.objectId}`)).customerId).toBe(gone.objectId);
  });

  test("asks to whom a value belongs that was changed since", async () => {
    const [kept, gone] = [await newCustomer({ name: "One" }), await newCustomer({ name: "Two" })];
    const { id } = (await merge(kept, [gone], { name: "Two" })).json;
    await call("PATCH", `customers/${kept.objectId}`, { name: "Three" });
    const asked = await takeApart(id);
    expect([asked.status, asked.json.code]).toEqual([409, "MERGE_CHANGED"]);
    const before = { [kept.objectId]: "One", [gone.objectId]: "Two" };
    expect(asked.json.fields).toEqual([{ field: "name", now: "Three", before }]);
    expect((await takeApart(id, `name:${gone.objectId}`)).status).toBe(200);
    expect((await read(`customers/${kept.objectId}`)).name).toBe("One");
    expect((await read(`customers/${gone.objectId}`)).name).toBe("Three");
  });

  test("is the last of several first where one was merged into another", async () => {
    const [a, b, c] = [await newCustomer(), await newCustomer(), await newCustomer()];
    const order = await newOrder(a);
    const first = (await merge(b, [a])).json;
    const second = (await merge(c, [await read(`customers/${b.objectId}`)])).json;
    expect((await call("GET", `customers/${a.objectId}`)).headers.location).toBe(`/v1/customers/${c.objectId}`);
    const early = await takeApart(first.id);
    expect([early.status, early.json.code]).toEqual([409, "MERGE_FIXED"]);
    expect((await takeApart(second.id)).status).toBe(200);
    expect((await call("GET", `customers/${a.objectId}`)).headers.location).toBe(`/v1/customers/${b.objectId}`);
    expect((await read(`orders/${order.objectId}`)).customerId).toBe(b.objectId);
    // It came back to where the second merge had found it, so the first one finds it untouched by anybody else.
    expect((await takeApart(first.id)).json).toMatchObject({ moved: { orders: 1 }, kept: {} });
    expect((await read(`orders/${order.objectId}`)).customerId).toBe(a.objectId);
  });

  test("is refused once the survivor is deleted, and once the values are erased", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    const { id } = (await merge(kept, [gone])).json;
    const erasing = await call("POST", `customers/${kept.objectId}/erasure`);
    expect([erasing.status, erasing.json.detail]).toEqual([409, expect.stringContaining("1 record was merged into")]);
    await call("DELETE", `customers/${kept.objectId}`);
    expect((await takeApart(id)).json.code).toBe("MERGE_FIXED");
    expect((await call("POST", `customers/${gone.objectId}/erasure`)).status).toBe(200);
    expect((await takeApart(id)).status).toBe(404);
    expect((await call("GET", `customers/${gone.objectId}`)).status).toBe(404);
  });

  test("is no undo of a run", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    const { id } = (await merge(kept, [gone])).json;
    expect((await call("POST", "customers/undo", { run: id })).status).toBe(422);
  });
});

describe("a unique value that a merge took away", () => {
  const byAccount = (row: object) => call("POST", "customers?onConflict=update&matchBy=accountNumber", row);
  const total = async () => (await read("customers?count=exact&limit=1")).total;

  test("leads rows and parents to the survivor, which keeps its own, until the merge is taken apart", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    const { id } = (await merge(kept, [gone])).json;
    const before = await total();
    for (const name of ["By the old number", "By the old number, the next night"]) {
      const written = await byAccount({ accountNumber: gone.accountNumber, name });
      expect([written.status, written.json]).toMatchObject([200, { objectId: kept.objectId, accountNumber: kept.accountNumber, name }]);
    }
    expect((await read(`customers/${kept.objectId}`)).name).toBe("By the old number, the next night");
    const both = { accountNumber: gone.accountNumber, objectId: gone.objectId, name: "By both" };
    expect((await byAccount(both)).json).toMatchObject({ objectId: kept.objectId, name: "By both" });
    expect((await read(`customers/${kept.objectId}`)).name).toBe("By both");
    const [other] = [await newCustomer()];
    expect((await byAccount({ ...both, objectId: other.objectId })).json.errors[0].code).toBe("ID_MISMATCH");
    const { json: order } = await call("POST", "orders", { "customer.accountNumber": gone.accountNumber, orderNumber: own("B") });
    expect(order.customerId).toBe(kept.objectId);
    expect((await call("POST", "customers?matchBy=accountNumber", { accountNumber: gone.accountNumber, name: "New?" })).status).toBe(409);
    expect(await total()).toBe(before + 1);
    expect((await takeApart(id, "name:none")).status).toBe(200);
    expect((await byAccount({ accountNumber: gone.accountNumber, name: "Apart" })).json.objectId).toBe(gone.objectId);
  });

  test("also beside the old key, whichever record's value the survivor has", async () => {
    const [kept, gone, other] = [await newCustomer(), await newCustomer(), await newCustomer()];
    await merge(kept, [gone], { accountNumber: gone.accountNumber });
    const version = (await read(`customers/${kept.objectId}`)).version;
    const versioned = { objectId: kept.objectId, accountNumber: kept.accountNumber, version, name: "With its own version" };
    expect((await call("POST", "customers?onConflict=update&matchBy=accountNumber&match=version", versioned)).status).toBe(200);
    for (const accountNumber of [gone.accountNumber, kept.accountNumber]) {
      const name = own("By key and value");
      const { status, json } = await byAccount({ objectId: gone.objectId, accountNumber, name });
      expect([status, json]).toMatchObject([200, { objectId: kept.objectId, accountNumber: gone.accountNumber, name }]);
      const refused = await byAccount({ objectId: other.objectId, accountNumber, name: "Other" });
      expect([refused.status, refused.json.errors[0].code]).toEqual([422, "ID_MISMATCH"]);
    }
  });

  test("also one that the survivor gave up, through several merges, and without regard to a record that has it since", async () => {
    const [last, kept, gone] = [await newCustomer(), await newCustomer(), await newCustomer()];
    await merge(kept, [gone], { accountNumber: gone.accountNumber });
    const now = await read(`customers/${kept.objectId}`);
    expect((await byAccount({ accountNumber: kept.accountNumber, name: "Given up" })).json.objectId).toBe(kept.objectId);
    await merge(last, [{ ...now, version: now.version + 1 }]);
    for (const accountNumber of [kept.accountNumber, gone.accountNumber])
      expect((await byAccount({ accountNumber, name: own("Through") })).json.objectId).toBe(last.objectId);
    const anew = await newCustomer({ accountNumber: gone.accountNumber });
    expect((await byAccount({ accountNumber: gone.accountNumber, name: "Its own" })).json.objectId).toBe(anew.objectId);
    await call("DELETE", `customers/${last.objectId}`);
    const made = await byAccount({ accountNumber: kept.accountNumber, name: "The survivor is gone" });
    expect([made.status, made.json.objectId === last.objectId]).toEqual([201, false]);
  });

  test("is forgotten with an erased record", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    await merge(kept, [gone]);
    expect((await call("POST", `customers/${gone.objectId}/erasure`)).status).toBe(200);
    const made = await byAccount({ accountNumber: gone.accountNumber, name: "Anew" });
    expect([made.status, made.json.objectId === kept.objectId]).toEqual([201, false]);
  });
});

describe("a merge by whoever does not see or may not do all", () => {
  const ALL = ["customers", "contacts", "orders"].flatMap((name) =>
    ["read", "create", "update", "delete"].map((right) => `${name}:${right}`),
  );
  async function personWith(conditions: object, without: readonly string[] = []) {
    const scope = ALL.filter((one) => !without.includes(one)).join(" ");
    const role = await call("POST", "roles", { name: own("Role"), scope, ...(Object.keys(conditions).length > 0 && { conditions }) });
    const { token } = await service.newPerson(role.json.id);
    const headers = { authorization: `Bearer ${token}` };
    // Their own document says what they get, so that it is not held to the administrator's.
    return async (method: string, path: string, body?: object) => {
      const payload = body === undefined ? {} : { payload: body };
      const reply = await service.app.inject({ method: method as "GET", url: `/v1/${path}`, headers, ...payload });
      return { status: reply.statusCode, text: reply.payload, json: reply.payload === "" ? undefined : reply.json() };
    };
  }

  test("takes the rights on all that may move, whether it does or not", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    for (const right of ["customers:update", "customers:delete", "orders:update", "contacts:update"]) {
      const person = await personWith({}, [right]);
      expect([right, (await person("POST", "customers/merges", merging(kept, [gone]))).status]).toEqual([right, 403]);
    }
    const readOnly = await personWith({ orders: { fields: { readOnly: ["customerId"] } } });
    expect((await readOnly("POST", "customers/merges", merging(kept, [gone]))).status).toBe(403);
  });

  test("is refused while a record that would move is out of sight, and nothing is told of it", async () => {
    const [kept, gone] = [await newCustomer(), await newCustomer()];
    const order = await newOrder(gone, { orderNumber: own("SECRET") });
    const person = await personWith({ orders: { read: { where: "createdBy={me}" } } });
    const refused = await person("POST", "customers/merges", merging(kept, [gone]));
    expect([refused.status, refused.json.code]).toEqual([409, "IN_USE"]);
    expect(refused.text).not.toContain(order.orderNumber);
    expect(refused.text).not.toContain(String(order.objectId));
    expect((await read(`orders/${order.objectId}`)).customerId).toBe(gone.objectId);
    const tried = await person("POST", "customers/merges?dryRun=true", merging(kept, [gone]));
    expect([tried.json.record, tried.text.includes(String(order.objectId))]).toEqual([null, false]);
  });

  test("does not exist where one side of it is out of sight", async () => {
    const [kept, gone, unseen] = [
      await newCustomer({ city: "Bonn" }),
      await newCustomer({ city: "Kiel" }),
      await newCustomer({ city: "Kiel" }),
    ];
    const { id } = (await merge(kept, [gone])).json;
    const bonn = await personWith({ customers: { read: { where: "city=Bonn" } } });
    expect((await bonn("GET", `customers/merges?survivor=${kept.objectId}`)).json.merges).toEqual([]);
    expect((await bonn("GET", `customers/${gone.objectId}`)).status).toBe(404);
    const kiel = await personWith({ customers: { read: { where: "city=Kiel" } } });
    expect((await kiel("GET", `customers/${gone.objectId}`)).status).toBe(404);
    const [last] = (await kiel("GET", `customers/${gone.objectId}/history`)).json.history;
    expect([last.operation, last.mergedInto]).toEqual(["deleted", undefined]);
    expect((await kiel("DELETE", `customers/merges/${id}`)).status).toBe(404);
    // Whoever sees the survivor alone learns nothing by the merge's id, which stands in its history where the merge has changed it.
    await call("PATCH", `customers/${kept.objectId}`, { name: "Changed since" });
    const [asked, answered] = [
      await bonn("DELETE", `customers/merges/${id}`),
      await bonn("DELETE", `customers/merges/${id}?values=name:none`),
    ];
    expect([asked.status, answered.status]).toEqual([404, 404]);
    expect((await call("GET", `customers/${gone.objectId}`)).status).toBe(308);
    const now = await read(`customers/${kept.objectId}`);
    expect((await bonn("POST", "customers/merges", merging(now, [unseen]))).status).toBe(404);
  });

  test("of a record that was out of sight is told by no write, whether its key or a value of it is sent", async () => {
    const [kept, gone, other] = [
      await newCustomer({ city: "Bonn" }),
      await newCustomer({ city: "Kiel" }),
      await newCustomer({ city: "Bonn" }),
    ];
    await merge(kept, [gone]);
    await merge(await read(`customers/${kept.objectId}`), [other]);
    const bonn = await personWith({
      customers: { read: { where: "city=Bonn" }, update: { where: "city=Bonn" }, create: { where: "city=Bonn" } },
    });
    const row = { name: "Guess", city: "Bonn" };
    const byKey = await bonn("POST", "customers?onConflict=update&dryRun=true", {
      ...row,
      objectId: gone.objectId,
      accountNumber: own("A"),
    });
    expect([byKey.status, byKey.text.includes(`"objectId":${kept.objectId}`)]).toEqual([409, false]);
    const byValue = "customers?onConflict=update&matchBy=accountNumber";
    const made = await bonn("POST", byValue, { ...row, accountNumber: gone.accountNumber });
    expect([made.status, made.json.objectId === kept.objectId]).toEqual([201, false]);
    const seen = await bonn("POST", byValue, { ...row, accountNumber: other.accountNumber });
    expect([seen.status, seen.json.objectId]).toEqual([200, kept.objectId]);
    const child = await bonn("POST", "orders", { customerId: gone.objectId, orderNumber: own("B") });
    expect([child.status, child.json.errors[0].code]).toEqual([422, "REFERENCE_NOT_FOUND"]);
    expect((await bonn("POST", "orders", { customerId: other.objectId, orderNumber: own("B") })).json.customerId).toBe(kept.objectId);
  });

  test("leaves hidden fields as they are, also when it is taken apart", async () => {
    const [kept, gone] = [await newCustomer({ city: "Bonn" }), await newCustomer({ city: "Kiel" })];
    const person = await personWith({ customers: { fields: { hidden: ["city"] } } });
    const merged = await person("POST", "customers/merges", merging(kept, [gone], { name: "One" }));
    expect([merged.status, merged.text.includes("Bonn"), merged.text.includes("Kiel")]).toEqual([201, false, false]);
    expect((await person("POST", "customers/merges", merging(await newCustomer(), [await newCustomer()], { city: "Jena" }))).status).toBe(
      422,
    );
    await call("PATCH", `customers/${kept.objectId}`, { city: "Jena" });
    const apart = await person("DELETE", `customers/merges/${merged.json.id}`);
    expect([apart.status, apart.text.includes("Jena")]).toEqual([200, false]);
    expect((await read(`customers/${kept.objectId}`)).city).toBe("Jena");
    expect((await read(`customers/${gone.objectId}`)).city).toBe("Kiel");
  });
});

test("a contact moves with its orders, and one whose customer is another keeps the merge from being done", async () => {
  const [kept, gone] = [await newCustomer(), await newCustomer()];
  const contact = (customer: Wire) => call("POST", "contacts", { customerId: customer.objectId, name: "Zoë" }).then(({ json }) => json);
  const [own1, other] = [await contact(kept), await contact(gone)];
  const order = await newOrder(gone, { contactId: other.objectId });
  const refused = await call("POST", "contacts/merges", merging(own1, [other]));
  expect([refused.status, refused.json.errors[0].code]).toEqual([422, "REFERENCE_MISMATCH"]);
  const { id, moved } = (await merge(kept, [gone])).json;
  expect(moved).toEqual({ contacts: 1, orders: 1 });
  expect(await read(`orders/${order.objectId}`)).toMatchObject({ customerId: kept.objectId, contactId: other.objectId });
  expect((await takeApart(id)).json.moved).toEqual({ contacts: 1, orders: 1 });
  expect((await read(`contacts/${other.objectId}`)).customerId).toBe(gone.objectId);
});
