// Webhooks in Settings: made with a secret that is shown once, tried out, followed, sent again, and switched off.

import { expect, type Page, test } from "@playwright/test";
import { isSignedWith, type Receiver, startReceiver } from "../server/testing/servers/webhook-receiver.ts";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { appearances, SCHEMES } from "./support/repetitions.ts";
import { openApi, signIn } from "./support/service.ts";

let service: OwnService;
let receiver: Receiver;
let address: string;
test.beforeAll(async () => {
  service = await startService(async () => ({ WEBHOOK_PRIVATE: "true" }));
  receiver = await startReceiver();
  address = `http://127.0.0.1:${service.port}/settings/webhooks`;
});
test.afterAll(async () => {
  await receiver.close();
  await service.remove();
});
test.beforeEach(async () => {
  const api = await openApi(service.port);
  for (const { id } of (await api.call("GET", "/webhooks")).json.webhooks as { id: string }[]) await api.call("DELETE", `/webhooks/${id}`);
  receiver.received.length = 0;
  receiver.answerWith((_, response) => void response.writeHead(204).end());
});

async function makeWebhook(page: Page): Promise<string> {
  await page.getByRole("button", { name: "New webhook" }).click();
  await expect(page.getByLabel("Address")).toBeFocused();
  await page.getByLabel("Address").fill(receiver.url);
  await page.getByRole("button", { name: "Create webhook" }).click();
  return page.getByRole("textbox", { name: "Secret" }).inputValue();
}

const section = (page: Page) => page.getByRole("region", { name: receiver.url });
const changeSomething = async () => (await openApi(service.port)).call("POST", "/customers", { lastName: "Ek", accountID: "w" });

test("a new webhook shows its secret once, is tried out, and sends what was chosen", async ({ page }) => {
  await signIn(page, address);
  await page.getByRole("button", { name: "New webhook" }).click();
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect(page.getByText("Enter an address such as https://example.org/intake.")).toBeVisible();
  await expect(page.getByLabel("Address")).toBeFocused();
  await page.getByLabel("Address").fill(receiver.url);
  await page.getByRole("checkbox", { name: "Every change" }).uncheck();
  await page.getByRole("checkbox", { name: "Deleted" }).uncheck();
  await page.getByRole("button", { name: "Create webhook" }).click();
  const secret = await page.getByRole("textbox", { name: "Secret" }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeFocused();
  await expect(page.locator(`input[value="${secret}"]`)).toHaveCount(0);
  await expect(section(page)).toContainText("All records · Created, Changed, Brought back, Erased");
  await expect(section(page)).toContainText("Working");

  await section(page).getByRole("button", { name: "Send a test" }).click();
  await expect(section(page).getByText("The test was accepted.")).toBeVisible();
  await changeSomething();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received.every((one) => isSignedWith(secret, one))).toBe(true);
  await section(page).getByText("What was sent in the last 7 days").click();
  await expect(section(page).getByRole("row", { name: /1 change .*Delivered/ })).toBeVisible();
  await section(page)
    .getByRole("row", { name: /1 change/ })
    .getByRole("button", { name: /^Send again: / })
    .click();
  await expect(page.getByText("The message was accepted: 204")).toBeVisible();
  expect(receiver.received[2]?.text).toBe(receiver.received[1]?.text);
  await section(page)
    .getByRole("row", { name: /1 change/ })
    .getByRole("button", { name: /^All from here on/ })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => receiver.received.length).toBe(4);
});

test("a receiver that refuses is shown with what it said; the webhook is switched off, on, given a new secret, and deleted", async ({
  page,
}) => {
  receiver.answerWith((_, response) => void response.writeHead(503, { "content-type": "text/plain" }).end("closed today"));
  await signIn(page, address);
  await makeWebhook(page);
  await page.getByRole("button", { name: "Done" }).click();
  await section(page).getByRole("button", { name: "Send a test" }).click();
  await expect(section(page).getByRole("alert")).toContainText(/The test was not accepted\. 503 after .* ms: closed today/);
  await changeSomething();
  await expect(section(page)).toContainText("Not accepted since");
  await section(page).getByRole("button", { name: "Switch off" }).click();
  await expect(section(page)).toContainText("Switched off");
  receiver.answerWith((_, response) => void response.writeHead(410).end());
  await section(page).getByRole("button", { name: "Switch on" }).click();
  await expect(section(page)).toContainText("the receiver said that this address is gone (410)");
  await section(page).getByRole("button", { name: "New secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
  await expect(page.getByRole("textbox", { name: "Secret" })).toHaveValue(/^whsec_/);
  await section(page).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeFocused();
  await expect(page.getByText("No webhooks yet")).toBeVisible();
});

for (const { width, colours } of appearances([1280, 390], SCHEMES)) {
  test(`the page has no faults at ${width} pixels (${colours})`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: colours });
    await signIn(page, address);
    await expectNoFaults(page);
    await makeWebhook(page);
    await expectNoFaults(page);
    await changeSomething();
    await section(page).getByText("What was sent in the last 7 days").click();
    await expect(section(page).getByRole("row", { name: /Delivered/ })).toBeVisible();
    await section(page).getByRole("button", { name: "Send a test" }).click();
    await expect(section(page).getByText("The test was accepted.")).toBeVisible();
    await expectNoFaults(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await section(page).getByRole("button", { name: "Change" }).click();
    await page.getByRole("checkbox", { name: "Every change" }).uncheck();
    await expectNoFaults(page);
  });
}
