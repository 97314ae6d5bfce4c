// Records that refer to others: the picker, the names in place of numbers, and what hangs below a parent.

import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { hold } from "./support/hold-requests.ts";
import { PORTS } from "./support/ports.ts";
import { openApi, type Row, saveBy, signIn, unique } from "./support/service.ts";

test.use({ baseURL: `http://127.0.0.1:${PORTS.orders}` });

/** Stores a record and answers its key. */
async function made(collection: string, record: Row): Promise<number> {
  const { status, json } = await (await openApi(PORTS.orders)).call("POST", `/${collection}`, record);
  expect(status, JSON.stringify(json)).toBe(201);
  return Number(json.objectId);
}

const customer = (name: string, city?: string) => made("customers", { name, accountNumber: unique(), ...(city && { city }) });
const order = (customerId: number, more: Row = {}) => made("orders", { customerId, orderNumber: unique(), ...more });
const now = async (collection: string, id: number) => (await (await openApi(PORTS.orders)).call("GET", `/${collection}/${id}`)).json;
const picker = (within: Page | Locator, name = "Customer") => within.getByRole("combobox", { name, exact: true });

test("an order is entered by keyboard alone: the customer is found by the beginnings of words, and Tab takes the one that is seen", async ({
  page,
}) => {
  const word = unique();
  const name = `Bäckerei Ångström ${word}`;
  const id = await customer(name, "Utrecht");
  await signIn(page, "/orders/new");
  await expect(picker(page)).toBeFocused();
  await page.keyboard.type(`angst ${word}`);
  await expect(page.getByRole("option", { name: new RegExp(name) })).toHaveAttribute("aria-selected", "true");
  await expectNoFaults(page);
  await page.keyboard.press("Tab");
  await expect(picker(page)).toHaveValue(name);
  await expect(picker(page, "Contact")).toBeFocused();
  const orderNumber = unique();
  await page.getByLabel("Order number").fill(orderNumber);
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByRole("heading", { name: orderNumber })).toBeVisible();
  await expect(picker(page)).toHaveValue(name);
  expect((await (await openApi(PORTS.orders)).all("orders", orderNumber)).map(({ customerId }) => customerId)).toEqual([id]);
  await page.getByRole("link", { name: `Open ${name}` }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
});

test("a name that reads from the right leaves the room of the button that clears it", async ({ page }) => {
  const id = await order(await customer(`حسن ${unique()}`));
  await signIn(page, `/orders/${id}`);
  await expect(picker(page)).toHaveValue(/حسن/);
  await expect(page.getByRole("button", { name: /^Clear حسن/ })).toBeVisible();
  expect(await picker(page).evaluate((one) => [getComputedStyle(one).direction, getComputedStyle(one).paddingRight])).toEqual([
    "rtl",
    "32px",
  ]);
});

test("the list of the picker stays on the screen of a phone", async ({ page }) => {
  const word = unique();
  await made("customers", { name: `Wholesalers of the northern provinces ${word}`, accountNumber: unique(), city: "Noordoostpolder" });
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, "/orders/new");
  await picker(page).fill(word);
  const option = page.getByRole("option", { name: /^Wholesalers/ });
  await expect(option).toBeVisible();
  const { x = 0, width = 390 } = (await option.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(390);
});

test("a key that is typed is the record with that key, and a key that nobody has is refused at the field", async ({ page }) => {
  const name = `Keytyped ${unique()}`;
  const id = await customer(name);
  await signIn(page, "/orders/new");
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/v1/customers?") && asked.push(request.url()));
  await picker(page).fill(String(id));
  const searches = () => asked.filter((url) => url.includes(`q=${id}`)).length;
  await expect.poll(searches).toBe(1); // the record that was changed last is offered before anything is searched
  await expect(page.getByRole("option", { name: new RegExp(name) })).toHaveAttribute("aria-selected", "true");
  await page.getByLabel("Order number").focus();
  await expect(picker(page)).toHaveValue(name);
  expect(asked.filter((url) => url.includes("objectId="))).toEqual([]);
  expect(searches()).toBe(1); // one request says both: the key, and what is found
  await picker(page).fill("987654321");
  await page.getByLabel("Order number").fill(unique());
  await expect(page.getByText("There is no customer 987654321")).toBeVisible();
  await picker(page).fill("no such customer");
  await page.getByLabel("Order number").focus();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Customer: choose one from the list.");
  await expect(picker(page)).toHaveValue("no such customer");
  await expectNoFaults(page);
});

test("who types and goes on before the service answers gets the only record that fits", async ({ page }) => {
  const word = unique();
  const name = `Hurried Quartz ${word}`;
  await customer(name);
  await signIn(page, "/orders/new");
  await picker(page).pressSequentially(`hurried quartz ${word}`);
  await page.keyboard.press("Tab");
  await expect(picker(page)).toHaveValue(name);
});

test("a customer who is missing is made in place, and the order that is being entered stays as it is", async ({ page }) => {
  await signIn(page, "/orders/new");
  const orderNumber = unique();
  await page.getByLabel("Order number").fill(orderNumber);
  const name = `Neu & Söhne ${unique()}`;
  await picker(page).fill(name);
  await page.getByRole("option", { name: `New customer “${name}”…` }).click();
  const dialog = page.getByRole("dialog", { name: "New customer" });
  await expect(dialog.getByLabel("Name")).toHaveValue(name);
  await expect(dialog.getByLabel("Account number")).toBeFocused();
  await expectNoFaults(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter the account number.");
  await dialog.getByLabel("Account number").fill(unique());
  await page.keyboard.press("ControlOrMeta+s");
  await expect(dialog).toBeHidden();
  await expect(picker(page)).toHaveValue(name);
  await expect(picker(page)).toBeFocused();
  await expect(page.getByLabel("Order number")).toHaveValue(orderNumber);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: orderNumber })).toBeVisible();
});

test("the list has the parents' names as links, with its own request, and is filtered by picking one", async ({ page }) => {
  const word = unique();
  const [listedOne, listedTwo] = [`Listed One ${word}`, `Listed Two ${word}`];
  const [first, second] = [await customer(listedOne), await customer(listedTwo)];
  const orders = [await order(first), await order(first), await order(second)];
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/v1/customers?") && asked.push(request.url()));
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
  await signIn(page, `/orders?objectId[in]=${orders.join()}`);
  const table = page.getByRole("table", { name: "Orders" });
  await expect(table.getByRole("link", { name: listedOne })).toHaveCount(2);
  await expect(table.getByRole("link", { name: listedTwo })).toHaveAttribute("href", new RegExp(`/customers/${second}$`));
  expect(asked).toEqual([]);
  for (const row of [0, 1, 2]) {
    await page.keyboard.press("j"); // to the next order, not to its customer
    await expect(table.locator("tbody tr").nth(row).getByRole("link").first()).toBeFocused();
  }
  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as CSV" }).click()]);
  const [heading, ...rows] = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(heading?.split(",")).toContain("customer.name");
  expect(rows.filter((row) => row.includes(listedOne))).toHaveLength(2);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Filter" });
  await panel.getByLabel("Field").selectOption("Customer");
  await panel.getByRole("combobox", { name: "Value" }).fill(`${word} listed tw`);
  await page.getByRole("option", { name: new RegExp(listedTwo) }).click();
  await panel.getByRole("button", { name: "Add filter" }).click();
  await expect(page.getByRole("list", { name: "Filters" })).toContainText(`Customer is ${listedTwo}`);
  await expect(table.getByRole("link", { name: listedOne })).toHaveCount(0);

  // The list is filtered by a field of the parent, too, which the address has as the service does.
  await page.getByRole("button", { name: `Remove filter Customer is ${listedTwo}` }).click();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await panel.getByLabel("Field").selectOption("Customer: Name");
  await panel.getByLabel("Condition").selectOption("starts with");
  await panel.getByLabel("Value").fill("listed one");
  await panel.getByRole("button", { name: "Add filter" }).click();
  await expect(page.getByRole("list", { name: "Filters" })).toContainText("Customer: Name starts with listed one");
  await expect(page).toHaveURL(/customer\.name%5Bprefix%5D=listed/);
  await expect(table.getByRole("link", { name: listedOne })).toHaveCount(2);
  await expect(table.getByRole("link", { name: listedTwo })).toHaveCount(0);

  // A filter that the app has no words for narrows the list in sight, and goes by one press.
  const ways = `or[0].customer.name=${encodeURIComponent(listedTwo)}&or[1].customer.name=nobody`;
  await signIn(page, `/orders?objectId[in]=${orders.join()}&${ways}`);
  await expect(table.getByRole("link", { name: listedTwo })).toHaveCount(1);
  await expect(table.getByRole("link", { name: listedOne })).toHaveCount(0);
  await page.getByRole("button", { name: `Remove filter or[0].customer.name=${listedTwo}` }).click();
  await expect(page.getByRole("list", { name: "Filters" })).toContainText("or[1].customer.name=nobody");
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page.getByRole("list", { name: "Filters" })).toHaveCount(0);
  await expectNoFaults(page);
});

test("a phone's card shows the status of an order, beside the time of its last change", async ({ page }) => {
  const name = unique();
  await order(await customer(`Card ${name}`), { orderNumber: name, status: "delivered", total: "12.50" });
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, `/orders?q=${name}`);
  const card = page.getByRole("row").filter({ hasText: name });
  await expect(card.getByText("Delivered")).toBeVisible();
  await expect(card.getByText("12.50")).toBeHidden();
  const middle = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().y + element.clientHeight / 2);
  expect(Math.abs((await middle(card.getByText("Delivered"))) - (await middle(card.getByRole("time"))))).toBeLessThan(8);
});

test("a search in orders for a customer's name leads to the customer", async ({ page }) => {
  const name = `Sought ${unique()}`;
  await order(await customer(name));
  await signIn(page, `/orders?q=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: "Search customers for it" }).click();
  await expect(page.getByRole("table", { name: "Customers" }).getByRole("link", { name })).toBeVisible();
});

test("a list whose first column is a reference opens the record by its parent's name", async ({ page }) => {
  const name = `First Column ${unique()}`;
  const id = await order(await customer(name));
  await signIn(page, `/orders?objectId=${id}&columns=customerId,orderNumber`);
  await page.getByRole("rowheader").getByRole("link", { name }).click();
  await expect(page).toHaveURL(new RegExp(`/orders/${id}$`));
});

test("many orders get another customer, who is picked in the dialog, and undo gives each its own back", async ({ page }) => {
  const [before, after] = [`Bulkfirst ${unique()}`, `Bulksecond ${unique()}`];
  const [first, second] = [await customer(before), await customer(after)];
  const orders = [await order(first), await order(first), await order(first)];
  await signIn(page, `/orders?objectId[in]=${orders.join()}`);
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  await page.getByRole("button", { name: "Change…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Field", { exact: true }).selectOption("Customer");
  await picker(dialog, "New value").fill(after);
  await page.getByRole("option", { name: after }).click();
  await expectNoFaults(page);
  await dialog.getByRole("button", { name: "Show what would change" }).click();
  await expect(dialog.getByRole("listitem").filter({ hasText: `${before} → ${after}` })).toHaveCount(3);
  await dialog.getByRole("button", { name: "Change 3 orders" }).click();
  await expect(page.getByText("3 orders are changed.")).toBeVisible();
  const owners = async () => Promise.all(orders.map(async (id) => (await now("orders", id)).customerId));
  expect(await owners()).toEqual([second, second, second]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("3 orders are restored.")).toBeVisible();
  expect(await owners()).toEqual([first, first, first]);
});

test("in a row that is edited in its place another customer is picked", async ({ page }) => {
  const word = unique();
  const [rowfirst, rowsecond] = [`Rowfirst ${word}`, `Rowsecond ${word}`];
  const [first, second] = [await customer(rowfirst), await customer(rowsecond)];
  const id = await order(first);
  await signIn(page, `/orders?objectId=${id}`);
  await page.locator("tr[data-id] a").first().focus();
  await page.keyboard.press("F2");
  await expect(page.getByRole("textbox", { name: "Order number" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(picker(page)).toBeFocused();
  await page.keyboard.type(`${word} rowsec`);
  await expect(page.getByRole("option", { name: new RegExp(rowsecond) })).toBeVisible();
  await expectNoFaults(page);
  await page.keyboard.press("Enter");
  await expect(picker(page)).toHaveValue(rowsecond);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table").getByRole("link", { name: rowsecond })).toBeVisible();
  expect(await now("orders", id)).toMatchObject({ customerId: second, version: 2 });
});

test("the history of an order names its customers", async ({ page }) => {
  const [beforeLtd, afterLtd] = [`Before Ltd ${unique()}`, `After Ltd ${unique()}`];
  const [first, second] = [await customer(beforeLtd), await customer(afterLtd)];
  const id = await order(first);
  await (await openApi(PORTS.orders)).call("PATCH", `/orders/${id}`, { customerId: second });
  await signIn(page, `/orders/${id}`);
  await expect(page.getByLabel("What changed in version 2")).toHaveText(`CustomerBefore ${beforeLtd} → After ${afterLtd}`);
});

test("a customer's page has the contacts and orders below it as tabs with their numbers, and typed text stays behind them", async ({
  page,
}) => {
  const name = `Tabbed ${unique()}`;
  const id = await customer(name);
  const contact = await made("contacts", { customerId: id, name: "Anna Tab" });
  for (let i = 0; i < 3; i++) await order(id, { contactId: contact });
  await page.setViewportSize({ width: 1024, height: 800 });
  await signIn(page, `/customers/${id}`);
  const tabs = page.getByRole("navigation", { name: "Parts of the customer" });
  await expect(tabs.getByRole("link")).toHaveText(["Details", "Contacts 1", "Orders 3"]);
  await page.getByLabel("City").fill("typed");
  await tabs.getByRole("link", { name: "Orders" }).click();
  const table = page.getByRole("table", { name: "Orders" });
  await expect(table.getByRole("link", { name: "Anna Tab" })).toHaveCount(3);
  await expect(page.getByLabel("City")).toBeHidden();
  await expectNoFaults(page);
  await page.goBack();
  await expect(page.getByLabel("City")).toHaveValue("typed");
  await tabs.getByRole("link", { name: "Orders" }).click();
  const toList = page.getByRole("link", { name: "Show in the list" });
  const { text, line } = await toList.evaluate((link) => {
    const range = new Range();
    range.selectNodeContents(link);
    return { text: range.getBoundingClientRect().right, line: link.parentElement?.getBoundingClientRect().right ?? 0 };
  });
  expect(Math.abs(text - line)).toBeLessThan(2); // it ends where the table does
  await toList.click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("list", { name: "Filters" })).toContainText(`Customer is ${name}`);
  await expect(page.locator("footer").getByText("3 orders")).toBeVisible();
});

test("an order is made below a customer, one after the other, and the way back leads to the customer", async ({ page }) => {
  const name = `Below ${unique()}`;
  const id = await customer(name);
  await signIn(page, `/customers/${id}?show=orders`);
  await expect(page.getByText("No orders yet")).toBeVisible();
  await page.getByRole("link", { name: "New order" }).click();
  await expect(picker(page)).toHaveValue(name);
  await expect(picker(page, "Contact")).toBeFocused();
  await page.getByLabel("Order number").fill(unique());
  await saveBy(page, "Save and add another");
  await expect(page.getByLabel("Order number")).toHaveValue("");
  await expect(picker(page)).toHaveValue(name);
  await page.getByLabel("Order number").fill(unique());
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page.getByRole("table", { name: "Orders" }).getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("link", { name: "Orders 2" })).toHaveAttribute("aria-current", "page");
});

test("a file that is uploaded below a customer needs no column for it", async ({ page }) => {
  const name = `Uploaded below ${unique()}`;
  const id = await customer(name);
  await signIn(page, `/customers/${id}?show=orders`);
  await page.getByRole("link", { name: "Upload orders" }).click();
  await expect(page.getByText(`All orders of the file get ${name} as “Customer”.`)).toBeVisible();
  const buffer = Buffer.from(`orderNumber,total\n${unique()},10.50\n${unique()},7\n`);
  await page.getByLabel("CSV file").setInputFiles({ name: "orders.csv", mimeType: "text/csv", buffer });
  await expect(page.getByText(`Customer is “${id}” in every row`)).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const { json } = await (await openApi(PORTS.orders)).call("GET", `/orders?customerId=${id}&sort=total`);
  expect((json.orders as Row[]).map(({ total }) => total)).toEqual(["7", "10.5"]);
});

test("a file that is uploaded below a customer and names customers itself keeps its own", async ({ page }) => {
  const [id, other] = [await customer("Around"), await customer("Named in the file")];
  const { accountNumber } = await now("customers", other);
  await signIn(page, `/orders/upload?customerId=${id}`);
  const [first, second] = [unique(), unique()];
  const buffer = Buffer.from(`orderNumber,customer.accountNumber\n${first},${accountNumber}\n${second},${accountNumber}\n`);
  await page.getByLabel("CSV file").setInputFiles({ name: "orders.csv", mimeType: "text/csv", buffer });
  await expect(page.getByText("The file has a column “Customer: Account number” of its own.")).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const { json } = await (await openApi(PORTS.orders)).call("GET", `/orders?customerId=${other}&sort=objectId`);
  expect((json.orders as Row[]).map(({ orderNumber }) => orderNumber)).toEqual([first, second]);
});

test("a column of a file below a customer that is matched by hand names the customers alone", async ({ page }) => {
  const [given, named] = [`Given ${unique()}`, `Named ${unique()}`];
  const [id, other] = [await customer(given), await customer(named)];
  const { accountNumber } = await now("customers", other);
  await signIn(page, `/orders/upload?customerId=${id}`);
  const orderNumber = unique();
  const buffer = Buffer.from(`orderNumber,Whose\n${orderNumber},${accountNumber}\n`);
  await page.getByLabel("CSV file").setInputFiles({ name: "orders.csv", mimeType: "text/csv", buffer });
  await expect(page.getByText(`All orders of the file get ${given} as “Customer”.`)).toBeVisible();
  await page.getByRole("combobox", { name: "Field for Whose" }).selectOption({ label: "Customer: Account number" });
  await expect(page.getByText("The file has a column “Customer: Account number” of its own.")).toBeVisible();
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect((await (await openApi(PORTS.orders)).all("orders", orderNumber)).map(({ customerId }) => customerId)).toEqual([other]);
});

test("a customer with orders is not deleted, and the notice leads to them", async ({ page }) => {
  const name = `Held ${unique()}`;
  const id = await customer(name);
  for (let i = 0; i < 2; i++) await order(id);
  await signIn(page, `/customers/${id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("alert")).toContainText(`${name} cannot be deleted: other records refer to it.`);
  await expectNoFaults(page);
  await page.getByRole("alert").getByRole("link", { name: "2 orders" }).click();
  await expect(page.getByRole("list", { name: "Filters" })).toContainText(`Customer is ${name}`);
  expect(await now("customers", id)).toMatchObject({ name });
});

test("deleting a customer says beforehand which contacts go with it, and one on whom nothing depends goes at once", async ({ page }) => {
  const [freely, cascading] = [`Freely ${unique()}`, `Cascading ${unique()}`];
  const [free, id] = [await customer(freely), await customer(cascading)];
  for (const name of ["Ann", "Bob"]) await made("contacts", { customerId: id, name });
  await signIn(page, `/customers/${id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${cascading}?` });
  await expect(dialog).toContainText("2 contacts are deleted with it.");
  await expectNoFaults(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await now("customers", id)).toMatchObject({ name: cascading });
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(`${cascading} is deleted.`)).toBeVisible();
  await signIn(page, `/customers/${free}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(`${freely} is deleted.`)).toBeVisible();
});

test("an order that is made while its customer is being deleted forbids it, and the page says so", async ({ page }) => {
  const name = `Raced ${unique()}`;
  const id = await customer(name);
  await signIn(page, `/customers/${id}`);
  const deletion = await hold(page, `**/v1/customers/${id}`, (request) => request.method() === "DELETE");
  await page.getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => deletion.count).toBe(1); // nothing refers to it yet, so it is deleted at once
  await order(id);
  const refused = page.waitForResponse((response) => response.request().method() === "DELETE");
  deletion.letGo();
  expect(await (await refused).json()).toMatchObject({ status: 409, code: "IN_USE" });
  const alert = page.getByRole("alert");
  await expect(alert).toContainText(`${name} cannot be deleted: other records refer to it. 1 record of orders refers to this customer.`);
  await expect(alert.getByRole("link", { name: "1 order" })).toBeVisible();
  await expectNoFaults(page);
  expect(await now("customers", id)).toMatchObject({ name });
});

test("deleting a contact says that orders stay without it, and they do", async ({ page }) => {
  const customerId = await customer("Clearing");
  const contactId = await made("contacts", { customerId, name: "Cleared Contact" });
  const orders = [await order(customerId, { contactId }), await order(customerId, { contactId })];
  await signIn(page, `/contacts/${contactId}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Cleared Contact?" });
  await expect(dialog).toContainText("2 orders stay without “Contact”.");
  await expectNoFaults(page);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Cleared Contact is deleted.")).toBeVisible();
  for (const id of orders) expect(await now("orders", id)).toMatchObject({ contactId: null, customerId, version: 2 });
});
