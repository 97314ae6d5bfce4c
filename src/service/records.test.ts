import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { createClient } from "../../client/http-client.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import customersPackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import { cacheSavedRecord, recordQuery, refetchRecord } from "./cache-updates.ts";
import { keys } from "./records.ts";

const read = readDataPackage(customersPackage);
const [customers] = ("collections" in read ? read.collections : []) as [Collection];
const session = { token: () => "t", renew: () => Promise.reject(new Error("not asked")) };

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A real server that answers only when the test says so, in any order. */
async function delayedService() {
  const waiting: ServerResponse[] = [];
  const httpServer = createServer((_, response) => void waiting.push(response));
  server = httpServer;
  await new Promise<void>((resolve) => httpServer.listen(0, "127.0.0.1", resolve));
  const client = createClient({ baseUrl: `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}/v1`, session });
  const requested = async (count: number) => {
    while (waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const answer = (at: number, version: number) =>
    waiting[at]?.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(versionOf(version)));
  return { client, requested, answer };
}

const versionOf = (version: number) => ({ objectId: 7, lastName: `V${version}`, version }) as unknown as WireRecord;

test("a read that started before a save does not overwrite the saved record", async () => {
  const { client, requested, answer } = await delayedService();
  const queries = new QueryClient();
  const before = queries.fetchQuery(recordQuery(client, customers, 7)).catch(() => {});
  await requested(1);
  await cacheSavedRecord(queries, customers, versionOf(2));
  answer(0, 1);
  await before;
  expect(queries.getQueryData(keys.record(customers, 7))).toMatchObject({ version: 2 });
});

test("a record read again after a save ignores an answer to an earlier request", async () => {
  const { client, requested, answer } = await delayedService();
  const queries = new QueryClient();
  void queries.fetchQuery(recordQuery(client, customers, 7)).catch(() => {});
  await requested(1);
  const refetched = refetchRecord(queries, client, customers, 7);
  await Promise.race([requested(2), refetched]);
  answer(0, 1);
  answer(1, 2);
  expect(await refetched).toMatchObject({ version: 2 });
});
