// Tests what the app offers by the caller's rights on a collection: links, buttons, keys and the palette's options.

import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
let recordPath = "";
beforeAll(async () => {
  app = await openTestApp();
  const { json } = await app.service.call("POST", "/v1/customers", { lastName: "Rightly", accountID: "R-1" });
  recordPath = `/customers/${json.objectId}`;
});
afterAll(() => app.close());

interface Offered {
  /** Link, key N and palette. */
  new: boolean;
  upload: boolean;
  /** Boxes to select records with. */
  select: boolean;
  /** A form instead of values. */
  edit: boolean;
  delete: boolean;
  /** "Save and add another". */
  another: boolean;
}

const NOTHING: Offered = { new: false, upload: false, select: false, edit: false, delete: false, another: false };
const OFFERED: Record<string, [scope: string, offered: Offered]> = {
  "a viewer": ["*:read", NOTHING],
  "a contributor": ["*:read *:create *:update", { new: true, upload: true, select: true, edit: true, delete: false, another: true }],
  "an editor": ["write", { new: true, upload: true, select: true, edit: true, delete: true, another: true }],
  "who may update only": ["customers:read customers:update", { ...NOTHING, upload: true, select: true, edit: true }],
  "who may create only": ["customers:read customers:create", { ...NOTHING, new: true, upload: true }],
  "who may delete only": ["customers:read customers:delete", { ...NOTHING, select: true, delete: true }],
  "who may write orders only": ["customers:read orders:create orders:update", NOTHING],
};

const isThere = (role: string, name: string | RegExp) => screen.queryAllByRole(role, { name }).length > 0;
/** Opens the menu of the ways to save, if there is one. */
async function offersAnother(user: UserEvent): Promise<boolean> {
  const menu = screen.queryByRole("button", { name: "More ways to save" });
  if (menu) await user.click(menu);
  return isThere("menuitem", "Save and add another");
}
const keyWith = (scope: string) => createKeys(app.service.store).create(scope);

describe.each(Object.entries(OFFERED))("%s", (_, [scope, offered]) => {
  test("is offered on the list what they may do", async () => {
    const { user } = await openPage(app, "/customers", await keyWith(scope));
    await screen.findByRole("link", { name: "Rightly" });
    await waitFor(() =>
      expect({
        new: isThere("link", "New customer"),
        upload: isThere("link", "Upload a file"),
        select: screen.queryAllByRole("checkbox").length > 0,
      }).toEqual({ new: offered.new, upload: offered.upload, select: offered.select }),
    );
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox", { name: "Find or go to" }), "customer");
    await screen.findByRole("option", { name: "Customers" });
    expect([isThere("option", /^New customer/), isThere("option", /^Upload customers/)]).toEqual([offered.new, offered.upload]);
  });

  test("gets from the list to a new record by its key only with the right to it", async () => {
    const { user } = await openPage(app, "/customers", await keyWith(scope));
    await screen.findByRole("link", { name: "Rightly" });
    await waitFor(() => expect(isThere("link", "New customer")).toBe(offered.new));
    await user.keyboard("n");
    if (offered.new) expect(await screen.findByRole("heading", { name: "New customer" })).toBeTruthy();
    else expect(screen.getByRole("heading", { name: "Customers" })).toBeTruthy();
  });

  test("sees a record as a form only if they may change it", async () => {
    const { user } = await openPage(app, recordPath, await keyWith(scope));
    if (!offered.edit) await screen.findByText(offered.delete ? "You may not change customers." : "You have read-only access.");
    else await screen.findByRole("textbox", { name: "Last name" });
    expect({
      edit: isThere("button", "Save"),
      another: await offersAnother(user),
      delete: isThere("button", "Delete"),
    }).toEqual({ edit: offered.edit, another: offered.another, delete: offered.delete });
  });

  test.each([
    ["/customers/new", offered.new, "main form"],
    ["/customers/upload", offered.upload, "main input[type=file]"],
  ])("gets to %s only with a right to it", async (path, isAllowed, input) => {
    const isReadOnly = offered === NOTHING;
    await openPage(app, path, await keyWith(scope));
    if (!isAllowed)
      expect((await screen.findByText(/need to enter customers/)).textContent).toMatch(isReadOnly ? /^You have read-only/ : /^ *Ask/);
    else await waitFor(() => expect(document.querySelector(input)).not.toBeNull());
  });
});

test("who has no role is told to ask an administrator, may sign out, and goes on once they have one", async () => {
  const { id, token } = await app.service.newPerson("viewer");
  const { user, queries } = await openPage(app, "/settings", { token, owner: id });
  await expect.poll(() => queries.isFetching()).toBe(0);
  await app.service.call("PATCH", `/v1/users/${id}`, { roles: [] });
  void queries.resetQueries();
  await screen.findByRole("heading", { name: "You have no rights here yet" });
  expect(screen.getByText("Ask an administrator to give your account a role.")).toBeTruthy();
  expect(screen.queryByText(/scope/)).toBeNull();
  expect(screen.getByRole("button", { name: "Sign out" })).toBeTruthy();
  await app.service.call("PATCH", `/v1/users/${id}`, { roles: ["viewer"] });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("navigation", { name: "Main" });
});

test("who loses a right while a form is open is told so without the name of a scope, and that the text is still there", async () => {
  const { id, token } = await app.service.newPerson("editor");
  const { user } = await openPage(app, recordPath, { token, owner: id });
  const name = (await screen.findByLabelText("Last name")) as HTMLInputElement;
  await app.service.call("PATCH", `/v1/users/${id}`, { roles: ["viewer"] });
  await user.type(name, " typed");
  await user.click(screen.getByRole("button", { name: "Save" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe(
    "This is not saved. You do not have the right to do this. Ask an administrator if you need it. What you typed is still here.",
  );
  expect(name.value).toBe("Rightly typed");
});
