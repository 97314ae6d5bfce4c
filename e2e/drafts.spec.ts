// Drafts: text that was typed and not saved is stored on this computer and offered when the user comes back.

import { expect, type Page, test } from "@playwright/test";
import { storedDrafts, waitForDraft } from "./support/drafts.ts";
import { signOut } from "./support/menu.ts";
import { openApi, signIn, stored } from "./support/service.ts";

const input = (page: Page, name: string) => page.getByRole("textbox", { name });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Answers the browser's own question when a tab with unsaved text is closed or reloaded. */
function leaveAtOnce(page: Page): void {
  page.on("dialog", (dialog) => dialog.accept());
}

/** What is typed is written after the drafts have been read: from then on an offer would be there. */
async function expectNoDraft(page: Page): Promise<void> {
  await input(page, "Account ID").fill("read by now");
  await waitForDraft(page, "read by now");
  await expect(page.getByRole("region", { name: "Draft" })).toHaveCount(0);
}

test.describe("a draft", () => {
  test("is offered when the customer is opened again, and no more once it is saved", async ({ page }) => {
    leaveAtOnce(page);
    const { id, now } = await stored({ firstName: "Drafty", lastName: "Before", accountID: "1" });
    await signIn(page, `/customers/${id}`);
    await input(page, "Last name").fill("Typed");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Customers" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await waitForDraft(page, "Typed");
    await signIn(page, `/customers/${id}`);
    const offer = page.getByRole("region", { name: "Draft" });
    await expect(offer).toContainText("You have unsaved text from just now.");
    await expect(input(page, "Last name")).toHaveValue("Before");
    await offer.getByRole("button", { name: "Restore" }).click();
    await expect(input(page, "Last name")).toBeFocused();
    await expect(input(page, "Last name")).toHaveValue("Typed");
    await press(page, "Save");
    await expect(page.getByText("Saved.")).toBeVisible();
    expect(await now()).toMatchObject({ lastName: "Typed", version: 2 });
    await signIn(page, `/customers/${id}`);
    await expect(input(page, "Last name")).toHaveValue("Typed");
    await expect(offer).toBeHidden();
  });

  test("has the last letters also when the page is loaded anew right after them", async ({ page }) => {
    leaveAtOnce(page);
    const { id } = await stored({ firstName: "Hasty", lastName: "Before", accountID: "1" });
    await signIn(page, `/customers/${id}`);
    await expectNoDraft(page);
    await input(page, "Last name").fill("Typed last");
    await signIn(page, `/customers/${id}`);
    await press(page, "Restore");
    await expect(input(page, "Last name")).toHaveValue("Typed last");
  });

  test("survives a tab that crashes, also for a new customer", async ({ page }) => {
    leaveAtOnce(page);
    await signIn(page, "/customers/new");
    await input(page, "Last name").fill("Crashed");
    await waitForDraft(page, "Crashed");
    await signIn(page, "/customers/new");
    await press(page, "Restore");
    await expect(input(page, "Last name")).toHaveValue("Crashed");
    await input(page, "Account ID").fill("1");
    await press(page, "Save");
    await expect(page.getByRole("heading", { name: "Crashed" })).toBeVisible();
  });

  test("that meets a colleague's changes shows the same choice as any conflict", async ({ page }) => {
    leaveAtOnce(page);
    const { id, api, now } = await stored({ firstName: "Kept", lastName: "Before", accountID: "1" });
    await signIn(page, `/customers/${id}`);
    await input(page, "Last name").fill("Mine");
    await waitForDraft(page, "Mine");
    await api.call("PATCH", `/customers/${id}`, { lastName: "Theirs", accountID: "2" });
    await signIn(page, `/customers/${id}`);
    await press(page, "Restore");
    await expect(page.getByRole("radio", { name: "Take theirs of Last name: Theirs" })).toBeVisible();
    await press(page, "Save");
    await expect(page.getByText("Saved.")).toBeVisible();
    expect(await now()).toMatchObject({ lastName: "Mine", accountID: "2", version: 3 });
  });

  test("is gone when it is discarded, and when the user signs out", async ({ page }) => {
    leaveAtOnce(page);
    const { id } = await stored({ lastName: "Discarded", accountID: "1" });
    const type = async (text: string) => {
      await signIn(page, `/customers/${id}`);
      await input(page, "Account ID").fill(text);
      await waitForDraft(page, text);
    };
    await type("2");
    await signIn(page, `/customers/${id}`);
    await press(page, "Discard");
    await expect.poll(() => storedDrafts(page)).not.toContain(JSON.stringify("2")); // a tab that is closed at once would keep it
    await signIn(page, `/customers/${id}`);
    await expect(input(page, "Account ID")).toHaveValue("1");
    await expectNoDraft(page);

    await type("3");
    await signOut(page);
    await page.getByRole("dialog", { name: "Sign out without saving?" }).getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
    await signIn(page, `/customers/${id}`);
    await expect(input(page, "Account ID")).toHaveValue("1");
    await expectNoDraft(page);
  });
});

/** From now on the host of the app tells another time. */
async function setHostClock(page: Page, time: number): Promise<void> {
  await page.unroute(page.url().replace(/customers.*/, ""));
  await page.route(page.url().replace(/customers.*/, ""), async (route) => {
    if (route.request().method() !== "HEAD") return route.continue();
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), date: new Date(time).toUTCString() } });
  });
}

test("a draft is offered for a week by the clock of the host and then deleted; one that is a year ahead here does not matter", async ({
  page,
}) => {
  leaveAtOnce(page);
  const { id } = await stored({ lastName: "Aged", accountID: "1" });
  await signIn(page, `/customers/${id}`);
  await input(page, "Account ID").fill("2");
  await waitForDraft(page, "2");
  const [day, offer] = [24 * 3_600_000, page.getByRole("region", { name: "Draft" })];
  const now = Date.now();
  await page.clock.setFixedTime(now + 365 * day);
  await signIn(page, `/customers/${id}`);
  await expect(offer).toBeVisible();
  await setHostClock(page, now + 6 * day);
  await signIn(page, `/customers/${id}`);
  await expect(offer).toBeVisible();
  await setHostClock(page, now + 8 * day);
  await signIn(page, `/customers/${id}`);
  await expect(input(page, "Account ID")).toHaveValue("1");
  await expectNoDraft(page);
});

test("a browser that keeps no drafts: the question before leaving does not promise one", async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("Forbidden here.", "SecurityError");
    };
  });
  await signIn(page, "/customers/new");
  await input(page, "Last name").fill("Kept nowhere");
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toContainText("What you typed is not saved yet and will be lost: this browser does not keep it.");
  await dialog.getByRole("button", { name: "Stay" }).click();
  await input(page, "Account ID").fill("1");
  await press(page, "Save");
  await expect(page.getByRole("heading", { name: "Kept nowhere" })).toBeVisible();
});

test("a draft of a customer that was deleted meanwhile can be restored and saved", async ({ page }) => {
  leaveAtOnce(page);
  const { id, api, now } = await stored({ firstName: "Deleted", lastName: "Meanwhile", accountID: "1" });
  await signIn(page, `/customers/${id}`);
  await input(page, "Account ID").fill("2");
  await waitForDraft(page, "2");
  await api.call("DELETE", `/customers/${id}`);
  await signIn(page, `/customers/${id}`);
  await expect(page.getByRole("alert")).toContainText("has deleted this customer.");
  await press(page, "Restore");
  await press(page, "Save");
  await expect(page.getByText("Saved.")).toBeVisible();
  expect(await now()).toMatchObject({ firstName: "Deleted", accountID: "2" });
});

test("a draft is offered to its owner only, and stays until that user decides", async ({ page }) => {
  leaveAtOnce(page);
  const { json } = await (await openApi()).call("POST", "/keys", { scope: "write" });
  const offer = page.getByRole("region", { name: "Draft" });
  await signIn(page, "/customers/new");
  await input(page, "Last name").fill("Interrupted");
  await waitForDraft(page, "Interrupted");

  await signIn(page, "/customers/new", String(json.key));
  await input(page, "Last name").fill("Somebody else’s");
  await waitForDraft(page, "Somebody else’s"); // by now the drafts are read
  await expect(offer).toHaveCount(0);

  await signIn(page, "/customers/new");
  await expect(offer).toBeVisible();
  await input(page, "Last name").fill("Urgent");
  await input(page, "Account ID").fill("1");
  await press(page, "Save");
  await expect(page.getByRole("heading", { name: "Urgent" })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Customers" }).click();
  await page.getByRole("link", { name: "New customer" }).click();
  await press(page, "Restore");
  await expect(input(page, "Last name")).toHaveValue("Interrupted");
});

test("two tabs with a new customer each keep both drafts, also when one of them is saved", async ({ page, context }) => {
  const other = await context.newPage();
  for (const tab of [page, other]) {
    leaveAtOnce(tab);
    await signIn(tab, "/customers/new");
  }
  await input(page, "Last name").fill("Typed here");
  await waitForDraft(page, "Typed here");
  await input(other, "Last name").fill("Typed there");
  await waitForDraft(page, "Typed there");
  await waitForDraft(page, "Typed here");
  await input(page, "Account ID").fill("1");
  await press(page, "Save");
  await expect(page.getByRole("heading", { name: "Typed here" })).toBeVisible();
  await expect.poll(() => storedDrafts(page)).not.toContain("Typed here");
  await waitForDraft(page, "Typed there");
  await signIn(other, "/customers/new");
  await press(other, "Restore");
  await expect(input(other, "Last name")).toHaveValue("Typed there");
});

test("a draft is merged with what the user types before restoring it", async ({ page }) => {
  leaveAtOnce(page);
  const { id, api } = await stored({ firstName: "Joined", lastName: "Before", accountID: "1" });
  await signIn(page, `/customers/${id}`);
  await input(page, "Last name").fill("Drafted");
  await waitForDraft(page, "Drafted");
  await api.call("PATCH", `/customers/${id}`, { accountID: "2" });
  await signIn(page, `/customers/${id}`);
  await expect(page.getByRole("region", { name: "Draft" })).toBeVisible();
  await input(page, "First name").fill("Typed now");
  await press(page, "Restore");
  await expect(input(page, "Last name")).toHaveValue("Drafted");
  await expect(input(page, "First name")).toHaveValue("Typed now");
});

test("the offer of a draft is in sight after a reload at the end of a long form", async ({ page }) => {
  leaveAtOnce(page);
  await page.setViewportSize({ width: 390, height: 500 });
  const { token } = await openApi();
  await page.addInitScript((text) => sessionStorage.setItem("intake.token", text), token);
  await page.goto("/customers/new");
  await input(page, "Last name").fill("Scrolled");
  await waitForDraft(page, "Scrolled");
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByRole("heading", { level: 1 })).not.toBeInViewport();
  await page.reload();
  await expect(page.getByRole("region", { name: "Draft" })).toBeInViewport({ ratio: 1 });
});
