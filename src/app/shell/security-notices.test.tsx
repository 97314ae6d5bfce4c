// Tests what stands above every page: here, that the service has another dictionary.

import { screen, waitFor } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DICTIONARY_PATH } from "../../../core/contract/paths.ts";
import { ORDERS } from "../../../server/testing/service.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp(ORDERS);
});
afterAll(() => app.close());

test("an open tab reads another dictionary by itself", async () => {
  const { id, token } = await app.service.newPerson("viewer");
  await openPage(app, "/customers", { token, owner: id });
  const showTab = () => window.dispatchEvent(new Event("visibilitychange")); // as when the tab is seen again
  showTab();
  expect(screen.getByRole("link", { name: "Contacts" })).toBeTruthy();
  expect(screen.queryByRole("region", { name: "About this page" })).toBeNull();
  const etag = async () => (await app.service.raw("HEAD", `/v1${DICTIONARY_PATH}`, { authorization: `Bearer ${token}` })).headers.etag;
  const before = await etag();
  const { json } = await app.service.call("POST", "/v1/roles", { name: "Desk", scope: "customers:read" });
  expect((await app.service.call("PATCH", `/v1/users/${id}`, { roles: [json.id] })).status).toBe(200);
  await waitFor(async () => expect(await etag()).not.toBe(before));
  const isThere = () => screen.queryByRole("link", { name: "Contacts" });
  await waitFor(
    () => {
      showTab(); // what stands above the page is loaded a while after it
      expect(isThere()).toBeNull();
    },
    { timeout: 20_000 },
  );
  expect(screen.getByRole("link", { name: "Customers" })).toBeTruthy();
  expect(screen.queryByRole("region", { name: "About this page" })).toBeNull();
});
