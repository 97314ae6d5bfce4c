import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCatalogue } from "../../../core/i18n/languages.ts";
import { setCatalogue, t } from "../../../core/i18n/translate.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { findLike } from "../../values/find-like.ts";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.service.call("POST", "/v1/customers", { firstName: "Paula", lastName: "Palette", accountID: "P-1" });
});
afterAll(() => app.close());

const palette = () => screen.findByRole("dialog", { name: "Find or go to" });
const input = () => screen.findByRole("combobox", { name: "Find or go to" });
const found = () => within(screen.getByRole("listbox", { name: "Results" }));
const active = () => found().getByRole("option", { selected: true });
const names = () =>
  found()
    .getAllByRole("option")
    .map(({ textContent }) => textContent);

async function open(path = "/customers") {
  const page = await openPage(app, path);
  await page.user.keyboard("{Control>}k{/Control}");
  await input();
  // The commands of a page load with it.
  if (path === "/customers") await waitFor(() => expect(names().some((name) => name?.startsWith("New customer"))).toBe(true));
  return page;
}

describe("the command palette", () => {
  test("opens by Ctrl and K with the focus in its input, and closes by the same keys", async () => {
    const { user } = await open();
    const text = await input();
    expect(document.activeElement).toBe(text);
    await user.keyboard("{Control>}k{/Control}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("offers the pages of the app, and what this page can do", async () => {
    await open();
    for (const name of ["Customers", "New customer", "Upload customers from a file", "Uploads", "Settings", "About"]) {
      await waitFor(() => expect(names().some((one) => one?.startsWith(name))).toBe(true));
    }
    expect(screen.getByRole("group", { name: "Go to" })).toBeTruthy();
  });

  test("goes to the page whose name begins with what is typed", async () => {
    const { user } = await open();
    await user.keyboard("uplo");
    await waitFor(() => expect(names()).toEqual(["Upload customers from a file", "Uploads"]));
    await user.keyboard("{ArrowDown}{Enter}");
    expect(await screen.findByRole("heading", { name: "Uploads" })).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("walks through its options by the arrow keys, round and round", async () => {
    const { user } = await open();
    const [first, last] = [names()[0], names().at(-1)];
    expect(active().textContent).toBe(first);
    await user.keyboard("{ArrowUp}");
    expect(active().textContent).toBe(last);
    await user.keyboard("{ArrowDown}");
    expect(active().textContent).toBe(first);
    expect((await input()).getAttribute("aria-activedescendant")).toBe(active().id);
  });

  test("finds a record by words of its name in any order, and opens it", async () => {
    const { user } = await open("/uploads");
    await user.keyboard("palette paula");
    const option = await screen.findByRole("option", { name: /Paula Palette/ });
    expect(within(option).getByText(/P-1/)).toBeTruthy();
    await user.click(option);
    expect(await screen.findByRole("heading", { name: "Paula Palette" })).toBeTruthy();
  });

  test("leads to the list where it finds more records than it shows", async () => {
    const many = Array.from({ length: 7 }, (_, i) => ({ firstName: "Manfred", lastName: "Many", accountID: `M-${i}` }));
    expect((await app.service.call("POST", "/v1/customers", many)).status).toBe(201);
    const { user } = await open("/uploads");
    await user.keyboard("manfred many");
    await user.click(await screen.findByRole("option", { name: "Show all customers in the list" }));
    expect(await screen.findByRole("heading", { name: "Customers" })).toBeTruthy();
    await waitFor(() => expect((screen.getByRole("searchbox") as HTMLInputElement).value).toBe("manfred many"));
    expect(await screen.findAllByRole("link", { name: "Many" })).toHaveLength(7);
  });

  test("says when nothing goes by the name", async () => {
    const { user } = await open();
    await user.keyboard("nobody goes by it");
    expect(await screen.findByText("No results.")).toBeTruthy();
  });

  test("knows what else people call a command, and forgives a typo", async () => {
    const { user } = await open("/uploads");
    for (const [typed, label] of [
      ["logout", "Sign out"],
      ["log out", "Sign out"],
      ["password", "Settings"],
      ["hotkeys", "Keyboard shortcuts"],
      ["history", "Activity"],
      ["setings", "Settings"],
    ] as const) {
      await user.clear(await input());
      await user.keyboard(typed);
      await waitFor(() => expect(names()[0]).toContain(label));
    }
  });

  test("knows them in German, too", async () => {
    const german = await openCatalogue("de");
    for (const [word, text] of [
      ["logout", "log out, logout, exit"],
      ["passwort", "language, theme, password, preferences"],
      ["sprache", "language, theme, password, preferences"],
      ["hilfe", "help, keys, hotkeys"],
      ["verlauf", "history, changes, log"],
      ["löschen", "delete, bring back, trash"],
    ] as const) {
      setCatalogue(german);
      expect(findLike(word, [t(text)], (one) => one)).toHaveLength(1);
      setCatalogue();
    }
  });

  test("finds nothing by a text without words", async () => {
    const { user } = await open();
    await user.keyboard("%");
    expect(await screen.findByText("No results.")).toBeTruthy();
  });

  test("finds by its name what can be undone", async () => {
    const { json } = await app.service.call("POST", "/v1/customers", { lastName: "Undoable", accountID: "U-1" });
    const { user } = await openPage(app, `/customers/${json.objectId}`);
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await screen.findByText(/is deleted/);
    await user.keyboard("{Control>}k{/Control}");
    await input();
    await user.keyboard("undo");
    await waitFor(() => expect(names()[0]).toContain("Undoable is deleted."));
    expect(active().textContent).toContain("Undoable is deleted.");
  });

  test.each(["deleted", "delete", "undoable"])("never undoes a deletion nor deletes by “%s” and Enter", async (typed) => {
    const { json } = await app.service.call("POST", "/v1/customers", { lastName: "Undoable", accountID: "U-2" });
    const { user } = await openPage(app, `/customers/${json.objectId}`);
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await screen.findByText(/is deleted/);
    await user.keyboard("{Control>}k{/Control}");
    await input();
    await user.keyboard(typed);
    await waitFor(() => expect(names().some((name) => name?.includes("Undoable is deleted."))).toBe(true));
    expect(found().queryByRole("option", { selected: true })?.textContent ?? "").not.toContain("Undoable is deleted.");
    await user.keyboard("{Enter}");
    if (typed !== "undoable") await screen.findByRole("heading", { name: "Deleted customers" });
    expect((await app.service.call("GET", `/v1/customers/${json.objectId}`)).status).toBe(404);
  });

  test("deletes the record of the page only when that is chosen", async () => {
    const { json } = await app.service.call("POST", "/v1/customers", { lastName: "Chosen", accountID: "U-3" });
    const { user } = await openPage(app, `/customers/${json.objectId}`);
    await screen.findByRole("button", { name: "Delete" });
    await user.keyboard("{Control>}k{/Control}");
    await input();
    await user.keyboard("delete this record");
    await waitFor(() => expect(names()).toHaveLength(1));
    expect(found().queryByRole("option", { selected: true })).toBeNull();
    await user.keyboard("{Enter}");
    expect((await app.service.call("GET", `/v1/customers/${json.objectId}`)).status).toBe(200);
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText(/is deleted/);
  });

  test("offers someone who may only read no way to write", async () => {
    const { json } = await app.service.call("POST", "/v1/keys", { scope: "read" });
    const { user } = await openPage(app, "/customers", json.key);
    await waitFor(() => expect(screen.queryByRole("link", { name: "New customer" })).toBeNull());
    await user.keyboard("{Control>}k{/Control}");
    await palette();
    await waitFor(() => expect(names().filter((name) => name && /^(New|Upload )/.test(name))).toEqual([]));
    expect(names()).toContain("Customers");
  });
});
