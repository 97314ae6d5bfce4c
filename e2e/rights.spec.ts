// A person whose role hides a field and shows another one only: list, record, form, bulk change and file.

import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { invite, type OwnService, startService } from "./support/own-service.ts";
import { openApi, type Row } from "./support/service.ts";
import { test } from "./support/test.ts";

let service: OwnService;
let admin: Awaited<ReturnType<typeof openApi>>;
test.beforeAll(async () => {
  service = await startService(async () => ({}));
  admin = await openApi(service.port);
});
test.afterAll(() => service.remove());

async function enter(page: Page): Promise<void> {
  const conditions = { customers: { fields: { hidden: ["accountID"], readOnly: ["firstName"] }, export: false } };
  const role = await admin.call("POST", "/roles", { name: "Temp", scope: "customers:read customers:update customers:create", conditions });
  const { link } = await invite(service.port, "temp@example.org", String(role.json.id), "Tim Temp");
  await page.goto(link);
  await page.getByLabel("New password").fill("seven green kettles sing");
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page.getByRole("link", { name: "Uploads" })).toBeVisible();
}

test("what the role hides is nowhere, and what it only shows cannot be changed", async ({ page }) => {
  const { json } = await admin.call("POST", "/customers", { firstName: "Ada", lastName: "Fox", accountID: "planted-account" });
  const stored = async (): Promise<Row> => (await admin.call("GET", `/customers/${json.objectId}`)).json;
  await enter(page);
  const seen: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/v1/")) seen.push(await response.text().catch(() => ""));
  });
  await page.goto(`http://127.0.0.1:${service.port}/customers`);
  const link = page.getByRole("row", { name: /Fox/ }).getByRole("link").first();
  await expect(link).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Account ID" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Columns" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Export" })).toHaveCount(0);
  await link.click();
  const first = page.getByRole("textbox", { name: "First name" });
  await expect(first).toHaveValue("Ada");
  await expect(first).toHaveAttribute("readonly");
  await expect(first).toHaveAttribute("title", "Only to be seen with your rights.");
  await expect(page.getByText("Only to be seen with your rights.")).toBeVisible();
  await expect(page.getByLabel("Account ID")).toHaveCount(0);
  await expectNoFaults(page);
  await page.getByRole("textbox", { name: "Last name" }).fill("Wolf");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(async () => (await stored()).lastName).toBe("Wolf");
  expect(await stored()).toMatchObject({ firstName: "Ada", accountID: "planted-account" });
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.join("\n")).not.toContain("planted-account");
});

test("what the role masks is shown as a mask, says why, and stays as it is", async ({ page }) => {
  const { json } = await admin.call("POST", "/customers", { firstName: "Ada", lastName: "Mask", accountID: "planted-account-1234" });
  await signIn(page, "administrator", "Mia Boss");
  await page.goto(`http://127.0.0.1:${service.port}/settings/roles`);
  await page.getByRole("button", { name: "New role" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Desk");
  for (const right of ["Read", "Change"]) await page.getByRole("checkbox", { name: `Customers: ${right}` }).check();
  await page.getByText("Nothing left out").first().click();
  await page.getByLabel("Customers: Account ID").selectOption("Masked");
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Desk is saved.")).toBeVisible();
  const roles = (await admin.call("GET", "/roles")).json.roles as unknown as { id: string; name: string; conditions: object }[];
  const masking = roles.find(({ name }) => name === "Desk");
  expect(masking?.conditions).toEqual({ customers: { fields: { masked: ["accountID"] } } });
  await page.context().clearCookies();
  await signIn(page, String(masking?.id), "Dee Desk");
  await page.goto(`http://127.0.0.1:${service.port}/customers`);
  const row = page.getByRole("row", { name: /Mask/ });
  await expect(row).toContainText("••••1234");
  await expect(page.getByRole("columnheader", { name: "Account ID" }).getByRole("button")).toHaveCount(0);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByLabel("Field").getByRole("option", { name: "Account ID" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await row.getByRole("link").first().click();
  const account = page.getByRole("textbox", { name: "Account ID" });
  await expect(account).toHaveValue("••••1234");
  await expect(account).toHaveAttribute("readonly");
  await expect(page.getByText("Masked: your rights do not show this value. It stays as it is.")).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole("textbox", { name: "First name" }).fill("Ida");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const stored = async () => (await admin.call("GET", `/customers/${json.objectId}`)).json;
  await expect.poll(async () => (await stored()).firstName).toBe("Ida");
  expect((await stored()).accountID).toBe("planted-account-1234");
});

test("an administrator is told what a person may do and why, and looks at the app with their eyes", async ({ page }) => {
  const role = await admin.call("POST", "/roles", {
    name: "Looked at",
    scope: "customers:read customers:update",
    conditions: { customers: { read: { where: "lastName[in]=Seen,Other" }, fields: { hidden: ["firstName"], masked: ["accountID"] } } },
  });
  const newCustomer = async (lastName: string) =>
    Number(
      (await admin.call("POST", "/customers", { firstName: "planted-first", lastName, accountID: "planted-account-9876" })).json.objectId,
    );
  const [seen, unseen] = [await newCustomer("Seen"), await newCustomer("Unseen")];
  await invite(service.port, "lena@example.org", String(role.json.id), "Lena Looked");
  await signIn(page, "administrator", "Wanda Boss");
  const origin = `http://127.0.0.1:${service.port}`;
  await page.goto(`${origin}/settings/people`);
  await page.getByRole("button", { name: "Change Lena Looked" }).click();
  await page.getByRole("link", { name: "What may this person do?" }).click();
  await page.getByLabel("Record").fill(String(unseen));
  const rights = page.getByRole("table", { name: "Rights" });
  await expect(rights).toContainText("“Looked at” gives this right only for records with lastName[in]=Seen,Other; this is none.");
  await page.getByLabel("Record").fill(String(seen));
  await expect(rights).toContainText("this is one.");
  await expect(page.getByRole("table", { name: "Fields" })).toContainText("Masked by “Looked at”");
  await expectNoFaults(page);

  await page.goto(`${origin}/customers/${seen}`);
  await expect(page.getByRole("textbox", { name: "Account ID" })).toHaveValue("planted-account-9876");
  await page.goto(`${origin}/settings/people`);
  await page.getByRole("button", { name: "Change Lena Looked" }).click();
  await page.getByRole("button", { name: "Look at the app as this person" }).click();
  const banner = page.getByText("You look at the app as Lena Looked and change nothing meanwhile.");
  await expect(banner).toBeVisible();
  await expectNoFaults(page);
  await page.goto(`${origin}/customers`);
  await expect(page.getByRole("row", { name: /Seen/ })).toContainText("••••9876");
  await expect(page.getByRole("row", { name: /Unseen/ })).toHaveCount(0);
  await expect(banner).toBeVisible(); // it stays with each page
  expect(await kept(page)).not.toMatch(/planted-first|planted-account|Unseen/);
  await page.goto(`${origin}/customers/${seen}`);
  await page.getByRole("textbox", { name: "Last name" }).fill("typed while looking");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/You look at the app as Lena Looked and change nothing meanwhile\. End the view/).first()).toBeVisible();
  await expect.poll(() => kept(page)).toContain("typed while looking");

  await page.reload(); // the view outlasts it, and so does the banner
  await expect(banner).toBeVisible();
  await page.getByRole("button", { name: "End the view" }).click();
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Wanda Boss/ })).toBeVisible();
  expect(await kept(page)).not.toMatch(/typed while looking|••••|view /);
  await page.goto(`${origin}/customers/${seen}`);
  await expect(page.getByRole("textbox", { name: "Account ID" })).toHaveValue("planted-account-9876");
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("Seen");
  await expect(page.getByText("typed while looking")).toHaveCount(0);

  // Signing out of a view is its end: the administrator's own session goes on.
  await page.goto(`${origin}/settings/people`);
  await page.getByRole("button", { name: "Change Lena Looked" }).click();
  await page.getByRole("button", { name: "Look at the app as this person" }).click();
  await expect(banner).toBeVisible();
  await page.getByRole("button", { name: /^Lena Looked/ }).click();
  await page.getByRole("dialog", { name: "Account" }).getByRole("button", { name: "End the view" }).click();
  await expect(page.getByRole("button", { name: /^Wanda Boss/ })).toBeVisible();
});

/** Opens the app as a new person with this role. */
async function signIn(page: Page, role: string, name: string): Promise<void> {
  const { link } = await invite(service.port, `${name.split(" ")[0]?.toLowerCase()}@example.org`, role, name);
  await page.goto(link);
  await page.getByLabel("New password").fill("seven green kettles sing");
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page).not.toHaveURL(/welcome/);
}

/** All texts that the browser keeps of the page: what is drawn, local and session storage, and every value in IndexedDB. */
async function kept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const all: unknown[] = [document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }];
    for (const input of document.querySelectorAll("input, textarea")) all.push((input as HTMLInputElement).value);
    for (const { name = "" } of await indexedDB.databases()) {
      const db = await done(indexedDB.open(name));
      for (const store of db.objectStoreNames) all.push(await done(db.transaction(store).objectStore(store).getAll()));
      db.close();
    }
    return JSON.stringify(all);
  });
}

test("once the rights are narrower, nothing of before is left in the browser but what is typed for records still seen", async ({
  page,
}) => {
  const role = await admin.call("POST", "/roles", { name: "Branch", scope: "customers:read customers:update customers:create" });
  const [north, south] = await Promise.all(
    ["North", "South"].map(async (lastName) => {
      const body = { firstName: "Ada", lastName, accountID: `planted ${lastName}` };
      return Number((await admin.call("POST", "/customers", body)).json.objectId);
    }),
  );
  const { link } = await invite(service.port, "branch@example.org", String(role.json.id), "Bea Branch");
  await page.goto(link);
  await page.getByLabel("New password").fill("seven green kettles sing");
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page.getByRole("link", { name: "Uploads" })).toBeVisible();
  for (const [id, typed] of [
    [south, "typed for South"],
    [north, "typed for North"],
  ] as const) {
    await page.goto(`http://127.0.0.1:${service.port}/customers/${id}`);
    await page.getByRole("textbox", { name: "First name" }).fill(typed);
    await expect.poll(() => kept(page)).toContain(typed);
  }
  await page.getByRole("textbox", { name: "Account ID" }).fill("planted typed account");
  await expect.poll(() => kept(page)).toContain("planted typed account");
  expect(await kept(page)).toContain("planted South");
  const narrower = { customers: { read: { where: "lastName=North" }, fields: { hidden: ["accountID"] } } };
  expect((await admin.call("PATCH", `/roles/${role.json.id}`, { conditions: narrower })).status).toBe(200);
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange"))); // as when the tab is looked at again
    await expect(page.getByLabel("Account ID")).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await expect.poll(() => kept(page), { timeout: 15_000 }).not.toMatch(/planted|South/);
  // The form of before is gone from memory; what was typed for the record that is seen is offered again.
  expect(await kept(page)).toContain("typed for North");
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("North");
  await page.goto(`http://127.0.0.1:${service.port}/customers`);
  await expect(page.getByRole("row", { name: /North/ })).toBeVisible();
  expect(await kept(page)).not.toMatch(/planted|South/);

  // What was seen and is masked now leaves its mask, also in the form that is open.
  expect((await admin.call("PATCH", `/roles/${role.json.id}`, { conditions: null })).status).toBe(200);
  await page.goto(`http://127.0.0.1:${service.port}/customers/${north}`);
  await expect(page.getByLabel("Account ID")).toHaveValue("planted North");
  await page.getByRole("textbox", { name: "First name" }).fill("typed again for North");
  await expect.poll(() => kept(page)).toContain("typed again for North");
  const masking = { customers: { fields: { masked: ["accountID"] } } };
  expect((await admin.call("PATCH", `/roles/${role.json.id}`, { conditions: masking })).status).toBe(200);
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await expect(page.getByLabel("Account ID")).toHaveValue("••••orth", { timeout: 1_000 });
  }).toPass();
  await expect.poll(() => kept(page), { timeout: 15_000 }).not.toContain("planted");
  expect(await kept(page)).toContain("typed again for North");
});

test("a condition of a role is added on a phone, too, and nothing of it is out of reach", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { link } = await invite(service.port, "boss@example.org", "administrator", "Bo Boss");
  await page.goto(link);
  await page.getByLabel("New password").fill("seven green kettles sing");
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page).not.toHaveURL(/welcome/);
  await page.goto(`http://127.0.0.1:${service.port}/settings/roles`);
  await page.getByRole("button", { name: "Copy Viewer" }).click();
  await page.getByText("Nothing left out").click();
  await page.getByRole("button", { name: "Add a condition" }).click();
  await page.getByLabel("Condition", { exact: true }).selectOption("eq");
  await page.getByLabel("Compared with").selectOption("{me.email}");
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Apply the condition" }).press("Enter");
  await expect(page.getByText("Sees only Customers where")).toBeVisible();
  await page.getByLabel("Count for").selectOption("Bo Boss");
  await expect(page.getByText(/^Sees 0 of \d/)).toBeVisible();
  await expectNoFaults(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
