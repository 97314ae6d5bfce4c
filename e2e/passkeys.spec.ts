// Passkeys, with an authenticator that Chromium simulates.

import { type CDPSession, expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { saveWithoutSession } from "./support/hold-requests.ts";
import { signOut as pressSignOut } from "./support/menu.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi } from "./support/service.ts";
import { test } from "./support/test.ts";

const PASSWORD = "seven green kettles sing";

let service: OwnService;
let strict: OwnService;
test.beforeAll(async () => {
  [service, strict] = await Promise.all([startService(), startService(async () => ({ REQUIRE_PASSKEY: "true" }))]);
});
test.afterAll(() => Promise.all([service.remove(), strict.remove()]));

// Browsers know no passkeys for an address such as 127.0.0.1.
const originOf = ({ port }: OwnService) => `http://localhost:${port}`;

/** Opens the invitation of a new person, who chooses a password. */
async function join(page: Page, to: OwnService, email: string, role = "editor", name = "Ida Berg"): Promise<void> {
  const { json } = await (await openApi(to.port)).call("POST", "/users", { email, name, roles: [role] });
  await page.goto(new URL((json.link as { url: string }).url, originOf(to)).href);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
}

interface Device {
  /** Says whether the device knows its owner's finger. If not, the browser answers as if the user had cancelled. */
  setKnown(isKnown: boolean): Promise<void>;
}

/** The simulated device takes a suggestion at once; a test of the button leaves suggestions out, as some browsers do. */
async function addDevice(page: Page, { hasSuggestions = false } = {}): Promise<Device> {
  if (!hasSuggestions) {
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
    });
  }
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
  return {
    setKnown: async (isUserVerified) => void (await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })),
  };
}

const signedIn = (page: Page) => expect(page.getByRole("link", { name: "Uploads" })).toBeVisible();
const passkeys = (page: Page) => page.getByRole("table", { name: "Passkeys" }).locator("tbody tr");

async function signOut(page: Page): Promise<void> {
  await pressSignOut(page);
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
}

async function signInWithPasskey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
}

test("somebody adds a passkey, names it, signs in with it, and removes it", async ({ page }) => {
  await addDevice(page);
  await join(page, service, "one@example.org");
  await signedIn(page);
  await page.goto(`${originOf(service)}/settings/account`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(passkeys(page)).toHaveCount(1);
  await expectNoFaults(page);
  await page.getByRole("button", { name: /^Rename Passkey/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await page.getByText("is added").count()).toBe(0); // it has the old name
  await page.getByRole("dialog").getByLabel("Name").fill("Laptop");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(passkeys(page)).toContainText(["Laptop"]);

  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("alert")).toContainText("on this device already");
  await page.getByRole("button", { name: "Rename Laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0); // that was about adding one

  await signOut(page);
  await expectNoFaults(page);
  await signInWithPasskey(page);
  await signedIn(page);
  await page.reload();
  await signedIn(page); // by the cookie

  await page.goto(`${originOf(service)}/settings/account`);
  await page.getByRole("button", { name: "Remove Laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(passkeys(page)).toHaveCount(0);
});

test("a passkey that is taken from the browser's suggestions signs in without a button", async ({ page }) => {
  await addDevice(page, { hasSuggestions: true });
  await join(page, service, "suggested@example.org");
  await signedIn(page);
  await page.goto(`${originOf(service)}/settings/account`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(passkeys(page)).toHaveCount(1);
  const started = page.waitForResponse((response) => response.url().endsWith("/v1/sessions") && response.status() === 201);
  await pressSignOut(page);
  await started;
  await signedIn(page);
});

test("a user who cancels is told nothing, and signs in later", async ({ page }) => {
  const device = await addDevice(page);
  await join(page, service, "cancels@example.org");
  await signedIn(page);
  await page.goto(`${originOf(service)}/settings/account`);
  await device.setKnown(false);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("button", { name: "Add a passkey" })).not.toHaveAttribute("aria-disabled", "true");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await device.setKnown(true);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(passkeys(page)).toHaveCount(1);
});

test("who signed in long ago proves who they are before a passkey is added", async ({ page }) => {
  await addDevice(page);
  await join(page, service, "proves@example.org");
  await signedIn(page);
  // This is as if ten minutes had gone by: the first answer is the service's refusal.
  await page.route(
    "**/v1/me/passkeys/options",
    (route) => route.fulfill({ status: 403, contentType: "application/problem+json", body: '{"code":"PROOF_NEEDED","status":403}' }),
    { times: 1 },
  );
  await page.goto(`${originOf(service)}/settings/account`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Current password").fill("not the password");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByRole("alert")).toContainText("This is not your current password.");
  await expectNoFaults(page);
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(passkeys(page)).toHaveCount(1);
});

test("a new password ends a key that is not kept, and a notice says that the password is new", async ({ page }) => {
  await join(page, service, "changes@example.org");
  await signedIn(page);
  await page.goto(`${originOf(service)}/settings/keys`);
  for (const name of ["Nightly", "Odd"]) {
    await page.getByRole("button", { name: "New API key" }).click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByRole("checkbox").first().check();
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog).toHaveCount(0);
  }
  await page.goto(`${originOf(service)}/settings/account`);
  await page.getByRole("checkbox", { name: /Nightly/ }).check();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill(`${PASSWORD} too`);
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByRole("checkbox", { name: /Odd/ })).toHaveCount(0);
  await expect(page.getByRole("checkbox", { name: /Nightly/ })).toHaveCount(1);
  await page.reload();
  const notices = page.getByRole("region", { name: "About your account" });
  await expect(notices).toContainText("Your password was changed on");
  await expectNoFaults(page);
  await notices.getByRole("button", { name: /^Dismiss: Your password/ }).click();
  await expect(notices).not.toContainText("Your password was changed on");
});

test("a session that ends is continued with a passkey over the page", async ({ page }) => {
  await addDevice(page);
  await join(page, service, "over@example.org");
  await signedIn(page);
  await page.goto(`${originOf(service)}/settings/account`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(passkeys(page)).toHaveCount(1);
  await page.getByRole("link", { name: "Customers" }).first().click();
  await page.getByRole("link", { name: "New customer" }).click();
  await page.getByRole("textbox", { name: "Last name" }).fill("Overtyped");
  await page.getByRole("textbox", { name: "Account ID" }).fill("O-1");
  const api = await openApi(service.port);
  const { json } = await api.call("GET", "/users");
  const { id } = (json.users as { id: string; email: string }[]).find(({ email }) => email === "over@example.org") ?? {};
  const { access } = (await api.call("GET", `/users/${id}/access`)).json as { access: { id: string; kind: string }[] };
  const kept = access.find(({ kind }) => kind === "passkey")?.id;
  await saveWithoutSession(page, () => api.call("DELETE", `/users/${id}/sessions?keep=${kept}`));
  await expect(page.getByRole("dialog", { name: "Sign in again to continue" })).toBeVisible();
  await signInWithPasskey(page);
  await expect(page.getByRole("heading", { name: "Overtyped" })).toBeVisible();
});

test("a page under an IP address says that passkeys need a name", async ({ page }) => {
  await join(page, service, "address@example.org");
  await signedIn(page);
  const host = `http://127.0.0.1:${service.port}`;
  await page.goto(`${host}/settings/account`);
  await page.getByLabel("E-mail").fill("address@example.org");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Passkeys need a host name.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a passkey" })).toHaveCount(0);
});

test("where passkeys are compulsory, one is added before anything else, and then asked for", async ({ page }) => {
  await addDevice(page);
  await join(page, strict, "strict@example.org", "administrator");
  await expect(page.getByRole("heading", { name: "Add a passkey" })).toBeVisible();
  await expectNoFaults(page);
  await page.reload();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await signedIn(page);

  await page.goto(`${originOf(strict)}/settings/account`);
  await page.getByRole("button", { name: /^Remove Passkey/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("alert")).toContainText("This is your last passkey");

  await signOut(page);
  await page.getByLabel("E-mail").fill("strict@example.org");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("with your passkey, not with your password");
  await signInWithPasskey(page);
  await signedIn(page);
});

test("an administrator removes the passkeys of somebody who lost a device", async ({ page, newBrowser }) => {
  await addDevice(page);
  await join(page, strict, "lost@example.org", "editor", "Lo Stone");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await signedIn(page);

  const admin = await newBrowser();
  await addDevice(admin);
  await join(admin, strict, "helps@example.org", "administrator");
  await admin.getByRole("button", { name: "Add a passkey" }).click();
  await signedIn(admin);
  await admin.goto(`${originOf(strict)}/settings/people`);
  await admin.getByRole("button", { name: "Change Lo Stone" }).click();
  await admin.getByRole("button", { name: "Remove 1 passkey…" }).click();
  await admin.getByRole("button", { name: "Remove all" }).click();
  await expect(admin.getByText("Lo Stone has no passkeys any more")).toBeVisible();

  await page.reload();
  await page.getByLabel("E-mail").fill("lost@example.org");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Add a passkey" })).toBeVisible();
});
