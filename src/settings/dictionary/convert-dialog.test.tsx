// The dialog that changes the kind of a field: what was typed last counts, no press is lost, and it can always be closed.

import { readFileSync } from "node:fs";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { DICTIONARY } from "../../../server/testing/service.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };

let app: TestApp;
beforeAll(async () => {
  const dataPackage = JSON.parse(readFileSync(DICTIONARY, "utf8"));
  dataPackage.resources[0].schema.fields.push({ name: "middleName", title: "Middle name", type: "string" });
  app = await openTestApp(dataPackage);
  const names = ["1980-02-01", "unknown"];
  const records = names.map((name, i) => ({ objectId: i + 1, lastName: "Long", firstName: name, middleName: name, accountID: `A${i}` }));
  expect((await app.service.call("POST", "/v1/customers", records)).status).toBe(201);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});
afterAll(() => app.close());

const valuesOf = async (field: string) =>
  (await app.service.call("GET", "/v1/customers?sort=objectId")).json.customers.map((one: Record<string, unknown>) => one[field]);

async function openDialog(field: string) {
  const { json, status } = await app.service.call("POST", "/v1/dictionary/drafts", { title: "Test" });
  expect(status).toBe(201);
  const { user } = await openPage(app, `/customers/dictionary?draft=${json.id}`);
  const table = within(await screen.findByRole("table", { name: "Fields" }, WAIT));
  await user.click(table.getByRole("button", { name: field }));
  await user.click(await screen.findByRole("button", { name: "Change kind…" }, WAIT));
  const dialog = within(await screen.findByRole("dialog", {}, WAIT));
  const convert = () => user.click(dialog.getByRole("button", { name: /^Convert/ }));
  return { user, dialog, convert, draft: json.id as string };
}

test("a press without a kind says what is missing", async () => {
  const { dialog, convert } = await openDialog("First name");
  await convert();
  expect(dialog.getByRole("alert").textContent).toBe("Choose the new kind first.");
});

test("what was typed right before the press is converted, once the service has said what it does", async () => {
  const { user, dialog, convert } = await openDialog("First name");
  await user.selectOptions(dialog.getByLabelText("New kind"), "date");
  await dialog.findByText(/^1 value converts\./, {}, WAIT);
  const { fetch } = globalThis;
  const held: (() => void)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (String(init?.body).includes('"dryRun":true')) await new Promise<void>((goOn) => held.push(goOn));
    return fetch(input, init);
  });
  await user.type(dialog.getByLabelText("unknown"), "2000-01-01");
  await convert();
  expect(dialog.getByText("Checking what would change…")).toBeTruthy();
  await waitFor(() => {
    for (const goOn of held.splice(0)) goOn();
    expect(dialog.getByText("Look at what this does, then press again.")).toBeTruthy();
  }, WAIT);
  expect(await valuesOf("firstName")).toEqual(["1980-02-01", "unknown"]);
  await user.click(dialog.getByRole("button", { name: "Convert 2 values" }));
  await dialog.findByText(/^2 values are converted\./, {}, WAIT);
  expect(await valuesOf("firstName")).toEqual(["1980-02-01", "2000-01-01"]);
});

test("it closes though the draft cannot be read, and says so", async () => {
  const { user, dialog, convert, draft } = await openDialog("Middle name");
  await user.selectOptions(dialog.getByLabelText("New kind"), "date");
  await dialog.findByText(/^1 value converts\./, {}, WAIT);
  await convert();
  await dialog.findByText(/^1 value is converted\./, {}, WAIT);
  const { fetch } = globalThis;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
    String(input).endsWith(`/drafts/${draft}`)
      ? Response.json({ title: "Bad", detail: "It failed." }, { status: 400 })
      : fetch(input, init),
  );
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await screen.findByText(/^The draft is still there\./, {}, WAIT);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), WAIT);
});
