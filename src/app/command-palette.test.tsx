import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../testing/test-app.tsx";

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

  test("says when nothing goes by the name", async () => {
    const { user } = await open();
    await user.keyboard("nobody goes by it");
    expect(await screen.findByText("No results.")).toBeTruthy();
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
