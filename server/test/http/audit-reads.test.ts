// AUDIT_READS: every way in which a stored value leaves the service has its line in the log, and no other request has one.

import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type BackgroundWork, createBackgroundWork } from "../../background-work.ts";
import { createReadAudit } from "../../people/auth/read-audit.ts";
import { type Receiver, startReceiver } from "../../testing/servers/webhook-receiver.ts";
import { ORDERS, openTestService, type Reply, type TestService } from "../../testing/service.ts";
import { createPost } from "../../webhooks/sending/post.ts";
import { createSender } from "../../webhooks/sending/sender.ts";
import { wantedFeeds } from "../../webhooks/wanted-changes.ts";

const SETTINGS = { allowsPrivate: true, within: 20_000 };

interface Line {
  event: string;
  by: string;
  operation: string;
  collection: string;
  ids: number[];
  requestId: string;
  source: string;
}

let lines: Line[] = [];
const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) };
const audit = createReadAudit("*");
const reads = () => lines.filter(({ event }) => event === "read");

let service: TestService;
let receiver: Receiver;
let origin: string;
beforeAll(async () => {
  service = await openTestService(ORDERS, { audit, logLevel: "warn", logTo, webhooks: SETTINGS });
  receiver = await startReceiver();
  origin = await service.app.listen({ port: 0, host: "127.0.0.1" });
  const mark = (collection: string, objectId: number) => `mark ${collection} ${objectId} end`;
  const customers = [1, 2, 3].map((objectId) => ({ objectId, name: mark("customers", objectId), accountNumber: `a${objectId}` }));
  const contacts = [11, 12].map((objectId) => ({ objectId, customerId: 1, name: mark("contacts", objectId) }));
  const orders = [21, 22].map((objectId) => ({ objectId, customerId: 1, contactId: objectId - 10, orderNumber: mark("orders", objectId) }));
  await service.call("POST", "/v1/customers", { customers });
  await service.call("POST", "/v1/contacts", { contacts });
  await service.call("POST", "/v1/orders", { orders });
  await service.call("PATCH", "/v1/customers/3", { city: "mark customers 3 end" });
  await service.call("DELETE", "/v1/customers/3");
  // Transactions of other tests may hold the feed up.
  const changes = async () => (await service.call("GET", "/v1/changes?collection=customers")).json.changes;
  await vi.waitFor(async () => expect(await changes()).toHaveLength(5), 20_000);
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});
beforeEach(() => {
  lines = [];
});

/** Collection and ids of each line of the request, in the order of the lines. */
function shownBy(reply: Reply): [collection: string, ids: number[]][] {
  const own = reads().filter(({ requestId }) => requestId === reply.headers["request-id"]);
  return own.map(({ collection, ids }) => [collection, ids]);
}

/** The records whose values stand in the answer must all be in the log. */
function unnoted(reply: Reply): string[] {
  const noted = new Set(shownBy(reply).flatMap(([collection, ids]) => ids.map((id) => `${collection} ${id}`)));
  const sent = [...reply.text.matchAll(/mark (\w+ \d+) end/g)].map(([, record = ""]) => record);
  return sent.filter((record) => !noted.has(record));
}

type Case = [operation: string, method: string, path: string, body: unknown, headers: Record<string, string>, shown: unknown];

const JUST_ONE = [["customers", [1]]];
const CASES: Case[] = [
  [
    "convert_field",
    "POST",
    "/v1/dictionary/conversions",
    { field: "customers.name", to: { type: "date" }, dryRun: true },
    {},
    [["customers", [1, 2]]],
  ],
  ["read_customer", "GET", "/v1/customers/1", undefined, {}, JUST_ONE],
  ["read_customer", "GET", "/v1/customers/1", undefined, { "if-none-match": '"1-1"' }, JUST_ONE], // 304: the client has it
  ["read_customer", "GET", "/v1/customers/1", undefined, { "if-match": '"1-9"' }, []], // 412
  ["read_customer", "GET", "/v1/customers/99", undefined, {}, []],
  ["read_customer_head", "HEAD", "/v1/customers/1", undefined, {}, []],
  [
    "read_order",
    "GET",
    "/v1/orders/21?expand=customer,contact",
    undefined,
    {},
    [
      ["orders", [21]],
      ["customers", [1]],
      ["contacts", [11]],
    ],
  ],
  ["list_customers", "GET", "/v1/customers?sort=objectId", undefined, {}, [["customers", [1, 2]]]],
  ["list_customers", "GET", "/v1/customers?sort=objectId&limit=1&fields=name", undefined, {}, JUST_ONE], // without its key
  ["list_customers", "GET", "/v1/customers?q=nobody&hints=true", undefined, {}, []],
  ["list_customers", "GET", "/v1/customers?q=a2&hints=true&fields=name", undefined, {}, [["customers", [2]]]],
  ["list_customers", "GET", "/v1/customers?q=2&hints=true&fields=name", undefined, {}, [["customers", [2]]]], // found by its key alone
  ["list_customers", "GET", "/v1/customers?deleted=true", undefined, {}, [["customers", [3]]]],
  ["list_customers_head", "HEAD", "/v1/customers", undefined, {}, []],
  [
    "list_orders",
    "GET",
    "/v1/orders?expand=contact&fields=orderNumber&sort=objectId",
    undefined,
    {},
    [
      ["orders", [21, 22]],
      ["contacts", [11, 12]],
    ],
  ],
  ["list_customer_orders", "GET", "/v1/customers/1/orders?sort=-objectId", undefined, {}, [["orders", [22, 21]]]],
  ["history_customer", "GET", "/v1/customers/3/history", undefined, {}, [["customers", [3]]]],
  ["history_customer", "GET", "/v1/customers/99/history", undefined, {}, []],
  ["copy_customer", "GET", "/v1/customers/1/copy", undefined, {}, JUST_ONE],
  ["changes", "GET", "/v1/changes?collection=customers", undefined, {}, []],
  ["changes", "GET", "/v1/changes?collection=customers&include=changes", undefined, {}, [["customers", [1, 2, 3]]]],
  ["changes", "GET", "/v1/changes?collection=customers&include=record", undefined, {}, [["customers", [1, 2]]]],
  ["activity", "GET", "/v1/activity?collection=customers", undefined, {}, [["customers", [3]]]], // what it was called
  ["activity_days", "GET", "/v1/activity/days", undefined, {}, []],
  ["view_customer", "PUT", "/v1/customers/1/viewers?tab=a", undefined, {}, []],
  ["leave_customer", "DELETE", "/v1/customers/1/viewers?tab=a", undefined, {}, []],
  ["violations_customers", "GET", "/v1/customers/violations", undefined, {}, []],
  ["violations_customers", "GET", "/v1/customers/violations?constraint=required&field=name", undefined, {}, []],
  ["violations_customers", "GET", "/v1/customers/violations?days=true", undefined, {}, []],
  ["list_customers_merges", "GET", "/v1/customers/merges", undefined, {}, []],
  [
    "merge_customers",
    "POST",
    "/v1/customers/merges?dryRun=true",
    { survivor: 1, others: [2], versions: { 1: 1, 2: 1 } },
    {},
    [["customers", [1]]],
  ],
  ["take_customers_apart", "DELETE", "/v1/customers/merges/none", undefined, {}, []],
  ["search", "GET", "/v1/search?q=customers%202", undefined, {}, [["customers", [2]]]],
  ["search", "GET", "/v1/search?q=nobody", undefined, {}, []],
  ["summary_customers", "GET", "/v1/customers/summary?group=name&measure=max:createdAt", undefined, {}, [["customers", [1, 2]]]],
  ["summary_customers", "GET", "/v1/customers/summary?group=createdAt:year", undefined, {}, []],
  ["look_up_customers", "POST", "/v1/customers/lookup", { field: "objectId", values: [1, 99] }, {}, JUST_ONE],
  ["template_customers", "GET", "/v1/customers/template.csv", undefined, {}, []],
  // Dry runs and writes that leave a record as it is, but show it.
  ["patch_customer", "PATCH", "/v1/customers/1", {}, {}, JUST_ONE],
  ["put_customer", "PUT", "/v1/customers/2", { name: "mark customers 2 end", accountNumber: "a2" }, {}, [["customers", [2]]]],
  ["post_customers", "POST", "/v1/customers?onConflict=skip&dryRun=true", [{ objectId: 1, name: "x", accountNumber: "y" }], {}, JUST_ONE],
  [
    "post_customers",
    "POST",
    "/v1/customers?onConflict=update&dryRun=true&onError=continue",
    [
      { objectId: 1, name: "x" },
      { objectId: 2, accountNumber: "a2" },
      { objectId: 2, accountNumber: "again" },
    ],
    {},
    JUST_ONE, // with what its name was; of 2 the answer has no value
  ],
  ["post_customers", "POST", "/v1/customers", [{ objectId: 1, name: "x", accountNumber: "y" }], {}, []], // 409
  [
    "post_customers_batch",
    "POST",
    "/v1/customers/batch?dryRun=true&onError=continue",
    [{ action: "update", record: { objectId: 1, name: "x" } }],
    {},
    JUST_ONE,
  ],
  ["patch_customers", "PATCH", "/v1/customers?objectId=1&dryRun=true", { name: "x" }, {}, JUST_ONE],
  ["patch_customers", "PATCH", "/v1/customers?objectId=2&dryRun=true", { accountNumber: "a2" }, {}, []],
  ["delete_customers", "DELETE", "/v1/customers?objectId=2&dryRun=true", undefined, {}, []],
  ["post_customers_deletions", "POST", "/v1/customers/deletions?dryRun=true", [{ objectId: 2 }], {}, []],
  ["delete_customer", "DELETE", "/v1/customers/1", undefined, {}, []], // 409 IN_USE
  ["undo_customers", "POST", "/v1/customers/undo", { run: "none" }, {}, []],
  ["restore_customer", "POST", "/v1/customers/3/restore", { version: 1 }, {}, [["customers", [3]]]],
  ["erase_customer", "POST", "/v1/customers/3/erasure", undefined, {}, []],
  ["post_customer_contacts", "POST", "/v1/customers/1/contacts", { objectId: 13, name: "mark contacts 13 end" }, {}, [["contacts", [13]]]],
];

test.each(CASES)("%s: %s %s", async (_, method, path, body, headers, shown) => {
  const reply = await service.call(method, path, body, headers);
  expect(reply.status).toBeLessThan(500);
  expect([reply.status, shownBy(reply)]).toEqual([reply.status, shown]);
  expect(unnoted(reply)).toEqual([]);
});

/** Their answers have no value of a record, whatever is asked for. An export has a line of its own: exports.test.ts. */
const WITHOUT_RECORDS = [
  ...[
    "livez",
    "readyz",
    "metrics",
    "token",
    "revoke",
    "home",
    "limits",
    "dictionary",
    "backup",
    "rewrite",
    "activity_exports",
    "activity_run",
  ],
  ...["docs", "docs_style", "problem"],
  ...["list_api_keys", "create_api_key", "read_api_key", "revoke_api_key"],
  ...["list_recipes", "create_recipe", "read_recipe", "change_recipe", "delete_recipe"],
  ...["list_runs", "read_run", "list_run_rows", "put_run"], // rows of files that were not stored, and no record
  ...["import_customers", "read_import", "cancel_import"],
  ...["read_organisation", "change_organisation", "read_organisation_logo"],
  ...["list_views", "create_view", "read_view", "change_view", "delete_view"],
  ...["list_webhooks", "create_webhook", "read_webhook", "change_webhook", "delete_webhook", "change_webhook_secret"],
  ...["list_webhook_deliveries", "test_webhook", "send_webhook_delivery_again"],
  ...[
    "list_former_names",
    "list_dictionary_versions",
    "read_dictionary_version",
    "dictionary_schema",
    "list_dictionary_drafts",
    "create_dictionary_draft",
  ],
  ...["read_dictionary_draft", "change_dictionary_draft", "discard_dictionary_draft", "apply_dictionary_draft"],
  ...["list_conversions", "read_conversion", "cancel_conversion", "undo_conversion", "list_retired", "empty_retired"], // keys of records, and no value
  "list_computations",
  ...["put_customer_exception", "delete_customer_exception"], // the key of a record, and no value
  "dictionary_draft_impact", // keys of records that a rule would not take, and no value
  "export_customers",
];
const OF_PEOPLE = /\/v1\/(users|roles|links|sessions|sign-in|oidc|me|access|password-resets|access-requests|openapi)\b/;

test("each operation of the service is named in this file: a new one must say what it shows", () => {
  const operations = Object.entries(service.checker.whole.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => {
      const isOther = method === "options" || method === "head" || OF_PEOPLE.test(path);
      const ofOneCollection = !/\/v1\/(contacts|orders)\b|\{id\}\/(contacts|orders)/.test(path); // the same as those of customers
      return isOther || !ofOneCollection ? [] : [operationId];
    }),
  );
  const named = new Set([...CASES.map(([operation]) => operation), ...WITHOUT_RECORDS]);
  expect(operations.filter((one) => !named.has(String(one)))).toEqual([]);
});

test("a line has who, by which operation, from where, and nothing else of the record than its id", async () => {
  const { keyId, token } = await service.newCredentials("customers:read");
  const reply = await service.raw("GET", "/v1/customers/1", { authorization: `Bearer ${token}` });
  const [line] = reads();
  expect(line).toMatchObject({ by: `key ${keyId}`, operation: "read_customer", collection: "customers", ids: [1], source: "127.0.0.1" });
  expect(line?.requestId).toBe(reply.headers["request-id"]);
  expect(JSON.stringify(lines)).not.toContain("mark");
  const person = await service.newPerson("viewer");
  await service.raw("GET", "/v1/customers/1", { authorization: `Bearer ${person.token}` });
  expect(reads().at(-1)?.by).toBe(`user ${person.id}`);
});

test("an answer without a body counts where it says that the client has the record, and not where it says only that there is one", async () => {
  const { headers } = await service.call("GET", "/v1/customers/1");
  lines = [];
  const same = await service.call("GET", "/v1/customers/1", undefined, { "if-none-match": headers.etag ?? "" });
  expect([same.status, same.text, shownBy(same)]).toEqual([304, "", [["customers", [1]]]]);
  const head = await service.call("HEAD", "/v1/customers/1");
  expect([head.status, shownBy(head)]).toEqual([200, []]);
});

test("who may not read leaves no line of a read", async () => {
  const token = await service.tokenFor("contacts:read");
  await service.raw("GET", "/v1/customers/1", { authorization: `Bearer ${token}` });
  expect(reads()).toEqual([]);
});

test("an answer that is stored for a repeated request is a read again, by whoever repeats it", async () => {
  const headers = { "idempotency-key": "once" };
  const record = { objectId: 31, name: "mark customers 31 end", accountNumber: "a31" };
  const first = await service.call("POST", "/v1/customers", record, headers);
  const again = await service.call("POST", "/v1/customers", record, headers);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect([shownBy(first), shownBy(again)]).toEqual([[["customers", [31]]], [["customers", [31]]]]);
});

test("many ids stand in several lines of one request, none twice", async () => {
  const customers = Array.from({ length: 1_500 }, (_, i) => ({ objectId: 10_000 + i, name: "n", accountNumber: `many-${i}` }));
  const reply = await service.call("POST", "/v1/customers", { customers });
  expect(shownBy(reply).map(([, ids]) => ids.length)).toEqual([1_000, 500]);
  expect(new Set(shownBy(reply).flatMap(([, ids]) => ids)).size).toBe(1_500);
});

test("a stream of changes has a line for each part that it sends", async () => {
  const token = await service.tokenFor("customers:read customers:update");
  const authorization = `Bearer ${token}`;
  const after = (await service.call("GET", "/v1/changes?after=now")).json.next;
  const control = new AbortController();
  const stream = await fetch(`${origin}/v1/changes?include=record&after=${after}`, {
    headers: { authorization, accept: "text/event-stream" },
    signal: control.signal,
  });
  const body = stream.body?.getReader();
  await body?.read();
  lines = [];
  for (const city of ["Ulm", "Bonn"]) {
    await service.raw("PATCH", "/v1/customers/1", { authorization, "content-type": "application/json" }, JSON.stringify({ city }));
    // With PostgreSQL what was committed shortly before may come first.
    const sent = () => reads().find(({ operation, ids }) => operation === "changes" && ids.includes(1));
    await vi.waitFor(() => expect(sent()).toMatchObject({ collection: "customers" }), { timeout: 20_000 });
    lines = [];
  }
  control.abort();
});

test("a delivery to a webhook names the webhook and the records", async () => {
  const { id } = (await service.call("POST", "/v1/webhooks", { url: receiver.url, collections: ["customers"] })).json;
  const { store, collections } = service;
  const log = { warn: (fields: object) => void lines.push(fields as Line), error: () => undefined };
  const timing = { checkEvery: 20, restFor: 20, lease: 10_000 };
  const sender: BackgroundWork = createBackgroundWork(
    createSender({
      store,
      ...wantedFeeds(() => ({ dataPackage: {}, collections, store })),
      post: createPost(SETTINGS),
      log,
      audit,
      timing,
    }),
  );
  sender.start();
  await service.call("PATCH", "/v1/customers/2", { city: "Jena" });
  // With PostgreSQL what was committed shortly before may come first.
  const delivered = () => reads().find(({ by, ids }) => by === `webhook ${id}` && ids.includes(2));
  await vi.waitFor(() => expect(delivered()).toBeDefined(), { timeout: 50_000, interval: 20 });
  await sender.stop();
  expect(delivered()).toMatchObject({ operation: "webhook", collection: "customers" });
  const { deliveries } = (await service.call("GET", `/v1/webhooks/${id}/deliveries`)).json;
  lines = [];
  await service.call("POST", `/v1/webhooks/${id}/redeliveries`, { delivery: deliveries[0].id });
  expect(reads()).toMatchObject([{ by: `webhook ${id}`, ids: expect.arrayContaining([2]) }]);
});

test("only the collections that are named are logged, and none without the setting", async () => {
  expect(createReadAudit([])).toBeUndefined();
  const own: Line[] = [];
  const to = { write: (line: string) => void own.push(JSON.parse(line)) };
  const some = await openTestService(ORDERS, { audit: createReadAudit(["contacts"]), logLevel: "warn", logTo: to });
  try {
    await some.call("POST", "/v1/customers", { objectId: 1, name: "n", accountNumber: "a" });
    await some.call("POST", "/v1/contacts", { objectId: 11, customerId: 1, name: "c" });
    await some.call("GET", "/v1/contacts/11?expand=customer");
    await some.call("GET", "/v1/customers/1");
    const found = own.filter(({ event }) => event === "read");
    expect(found.map(({ operation, collection }) => [operation, collection])).toEqual([
      ["post_contacts", "contacts"],
      ["read_contact", "contacts"],
    ]);
  } finally {
    await some.close();
  }
});
