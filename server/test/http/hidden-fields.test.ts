// No answer has a byte of a field that is hidden from the caller, nor of one that is masked, but for how a text ends.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkOnce, createFollower } from "../../duplicates/matcher.ts";
import { checkerFor, type OpenApiChecker } from "../../testing/openapi-checker.ts";
import { type Outlets, watchOutlets } from "../../testing/outlets.ts";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";

const VALUE = "zxqplanted"; // stands in every hidden value, and in no request of the caller
const SOUGHT = "wvkhidden"; // a word of the hidden values, which the caller searches for
const SECRET = `${VALUE} ${SOUGHT}`;
const FILES = ["scan", "sheets"];
const HIDDEN = new Map([
  ["customers", ["bankDetail", "ledger", "scan", "sheets"]],
  ["orders", ["margin", "brokerId"]],
]);
const CONDITIONS = Object.fromEntries([...HIDDEN].map(([name, hidden]) => [name, { fields: { hidden } }]));
/** The same fields, but that files have no mask. */
const MASKED = Object.fromEntries(
  [...HIDDEN].map(([name, all]) => {
    const masked = all.filter((field) => !FILES.includes(field));
    return [name, { fields: { masked, ...(masked.length < all.length && { hidden: FILES }) } }];
  }),
);

const text = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const key = { name: "objectId", title: "Object ID", type: "integer" };
const PACKAGE = {
  title: "Hidden",
  resources: [
    {
      name: "customers",
      title: "Customers",
      label: ["name", "bankDetail", "digest"],
      list: ["name", "bankDetail", "digest", "city", "objectId"],
      form: ["bankDetail", "name", "city", "ledger", "objectId"],
      schema: {
        fields: [
          key,
          text("name", { constraints: { required: true } }),
          text("bankDetail", { constraints: { unique: true } }),
          text("city"),
          text("ledger"),
          text("quoted", { computed: '"[" + digest + "]"' }), // nobody has hidden these two, which tell of a field that is hidden
          text("digest", { computed: 'name + ": " + ledger', constraints: { maxLength: 200 } }),
          text("scan", { format: "file" }),
          text("sheets", { type: "list", format: "file" }),
        ],
        primaryKey: ["objectId"],
      },
      match: {
        comparisons: [
          { fields: ["bankDetail"], as: "letters", weight: 6 },
          { fields: ["ledger"], as: "exact", weight: 6 },
          { fields: ["city"], as: "exact", weight: 1 },
        ],
        same: 7,
        maybe: 5,
      },
      rules: [{ name: "short", must: "size(ledger) < 400", message: `A ledger is no longer than the ${VALUE}.`, fields: ["ledger"] }],
    },
    {
      name: "orders",
      title: "Orders",
      label: ["margin"],
      list: ["margin", "number", "objectId"],
      schema: {
        fields: [
          key,
          text("number", { constraints: { required: true } }),
          { name: "customerId", title: "Customer", type: "integer" },
          { name: "brokerId", title: "Broker", type: "integer" },
          text("margin"),
        ],
        primaryKey: ["objectId"],
        foreignKeys: [
          { fields: ["customerId"], reference: { resource: "customers", fields: ["objectId"] } },
          { fields: ["brokerId"], as: "broker", reference: { resource: "customers", fields: ["objectId"] } },
        ],
      },
    },
  ],
};

const folder = mkdtempSync(join(tmpdir(), "intake-hidden-"));
let service: TestService;
let outlets: Outlets;
let token: string;
let masked: string; // the token of somebody who sees masks of the same fields
let checker: OpenApiChecker;
let viewId: string;
let recipeId: string;

beforeAll(async () => {
  const dictionary = join(folder, "datapackage.json");
  writeFileSync(dictionary, JSON.stringify(PACKAGE));
  outlets = await watchOutlets();
  service = await openTestService(dictionary, outlets.options);
  await outlets.subscribe(service);
  const role = await service.call("POST", "/v1/roles", { name: "Narrow", scope: "write", conditions: CONDITIONS });
  expect([role.status, role.json.conditions]).toEqual([201, CONDITIONS]);
  ({ token } = await service.newPerson(role.json.id));
  const masking = await service.call("POST", "/v1/roles", { name: "Masking", scope: "write", conditions: MASKED });
  expect([masking.status, masking.json.conditions]).toEqual([201, MASKED]);
  ({ token: masked } = await service.newPerson(masking.json.id));
  const made = (path: string, body: object) => service.call("POST", `/v1/${path}`, body);
  for (let i = 1; i <= 4; i++) {
    await made("customers", { objectId: i, name: `Customer ${i}`, city: "Bonn", bankDetail: `${SECRET} ${i}`, ledger: SECRET });
    await made("orders", { objectId: i, number: `N-${i}`, customerId: i, brokerId: 1, margin: SECRET });
  }
  for (const [method, field] of [
    ["PUT", "scan"],
    ["POST", "sheets"],
  ] as const) {
    const address = `/v1/customers/1/${field}?name=${VALUE}.txt`;
    const kept = await service.app.inject({
      method,
      url: address,
      headers: { authorization: `Bearer ${await everything()}` },
      payload: SECRET,
    });
    expect([field, kept.statusCode]).toEqual([field, 200]);
  }
  const [{ store, collections }, follower] = [service, createFollower()];
  const living = { served: () => ({ store, collections, version: 1, dataPackage: PACKAGE, gone: [] }) };
  while (await checkOnce(living, follower));
  await service.call(
    "PATCH",
    "/v1/customers/1",
    { ledger: `${SECRET} changed`, city: "Ulm" },
    { "idempotency-key": "run", "intake-source": "upload; run=r1" },
  );
  await service.call("PATCH", "/v1/orders/1", { margin: `${SECRET} changed` });
  await service.call("DELETE", "/v1/orders/4");
  await service.call("DELETE", "/v1/customers/4");
  const search = { "bankDetail[prefix]": VALUE, "customer.ledger": VALUE, sort: "-ledger,name", columns: "name,bankDetail" };
  viewId = (await made("views", { collection: "customers", name: "Shared", isShared: true, search })).json.id;
  recipeId = (
    await made("recipes", { collection: "customers", name: "Theirs", headings: ["x"], content: { corrected: { bankDetail: SECRET } } })
  ).json.id;
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 1, inDoubt: 0, notSent: 0 };
  const values = { name: "Anna", bankDetail: SECRET, ledger: SECRET };
  const wrong = { row: 1, line: 2, outcome: "failed", reason: `${SECRET} is taken.`, fields: ["bankDetail"], codes: ["UNIQUE"], values };
  const report = { state: "stopped", counts, rowsRead: 1, seconds: 1, why: SECRET, rows: [wrong] };
  const run = { collection: "customers", fileName: "a.csv", file: "", meaning: { mode: "create" }, round: 0, upload: "planted" };
  expect((await service.call("PUT", "/v1/runs/planted", { ...run, report })).status).toBe(200);
  await service.call("GET", `/v1/customers.csv?ledger=${encodeURIComponent(SECRET)}`);
  checker = checkerFor((await as(token, "GET", "/v1/openapi.json")).text);
});
afterAll(async () => {
  await outlets.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

async function as(bearer: string, method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const reply = await service.app.inject({
    method: method as "GET",
    url,
    headers: { authorization: `Bearer ${bearer}`, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  const own = reply.headers as Reply["headers"];
  const isJson = /json/.test(String(own["content-type"])) && reply.payload !== "";
  return { status: reply.statusCode, headers: own, text: reply.payload, json: isJson ? JSON.parse(reply.payload) : undefined };
}

/** The caller's answer, held to the document as the caller has it. */
async function narrow(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const reply = await as(token, method, path, body, headers);
  const { status, text } = reply;
  const faults = checker.faultsOf({ method, path, status, headers: reply.headers, text });
  expect([method, path, faults]).toEqual([method, path, []]);
  expect(`${method} ${path} ${status} ${JSON.stringify(reply.headers)} ${text}`).not.toContain(VALUE);
  return reply;
}

const SEARCHES = [
  "",
  "?expand=customer",
  `?q=${SOUGHT}&hints=true&count=exact`,
  `?q=${SOUGHT.slice(0, -1)}q&hints=true`,
  "?q=customer&count=exact&limit=2",
  "?deleted=true",
  `?deleted=true&q=${SOUGHT}`,
  "?sort=customer",
  "?include=record,changes",
  "?fields=objectId",
  "?run=r1",
  "?write=1",
  "?collection=customers&id=1",
  "?collection=orders",
];
const HEADERS: Record<string, string>[] = [{}, { accept: "text/csv" }, { accept: "text/html" }, { "if-none-match": '"x"' }];
/** How an answer is asked for matters to whole addresses, and not to each way to search. */
const ASKED = SEARCHES.flatMap((search, i) => (i < 3 ? HEADERS : HEADERS.slice(0, 1)).map((headers) => [search, headers] as const));
const IDS: Record<string, () => string[]> = {
  objectId: () => ["1", "4"],
  run: () => ["r1"],
  code: () => ["VALIDATION"],
};

interface Documented {
  method: string;
  path: string;
  operationId: string;
}

async function operations(): Promise<Documented[]> {
  const { json } = await service.call("GET", "/v1/openapi.json");
  return Object.entries(json.paths as Record<string, Record<string, { operationId: string }>>).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId ? { method: method.toUpperCase(), path, operationId } : [],
    ),
  );
}

function pathsOf(path: string): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  const ids =
    IDS[name]?.() ??
    (path.includes("/views") ? [viewId] : path.includes("/recipes") ? [recipeId] : path.includes("/v1/runs/") ? ["planted"] : ["1"]);
  return ids.flatMap((id) => pathsOf(path.replace(`{${name}}`, id)));
}

test("no read of any address shows a value of a hidden field, and what shows it to others is known", async () => {
  const shownToOthers = new Set<string>();
  const withMasks = new Set<string>();
  for (const { method, path, operationId } of await operations()) {
    if (method !== "GET" || path === "/v1/backup") continue;
    for (const address of pathsOf(path))
      for (const [search, headers] of ASKED) {
        for (const bearer of [token, masked]) {
          const reply = await as(bearer, "GET", address + search, undefined, headers);
          expect(`${address}${search} ${reply.status} ${JSON.stringify(reply.headers)} ${reply.text}`).not.toContain(VALUE);
          expect([address, search, reply.status >= 500]).toEqual([address, search, false]); // an error would have no word either
          if (bearer === masked && reply.text.includes("••••")) withMasks.add(operationId);
        }
        const whole = await as(await everything(), "GET", address + search, undefined, headers);
        if (`${JSON.stringify(whole.headers)} ${whole.text}`.includes(VALUE)) shownToOthers.add(operationId);
      }
  }
  // A walk that sees nothing proves nothing: these show the planted values to whom nothing is hidden from, and masks to whom they are masked.
  const records = ["list_customers", "export_customers", "read_customer", "history_customer", "changes"];
  const others = ["list_orders", "read_order", "list_customer_orders", "history_order"];
  expect([...withMasks]).toEqual(expect.arrayContaining([...records, ...others]));
  expect([...shownToOthers]).toEqual(
    expect.arrayContaining([
      ...records,
      ...others,
      "copy_customer",
      "activity",
      "list_views",
      "read_view",
      "read_recipe",
      "activity_exports",
      "list_runs",
      "read_run",
      "list_run_rows",
      "duplicates_customers",
      "read_customer_scan",
    ]),
  );
}, 120_000);

let admin = "";
async function everything(): Promise<string> {
  admin ||= await service.tokenFor("admin");
  return admin;
}

test("the events of a stream have none either, with their records, for whom fields are hidden or masked", async () => {
  const origin = await service.app.listen({ port: 0, host: "127.0.0.1" });
  for (const bearer of [token, masked]) {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${bearer}`, accept: "text/event-stream" };
    const reply = await fetch(`${origin}/v1/changes?include=record,changes`, { headers, signal: leaving.signal });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/event-stream")]);
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
    let streamed = "";
    // The last of what was changed before: the deletion of a customer.
    while (!/"collection":"customers"[^\n]*"operation":"deleted"|"operation":"deleted"[^\n]*"collection":"customers"/.test(streamed)) {
      const { value, done } = await reader.read();
      if (done) break;
      streamed += new TextDecoder().decode(value);
    }
    leaving.abort();
    expect(streamed).toContain('"operation":"updated"');
    expect([bearer === masked, streamed.includes("••••"), streamed.includes(VALUE)]).toEqual([bearer === masked, bearer === masked, false]);
  }
});

test("a page of changes has none either", async () => {
  const after = (await narrow("GET", "/v1/changes?limit=1000&include=changes,record")).json;
  expect(after.changes.length).toBeGreaterThan(8);
  const first = after.changes.find((change: { collection: string }) => change.collection === "customers");
  expect(Object.keys(first.changes)).toEqual(["name", "city"]);
});

describe("what names a hidden field", () => {
  test("is not there: dictionary, document, template, file", async () => {
    const names = [...HIDDEN.values()].flatMap((some) => [...some, "broker", "digest", "quoted"]);
    for (const path of [
      "dictionary",
      "openapi.json",
      "customers/template.csv",
      "customers.csv",
      "orders.csv",
      "orders/template.csv",
      "customers/1",
      "orders?expand=customer",
    ]) {
      const { status, text: answered } = await narrow("GET", `/v1/${path}`);
      expect(status).toBe(200);
      for (const name of names) expect([path, new RegExp(`.{20}\\b${name}\\b.{20}`).exec(answered)?.[0]]).toEqual([path, undefined]);
    }
    expect((await as(token, "GET", "/docs")).text).not.toMatch(/bankDetail|ledger|margin|brokerId|digest|quoted/);
  });

  test("is refused like any unknown name, in a filter, an order, columns, a match, and a value", async () => {
    for (const query of [
      "bankDetail=x",
      "ledger[prefix]=x",
      "sort=ledger",
      "digest[contains]=x",
      "sort=quoted",
      "fields=ledger",
      "customer.ledger=x",
      "expand=broker",
      "sort=-margin",
      "filter[ledger]=x",
      "filter[prefix][ledger]=x",
      "filter[customer][ledger]=x",
      "filter[broker][city]=x",
    ]) {
      const collection = /customer\.|\[customer\]|broker|margin/.test(query) ? "orders" : "customers";
      const unknown = query.replace(/bankDetail|ledger|broker|margin|digest|quoted/, "nothing");
      const known = await narrow("GET", `/v1/${collection}?${query}`);
      const other = await narrow("GET", `/v1/${collection}?${unknown}`);
      expect([known.status, known.json.errors.length]).toEqual([400, other.json.errors.length]);
      expect(known.text.replaceAll(/bankDetail|ledger|broker|margin|digest|quoted/g, "nothing").replace(/"requestId":"[^"]*"/, "")).toBe(
        other.text.replace(/"requestId":"[^"]*"/, ""),
      );
    }
    expect((await narrow("POST", "/v1/customers?matchBy=bankDetail", { name: "x" })).status).toBe(400);
    const sent = await narrow("PATCH", "/v1/customers/2", { ledger: "guess" });
    expect([sent.status, sent.json.errors[0].code]).toEqual([422, "UNKNOWN_FIELD"]);
    expect((await narrow("GET", "/v1/customers/1/orders")).status).toBe(200); // by customerId, which is shown
  });

  test("is left out of a view, which says that a filter is missing; a filter of another field keeps its text", async () => {
    const read = async (who: string, id = viewId) => (await as(who, "GET", `/v1/views/${id}`)).json;
    expect(await read(token)).toMatchObject({ search: { sort: "name", columns: "name" }, isPartial: true });
    expect(await read(masked)).toMatchObject({ search: { sort: "name" }, isPartial: true });
    expect(await read(await everything())).toMatchObject({ search: { "bankDetail[prefix]": VALUE }, isPartial: false });
    const search = { "city[in]": "Bonn,ledger", sort: "-ledger,name" };
    const body = { collection: "customers", name: "Of a town", isShared: true, search };
    const { json } = await service.call("POST", "/v1/views", body);
    expect(await read(token, json.id)).toMatchObject({ search: { "city[in]": "Bonn,ledger", sort: "name" }, isPartial: false });
    await service.call("DELETE", `/v1/views/${json.id}`);
  });

  test("finds nothing: neither its words, nor their number, nor proposals", async () => {
    const { json } = await narrow("GET", `/v1/customers?q=${SOUGHT}&count=exact&hints=true`);
    expect(json).toEqual({ customers: [], total: 0 });
    const named = await narrow("GET", "/v1/customers?q=customer&count=exact&limit=1");
    expect([named.json.customers.length, named.json.total]).toEqual([1, 3]);
    const next = await narrow("GET", `/v1/customers?q=customer&limit=1&cursor=${named.json.next}`);
    expect(next.json.customers[0].objectId).toBe(2);
    expect((await narrow("GET", `/v1/customers?deleted=true&q=${SOUGHT}`)).json.customers).toEqual([]);
  });
});

describe("writes", () => {
  const whole = async (path: string) => (await service.call("GET", `/v1/${path}`)).json;

  test("leave hidden fields as they are, and answer without them: PUT, PATCH, POST, batch, previews", async () => {
    const put = await narrow("PUT", "/v1/customers/2", { name: "Renamed", city: null });
    expect([put.status, Object.keys(put.json)]).toEqual([200, expect.not.arrayContaining(["bankDetail"])]);
    expect(await whole("customers/2")).toMatchObject({ name: "Renamed", bankDetail: `${SECRET} 2`, ledger: SECRET });
    for (const query of [
      "onConflict=update",
      "onConflict=update&onError=continue",
      "onConflict=skip&dryRun=true",
      "onConflict=update&dryRun=true&onError=continue",
    ])
      expect((await narrow("POST", `/v1/customers?${query}`, [{ objectId: 2, name: `By ${query}` }])).status).toBeLessThan(300);
    expect(
      (await narrow("POST", "/v1/customers/batch", { operations: [{ action: "update", record: { objectId: 2, city: "Trier" } }] })).status,
    ).toBeLessThan(300);
    expect(await whole("customers/2")).toMatchObject({ city: "Trier", bankDetail: `${SECRET} 2`, ledger: SECRET });
    expect((await narrow("POST", "/v1/customers", { name: "New" })).status).toBe(201);
    expect((await narrow("POST", "/v1/customers/1/orders", { number: "N-9" })).status).toBe(201);
    expect((await narrow("POST", "/v1/orders/deletions?dryRun=true", [{ objectId: 2 }])).status).toBeLessThan(300);
  });

  test("what is computed of a hidden field is computed, and its constraints say nothing of it", async () => {
    const renamed = await narrow("PATCH", "/v1/customers/2", { name: "Computed" });
    expect([renamed.status, Object.keys(renamed.json).includes("digest")]).toEqual([200, false]);
    expect(await whole("customers/2")).toMatchObject({ digest: `Computed: ${SECRET}`, quoted: `[Computed: ${SECRET}]` });
    const long = await narrow("PATCH", "/v1/customers/2", { name: "x".repeat(190) });
    expect([long.status, long.text]).toEqual([422, expect.not.stringMatching(/digest|200 characters/i)]);
    const { history } = (await narrow("GET", "/v1/customers/2/history")).json;
    expect(Object.keys(history[0].changes)).toEqual(["name"]);
    const sent = await narrow("PATCH", "/v1/customers/2", { digest: "guess" });
    expect([sent.status, sent.json.errors[0].code]).toEqual([422, "UNKNOWN_FIELD"]);
  });

  test("bring a record back with what is hidden, and leave it as it is in one that is there", async () => {
    const before = await whole("customers/3");
    expect((await narrow("DELETE", "/v1/orders/3")).status).toBe(204);
    expect((await narrow("DELETE", "/v1/customers/3")).status).toBe(204);
    const back = await narrow("POST", "/v1/customers/3/restore", { version: 1 });
    expect(back.status).toBe(201);
    expect(await whole("customers/3")).toMatchObject({ bankDetail: before.bankDetail, ledger: before.ledger });
    await service.call("PATCH", "/v1/customers/3", { ledger: `${SECRET} newest`, city: "Köln" });
    expect((await narrow("POST", "/v1/customers/3/restore", { version: 1 })).status).toBe(200);
    expect(await whole("customers/3")).toMatchObject({ city: "Bonn", ledger: `${SECRET} newest` });
  });

  test("leave a record as it is of which a run has changed what is hidden, and say nothing of it", async () => {
    const { reversed, left } = (await narrow("POST", "/v1/customers/undo", { run: "r1" })).json;
    expect([reversed, left]).toEqual([0, [{ id: 1, why: "failed", code: "VALIDATION", detail: expect.stringContaining("may not see") }]]);
    expect(await whole("customers/1")).toMatchObject({ city: "Ulm", ledger: `${SECRET} changed` });
  });

  test("an answer that is given again shows no more than may be known now", async () => {
    const body = { name: "Kept", bankDetail: `${SECRET} kept` };
    const role = (await service.call("POST", "/v1/roles", { name: "Later narrow", scope: "write" })).json;
    const own = await service.newPerson(role.id);
    const send = () => as(own.token, "POST", "/v1/customers", body, { "idempotency-key": "kept-1" });
    expect((await send()).text).toContain(VALUE);
    expect((await service.call("PATCH", `/v1/roles/${role.id}`, { conditions: CONDITIONS })).status).toBe(200);
    const again = await send();
    expect(again.text).not.toContain(VALUE);
    expect([again.status, again.json.name]).toEqual([201, "Kept"]);
    const patch = () => as(own.token, "PATCH", "/v1/customers/2", { city: "Bonn" }, { "idempotency-key": "kept-2" });
    for (let i = 0; i < 2; i++) {
      const reply = await patch();
      expect([reply.status, reply.text.includes(VALUE)]).toEqual([200, false]);
    }
  });
});

test("neither the log nor a webhook has a planted word, whoever asked or wrote", async () => {
  const { log, sent } = await outlets.left(10);
  expect(log.split("\n").length).toBeGreaterThan(500);
  expect(log).toContain("list_customers");
  expect(sent).toContain('"objectId":1');
  for (const word of [VALUE, SOUGHT]) expect([word, log.includes(word), sent.includes(word)]).toEqual([word, false, false]);
});
