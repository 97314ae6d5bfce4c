// A dictionary of devices, for tests that bring a service of their own.

import { expect, type Page } from "@playwright/test";
import { ADMIN_KEY } from "./service.ts";

/** A field of text with a German title, unless `more` says otherwise. */
export const field = (name: string, title: string, german: string, more: object = {}) => ({
  ...{ name, title, type: "string", translations: { de: { title: german } } },
  ...more,
});

/** `fields`: those behind the key and the name. `others`: further collections. */
export function devicesWith(fields: readonly object[], others: readonly object[] = []): object {
  const name = field("name", "Name", "Name", { constraints: { required: true } });
  const devices = {
    name: "devices",
    title: "Devices",
    singular: "device",
    noun: "device",
    translations: { de: { title: "Geräte", noun: "Gerät" } },
    label: ["name"],
    schema: { primaryKey: "id", fields: [field("id", "ID", "Nummer", { type: "integer" }), name, ...fields] },
  };
  return { title: "Equipment", resources: [devices, ...others] };
}

/** Signs in with the key of the administrator, at an address of any service. */
export async function signInAt(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("textbox", { name: /API key|API-Schlüssel/ }).fill(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation").first()).toBeVisible();
}
