// Rows of the list that are edited in their place, by keyboard and by mouse.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { waitForDraft } from "./support/drafts.ts";
import { signIn, stored } from "./support/service.ts";

const row = (page: Page, id: number) => page.locator(`tr[data-id="${id}"]`);
const input = (page: Page, name: string) => page.getByRole("table").getByRole("textbox", { name, exact: true });

/** Shows the records that a word finds, the oldest first, with the focus in the first row. */
async function openList(page: Page, word: string): Promise<void> {
  await signIn(page, `/customers?q=${word}&sort=objectId&columns=lastName,firstName,accountID,updatedAt`);
  await expect(page.locator("tr[data-id]").first()).toBeVisible();
  await page.locator("tr[data-id] a").first().focus();
}

test("a run of rows is corrected by keyboard alone: F2, type, arrow down, type, Enter", async ({ page }) => {
  const first = await stored({ lastName: "Inplacerun", firstName: "Ana", accountID: "1" });
  const second = await stored({ lastName: "Inplacerun", firstName: "Bo", accountID: "2" });
  await openList(page, "inplacerun");
  await page.keyboard.press("F2");
  await expect(input(page, "Last name")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(input(page, "First name")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Anna");
  await page.keyboard.press("ArrowDown");
  await expect(input(page, "First name")).toHaveValue("Bo");
  await expect(input(page, "First name")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Bob");
  await page.keyboard.press("Enter");
  await expect(input(page, "First name")).toBeHidden();
  await expect(row(page, second.id)).toContainText("Bob");
  await expect(row(page, second.id).getByRole("link")).toBeFocused();
  expect(await first.now()).toMatchObject({ firstName: "Anna", lastName: "Inplacerun", accountID: "1", version: 2 });
  expect(await second.now()).toMatchObject({ firstName: "Bob", version: 2 });
});

test("a row whose text is wrong stays open, says what is wrong, and Escape drops the text until Undo brings it back", async ({ page }) => {
  const { id, now } = await stored({ lastName: "Inplacewrong", firstName: "Cy", accountID: "3" });
  await openList(page, "inplacewrong");
  await row(page, id).hover();
  await row(page, id).getByTitle("Edit here (F2)").click();
  await input(page, "Last name").fill("");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Enter the last name.");
  await expectNoFaults(page);
  await expect(input(page, "Last name")).toBeFocused();
  const edgeOf = (name: string) => input(page, name).evaluate((one) => getComputedStyle(one).borderTopColor);
  expect(await edgeOf("Last name")).not.toBe(await edgeOf("First name"));
  await input(page, "Last name").fill("Inplacewronged");
  await page.keyboard.press("Escape");
  await expect(row(page, id)).toContainText("Inplacewrong");
  await expect(page.getByText("What you typed for Cy Inplacewrong is dropped.")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(input(page, "Last name")).toHaveValue("Inplacewronged");
  await page.getByRole("table").getByRole("button", { name: "Save" }).click();
  await expect(row(page, id).getByRole("link", { name: "Inplacewronged" })).toBeFocused();
  expect(await now()).toMatchObject({ lastName: "Inplacewronged", firstName: "Cy" });
});

test("what somebody else changed meanwhile is merged, and a clash asks", async ({ page }) => {
  const { id, api, now } = await stored({ lastName: "Inplacemerge", firstName: "Di", accountID: "4" });
  await openList(page, "inplacemerge");
  await page.keyboard.press("F2");
  await input(page, "First name").fill("Dina");
  await api.call("PATCH", `/customers/${id}`, { accountID: "44", firstName: "Diana" });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table", { name: "Changes by someone else" })).toContainText("Diana");
  await page.getByRole("radio", { name: /Keep mine/ }).check();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(row(page, id)).toContainText("Dina");
  await expect(row(page, id).getByRole("link")).toBeFocused();
  await expect.poll(async () => (await now()).firstName).toBe("Dina");
  expect(await now()).toMatchObject({ accountID: "44", version: 3 });
});

test("leaving a row with unsaved text asks, and the text is offered on the record's page", async ({ page }) => {
  const { id } = await stored({ lastName: "Inplaceleave", firstName: "Ed", accountID: "5" });
  await openList(page, "inplaceleave");
  await page.keyboard.press("F2");
  await input(page, "First name").fill("Edda");
  await page.getByRole("link", { name: "Uploads" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Uploads" })).toBeVisible();
  await waitForDraft(page, "Edda");
  await signIn(page, `/customers/${id}`);
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Edda");
});
