// No answer of any operation has a byte of a record that is hidden from the caller, whatever they ask or write.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Outlets, watchOutlets } from "../../testing/outlets.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const VALUE = "zxqplanted"; // stands in every hidden record, and in no request of the caller
const SOUGHT = "wvkhidden"; // a word of the hidden records, which the caller searches for
const SECRET = `${VALUE} ${SOUGHT}`;
const [SEEN, HIDDEN, GONE, MOVED] = [1, 880_044_220_002, 880_044_220_003, 880_044_220_004]; // keys; those of hidden records stand in no answer either

const text = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const key = { name: "objectId", title: "Object ID", type: "integer" };
const PACKAGE = {
  title: "Hidden rows",
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
          text("note"),
        ],
        primaryKey: ["objectId"],
      },
    },
    {
      name: "orders",
      title: "Orders",
      label: ["number"],
      schema: {
        fields: [key, text("number", { constraints: { required: true } }), { name: "customerId", title: "Customer", type: "integer" }],
        primaryKey: ["objectId"],
        foreignKeys: [{ fields: ["customerId"], onDelete: "clear", reference: { resource: "customers", fields: ["objectId"] } }],
      },
    },
  ],
};

/** Three ways to see the same records: by a value, through hidden fields, and by an attribute. */
const CALLERS: Record<string, object> = {
  "by a value": { read: { where: "region=north" } },
  "by a hidden field": { read: { where: "region=north" }, fields: { hidden: ["region", "note"] } },
  "by several": { read: { where: "region[in]=north&note[null]=true" } },
};
const RIGHTS = "customers:read customers:create customers:update customers:delete orders:read orders:create orders:update orders:delete";

let service: TestService;
let outlets: Outlets;
const tokens = new Map<string, string>();
let admin = "";

beforeAll(async () => {
  outlets = await watchOutlets();
  service = await openTestService(PACKAGE, outlets.options);
  await outlets.subscribe(service);
  admin = await service.tokenFor("admin");
  for (const [name, customers] of Object.entries(CALLERS)) {
    const conditions = { customers, orders: { read: { where: "customer.region=north" } } };
    const role = await service.call("POST", "/v1/roles", { name: `Seen ${name}`, scope: RIGHTS, conditions });
    expect(role.status).toBe(201);
    tokens.set(name, (await service.newPerson(role.json.id)).token);
  }
  const post = (path: string, body: object, headers = {}) => service.call("POST", `/v1/${path}`, body, headers);
  const run = { "intake-source": "upload; run=r1" };
  await post("customers", { objectId: SEEN, name: "Seen customer", region: "north", email: "seen@example.org" });
  for (const id of [HIDDEN, GONE, MOVED])
    await post(
      "customers",
      { objectId: id, name: `${SECRET} ${id}`, region: `${VALUE} south`, email: `${VALUE}${id}@example.org`, note: SECRET },
      run,
    );
  await post("orders", { objectId: 11, number: "Seen order", customerId: SEEN });
  await post("orders", { objectId: 880_044_220_012, number: `${SECRET} order`, customerId: HIDDEN });
  await service.call("PATCH", `/v1/customers/${HIDDEN}`, { note: `${SECRET} changed` }, run);
  await service.call("PATCH", "/v1/orders/880044220012", { number: `${SECRET} changed` });
  await service.call("DELETE", `/v1/customers/${GONE}`);
  // It has been seen: now it is out of sight, and what became of it since is not to be known.
  await service.call("PATCH", `/v1/customers/${SEEN}`, { name: "Seen customer, renamed" }, run);
  await service.call("GET", `/v1/customers.csv?note=${encodeURIComponent(SECRET)}`);
  // Transactions of other tests may hold the feed up.
  const changes = async () => (await service.call("GET", "/v1/changes")).json.changes;
  await vi.waitFor(async () => expect(await changes()).toHaveLength(10), 20_000);
});
afterAll(async () => {
  await outlets.close();
  await service.close();
});

async function as(token: string, method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await service.app.inject({
    method: method as "GET",
    url,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  return { status: reply.statusCode, text: `${JSON.stringify(reply.headers)} ${reply.payload}` };
}

const SEARCHES = [
  "",
  "?expand=customer",
  `?q=${SOUGHT}&hints=true&count=exact`,
  `?q=${SOUGHT.slice(0, -1)}q&hints=true`,
  "?hints=true&q=880044220002",
  "?count=exact&limit=1",
  "?deleted=true",
  `?deleted=true&q=${SOUGHT}`,
  "?customer.note[null]=false",
  "?include=record,changes&limit=1000",
  "?run=r1",
  "?write=2",
  "?collection=customers&id=880044220002",
  "?collection=orders",
];
const HEADERS: Record<string, string>[] = [{}, { accept: "text/csv" }, { "if-none-match": '"x"' }];
/** How an answer is asked for matters to whole addresses, and not to each way to search. */
const ASKED = SEARCHES.flatMap((search, i) => (i < 3 ? HEADERS : HEADERS.slice(0, 1)).map((headers) => [search, headers] as const));

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
  const ids = name === "run" ? ["r1"] : path.includes("/orders/{") ? [11, 880_044_220_012] : [SEEN, HIDDEN, GONE, 7];
  return ids.flatMap((id) => pathsOf(path.replace(`{${name}}`, String(id))));
}

/** Without what the caller has sent, which an answer may repeat. */
function withoutSent(answered: string, sent: string): string {
  const words = sent.match(/880044220\d{3}|zxqplanted\d+@example\.org/g) ?? [];
  const withoutIds = answered.replace(/[\da-f]{8}-[\da-f-]{27}/g, "");
  return words.reduce((left, word) => left.replaceAll(word, ""), withoutIds);
}

test("no read of any address shows anything of a hidden record, and what shows it to others is known", async () => {
  const shownToOthers = new Set<string>();
  for (const { method, path, operationId } of await operations()) {
    if (method !== "GET" || path === "/v1/backup") continue;
    for (const address of pathsOf(path))
      for (const [search, headers] of ASKED) {
        for (const [name, token] of tokens) {
          const { status, text: answered } = await as(token, method, address + search, undefined, headers);
          const plain = withoutSent(answered, address + search);
          expect(`${name}: ${status} ${plain}`).not.toMatch(/zxqplanted|880044220\d{3}/);
        }
        if ((await as(admin, method, address + search, undefined, headers)).text.includes(VALUE)) shownToOthers.add(operationId);
      }
  }
  // A walk that sees nothing proves nothing: these show the planted values to whom nothing is hidden from.
  expect([...shownToOthers]).toEqual(
    expect.arrayContaining([
      ...["list_customers", "export_customers", "read_customer", "history_customer", "copy_customer", "changes", "activity"],
      ...["list_orders", "read_order", "list_customer_orders", "history_order", "activity_exports"],
    ]),
  );
}, 240_000);

const SENT: Record<string, unknown[]> = {
  "/v1/customers": [
    { objectId: HIDDEN, name: "x", region: "north" },
    [
      { objectId: HIDDEN, name: "x", region: "north" },
      { name: "y", region: "north", email: `${VALUE}${HIDDEN}@example.org` },
    ],
  ],
  "/v1/customers/batch": [
    {
      operations: [
        { action: "update", record: { objectId: HIDDEN, name: "x" } },
        { action: "delete", record: { objectId: HIDDEN } },
      ],
    },
  ],
  "/v1/customers/deletions": [[{ objectId: HIDDEN }, { objectId: GONE }]],
  "/v1/customers/undo": [{ run: "r1" }],
  "/v1/orders": [{ number: "x", customerId: HIDDEN }],
  "/v1/orders/batch": [{ operations: [{ action: "create", record: { number: "x", customerId: HIDDEN } }] }],
  "/v1/orders/undo": [{ run: "r1" }],
};
const QUERIES = [
  "",
  "?onError=continue",
  "?onConflict=update&dryRun=true",
  "?onConflict=skip&dryRun=true",
  "?matchBy=email&onConflict=update&dryRun=true",
];

/** Whoever may create a record may do so under the key of one that is deleted. */
const isHidden = (method: string, address: string) => /880044220/.test(address) && !(method === "PUT" && address.endsWith(String(GONE)));

test("no write to a hidden record tells anything of it, or changes it", async () => {
  const stored = async () => [
    (await service.call("GET", `/v1/customers/${HIDDEN}`)).json,
    (await service.call("GET", "/v1/orders/880044220012")).json,
    (await service.call("GET", "/v1/customers?deleted=true")).json,
  ];
  const before = await stored();
  let sent = 0;
  for (const { method, path } of await operations()) {
    if (method === "GET" || !/^\/v1\/(customers|orders)/.test(path)) continue;
    const bodies = SENT[path] ?? [{ name: "x", region: "north" }, { number: "x" }, { version: 1 }, {}];
    for (const address of pathsOf(path).filter((one) => one === path || isHidden(method, one)))
      for (const body of method === "DELETE" ? [undefined] : bodies)
        for (const query of method === "POST" ? QUERIES : [""])
          for (const [name, token] of tokens) {
            const { status, text: answered } = await as(token, method, address + query, body);
            sent += 1;
            const plain = withoutSent(answered, address + query + JSON.stringify(body ?? ""));
            expect(`${method} ${name} ${status} ${plain}`).not.toMatch(/zxqplanted|880044220\d{3}/);
            if (address !== path) expect(`${method} ${address}${query} ${JSON.stringify(body)} ${status}`).toMatch(/ 4\d\d$/);
          }
  }
  expect(sent).toBeGreaterThan(100);
  expect(await stored()).toEqual(before);
}, 120_000);

test("neither the log nor a webhook has a planted word, whoever asked or wrote", async () => {
  const { log, sent } = await outlets.left(10);
  expect(log.split("\n").length).toBeGreaterThan(500);
  expect(sent).toContain(`"objectId":${SEEN}`);
  for (const word of [VALUE, SOUGHT]) expect([word, log.includes(word), sent.includes(word)]).toEqual([word, false, false]);
});
