// A record beside its list, and a row that is edited without moving the others.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { enter, names } from "./support/list-rows.ts";
import { signIn } from "./support/service.ts";

const preview = (page: Page) => page.getByRole("complementary", { name: "Preview" });

test("Space shows the record beside the list, arrows and presses move it, Escape closes it", async ({ page }) => {
  const { api, records } = await enter("Previewed", ["Alpha", "Beta", "Gamma"]);
  await api.call("PATCH", `/customers/${records[1]?.objectId}`, { accountID: "B-2" });
  await signIn(page, "/customers?q=previewed&sort=lastName");
  await names(page).first().focus();
  await page.keyboard.press("Space");
  await expect(preview(page).getByRole("heading")).toHaveText("Previewed Alpha");
  await expect(names(page).first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(preview(page).getByRole("heading")).toHaveText("Previewed Beta");
  await expect(preview(page).getByRole("region", { name: "Last changes" })).toContainText("Account ID B-1 → B-2");
  await names(page).nth(2).click();
  await expect(preview(page).getByRole("heading")).toHaveText("Previewed Gamma");
  await expect(page).toHaveURL(/q=previewed/);
  await expectNoFaults(page);
  await page.setViewportSize({ width: 1000, height: 800 }); // no room beside the list
  await expect(preview(page)).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 800 });
  await names(page).nth(1).focus();
  await page.keyboard.press("Escape");
  await expect(preview(page)).toHaveCount(0);
  await expect(names(page).nth(1)).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Space");
  await expect(preview(page)).toHaveCount(0);
  await page.keyboard.press("Space");
  await expect(preview(page)).toBeVisible();
  await page.keyboard.press("e");
  await expect(page).toHaveURL(new RegExp(`/customers/${records[1]?.objectId}`));
  await page.goBack();
  await expect(names(page).first()).toBeVisible();
});

test("the button in the row under the pointer shows the record and hides it again, as Space does", async ({ page }) => {
  await enter("Pointed", ["Alpha", "Beta"]);
  await signIn(page, "/customers?q=pointed&sort=lastName");
  const button = (name: string) => page.getByRole("button", { name: `Preview of ${name}` });
  await expect(async () => {
    await page.mouse.move(0, 0);
    await page.getByRole("row", { name: "Beta" }).hover({ position: { x: 300, y: 15 } });
    await expect(button("Beta")).toBeVisible({ timeout: 500 });
  }).toPass(); // its code comes when the list is at rest
  await expect(button("Beta")).toHaveAttribute("title", "Preview (Space)");
  await expect(button("Alpha")).toHaveCount(0);
  await expectNoFaults(page);
  const edit = page.getByRole("row", { name: "Beta" }).getByTitle("Edit here (F2)");
  const [own, pencil] = [await button("Beta").boundingBox(), await edit.boundingBox()];
  expect((own?.x ?? 0) + (own?.width ?? 0)).toBeLessThanOrEqual(pencil?.x ?? 0);
  await button("Beta").click();
  await expect(preview(page).getByRole("heading")).toHaveText("Pointed Beta");
  await expect(names(page).nth(1)).toBeFocused();
  await page.getByRole("row", { name: "Alpha" }).hover({ position: { x: 300, y: 15 } });
  await button("Alpha").click();
  await expect(preview(page).getByRole("heading")).toHaveText("Pointed Alpha");
  await button("Alpha").click();
  await expect(preview(page)).toHaveCount(0);
  await page.mouse.move(0, 0);
  await names(page).nth(1).focus();
  await expect(button("Beta")).toBeVisible();
});

test("a row that is edited moves no other, its inputs are twelve letters wide, and Ctrl+Z takes it back", async ({ page }) => {
  const { stored } = await enter("Unmoved", ["A", "B", "C"], "1");
  await signIn(page, "/customers?q=unmoved&sort=lastName");
  const rows = page.locator("tr[data-id]");
  const places = async () => Promise.all([0, 1, 2].map(async (at) => (await rows.nth(at).boundingBox())?.y));
  const before = await places();
  await names(page).first().focus();
  await page.keyboard.press("F2");
  const account = page.getByRole("table").getByRole("textbox", { name: "Account ID" });
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeVisible();
  expect(await places()).toEqual(before);
  const room = await account.evaluate((input: HTMLInputElement) => {
    const { paddingLeft, paddingRight, font } = getComputedStyle(input);
    const canvas = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
    canvas.font = font;
    return (input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)) / canvas.measureText("0").width;
  });
  expect(room).toBeGreaterThanOrEqual(11.9);
  await account.fill("2");
  await page.keyboard.press("Enter");
  await expect(names(page).first()).toBeFocused();
  await expect.poll(async () => (await stored()).map(({ accountID }) => accountID).sort()).toEqual(["1", "1", "2"]);
  await page.keyboard.press("Control+z");
  await expect.poll(async () => (await stored()).map(({ accountID }) => accountID)).toEqual(["1", "1", "1"]);
  await expect(names(page).first()).toBeFocused();
});
