// Tests that drafts show nothing that somebody may not see any more, also where the app was closed meanwhile.

import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDrafts } from "../../records/drafts/draft-store.ts";
import { type Drawn, openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const customer = async (fields: object): Promise<number> =>
  (await app.service.call("POST", "/v1/customers", { firstName: "planted-first", accountID: "planted-account", ...fields })).json.objectId;

/** A person who has typed into the form of this record while they saw all of it. */
async function typedInto(path: string, name: string): Promise<{ id: string; who: { token: string; owner: string }; drawn: Drawn }> {
  const { id, token } = await app.service.newPerson("editor");
  const who = { token, owner: id };
  const drawn = await openPage(app, path, who);
  await drawn.user.type(await screen.findByRole("textbox", { name }, WAIT), " typed");
  await waitFor(async () => expect((await openDrafts(() => true).all()).size).toBeGreaterThan(0), WAIT);
  return { id, who, drawn };
}

async function narrow(id: string): Promise<void> {
  const conditions = { customers: { read: { where: "lastName[prefix]=Seen" }, fields: { hidden: ["firstName"], masked: ["accountID"] } } };
  const role = { name: `Narrow ${id}`, scope: "customers:read customers:update customers:create", conditions };
  const { json } = await app.service.call("POST", "/v1/roles", role);
  expect((await app.service.call("PATCH", `/v1/users/${id}`, { roles: [json.id] })).status).toBe(200);
}

const kept = async () => JSON.stringify([...(await openDrafts(() => true).all())]);

async function expectNothingPlanted({ queries }: Drawn): Promise<void> {
  await waitFor(async () => expect(await kept()).not.toContain("planted"), WAIT);
  await expect.poll(() => queries.isFetching()).toBe(0);
  const values = [...document.querySelectorAll("input, textarea")].map((input) => (input as HTMLInputElement).value);
  expect(document.body.textContent + values.join()).not.toContain("planted");
}

test.each([
  ["while the app is open", false],
  ["while the app is closed", true],
])("a draft of a record that is out of sight by now shows nothing of it, %s", async (_, isClosed) => {
  const path = `/customers/${await customer({ lastName: "planted-last" })}`;
  const { id, who, drawn } = await typedInto(path, "Last name");
  if (isClosed) cleanup();
  await narrow(id);
  const again = isClosed ? await openPage(app, path, who) : drawn;
  await waitFor(async () => {
    if (!isClosed) await drawn.queries.refetchQueries({ queryKey: ["dictionary news"] });
    screen.getByText(/There is no customer/);
  }, WAIT);
  await expectNothingPlanted(again);
});

test("a draft of a record that is still seen keeps what was typed, and nothing of what is hidden or masked", async () => {
  const path = `/customers/${await customer({ lastName: "Seen one" })}`;
  const { id, who } = await typedInto(path, "Last name");
  cleanup();
  await narrow(id);
  await app.service.call("PATCH", `/v1${path}`, { accountID: "planted-by-another" });
  const drawn = await openPage(app, path, who);
  await drawn.user.click(await screen.findByRole("button", { name: "Restore" }, WAIT));
  expect(screen.getByRole("textbox", { name: "Last name" })).toHaveProperty("value", "Seen one typed");
  await expectNothingPlanted(drawn);
});
