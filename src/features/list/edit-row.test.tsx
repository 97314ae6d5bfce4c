import { act, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const NAMES = ["Abel", "Bell", "Cole"];

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  const all = NAMES.map((lastName, i) => ({ objectId: i + 1, firstName: "Ada", lastName, accountID: "7" }));
  for (const record of all) await app.service.call("PUT", `/v1/customers/${record.objectId}`, record);
});
afterAll(() => app.close());

const rowIds = () => [...document.querySelectorAll<HTMLElement>("main tr[data-id]")].map(({ dataset }) => Number(dataset.id));
const firstName = () =>
  within(screen.getByRole("table", { name: "Customers" })).getByRole<HTMLInputElement>("textbox", { name: "First name" });

/** Opens the list, and types a first name into the row of Bell, in its place. */
async function edit(address: string) {
  const page = await openPage(app, address);
  const link = await screen.findByRole("link", { name: "Bell" });
  await page.user.click(within(link.closest("tr") as HTMLElement).getByTitle("Edit here (F2)"));
  await waitFor(firstName);
  await page.user.clear(firstName());
  await page.user.type(firstName(), "Bea");
  return page;
}

describe("a row that is edited in the list", () => {
  test.each([
    ["is no longer found", "lastName=Bell", "PATCH", { lastName: "Zorn" }, [2]],
    ["was deleted", "sort=lastName", "DELETE", undefined, [1, 2, 3]],
  ] as const)("stays with its text when its record %s", async (_, search, method, body, ids) => {
    const { queries } = await edit(`/customers?${search}`);
    const { status } = await app.service.call(method, "/v1/customers/2", body);
    expect(status).toBeLessThan(300);
    await act(() => queries.refetchQueries());
    expect([rowIds(), firstName().value]).toEqual([ids, "Bea"]);
  });

  test("is saved although it left the list, and leaves it then", async () => {
    const { user, queries } = await edit("/customers?lastName=Bell");
    await app.service.call("PATCH", "/v1/customers/2", { lastName: "Zorn" });
    await act(() => queries.refetchQueries());
    await user.type(firstName(), "{Enter}");
    await screen.findByText(/changed this customer while you were editing/);
    await user.type(firstName(), "{Enter}");
    await waitFor(() => expect(rowIds()).toEqual([]));
    const { json } = await app.service.call("GET", "/v1/customers/2");
    expect([json.firstName, json.lastName]).toEqual(["Bea", "Zorn"]);
  });

  test("stays when somebody searches and does not leave it, and Enter searches again", async () => {
    const { user } = await edit("/customers?sort=lastName");
    const search = screen.getByRole<HTMLInputElement>("searchbox");
    await user.type(search, "Cole");
    await user.click(await screen.findByRole("button", { name: "Stay" }));
    expect([rowIds(), firstName().value, search.value]).toEqual([[1, 2, 3], "Bea", "Cole"]);
    await user.type(search, "{Enter}");
    await user.click(await screen.findByRole("button", { name: "Leave" }));
    await waitFor(() => expect(rowIds()).toEqual([3]));
  });
});
