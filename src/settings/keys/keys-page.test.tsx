// Makes a key that has a role, and finds it in the table by the name of the role.

import { screen, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test("a key has the rights that are chosen for it, or a role", async () => {
  const role = (await app.service.call("POST", "/v1/roles", { name: "Web shop", scope: "customers:create" })).json.id;
  const { user } = await openPage(app, "/settings/keys");
  await user.click(await screen.findByRole("button", { name: "New API key" }));
  await user.type(await screen.findByLabelText("Name"), "Partner");
  await user.click(await screen.findByRole("radio", { name: /^What a role allows/ }));
  expect(screen.queryByRole("checkbox", { name: /^Administrator/ })).toBeNull(); // a key with roles administers nothing
  await user.click(screen.getByRole("button", { name: "Create key" }));
  expect(await screen.findByText("Choose at least one role.")).toBeTruthy();
  await user.click(screen.getByRole("checkbox", { name: /^Web shop/ }));
  await user.click(screen.getByRole("button", { name: "Create key" }));
  const row = await screen.findByRole("row", { name: /^Partner/ });
  expect(within(row).getByText("As: Web shop")).toBeTruthy();
  const { keys } = (await app.service.call("GET", "/v1/keys")).json;
  expect(keys.find(({ name }: { name: string }) => name === "Partner")).toMatchObject({ roles: [role], scope: "write dictionary" });
});
