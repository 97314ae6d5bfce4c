// Somebody whose rights are about some records uploads a file with others: the preview says so before anything is sent.

import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { PORTS } from "./support/ports.ts";
import { check, openApi, type Row, reported, signIn, unique } from "./support/service.ts";

test.use({ baseURL: `http://127.0.0.1:${PORTS.orders}` });

test("rows of records that one may not change are named before the upload, and the others are stored", async ({ page }) => {
  const api = await openApi(PORTS.orders);
  const word = unique();
  const ids: number[] = [];
  for (const city of ["Bonn", "Kiel", "Kiel", "Bonn"]) {
    const { json, status } = await api.call("POST", "/customers", { name: `Fox ${word}`, accountNumber: unique(), city });
    expect(status).toBe(201);
    ids.push(Number(json.objectId));
  }
  const conditions = { customers: { update: { where: "city=Bonn" } } };
  const role = await api.call("POST", "/roles", { name: `Branch ${word}`, scope: "customers:read customers:update", conditions });
  const key = await api.call("POST", "/keys", { name: `Branch ${word}`, roles: [role.json.id] });
  expect([role.status, key.status], JSON.stringify([role.json, key.json])).toEqual([201, 201]);
  await signIn(page, "/customers/upload", String(key.json.key));
  await check(page, "branch.csv", `objectId,name\n${ids.map((id) => `${id},Changed ${word}`).join("\n")}\n`);
  await expect(page.getByText(new RegExp(`Your role “Branch ${word}” lets you change only records with city=Bonn`)).first()).toBeVisible();
  await expectNoFaults(page);
  const now = async (id: number): Promise<Row> => (await api.call("GET", `/customers/${id}`)).json;
  expect((await now(ids[0] as number)).name).toBe(`Fox ${word}`);
  await page.getByRole("button", { name: "Upload 2 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Updated")).toBe(2);
  const names = await Promise.all(ids.map(async (id) => (await now(id)).name));
  expect(names).toEqual([`Changed ${word}`, `Fox ${word}`, `Fox ${word}`, `Changed ${word}`]);
});
