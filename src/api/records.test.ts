import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { createClient } from "../../client/http-client.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import customersPackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import { noteChange, readRecordNow } from "./cache-updates.ts";
import { keys, recordQuery } from "./records.ts";

const read = readDataPackage(customersPackage);
const [customers] = ("collections" in read ? read.collections : []) as [Collection];
const session = { token: () => "t", renew: () => Promise.reject(new Error("not asked")) };

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A real server whose answers wait until the test gives them, in any order. */
async function heldService() {
  const held: ServerResponse[] = [];
  const made = createServer((_, response) => void held.push(response));
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  const client = createClient({ baseUrl: `http://127.0.0.1:${(made.address() as AddressInfo).port}/v1`, session });
  const asked = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const answer = (at: number, version: number) =>
    held[at]?.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(versionOf(version)));
  return { client, asked, answer };
}

const versionOf = (version: number) => ({ objectId: 7, lastName: `V${version}`, version }) as unknown as WireRecord;

test("a record that was asked for before it was saved does not come back as it was", async () => {
  const { client, asked, answer } = await heldService();
  const queries = new QueryClient();
  const before = queries.fetchQuery(recordQuery(client, customers, 7)).catch(() => {});
  await asked(1);
  await noteChange(queries, customers, versionOf(2));
  answer(0, 1);
  await before;
  expect(queries.getQueryData(keys.record(customers, 7))).toMatchObject({ version: 2 });
});

test("whoever looks whether a save came through is not given an answer that was asked for before the save", async () => {
  const { client, asked, answer } = await heldService();
  const queries = new QueryClient();
  void queries.fetchQuery(recordQuery(client, customers, 7)).catch(() => {});
  await asked(1);
  const looked = readRecordNow(queries, client, customers, 7);
  await Promise.race([asked(2), looked]);
  answer(0, 1);
  answer(1, 2);
  expect(await looked).toMatchObject({ version: 2 });
});
