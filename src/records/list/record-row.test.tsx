import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.service.call("POST", "/v1/customers", [
    { objectId: 1, firstName: "Märta", lastName: "Ångström", accountID: "0073" },
    { objectId: 2, lastName: "Bell", accountID: "0074" },
    { objectId: 3, firstName: "Cy", lastName: "Young", accountID: "0075" },
  ]);
});
afterAll(() => app.close());

const open = () => openPage(app, "/customers?sort=lastName");
const row = (name: string) => screen.findByRole("row", { name: new RegExp(name) });
const box = (name: string) => screen.getByRole("checkbox", { name: `Select ${name}` });
const isChecked = (name: string) => (box(name) as HTMLInputElement).checked;

describe("a row of the list", () => {
  test("shows the record's values, and an account number with its zeros", async () => {
    await open();
    const line = await row("Ångström");
    const cells = [within(line).getByRole("rowheader"), ...within(line).getAllByRole("cell").slice(1)];
    expect(cells.slice(0, 4).map(({ textContent }) => textContent)).toEqual(["Ångström", "Märta", "0073", "1"]);
  });

  test("says when the record was changed, in words and exactly", async () => {
    await open();
    const time = within(await row("Ångström")).getByText(/ago|now|second/i);
    const { json } = await app.service.call("GET", "/v1/customers/1");
    expect(time.getAttribute("datetime")).toBe(json.updatedAt);
    expect(time.getAttribute("title")).toContain(String(new Date(json.updatedAt).getFullYear()));
  });

  test("is called by the link in its first cell, which opens the record", async () => {
    const { user } = await open();
    const link = within(await row("Bell")).getByRole("link", { name: "Bell" });
    expect(link.getAttribute("href")).toBe("/customers/2");
    await user.click(link);
    expect(await screen.findByRole("heading", { name: "Bell" })).toBeTruthy();
  });

  test("is selected by its box, and with shift so are all between it and the one before", async () => {
    const { user } = await open();
    await row("Young");
    await user.click(box("Märta Ångström"));
    expect([isChecked("Märta Ångström"), isChecked("Bell"), isChecked("Cy Young")]).toEqual([true, false, false]);
    await user.keyboard("{Shift>}");
    await user.click(box("Cy Young"));
    await user.keyboard("{/Shift}");
    await waitFor(() => expect([isChecked("Bell"), isChecked("Cy Young")]).toEqual([true, true]));
    expect(await screen.findByText(/3 selected/)).toBeTruthy();
  });

  test("has no box for someone who may only read", async () => {
    const { json } = await app.service.call("POST", "/v1/keys", { scope: "read" });
    await openPage(app, "/customers", json.key);
    await row("Bell");
    await waitFor(() => expect(screen.queryByRole("checkbox")).toBeNull());
  });
});
