import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeEach(async () => {
  app ??= await openTestApp();
});
afterAll(() => app.close());

const CONTENT = { form: 1, mode: "upsert", choices: {}, columns: ["lastName", null], autoFixes: [], leftOutGroups: [], values: [] };
async function save(name: string, content: object = CONTENT): Promise<{ id: string }> {
  return (await app.service.call("POST", "/v1/recipes", { name, collection: "customers", headings: ["Wer", "Ort"], content })).json;
}
const names = async () => (await app.service.call("GET", "/v1/recipes")).json.recipes.map((one: { name: string }) => one.name);

test("a recipe is changed by its maker and an administrator alone, and used by everybody who uploads", async () => {
  await save("Daily");
  const key = await createKeys(app.service.store).create("write");
  await openPage(app, "/recipes", key);
  const link = await screen.findByRole("link", { name: "Upload with Daily" });
  expect(link.getAttribute("href")).toMatch(/^\/customers\/upload\?recipe=/);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Delete Daily" })).toBeNull());
  expect(screen.queryByRole("button", { name: "Rename Daily" })).toBeNull();
  cleanup();
  await openPage(app, "/recipes");
  await screen.findByRole("button", { name: "Delete Daily" });
});

test("a name from right to left leaves the sentence around it as it is", async () => {
  const name = "شركة النور (القاهرة)";
  await save(name);
  const { user } = await openPage(app, "/recipes");
  await user.click(await screen.findByRole("button", { name: `Delete ${name}` }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog.querySelector("h2")?.textContent).toBe(`Delete “${name}”?`);
  expect(dialog.querySelector("h2 bdi")?.textContent).toBe(name);
});

test("who may not upload sees no recipes, and why", async () => {
  await save("Hidden from readers");
  const key = await createKeys(app.service.store).create("read");
  await openPage(app, "/recipes", key);
  await screen.findByText("You may not upload files.");
  expect(screen.queryByText("Hidden from readers")).toBeNull();
});

test("a recipe says what it does; one of a later version says that it cannot be used", async () => {
  const [fix, out] = [
    { field: "lastName", name: "hidden" },
    { field: "", code: "TOTAL" },
  ];
  const values = [
    { field: "lastName", from: "a", to: "b" },
    { field: "lastName", from: "c", to: null },
  ];
  await save("Full", { ...CONTENT, autoFixes: [fix], leftOutGroups: [out], values, columnRules: [{ do: "trim", column: 0 }] });
  await save("Later", { ...CONTENT, form: 2 });
  await openPage(app, "/recipes");
  await screen.findByText(
    "Adds and changes records from 1 column, with 1 rule for columns, 1 correction in all rows, 1 replaced value, 2 groups of rows left out.",
  );
  await screen.findByText("It was saved by another version of Intake and cannot be used here.");
});

test("a name that another recipe has is refused; a recipe that was changed meanwhile keeps that change", async () => {
  await save("First");
  const { id } = await save("Second");
  const { user } = await openPage(app, "/recipes");
  await user.click(await screen.findByRole("button", { name: "Rename Second" }));
  const dialog = within(screen.getByRole("dialog", { name: "Rename the recipe", hidden: true }));
  const input = dialog.getByLabelText("Name");
  await user.clear(input);
  await user.type(input, "FIRST{Enter}");
  await dialog.findByText("There is a recipe of this name already. Choose another name.");
  await app.service.call("PUT", `/v1/recipes/${id}`, { name: "Second", headings: ["Neu"], content: { ...CONTENT, mode: "update" } });
  await user.clear(input);
  await user.type(input, "Third{Enter}");
  await dialog.findByRole("alert", { hidden: true });
  expect(await names()).not.toContain("Third");
  await waitFor(async () => {
    await user.click(dialog.getByRole("button", { name: "Rename", hidden: true }));
    expect(await names()).toContain("Third");
  });
  expect((await app.service.call("GET", `/v1/recipes/${id}`)).json).toMatchObject({ headings: ["Neu"], content: { mode: "update" } });
});
