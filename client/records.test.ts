import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createClient } from "./http-client.ts";
import { allRecords, listChildren, searchRecords, summarizeRecords } from "./read-records.ts";
import { createKeySession } from "./token-exchange.ts";
import { tryChosen, writeChosen } from "./write-chosen.ts";
import { createRecord, deleteRecords, updateRecord, writeBatch, writeRecords } from "./write-records.ts";

interface Sent {
  line: string;
  headers: Record<string, unknown>;
  body: string;
}

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A real server on a free port, which gives one token after the other and answers the rest by `answer`. */
async function serve(answer: (sent: Sent) => unknown): Promise<{ baseUrl: string; sent: Sent[]; tokens: () => number }> {
  const sent: Sent[] = [];
  let tokens = 0;
  const made = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    response.setHeader("Content-Type", "application/json");
    if (request.url === "/v1/oauth/token") return response.end(JSON.stringify({ access_token: `token${++tokens}` }));
    if (request.headers.authorization !== `Bearer token${tokens}` || tokens === 0) return response.writeHead(401).end("{}");
    const one = { line: `${request.method} ${decodeURIComponent(request.url ?? "")}`, headers: request.headers, body };
    sent.push(one);
    response.end(JSON.stringify(answer(one)));
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  return { baseUrl: `http://127.0.0.1:${(made.address() as AddressInfo).port}/v1`, sent, tokens: () => tokens };
}

const clientOf = (baseUrl: string) => createClient({ baseUrl, session: createKeySession(baseUrl, "ink_id.secret") });

test("a program with an API key signs in with its first request, and only once for requests at the same time", async () => {
  const { baseUrl, tokens } = await serve(() => ({}));
  const client = clientOf(baseUrl);
  await Promise.all([1, 2, 3].map(() => client.request("GET", "/customers")));
  expect(tokens()).toBe(1);
});

test("the children of a record are a list below it, and records are matched by the field that is named", async () => {
  const { baseUrl, sent } = await serve(() => ({ orders: [{ objectId: 3 }], results: [] }));
  const client = clientOf(baseUrl);
  const { records } = await listChildren(client, { collection: "customers", id: 7 }, "orders", { sort: "-orderedOn" });
  expect(records).toEqual([{ objectId: 3 }]);
  await writeRecords(client, "orders", [{ orderNumber: "B-1" }], { onConflict: "update", matchBy: "orderNumber" });
  expect(sent.map(({ line }) => line)).toEqual([
    "GET /v1/customers/7/orders?sort=-orderedOn",
    "POST /v1/orders?onError=continue&onConflict=update&matchBy=orderNumber",
  ]);
});

test("new records are compared with stored ones where that is asked, one, many, or among operations", async () => {
  const { baseUrl, sent } = await serve(() => ({ results: [], version: 1 }));
  const client = clientOf(baseUrl);
  await createRecord(client, "customers", { lastName: "Smith" }, undefined, "all", "error");
  await writeRecords(client, "customers", [{ lastName: "Smith" }], { onDuplicate: "warn" });
  await writeBatch(client, "customers", [{ action: "create", record: { lastName: "Smith" } }], { onDuplicate: "error", onError: "stop" });
  expect(sent.map(({ line }) => line)).toEqual([
    "POST /v1/customers?acknowledge=all&onDuplicate=error",
    "POST /v1/customers?onError=continue&onDuplicate=warn",
    "POST /v1/customers/batch?onError=stop&onDuplicate=error",
  ]);
});

test("a list is counted and summed in groups", async () => {
  const answer = { groups: [{ status: "open", "sum:total": "12.50" }], total: { "sum:total": "12.50" } };
  const { baseUrl, sent } = await serve(() => answer);
  const summary = await summarizeRecords(clientOf(baseUrl), "orders", { group: "status", measure: "sum:total", "total[gte]": "1" });
  expect(summary).toEqual({ ...answer, next: undefined });
  expect(sent.map(({ line }) => line)).toEqual(["GET /v1/orders/summary?group=status&measure=sum:total&total[gte]=1"]);
});

test("all collections are searched at once", async () => {
  const results = [{ collection: "orders", records: [{ objectId: 3 }], more: false }];
  const { baseUrl, sent } = await serve(() => ({ results }));
  expect(await searchRecords(clientOf(baseUrl), "b 1", { limit: "3" })).toEqual(results);
  expect(sent.map(({ line }) => line)).toEqual(["GET /v1/search?limit=3&q=b+1"]);
});

test("all records of a list come page by page", async () => {
  const { baseUrl, sent } = await serve(({ line }) =>
    line.includes("cursor=c2") ? { customers: [{ objectId: 3 }] } : { customers: [{ objectId: 1 }, { objectId: 2 }], next: "c2" },
  );
  const ids: unknown[] = [];
  for await (const records of allRecords(clientOf(baseUrl), "customers", { "lastName[prefix]": "Sm" })) {
    ids.push(...records.map(({ objectId }) => objectId));
  }
  expect(ids).toEqual([1, 2, 3]);
  expect(sent.map(({ line }) => line)).toEqual([
    "GET /v1/customers?lastName[prefix]=Sm&limit=1000",
    "GET /v1/customers?lastName[prefix]=Sm&limit=1000&cursor=c2",
  ]);
});

test("a record is created under an idempotency key, and changed only in the version that was read", async () => {
  const { baseUrl, sent } = await serve(() => ({ objectId: 7, version: 1 }));
  const client = clientOf(baseUrl);
  const { version } = await createRecord(client, "customers", { lastName: "Smith" }, "import-7");
  await updateRecord(client, "customers", { id: 7, version }, { lastName: null });
  expect(sent.map(({ line, body }) => [line, body])).toEqual([
    ["POST /v1/customers", '{"lastName":"Smith"}'],
    ["PATCH /v1/customers/7", '{"lastName":null}'],
  ]);
  expect(sent[0]?.headers).toMatchObject({ "idempotency-key": "import-7" });
  expect(sent[1]?.headers).toMatchObject({ "if-match": '"7-1"', "content-type": "application/merge-patch+json" });
});

test("many records are written each for itself, and a dry run takes no idempotency key", async () => {
  const { baseUrl, sent } = await serve(() => ({ results: [], summary: {} }));
  const client = clientOf(baseUrl);
  await writeRecords(client, "customers", [{ objectId: 1 }], { onConflict: "update", idempotencyKey: "k" });
  await deleteRecords(client, "customers", [{ objectId: 1, version: 2 }], { match: "version", dryRun: true, idempotencyKey: "k" });
  expect(sent.map(({ line, headers }) => [line, headers["idempotency-key"]])).toEqual([
    ["POST /v1/customers?onError=continue&onConflict=update", "k"],
    ["POST /v1/customers/deletions?onError=continue&match=version&dryRun=true", undefined],
  ]);
});

test("what a filter chooses is tried, and then written with the token of that", async () => {
  const { baseUrl, sent } = await serve(() => ({ run: "r", token: "t", results: [], summary: {} }));
  const client = clientOf(baseUrl);
  const choice = { query: { "lastName[prefix]": "Sm" }, fields: { city: null }, limit: 10, acknowledge: "all" } as const;
  const { token } = await tryChosen(client, "customers", choice);
  await writeChosen(client, "customers", choice, token, { idempotencyKey: "k", source: "form; run=7" });
  await tryChosen(client, "customers", { fields: null, cursor: "c" });
  expect(sent.map(({ line, body, headers }) => [line, body, headers["idempotency-key"], headers["intake-source"]])).toEqual([
    ["PATCH /v1/customers?lastName[prefix]=Sm&limit=10&acknowledge=all&dryRun=true", '{"city":null}', undefined, undefined],
    ["PATCH /v1/customers?lastName[prefix]=Sm&limit=10&acknowledge=all&token=t", '{"city":null}', "k", "form; run=7"],
    ["DELETE /v1/customers?cursor=c&dryRun=true", "", undefined, undefined],
  ]);
});

test("operations of several kinds go in one request, in their order", async () => {
  const { baseUrl, sent } = await serve(() => ({ results: [], summary: {} }));
  const operations = [
    { action: "create", record: { lastName: "Ek" } },
    { action: "delete", record: { objectId: 7, version: 2 } },
  ] as const;
  await writeBatch(clientOf(baseUrl), "customers", operations, { match: "version", idempotencyKey: "k" });
  expect(sent.map(({ line, body, headers }) => [line, body, headers["idempotency-key"]])).toEqual([
    ["POST /v1/customers/batch?onError=continue&match=version", JSON.stringify(operations), "k"],
  ]);
});
