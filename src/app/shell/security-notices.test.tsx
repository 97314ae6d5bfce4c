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

test("an open tab is told of another dictionary, and goes on with its own until it is loaded anew", async () => {
  const { id, token } = await app.service.newPerson("viewer");
  await openPage(app, "/customers", { token, owner: id });
  const showTab = () => window.dispatchEvent(new Event("visibilitychange")); // as when the tab is seen again
  showTab();
  expect(screen.queryByRole("region", { name: "About this page" })).toBeNull();
  const etag = async () => (await app.service.raw("HEAD", `/v1${DICTIONARY_PATH}`, { authorization: `Bearer ${token}` })).headers.etag;
  const before = await etag();
  const { json } = await app.service.call("POST", "/v1/roles", { name: "Desk", scope: "customers:read" });
  expect((await app.service.call("PATCH", `/v1/users/${id}`, { roles: [json.id] })).status).toBe(200);
  await waitFor(async () => expect(await etag()).not.toBe(before));
  showTab();
  const region = await screen.findByRole("region", { name: "About this page" });
  expect(region.textContent).toMatch(/^The fields, or what you may see of them, have changed\. Reload when you are ready\./);
  showTab();
  expect(screen.getAllByRole("button", { name: "Reload" })).toHaveLength(1);
});
