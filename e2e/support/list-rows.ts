import { expect, type Page } from "@playwright/test";
import { openApi } from "./service.ts";

export const names = (page: Page) => page.getByRole("table").getByRole("link");

/** Stores customers with one first name, so that a search for it finds these and no others. */
export async function enter(firstName: string, lastNames: string[], accountID = "B-1") {
  const api = await openApi();
  const made = lastNames.map((lastName) => ({ firstName, lastName, accountID }));
  const { status, json } = await api.call("POST", "/customers", made);
  expect(status).toBe(201);
  const records = json.customers as { objectId: number; version: number }[];
  return { api, records, stored: () => api.all("customers", firstName) };
}
