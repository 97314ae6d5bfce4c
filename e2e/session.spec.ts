// Signing out reaches every tab and leaves nothing behind; a read-only key shows no way to write.

import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { waitForDraft } from "./support/drafts.ts";
import { followAbout, goTo, signOut } from "./support/menu.ts";
import { ADMIN_KEY, check, openApi, signIn, stored } from "./support/service.ts";

const PATCHED = "**/v1/customers/*";
const OUT = "You signed out in another tab.";

async function tab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await signIn(page, address);
  return page;
}

const databases = (page: Page) => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));

test("signing out stops the upload in another tab, deletes the draft of a third, and each tab says why", async ({ context }) => {
  const [uploading, typing, leaving] = [
    await tab(context, "/customers/upload"),
    await tab(context, "/customers/new"),
    await tab(context, "/"),
  ];
  let held = 0;
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await uploading.route("**/v1/customers?*onError=continue*", async (route) => {
    if (!route.request().url().includes("dryRun") && ++held > 1) await asked;
    await route.continue();
  });
  const rows = Array.from({ length: 5_000 }, (_, i) => `${9_550_001 + i},,Elsewhere,E`);
  await check(uploading, "elsewhere-out.csv", `objectId,firstName,lastName,accountID\n${rows.join("\n")}`);
  await uploading.getByRole("button", { name: "Upload" }).click();
  await expect.poll(() => held).toBeGreaterThan(1); // the first batch is answered, the others wait
  await expect.poll(async () => (await (await openApi()).call("GET", "/customers/9550001")).status).toBe(200);
  await typing.getByRole("textbox", { name: "Last name" }).fill("Secret");
  await waitForDraft(typing, "Secret");

  await signOut(leaving);
  const question = leaving.getByRole("dialog", { name: "Sign out without saving?" });
  await expect(question).toContainText("Not saved: customer (new).");
  await question.getByRole("button", { name: "Sign out" }).click();
  await expect(uploading.getByText("A running upload is stopped first.")).toBeVisible();
  answer();
  for (const other of [uploading, typing]) await expect(other.getByText(OUT)).toBeVisible();
  await expect(leaving.getByRole("button", { name: "Sign in" })).toBeVisible();
  await expect(leaving.getByText(OUT)).toHaveCount(0);
  expect(await databases(typing)).not.toContain("intake-drafts");

  await signIn(leaving, "/uploads"); // signing in is this tab's alone
  await expect(leaving.getByRole("region", { name: "elsewhere-out.csv" })).toContainText("cancelled");
  await expect(typing.getByText(OUT)).toBeVisible();
});

test("a draft that the browser cannot delete is reported, and deleting can be tried again", async ({ page }) => {
  await page.addInitScript(() => {
    const { deleteDatabase } = IDBFactory.prototype;
    IDBFactory.prototype.deleteDatabase = () => {
      IDBFactory.prototype.deleteDatabase = deleteDatabase;
      throw new Error("The disk cannot be written.");
    };
  });
  await signIn(page, "/customers");
  await signOut(page);
  await expect(page.getByRole("alert")).toContainText("Some data is still on this computer.");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Some data is still on this computer.")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
});

test("the token is in no storage and in no address, unless the user stays signed in for the tab", async ({ page }) => {
  const given = page.waitForResponse("**/v1/oauth/token");
  await signIn(page, "/customers");
  const { access_token: token } = await (await given).json();
  const places = () => page.evaluate(() => [JSON.stringify(localStorage), JSON.stringify(sessionStorage), location.href].join("\n"));
  expect(await places()).not.toContain(token);
  await page.reload();
  await page.getByLabel("Stay signed in until this tab closes").check();
  await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  const again = page.waitForResponse("**/v1/oauth/token");
  await page.getByRole("button", { name: "Sign in" }).click();
  const kept = (await (await again).json()).access_token;
  await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(kept);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
});

test("a record that was shown is not in the browser's cache after signing out", async ({ page }) => {
  const { id } = await stored({ lastName: "Cachedaway", accountID: "1" });
  const asked = page.waitForResponse(`**/v1/customers/${id}`);
  await signIn(page, `/customers/${id}`);
  const address = (await asked).url();
  await signOut(page);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  const cached = (url: string) => fetch(url, { cache: "only-if-cached", mode: "same-origin" }).then((reply) => reply.text());
  expect(await page.evaluate(cached, address).catch(() => "nothing")).not.toContain("Cachedaway");
});

test("a read-only key shows a record as values and no way to write", async ({ page }) => {
  const { id, api } = await stored({ firstName: "Rita", lastName: "Readonly", accountID: "R-7" });
  const { json } = await api.call("POST", "/keys", { scope: "read" });
  await signIn(page, `/customers/${id}`, String(json.key));
  await expect(page.getByText("You have read-only access.")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "R-7" })).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Save|Delete/ })).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find or go to" }).fill("customer");
  await expect(page.getByRole("option", { name: "Customers", exact: true })).toBeVisible();
  await expect(page.getByRole("option", { name: /^(New|Upload|Save|Delete)\b/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await signIn(page, "/uploads", String(json.key));
  await expect(page.getByRole("link", { name: "Upload a file" })).toHaveCount(0);
  for (const path of ["upload", "new"]) {
    await signIn(page, `/customers/${path}`, String(json.key));
    await expect(page.getByText("You have read-only access.")).toBeVisible();
    await page.getByRole("link", { name: "Back to customers" }).click();
    await expect(page.getByRole("heading", { name: "Customers", exact: true })).toBeVisible();
  }
});

test("a user who signs in after someone else may do what the new key may", async ({ page }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/keys", { scope: "read" });
  await signIn(page, "/customers", String(json.key));
  await expect(page.getByRole("link", { name: "New customer" })).toHaveCount(0);
  await Promise.all([page.waitForResponse("**/v1/runs*"), page.getByRole("link", { name: "Uploads" }).click()]);
  await api.call("DELETE", `/keys/${json.id}`);
  const apiKey = page.getByRole("dialog").getByRole("textbox", { name: "API key" });
  await expect(async () => {
    if (!(await apiKey.isVisible())) await followAbout(page); // it asks the service for its limits, unless another request was first
    await expect(apiKey).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await apiKey.fill(ADMIN_KEY);
  await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await goTo(page, "Customers");
  await expect(page.getByRole("link", { name: "New customer" })).toBeVisible();
});

test("an app that may not use the browser's storage works all the same", async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      const get = () => {
        throw new DOMException("Forbidden here.", "SecurityError");
      };
      Object.defineProperty(window, name, { get });
    }
  });
  await signIn(page, "/customers");
  await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
});

test("an app for another service on the same host shows no uploads and drafts of this one", async ({ page }) => {
  page.on("dialog", (dialog) => dialog.accept());
  const open = async (path: string) => {
    await page.goto(path);
    await page.getByLabel("Stay signed in until this tab closes").check();
    await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await open("/customers/upload");
  await check(page, "only-here.csv", "lastName,accountID\nOnlyhere,1\n");
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await page.goto("/customers/new");
  await page.getByRole("textbox", { name: "Last name" }).fill("Begun here");
  await expect.poll(() => databases(page)).toContain("intake-drafts");
  await page.goto("/uploads");
  await expect(page.getByRole("region", { name: "only-here.csv" })).toBeVisible();

  await page.route("**/config.json", (route) => route.fulfill({ json: { apiBaseUrl: "/other/v1" } }));
  await page.route("**/other/v1/**", (route) => route.continue({ url: route.request().url().replace("/other/v1", "/v1") }));
  await open("/uploads");
  await expect(page.getByText("No uploads from this computer")).toBeVisible();
  await page.getByRole("link", { name: "Customers" }).first().click();
  await page.getByRole("link", { name: "New customer" }).click();
  await page.getByRole("textbox", { name: "Last name" }).fill("Begun there");
  await expect(page.getByRole("region", { name: "Draft" })).toHaveCount(0);
});

for (const [status, code, words] of [
  [429, "TOO_MANY_REQUESTS", "Too many requests at once."],
  [503, "UNAVAILABLE", "The service is busy."],
] as const) {
  test(`a save that gets ${status} counts down and tries again by itself, with what is typed by then`, async ({ page }) => {
    const { id, now } = await stored({ lastName: "Patient", accountID: "1" });
    await signIn(page, `/customers/${id}`);
    const refuse = async (seconds: number) => {
      const body = JSON.stringify({ type: "about:blank", title: "x", status, detail: "Not now.", code });
      const answer = { status, headers: { "Retry-After": `${seconds}` }, contentType: "application/problem+json", body };
      await page.route(PATCHED, (route) => (route.request().method() === "PATCH" ? route.fulfill(answer) : route.continue()));
    };
    await refuse(300);
    await page.getByRole("textbox", { name: "Last name" }).fill("Patienter");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText(words)).toBeVisible();
    await page.getByRole("textbox", { name: "Account ID" }).fill("2");
    await page.unroute(PATCHED);
    await refuse(1);
    await page.getByRole("button", { name: "Try now" }).click();
    await expect(page.getByText("Trying again in 1 s")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("Patienter");
    await page.unroute(PATCHED);
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(page.getByText(words)).toHaveCount(0);
    expect(await now()).toMatchObject({ lastName: "Patienter", accountID: "2", version: 2 });
  });
}
