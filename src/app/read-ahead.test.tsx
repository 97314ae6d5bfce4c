import { waitFor } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../client/http-client.ts";
import { createQueryClient } from "../service/query-client.ts";
import { keys } from "../service/records.ts";
import { createSession } from "../service/session.ts";
import { signInWithKey } from "../service/sign-in.ts";
import { openTestApp, type TestApp } from "../testing/test-app.tsx";
import { readAhead } from "./read-ahead.ts";

let app: TestApp;
let id: number;
beforeAll(async () => {
  app = await openTestApp();
  const { json } = await app.service.call("POST", "/v1/customers", { lastName: "Zoë", accountID: "1" });
  id = json.objectId as number;
});
afterAll(() => app.close());

/** Reads ahead at an address of an app below /intake/, and returns what the queries of the collection's records then know. */
async function read(address: string) {
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(app.origin); // the service gives the app out
  const baseUrl = `${app.origin}/v1`;
  const session = createSession(baseUrl, sessionStorage);
  const client = createClient({ baseUrl, session });
  await signInWithKey(client, session, app.key, false);
  const queries = createQueryClient();
  await readAhead({ queries, client }, new URL(address, app.origin), "/intake/");
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  session.signOut();
  return queries.getQueriesData({ queryKey: keys.all(app.collection) }).map(([key, data]) => ({ key, data }));
}

test("the rows of a list's address are read as the list asks for them", async () => {
  const [list, ...others] = await read("/intake/customers?q=zoe&sort=lastName&limit=25");
  expect(list?.key).toEqual(["customers", "list", { sort: "lastName", limit: "25", q: "zoe", hints: "true" }]);
  expect(list?.data).toMatchObject({ records: [{ lastName: "Zoë" }] });
  expect(others).toEqual([]);
});

test("the first address counts the records, as the start page does", async () => {
  expect(await read("/intake/")).toEqual([{ key: ["customers", "list", "count", {}, 10_000], data: { total: 1 } }]);
});

test("the address of a record reads the record", async () => {
  expect(await read(`/intake/customers/${id}`)).toMatchObject([{ key: ["customers", "record", id], data: { lastName: "Zoë" } }]);
});

test("an address that shows no records reads none", async () => {
  for (const path of ["customers/new", "settings", "nothing-here", "customers/7x"]) expect(await read(`/intake/${path}`)).toEqual([]);
});
