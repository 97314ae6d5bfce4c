import { screen, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKeys } from "../../server/people/auth/api-keys.ts";
import { openPage, openTestApp, type TestApp } from "../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** The overview's groups with their pages. */
async function overview() {
  const nav = await screen.findByRole("navigation", { name: "Settings" });
  await within(nav).findByRole("link", { name: "About" });
  return [...nav.querySelectorAll("section")].map((group) => [
    group.querySelector("h2")?.textContent,
    ...within(group)
      .getAllByRole("link")
      .map(({ textContent }) => textContent),
  ]);
}

test("an administrator finds everything, the own account first", async () => {
  const { token, id } = await app.service.newPerson("administrator");
  await openPage(app, "/settings", { token, owner: id });
  await screen.findByRole("link", { name: "Webhooks" });
  expect(await overview()).toEqual([
    ["For you", "My account", "This browser"],
    ["Organisation and access", "Organisation", "People", "Access requests", "Roles", "API keys"],
    ["Data", "Data dictionary", "Recipes", "Webhooks"],
    ["This app", "About"],
  ]);
});

test("an editor is offered only what an editor may open", async () => {
  const { token, id } = await app.service.newPerson("editor");
  await openPage(app, "/settings", { token, owner: id });
  await screen.findByRole("link", { name: "My account" });
  expect(await overview()).toEqual([
    ["For you", "My account", "This browser", "API keys"],
    ["Data", "Data dictionary", "Recipes"],
    ["This app", "About"],
  ]);
});

test("a key that may only read has no account and no recipes", async () => {
  await openPage(app, "/settings", await createKeys(app.service.store).create("read"));
  expect(await overview()).toEqual([
    ["For you", "This browser"],
    ["Data", "Data dictionary"],
    ["This app", "About"],
  ]);
});

test("each page has the same groups beside it, and the way back to the overview", async () => {
  const { user } = await openPage(app, "/settings");
  await user.click(await screen.findByRole("link", { name: "Roles" }));
  await screen.findByRole("heading", { name: "Roles" });
  const nav = screen.getByRole("navigation", { name: "Settings" });
  expect(within(nav).getByRole("link", { name: "Roles" }).getAttribute("aria-current")).toBe("page");
  expect(within(nav).getByRole("list", { name: "Data" }).textContent).toBe("Data dictionaryRecipesWebhooks");
  await user.click(within(nav).getByRole("link", { name: "Settings" }));
  expect(await screen.findByRole("heading", { name: "Settings" })).toBeTruthy();
});
