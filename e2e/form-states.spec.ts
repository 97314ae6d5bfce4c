// axe finds no fault in any state of the form, light, dark or with forced colours, and every state fits the page.

import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { appearances, SCHEMES } from "./support/repetitions.ts";
import { openApi, signIn } from "./support/service.ts";

for (const { colours, width } of appearances([1280, 390], [...SCHEMES, "forced"] as const)) {
  test(`every state of the form passes axe, ${colours}, ${width} wide`, async ({ page }) => {
    await page.emulateMedia(colours === "forced" ? { forcedColors: "active" } : { colorScheme: colours });
    await page.setViewportSize({ width, height: 800 });
    page.on("dialog", (dialog) => dialog.accept());
    const api = await openApi();
    const { json } = await api.call("POST", "/customers", { firstName: "Märta", lastName: "Angstrom", accountID: "0073" });
    const [path, save] = [`/customers/${json.objectId}`, page.getByRole("button", { name: "Save", exact: true })];
    const type = (name: string, text: string) => page.getByRole("textbox", { name }).fill(text);
    const expectGood = async (state: string) => {
      expect([state, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([state, width]);
      await expectNoFaults(page);
    };

    await signIn(page, path);
    await expect(page.getByRole("heading", { name: "Märta Angstrom" })).toBeVisible();
    await expectGood("pristine");
    await type("Last name", "Ångström-Lind");
    await page.getByRole("button", { name: "1 change" }).click();
    await expectGood("dirty");
    await type("Account ID", "");
    await save.click();
    await expect(page.getByRole("alert")).toBeFocused();
    await expectGood("invalid");
    await type("Account ID", "0073");
    await api.call("PATCH", path, { lastName: "Ångström", accountID: "00073" });
    await save.click();
    await expect(page.getByText("You changed this customer elsewhere while you were editing.")).toBeVisible();
    await expectGood("conflict");
    await page.route(`**/v1${path}`, (route) => route.abort());
    await save.click();
    await expect(page.getByRole("alert")).toContainText("not clear yet");
    await expectGood("unknown");
    await page.unroute(`**/v1${path}`);
    await expect(page.getByRole("alert")).toContainText("not saved");
    await expectGood("unsaved");

    await page.route("**/v1/changes?*", (route) => route.abort()); // from here on the answers to requests say what others did
    await signIn(page, path);
    await expect(page.getByRole("region", { name: "Draft" })).toBeVisible();
    await expectGood("draft");
    await page.getByRole("button", { name: "Discard" }).click();
    await api.call("PATCH", path, { accountID: "1" });
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("button", { name: "Delete anyway" })).toBeVisible();
    await expectGood("delete");
    await page.getByRole("button", { name: "Keep it" }).click();
    await type("Account ID", "2");
    await api.call("DELETE", path);
    await save.click();
    await expect(page.getByRole("alert")).toContainText("deleted");
    await expectGood("gone");
    await page.getByRole("link", { name: "Cancel" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectGood("leaving");
    await page.getByRole("button", { name: "Leave" }).click();

    await api.call("POST", "/customers", { firstName: "Märta", lastName: "Angstrom", accountID: "0073" });
    await page.getByRole("link", { name: "New customer" }).click();
    await type("First name", "Märta");
    await type("Last name", "Angstrom");
    await expect(page.getByText("Possible duplicates")).toBeVisible();
    await expectGood("alike");
  });
}
