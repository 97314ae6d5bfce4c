// The app with another dictionary: employees instead of customers, with every kind of field.

import { expect, test } from "@playwright/test";
import { PORTS } from "./support/ports.ts";
import { check, openApi, reported, signIn } from "./support/service.ts";

test.use({ baseURL: `http://127.0.0.1:${PORTS.staff}` });

test("an employee is added by form, with every kind of field", async ({ page }) => {
  await signIn(page);
  await page.getByRole("link", { name: "New employee" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Adaeze Okafor");
  await page.getByRole("textbox", { name: "Age" }).fill("41");
  await page.getByLabel("Hired at").fill("2026-01-31T08:30:00");
  await page.getByLabel("Permanent").selectOption("Yes");
  await page.getByLabel("Location").selectOption("Kraków");
  await page.getByLabel("Birthday").fill("1985-06-30");
  await page.getByRole("textbox", { name: "Salary" }).fill("4150.50");
  await page.getByRole("textbox", { name: "Badge" }).fill("NL-0042");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Adaeze Okafor" })).toBeVisible();
  const [employee] = await (await openApi(PORTS.staff)).all("employees", "adaeze");
  expect(employee).toMatchObject({
    age: 41,
    permanent: true,
    location: "Kraków",
    birthday: "1985-06-30",
    salary: "4150.5",
    badge: "NL-0042",
    hiredatetime: "2026-01-31T07:30:00.000Z", // the browser is in Amsterdam
  });
});

test("an employee whose badge is taken is refused in a file, and the others are stored", async ({ page }) => {
  await signIn(page, "/employees/upload");
  await check(
    page,
    "employees.csv",
    "id;name;age;Hired at;permanent;location;badge\n5001;Ana Poe;30;2026-01-01T00:00:00Z;TRUE;Lagos;LA-0001\n5002;Bo Poe;31;;false;Seoul;LA-0001\n5003;Cy Poe;12;;true;;\n",
  );
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(1);
  expect(await reported(page, "Failed")).toBe(1);
  expect(await reported(page, "Not sent")).toBe(1);
});

test("a user who goes through every field without typing changes nothing", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  const hired = { hiredatetime: "2026-01-31T08:30:00Z", birthday: "1985-06-30" };
  const { json } = await api.call("POST", "/employees", { name: "Tabbed Through", permanent: true, salary: 4150.5, ...hired });
  await signIn(page, `/employees/${json.id}`);
  await page.getByRole("textbox", { name: "Name" }).focus();
  for (let i = 0; i < 24; i++) await page.keyboard.press("Tab"); // a date input has several tab stops
  await expect(page.getByText("Unsaved changes")).toBeHidden();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Employees" })).toBeVisible();
});
