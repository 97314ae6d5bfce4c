// Signing in with the organisation's own sign-in, at a real OpenID Connect provider.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { openTestProvider, type TestProvider } from "../server/testing/servers/oidc-provider.ts";
import { expectNoFaults } from "./support/axe.ts";
import { saveWithoutSession } from "./support/hold-requests.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { findFreePort } from "./support/ports.ts";
import { openApi } from "./support/service.ts";
import { openStaticHost, publish, type StaticHost } from "./support/static-host.ts";

const BASE = "/x/admin/";
let folder: string;
let provider: TestProvider;
let service: OwnService;
let origin: string;
let elsewhere: StaticHost;
test.beforeAll(async () => {
  const hostPort = await findFreePort();
  service = await startService(async (port) => {
    provider = await openTestProvider({ redirectUris: [`http://127.0.0.1:${port}/v1/oidc/callback`] });
    return { ...provider.environment, CORS_ORIGINS: `http://127.0.0.1:${hostPort}` };
  });
  origin = `http://127.0.0.1:${service.port}`;
  folder = mkdtempSync(join(tmpdir(), "intake-oidc-"));
  publish(folder, "--base", BASE, "--api", `${origin}/v1`);
  elsewhere = await openStaticHost(join(folder, "root"), BASE, hostPort);
  const api = await openApi(service.port); // while there are no people, the API key is asked for at once
  expect((await api.call("POST", "/users", { name: "Somebody", email: "somebody@example.org", roles: ["editor"] })).status).toBe(201);
});
test.afterAll(async () => {
  await elsewhere.close();
  await service.remove();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

function addPerson(subject: string, groups = ["staff"]): string {
  provider.persons.set(subject, { email: `${subject}@example.org`, email_verified: true, name: "Ida Berg", groups });
  return subject;
}

async function signInAtProvider(page: Page, who: string): Promise<void> {
  await page.getByLabel("Who are you?").fill(who);
  await page.getByRole("button", { name: "Continue" }).click();
}

const link = (page: Page) => page.getByRole("link", { name: "Sign in with Acme" });

test("on the service's own host somebody signs in, comes to the page they wanted, and stays signed in", async ({ page }) => {
  await page.goto(`${origin}/settings/account`);
  await expect(link(page)).toBeFocused();
  await expectNoFaults(page);
  await page.keyboard.press("Enter");
  await signInAtProvider(page, addPerson("own-host"));
  await expect(page.getByLabel("Your name")).toHaveValue("Ida Berg");
  await expect(page).toHaveURL(`${origin}/settings/account`);
  await page.reload();
  await expect(page.getByLabel("Your name")).toHaveValue("Ida Berg");
  await page.goBack();
  await expect(page).not.toHaveURL(/#/);
});

test("on another host somebody signs in, and stays signed in over a reload if they want to", async ({ page }) => {
  await page.goto(`${elsewhere.origin}${BASE}customers?q=berg`);
  await page.getByLabel("Stay signed in until this tab closes").check();
  await link(page).click();
  await signInAtProvider(page, addPerson("other-host"));
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("berg");
  await expect(page).toHaveURL(`${elsewhere.origin}${BASE}customers?q=berg`);
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("berg");
});

test("over a page another tab signs in, and nothing that was typed is lost", async ({ page, context }) => {
  await page.goto(`${origin}/customers/new`);
  await link(page).click();
  await signInAtProvider(page, addPerson("over-page"));
  await page.getByRole("textbox", { name: "Last name" }).fill("Patient");
  await page.getByRole("textbox", { name: "Account ID" }).fill("P-1");
  const api = await openApi(service.port);
  const { users } = (await api.call("GET", "/users")).json as { users: { id: string; email: string }[] };
  const { id } = users.find(({ email }) => email === "over-page@example.org") as { id: string };
  await saveWithoutSession(page, async () => expect((await api.call("DELETE", `/users/${id}/sessions`)).status).toBe(204));
  const dialog = page.getByRole("dialog", { name: "Sign in again to continue" });
  await expect(link(page)).toBeFocused();
  await expectNoFaults(page);
  const opened = context.waitForEvent("page");
  await page.keyboard.press("Enter"); // the provider still knows who it is, and asks nothing
  await opened;
  await expect(page.getByText(/is saved/)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  for (const other of context.pages().filter((one) => one !== page)) await expect(other).not.toHaveURL(/#/);
});

test("somebody without access is told so in a sentence, and can sign in another way", async ({ page }) => {
  await page.goto(origin);
  await link(page).click();
  await signInAtProvider(page, addPerson("nobody", []));
  await expect(page.getByRole("alert")).toContainText("but have no access here. Ask an administrator.");
  await expect(page).not.toHaveURL(/#/);
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Go to sign-in" }).click();
  await page.getByRole("button", { name: "Sign in another way" }).click();
  await page.getByRole("button", { name: "Use an API key" }).click();
  await expect(page.getByRole("textbox", { name: "API key" })).toBeFocused();
  await page.getByRole("button", { name: "Sign in with Acme" }).click();
  await expect(link(page)).toBeVisible();
});

test("a code that somebody else sends signs nobody in", async ({ page }) => {
  for (const fragment of ["code=of-somebody-else", "code=x&state=y", "error=no_such_error", "error=expired"]) {
    await page.goto("about:blank"); // otherwise only the fragment changes, and the page does not start anew
    await page.goto(`${origin}/welcome#${fragment}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      /You are not signed in|You can close this tab|This link cannot be used/,
    );
    await expect(page).toHaveURL(`${origin}/welcome`);
  }
});
