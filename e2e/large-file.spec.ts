// 100,000 rows go through the page, and every one of them is read back.

import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { customerRows, writeCustomersFile } from "../bench/support/customers.ts";
import { PORTS } from "./support/ports.ts";
import { openApi, reported, signIn } from "./support/service.ts";

const ROWS = 100_000;

test.use({ baseURL: `http://127.0.0.1:${PORTS.large}` });

test("a file of 100,000 rows reads back row for row", async ({ page }) => {
  test.setTimeout(180_000);
  const file = join(tmpdir(), `intake-${process.pid}-${ROWS}.csv`);
  await writeCustomersFile(file, ROWS);
  await signIn(page, "/customers/upload");
  await page.getByLabel("CSV file").setInputFiles(file);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click({ timeout: 60_000 });
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 120_000 });
  await rm(file);
  expect(await reported(page, "Created")).toBe(ROWS);
  expect(await reported(page, "Rows read")).toBe(ROWS);

  const stored = (await (await openApi(PORTS.large)).all("customers")).values();
  let row = 0;
  for (const [objectId, firstName, lastName, accountID] of customerRows(ROWS)) {
    const record = stored.next().value;
    // Compared without expect, which would take a minute for all rows.
    const isSame =
      String(record?.objectId) === objectId &&
      (record?.firstName ?? "") === firstName.normalize("NFC") &&
      record?.lastName === lastName.normalize("NFC") &&
      record?.accountID === accountID;
    row += 1;
    if (!isSame) expect({ row, ...record }).toEqual({ row, objectId, firstName, lastName, accountID });
  }
  expect(stored.next().done).toBe(true);
});
