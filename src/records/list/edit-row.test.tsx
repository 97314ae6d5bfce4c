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

test("F2 begins with the first row where none has the focus, and does nothing in a row that is edited", async () => {
  const { user } = await edit("/customers?sort=lastName");
  await user.keyboard("{F2}");
  expect(firstName().value).toBe("Bea");
  expect(document.activeElement).toBe(firstName());
  await user.keyboard("{Escape}");
  await waitFor(() => expect(within(screen.getByRole("table", { name: "Customers" })).queryByRole("textbox")).toBeNull());
  act(() => (document.activeElement as HTMLElement).blur());
  await user.keyboard("{F2}");
  await waitFor(() => expect(firstName().value).toBe("Ada"));
  expect(firstName().closest("tr")?.dataset.id).toBe("1");
});

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

  test("is saved although it left the list, and stays there with a note", async () => {
    const { user, queries } = await edit("/customers?lastName=Bell");
    await app.service.call("PATCH", "/v1/customers/2", { lastName: "Zorn" });
    await act(() => queries.refetchQueries());
    await user.type(firstName(), "{Enter}");
    await screen.findByText(/changed this customer while you were editing/);
    await user.type(firstName(), "{Enter}");
    await screen.findByText("It is no longer in this list, as it is now.");
    expect(rowIds()).toEqual([2]);
    const { json } = await app.service.call("GET", "/v1/customers/2");
    expect([json.firstName, json.lastName]).toEqual(["Bea", "Zorn"]);
  });

  test("and saved so that it leaves the filter stays with its new values and the focus, until another list is shown", async () => {
    const { user } = await edit("/customers?firstName=Ada&sort=lastName");
    await user.type(firstName(), "{Enter}");
    await screen.findByText("It is no longer in this list, as it is now.");
    expect(rowIds()).toEqual([1, 2, 3]);
    const link = screen.getByRole("link", { name: "Bell" });
    expect(link.closest("tr")?.textContent).toContain("Bea");
    await waitFor(() => expect(document.activeElement).toBe(link));
    await user.type(screen.getByRole("searchbox"), "Abel");
    await waitFor(() => expect(rowIds()).toEqual([1]));
    await user.clear(screen.getByRole("searchbox"));
    await waitFor(() => expect(rowIds()).toEqual([1, 3]));
  });

  test("and was saved so that it left the filter is edited again as it was saved, and saved again", async () => {
    const { user } = await edit("/customers?firstName=Ada&sort=lastName");
    await user.type(firstName(), "{Enter}");
    await screen.findByText("It is no longer in this list, as it is now.");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("link", { name: "Bell" })));
    for (const [before, after] of [
      ["Bea", "Bob"],
      ["Bob", "Bet"],
    ] as const) {
      await user.keyboard("{F2}");
      await waitFor(() => expect(firstName().value).toBe(before));
      await user.clear(firstName());
      await user.type(firstName(), `${after}{Enter}`);
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("link", { name: "Bell" })));
      expect((await app.service.call("GET", "/v1/customers/2")).json.firstName).toBe(after);
    }
    expect(screen.getByRole("link", { name: "Bell" }).closest("tr")?.textContent).toContain("Bet");
  });

  test("is saved when another one is to be edited, which then is", async () => {
    const { user } = await edit("/customers?firstName=Ada&sort=lastName");
    const other = screen.getByRole("link", { name: "Cole" }).closest("tr") as HTMLElement;
    await user.click(within(other).getByTitle("Edit here (F2)"));
    await screen.findByText("It is no longer in this list, as it is now.");
    await waitFor(() => expect(firstName().closest("tr")?.dataset.id).toBe("3"));
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Last name" }));
    expect((await app.service.call("GET", "/v1/customers/2")).json.firstName).toBe("Bea");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(rowIds()).toEqual([1, 2, 3]));
  });

  test("that cannot be saved keeps its text and the focus when another one is to be edited", async () => {
    const { user } = await edit("/customers?sort=lastName");
    const lastName = screen.getByRole("textbox", { name: "Last name" });
    await user.clear(lastName);
    const other = screen.getByRole("link", { name: "Cole" }).closest("tr") as HTMLElement;
    await user.click(within(other).getByTitle("Edit here (F2)"));
    await waitFor(() => expect(document.activeElement).toBe(lastName));
    expect([firstName().value, firstName().closest("tr")?.dataset.id]).toEqual(["Bea", "2"]);
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
