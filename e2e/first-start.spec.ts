// From the set-up link of an empty service to a colleague who asked for access, all in the browser.

import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { test } from "./support/test.ts";

const PASSWORD = "seven green kettles sing";

let service: OwnService;
let origin: string;
test.beforeAll(async () => {
  service = await startService(async () => ({ ADMIN_KEY: "", SIGN_UP: "request" }));
  origin = `http://127.0.0.1:${service.port}`;
});
test.afterAll(() => service.remove());

async function setPassword(page: Page): Promise<void> {
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page.getByRole("heading", { name: /^Good (morning|afternoon|evening), / })).toBeVisible();
}

test("the set-up link makes the first administrator and signs them in; a colleague asks for access and gets it", async ({
  page,
  newBrowser,
}) => {
  const [link = ""] = /http:\S+\/welcome#\S+/.exec(service.output()) ?? [];
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Set up Intake" })).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.getByLabel("E-mail").fill("ada@example.org");
  await page.getByLabel("Your name").fill("Ada First");
  await setPassword(page);
  await page.reload();
  await expect(page.getByRole("heading", { name: /^Good (morning|afternoon|evening), / })).toBeVisible();
  await page.goto(`${origin}/settings/people`);
  await expect(page.getByRole("row", { name: "Ada First" })).toContainText("Administrator");
  await page.goto(`${origin}/settings/keys`);
  await expect(page.getByRole("row", { name: "First start" })).toBeVisible();
  await page.goto(`${origin}/settings/people`);

  const colleague = await newBrowser();
  await colleague.goto(link);
  await expect(colleague.getByRole("heading", { name: "This link cannot be used" })).toBeVisible();
  await colleague.goto(origin);
  await colleague.getByText("No account yet? Ask for access").click();
  const form = colleague.locator("form", { hasText: "Message" });
  await form.getByRole("button", { name: "Ask for access" }).click();
  await expect(form.getByLabel("Your e-mail address")).toBeFocused();
  await expectNoFaults(colleague);
  await form.getByLabel("Your e-mail address").fill("carl@example.org");
  await form.getByLabel("Your name").fill("Carl League");
  await form.getByLabel("Message").fill("I work\nwith Ada.");
  await form.getByRole("button", { name: "Ask for access" }).click();
  await expect(colleague.getByText("they send you a link")).toBeVisible(); // this service sends no mail

  await page.reload();
  await page.getByRole("link", { name: "Access requests (1)" }).click();
  await expect(page.getByRole("row", { name: "Carl League" })).toContainText("with Ada.");
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Approve Carl League" }).click();
  await page.getByRole("checkbox", { name: "Contributor" }).check();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await colleague.goto(await page.getByRole("textbox", { name: "Link" }).inputValue());
  await setPassword(colleague);
  await expect(colleague.getByRole("link", { name: "New customer" })).toBeVisible();
});
