import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function openCustomer(lastName: string) {
  const { json } = await app.service.call("POST", "/v1/customers", { lastName, accountID: "old" });
  const path = `/customers/${json.objectId}`;
  const page = await openPage(app, path);
  await screen.findByRole("textbox", { name: "Account ID" });
  return {
    ...page,
    path,
    press: async (name: string) => page.user.click(await screen.findByRole("button", { name })),
    change: () => app.service.call("PATCH", `/v1${path}`, { accountID: "new" }),
    status: async () => (await app.service.call("GET", `/v1${path}`)).status,
  };
}

describe("deleting a record", () => {
  test("is done at once, and undo brings it back", async () => {
    const { press, path, status } = await openCustomer("Gone");
    await press("Delete");
    await screen.findByText(/is deleted/);
    expect(await status()).toBe(404);
    await press("Undo");
    await screen.findByText(/is restored/);
    expect(await status()).toBe(200);
    const { json } = await app.service.call("GET", `/v1${path}/history`);
    expect(json.history[0]).toMatchObject({ operation: "restored", source: { type: "form" } });
  });

  test("that somebody made anew meanwhile is not brought back over that: it says who did it, that nothing was done, and leads there", async () => {
    const { press, path } = await openCustomer("Twice");
    await press("Delete");
    await screen.findByText(/is deleted/);
    const objectId = Number(path.split("/").at(-1));
    await app.service.call("POST", "/v1/customers", { objectId, lastName: "Anew", accountID: "n" });
    await press("Undo");
    const notice = await screen.findByText(/Not restored\./);
    expect(notice.textContent).toMatch(/ has brought it back or made it anew meanwhile\. Nothing was done\.$/);
    expect(notice.textContent).not.toContain("ETag");
    await press("Open it");
    await waitFor(() => expect(window.location.pathname).toBe(path));
    expect((await app.service.call("GET", `/v1${path}`)).json.lastName).toBe("Anew");
  });

  test("is undone by its key, which stays the browser's while a text is typed", async () => {
    const { press, user, status } = await openCustomer("Keyed");
    await press("Delete");
    await screen.findByText(/is deleted/);
    await user.click(screen.getByRole("searchbox", { name: "Search" }));
    await user.keyboard("{Control>}z{/Control}");
    expect(screen.getByRole("button", { name: "Undo" })).toBeTruthy();
    screen.getByRole("heading", { level: 1 }).focus();
    await user.keyboard("{Control>}z{/Control}");
    await screen.findByText(/is restored/);
    expect(await status()).toBe(200);
  });

  test("asks first when someone else changed it, and says what", async () => {
    const { press, change, status } = await openCustomer("Changed");
    await change();
    await press("Delete");
    const alert = await screen.findByRole("alert");
    await waitFor(() => expect(document.activeElement).toBe(alert)); // it takes the focus after it is drawn
    const cells = within(within(alert).getByRole("row", { name: /^Account ID/ })).getAllByRole("cell");
    expect(cells.map(({ textContent }) => textContent)).toEqual(["old", "new"]);
    expect(await status()).toBe(200);
  });

  test("goes on all the same when the user says so", async () => {
    const { press, change, status } = await openCustomer("Anyway");
    await change();
    await press("Delete");
    await press("Delete anyway");
    await screen.findByText(/is deleted/);
    expect(await status()).toBe(404);
  });

  test("leaves the record alone when the user keeps it", async () => {
    const { press, change, status } = await openCustomer("Stays");
    await change();
    await press("Delete");
    await press("Keep it");
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    expect(await status()).toBe(200);
  });
});
