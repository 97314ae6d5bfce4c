// People of whom some may be stored twice: what is compared of them, and a service of its own that has them.

import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type OwnService, startService } from "./own-service.ts";

export const field = (name: string, title: string, de: string, more: object = {}) => ({
  name,
  title,
  translations: { de: { title: de } },
  ...more,
});

export const PEOPLE = {
  name: "people",
  singular: "person",
  noun: "person",
  title: "People",
  translations: { de: { title: "Personen", noun: "Person" } },
  label: ["firstName", "lastName"],
  match: {
    comparisons: [
      { fields: ["firstName", "lastName"], as: "name", weight: 6, unlike: 3 },
      { fields: ["phone"], as: "phone", weight: 5 },
      { fields: ["born"], as: "date", weight: 4, unlike: 2 },
    ],
    same: 9,
    maybe: 5,
  },
  schema: {
    fields: [
      field("id", "Number", "Nummer", { type: "integer" }),
      field("firstName", "First name", "Vorname"),
      field("lastName", "Last name", "Nachname", { constraints: { required: true } }),
      field("phone", "Phone", "Telefon", { format: "phone" }),
      field("born", "Born on", "Geboren am", { type: "date" }),
      field("city", "City", "Ort"),
    ],
    primaryKey: ["id"],
  },
};

/** Starts a service whose dictionary has these collections. `name`: of its folder. */
export function serveCollections(name: string, ...resources: readonly object[]): Promise<OwnService> {
  return startService(async () => {
    const folder = join(tmpdir(), `intake-${name}-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "dictionary.json");
    writeFileSync(path, JSON.stringify({ resources }));
    return { DICTIONARY: path };
  });
}

/** Takes pictures of the page where PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  for (const width of [1280, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(process.env.PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  await page.setViewportSize({ width: 1280, height: 900 });
}
