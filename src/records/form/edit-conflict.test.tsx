import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Opens a customer, types `mine`, lets a colleague save `theirs`, and presses Save. */
async function clash(mine: Record<string, string>, theirs: Record<string, string>) {
  const stored = { firstName: "Märta", lastName: "Angstrom", accountID: "0073" };
  const { json } = await app.service.call("POST", "/v1/customers", stored);
  const path = `/customers/${json.objectId}`;
  const page = await openPage(app, path);
  for (const [label, text] of Object.entries(mine)) {
    const input = await screen.findByRole("textbox", { name: label });
    await page.user.clear(input);
    await page.user.type(input, text);
  }
  await app.service.call("PATCH", `/v1${path}`, theirs);
  const save = () => page.user.click(screen.getByRole("button", { name: "Save" }));
  await save();
  return { ...page, save, now: async () => (await app.service.call("GET", `/v1${path}`)).json };
}

const alert = () => screen.findByRole("alert");
const table = () => screen.getByRole("table", { name: "Changes by someone else" });
const line = (title: string) => within(table()).getByRole("row", { name: new RegExp(`^${title}`) });
const choice = (name: string) => screen.getByRole("radio", { name: new RegExp(name) }) as HTMLInputElement;
const input = (name: string) => screen.getByRole("textbox", { name }) as HTMLInputElement;

describe("the notice that someone else saved meanwhile", () => {
  test("shows what the field said before, what they saved and what the user typed", async () => {
    await clash({ "Last name": "Ångström-Lind" }, { lastName: "Ångström" });
    expect((await alert()).textContent).toContain("You both changed one field");
    const notice = await alert();
    expect(document.activeElement).toBe(notice);
    expect(within(line("Last name")).getByText("Angstrom")).toBeTruthy();
    expect(choice("Take theirs of Last name: Ångström$").checked).toBe(false);
    expect(choice("Keep mine of Last name: Ångström-Lind").checked).toBe(true);
  });

  test("puts what the user picks into the field, and back", async () => {
    const { user } = await clash({ "Last name": "Ångström-Lind" }, { lastName: "Ångström" });
    await alert();
    await user.click(choice("Take theirs"));
    await waitFor(() => expect(input("Last name").value).toBe("Ångström"));
    expect(choice("Take theirs").checked).toBe(true);
    await user.click(choice("Keep mine"));
    await waitFor(() => expect(input("Last name").value).toBe("Ångström-Lind"));
  });

  test("takes what is typed afterwards as the user's own", async () => {
    const { user } = await clash({ "Last name": "Ångström-Lind" }, { lastName: "Ångström" });
    await alert();
    await user.type(input("Last name"), "!");
    expect(choice("Keep mine of Last name: Ångström-Lind!").checked).toBe(true);
  });

  test("takes over by itself what only the other one changed, and saves both", async () => {
    const { save, now } = await clash({ "First name": "Marta", "Last name": "Lind" }, { lastName: "Ångström", accountID: "00073" });
    expect((await alert()).textContent).toContain("The other changes are included already.");
    expect(within(line("Account ID")).getByText("not changed")).toBeTruthy();
    expect(input("Account ID").value).toBe("00073");
    await save();
    await screen.findByText("Saved.");
    expect(await now()).toMatchObject({ firstName: "Marta", lastName: "Lind", accountID: "00073", version: 3 });
  });

  test("asks nothing where their change does not touch the user's", async () => {
    await clash({ "First name": "Marta" }, { accountID: "00073" });
    expect((await alert()).textContent).toContain("Save to keep both");
    expect(screen.queryByRole("radio")).toBeNull();
  });

  test("gives the focus to the heading when it goes", async () => {
    const { save } = await clash({ "Account ID": "2" }, { accountID: "1" });
    const notice = await alert();
    await waitFor(() => expect(document.activeElement).toBe(notice));
    await save();
    await screen.findByText("Saved.");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
  });

  test("does not come where both typed the very same, and nothing is saved twice", async () => {
    const { now } = await clash({ "Account ID": "2" }, { accountID: "2" });
    await screen.findByText(/already saved the same change/);
    expect(screen.queryByRole("table", { name: "Changes by someone else" })).toBeNull();
    expect(await now()).toMatchObject({ accountID: "2", version: 2 });
  });
});
