import { expect, test } from "@playwright/test";
import { holdBatches } from "./support/hold-requests.ts";
import {
  customersFile,
  expectEachOnce,
  expectReport,
  invite,
  MOVABLE_CLOCK,
  type OwnService,
  startService,
  startUpload,
} from "./support/own-service.ts";

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(async () => MOVABLE_CLOCK);
});
test.afterAll(() => service.remove());

test("an upload that lasts longer than the access token goes on by itself, and stores each row once", async ({ page }) => {
  await page.goto((await invite(service.port, "long@example.org", "editor", "Lena Long")).link);
  await page.getByLabel("New password").fill("seven green kettles sing");
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Lena Long");

  const refused: string[] = [];
  const renewed: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 401) refused.push(response.url());
    if (response.url().endsWith("/v1/sessions/refresh")) renewed.push(response.url());
  });
  const held = await holdBatches(page, 2);
  await page.getByRole("link", { name: "Upload a file" }).first().click();
  await startUpload(page, customersFile("Longlasting"));
  await expect.poll(() => held.count).toBeGreaterThan(0);
  service.setAhead();
  held.letGo();
  await expectReport(page);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(refused.length).toBeGreaterThan(0);
  expect(renewed).toHaveLength(1);
  await expectEachOnce(service, "Longlasting");
});
