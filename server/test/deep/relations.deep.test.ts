// Four services on one database change parents and children at once. No child is left alone, and all agree.

import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { ORDERS } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

const ROUNDS = rounds(2, 40);
const PROCESSES = inject("postgres") ? 4 : 1; // a SQLite file belongs to one service
const PARENTS = 6; // few, so that writers meet
const WRITERS = 3; // on each service
const STEPS = rounds(15, 40); // of each writer in a round

type Headers = Record<string, string>;
type Row = Record<string, number | null>;

function start(): Promise<Started> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  const limits = { RATE_PER_SECOND: "100000", RATE_BURST: "100000" };
  return startProcess({ ...store, ...limits, DICTIONARY: ORDERS, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
}

const parent = () => 1 + randomInt(PARENTS);
const child = () => 1 + randomInt(PARENTS * 4);
const code = () => `${Math.random()}`;

/** One request of many sorts: parents and children are made, moved, deleted and brought back, alone and in batches. */
function randomRequest(): [method: string, path: string, body?: unknown] {
  const contact = () => ({ objectId: child(), customerId: parent(), name: "Zoë" });
  const order = () => ({ objectId: child(), customerId: parent(), contactId: child(), orderNumber: code() });
  const several = <T>(make: () => T) => Array.from({ length: 1 + randomInt(8) }, make);
  const requests: (() => [string, string, unknown?])[] = [
    () => ["PUT", `customers/${parent()}`, { name: "Ek", accountNumber: code() }],
    () => ["PUT", `customers/${parent()}`, { name: "Ek", accountNumber: code() }],
    () => ["DELETE", `customers/${parent()}`],
    () => ["POST", "customers/deletions?onError=continue", several(() => ({ objectId: parent() }))],
    () => ["POST", "contacts?onError=continue&onConflict=update", several(contact)],
    () => ["POST", "orders?onError=continue&onConflict=update", several(order)],
    () => ["DELETE", `contacts/${child()}`],
    () => ["POST", "orders/deletions?onError=continue", several(() => ({ objectId: child() }))],
    () => ["PATCH", `contacts/${child()}`, { customerId: parent() }],
    () => ["PATCH", `orders/${child()}`, { contactId: child() }],
    () => ["POST", `contacts/${child()}/restore`, { version: 1 }],
  ];
  return (requests[randomInt(requests.length)] as (typeof requests)[number])();
}

/** A round begins with every parent there and in use. */
async function fill(url: string, headers: Headers): Promise<void> {
  const ids = Array.from({ length: PARENTS }, (_, i) => i + 1);
  const all = Array.from({ length: PARENTS * 4 }, (_, i) => ({ objectId: i + 1 }));
  const bodies: [string, object[]][] = [
    ["orders/deletions", all], // or they would hold their contacts
    ["customers", ids.map((objectId) => ({ objectId, name: "Ek", accountNumber: code() }))],
    ["contacts", ids.map((objectId) => ({ objectId, customerId: objectId, name: "Zoë" }))],
    ["orders", ids.map((objectId) => ({ objectId, customerId: objectId, contactId: objectId, orderNumber: code() }))],
  ];
  for (const [path, body] of bodies) {
    const query = path === "orders/deletions" ? "onError=continue" : "onConflict=update";
    const reply = await fetch(`${url}/v1/${path}?${query}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect([path, reply.ok]).toEqual([path, true]);
  }
}

/** `seen` gets the codes of what was refused. */
async function write(url: string, headers: Headers, seen: Set<string>): Promise<void> {
  for (let i = 0; i < STEPS; i++) {
    const [method, path, body] = randomRequest();
    const reply = await fetch(`${url}/v1/${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await reply.text();
    for (const [, refused = ""] of text.matchAll(/"code":"([A-Z_]+)"/g)) seen.add(refused);
    if (reply.status >= 500) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
  }
}

async function allOf(url: string, headers: Headers, collection: string): Promise<Row[]> {
  const reply = await fetch(`${url}/v1/${collection}?limit=1000`, { headers });
  return ((await reply.json()) as Record<string, Row[]>)[collection] ?? [];
}

/** The children whose parent is not there, and the orders whose contact is another customer's. */
async function orphans(url: string, headers: Headers): Promise<string[]> {
  const [customers, contacts, orders] = await Promise.all(["customers", "contacts", "orders"].map((name) => allOf(url, headers, name)));
  const ids = (rows: Row[] = []) => new Set(rows.map(({ objectId }) => objectId));
  const [knownCustomers, knownContacts] = [ids(customers), ids(contacts)];
  const lost = (name: string, rows: Row[] = []) =>
    rows.flatMap(({ objectId, customerId = null, contactId = null }) => [
      ...(knownCustomers.has(customerId) ? [] : [`${name} ${objectId}: customer ${customerId}`]),
      ...(contactId === null || knownContacts.has(contactId) ? [] : [`${name} ${objectId}: contact ${contactId}`]),
    ]);
  const customerOf = new Map(contacts?.map(({ objectId, customerId }) => [objectId, customerId]));
  const apart = orders?.filter(({ contactId, customerId }) => contactId != null && customerOf.get(contactId) !== customerId) ?? [];
  return [
    ...lost("contact", contacts),
    ...lost("order", orders),
    ...apart.map(({ objectId }) => `order ${objectId} has another's contact`),
  ];
}

test(`after each of ${ROUNDS} rounds of deletions and creations by ${PROCESSES} processes every child has its parent`, {
  timeout: 1_800_000,
}, async () => {
  const services = await Promise.all(Array.from({ length: PROCESSES }, start));
  const [first] = services as [Started];
  const headers = { ...(await authorize(first.url, "preset", ADMIN_SECRET)), "content-type": "application/json" };
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    await fill(first.url, headers);
    const writers = services.flatMap(({ url }) => Array.from({ length: WRITERS }, () => write(url, headers, seen)));
    await Promise.all(writers);
    expect([round, await orphans(first.url, headers)]).toEqual([round, []]);
  }
  expect([...seen]).toEqual(expect.arrayContaining(["IN_USE", "REFERENCE_NOT_FOUND", "REFERENCE_MISMATCH"]));
});
