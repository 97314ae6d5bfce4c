// The form, a row of the list and the bulk dialog ask once whether what a rule warns of is meant so.

import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { STAFF_RULES } from "../../../server/testing/service.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };
const UNUSUAL = "More than 9,000 a month is unusual.";
const ANYWAY = /^Save anyway/;
const STAFF = [1, 2, 3].map((id) => ({ id, firstName: `Ada ${id}`, lastName: "Lang", email: "ada@example.com", salary: "5000" }));

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp(STAFF_RULES);
});
beforeEach(async () => {
  await app.service.call("POST", "/v1/staff/deletions?onError=continue", STAFF);
  expect((await app.service.call("POST", "/v1/staff", STAFF)).status).toBe(201);
});
afterAll(() => app.close());

const salaryOf = async (id: number) => (await app.service.call("GET", `/v1/staff/${id}`)).json.salary;
const acknowledged = async (id: number) => (await app.service.call("GET", `/v1/staff/${id}/history`)).json.history[0].acknowledged;

async function typeSalary(user: Awaited<ReturnType<typeof openPage>>["user"], text: string): Promise<void> {
  const salary = await screen.findByRole("textbox", { name: /^Salary/ }, WAIT);
  await user.clear(salary);
  await user.type(salary, text);
}

test("the form asks by a tick, keeps what is typed, and asks again for another value", async () => {
  const { user } = await openPage(app, "/staff/1");
  await typeSalary(user, "9500");
  await user.keyboard("{Control>}s{/Control}");
  const alert = await screen.findByRole("alert", {}, WAIT);
  await within(alert).findByText(UNUSUAL, {}, WAIT);
  await user.keyboard("{Control>}s{/Control}"); // without the tick it is asked once more
  expect((await screen.findByRole<HTMLInputElement>("checkbox", { name: ANYWAY }, WAIT)).checked).toBe(false);
  expect(await salaryOf(1)).toBe("5000");
  await user.click(screen.getByRole("checkbox", { name: ANYWAY }));
  await typeSalary(user, "95000");
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>("checkbox", { name: ANYWAY }).checked).toBe(false), WAIT);
  expect(await salaryOf(1)).toBe("5000");
  await user.click(screen.getByRole("checkbox", { name: ANYWAY }));
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(async () => expect(await salaryOf(1)).toBe("95000"), WAIT);
  expect(await acknowledged(1)).toEqual(["unusualSalary"]);
  const first = screen.getByRole("textbox", { name: /^First name/ });
  await user.type(first, "x{Control>}s{/Control}"); // what the rule reads stays: nobody is asked
  await waitFor(async () => expect((await app.service.call("GET", "/v1/staff/1")).json.firstName).toBe("Ada 1x"), WAIT);
});

test("a new record is asked about, and made once", async () => {
  const { user } = await openPage(app, "/staff/new");
  await user.type(await screen.findByRole("textbox", { name: /^First name/ }, WAIT), "New");
  await user.type(screen.getByRole("textbox", { name: /^Last name/ }), "One");
  await user.type(screen.getByRole("textbox", { name: /^E-mail/ }), "new@example.com");
  await typeSalary(user, "9999");
  await user.keyboard("{Control>}s{/Control}");
  await user.click(await screen.findByRole("checkbox", { name: ANYWAY }, WAIT));
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(async () => expect((await app.service.call("GET", "/v1/staff?firstName=New")).json.staff).toHaveLength(1), WAIT);
});

test("what is wrong and what is warned of are said together, and a tick before the mistake is mended counts", async () => {
  const { user } = await openPage(app, "/staff/new");
  await user.type(await screen.findByRole("textbox", { name: /^First name/ }, WAIT), "Both");
  await user.type(screen.getByRole("textbox", { name: /^Last name/ }), "Said");
  await typeSalary(user, "9999");
  await user.keyboard("{Control>}s{/Control}");
  const box = await screen.findByRole("checkbox", { name: ANYWAY }, WAIT);
  const [wrong, warned] = screen.getAllByRole("alert");
  expect(wrong?.textContent).toContain("E-mail or phone is needed.");
  expect(warned?.textContent).toContain(UNUSUAL);
  await waitFor(() => expect(document.activeElement).toBe(wrong), WAIT);
  await user.click(box);
  await user.type(screen.getByRole("textbox", { name: /^E-mail/ }), "both@example.com");
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(async () => expect((await app.service.call("GET", "/v1/staff?firstName=Both")).json.staff).toHaveLength(1), WAIT);
});

test("a row of the list asks by the same tick", async () => {
  const { user } = await openPage(app, "/staff?sort=id&columns=firstName,salary");
  await screen.findAllByRole("link", { name: "Ada 2" }, WAIT);
  await user.click(within(document.querySelector("tr[data-id='2']") as HTMLElement).getByTitle("Edit here (F2)"));
  const input = await within(screen.getByRole("table", { name: "Staff" })).findByRole("textbox", { name: "Salary" }, WAIT);
  await user.clear(input);
  await user.type(input, "9600{Enter}");
  await user.click(await screen.findByRole("checkbox", { name: ANYWAY }, WAIT));
  expect(await salaryOf(2)).toBe("5000");
  await user.type(input, "{Enter}");
  await waitFor(async () => expect(await salaryOf(2)).toBe("9600"), WAIT);
});

test("a bulk change shows what rules warn of, and changes those records after the tick", async () => {
  const { user } = await openPage(app, "/staff?sort=id&columns=firstName,salary");
  for (const id of [2, 3]) await user.click(await screen.findByRole("checkbox", { name: `Select Ada ${id} Lang` }, WAIT));
  await user.click(await screen.findByRole("button", { name: /^Change/ }, WAIT));
  const dialog = within(await screen.findByRole("dialog", {}, WAIT));
  await user.selectOptions(await dialog.findByRole("combobox", { name: "Field" }, WAIT), "Salary");
  await user.type(await dialog.findByRole("textbox", { name: "New value" }, WAIT), "9700");
  await user.click(dialog.getByRole("button", { name: "Show what would change" }));
  await dialog.findByText(UNUSUAL, {}, WAIT);
  expect(dialog.queryByRole("button", { name: /^Change 2/ })).toBeNull();
  await user.click(dialog.getByRole("checkbox", { name: ANYWAY }));
  const change = await dialog.findByRole("button", { name: /^Change 2/ }, WAIT);
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: ANYWAY }).checked).toBe(true);
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole("checkbox", { name: ANYWAY })), WAIT);
  await user.click(change);
  await waitFor(async () => expect([await salaryOf(2), await salaryOf(3)]).toEqual(["9700", "9700"]), WAIT);
  expect(await acknowledged(3)).toEqual(["unusualSalary"]);
});
