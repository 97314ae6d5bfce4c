// People: set-up by invitation, signing in with a password, sessions in several tabs, and what roles allow.

import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { saveWithoutSession } from "./support/hold-requests.ts";
import { openAbout, signOut } from "./support/menu.ts";
import { invite, type OwnService, startService } from "./support/own-service.ts";
import { appearances, SCHEMES } from "./support/repetitions.ts";
import { signIn } from "./support/service.ts";
import { test } from "./support/test.ts";

const PASSWORD = "seven green kettles sing";

// A service of its own: as soon as it has people, its sign-in page asks for e-mail and password.
let service: OwnService;
let origin: string;
test.beforeAll(async () => {
  service = await startService();
  origin = `http://127.0.0.1:${service.port}`;
});
test.afterAll(() => service.remove());

/** Returns the address of a one-time link for a new person. */
const invited = async (email: string, role: string, name?: string) => (await invite(service.port, email, role, name)).link;

async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

async function signInAs(page: Page, email: string, path = "/"): Promise<void> {
  await page.goto(origin + path);
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

test("an administrator with a key invites the first person, whose link works once", async ({ page, newBrowser }) => {
  await signIn(page, `${origin}/settings/people`);
  await expect(page.getByText("Nobody has an account yet")).toBeVisible();
  await page.getByRole("button", { name: "Invite someone" }).click();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.getByLabel("E-mail").fill("first@example.org");
  await page.getByRole("dialog").getByLabel("Name").fill("Ida Berg");
  await page.getByRole("checkbox", { name: "Administrator" }).check();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  expect(link).toContain("/welcome#");
  await expect(page.getByRole("row", { name: "Ida Berg" })).toContainText("Invited");

  const guest = await newBrowser();
  await guest.goto(link);
  await expect(guest.getByRole("heading", { name: "Welcome to Intake" })).toBeVisible();
  await expect(guest).toHaveURL(`${origin}/welcome`); // without the code
  await guest.reload();
  await expect(guest.getByRole("heading", { name: "Open the link from your mail again" })).toBeVisible();
  await guest.goto(link); // in the same page: nothing is loaded
  await expect(guest.getByRole("heading", { name: "Welcome to Intake" })).toBeVisible();
  await expect(guest).toHaveURL(`${origin}/welcome`);
  await guest.getByLabel("New password").fill("short");
  await expect(guest.getByText("At least 12 characters; this has 5.")).toBeVisible();
  await guest.getByLabel("New password").fill("password1234");
  await guest.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(guest.getByLabel("New password")).toBeFocused();
  await expect(guest.getByLabel("New password")).toHaveAttribute("aria-invalid", "true");
  await guest.getByLabel("New password").fill(PASSWORD);
  await guest.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(guest.getByRole("heading", { name: /^Good (morning|afternoon|evening), / })).toBeVisible();
  expect(await guest.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(/in[sr]_/); // neither token
  await guest.reload();
  await expect(guest.getByRole("heading", { name: /^Good (morning|afternoon|evening), / })).toBeVisible();
  await guest.goto(`${origin}/welcome`);
  await expect(guest.getByRole("heading", { name: /^Good (morning|afternoon|evening), / })).toBeVisible();

  const again = await newBrowser();
  await again.goto(link);
  await expect(again.getByRole("heading", { name: "This link cannot be used" })).toBeVisible();
  await again.getByRole("button", { name: "Go to sign-in" }).click();
  await expect(again.getByRole("button", { name: "Sign in" })).toBeVisible();
});

test("with people the sign-in asks for e-mail and password, and still takes an API key", async ({ page, newBrowser }) => {
  await openLink(await newBrowser(), await invited("pass@example.org", "editor"));
  await page.goto(origin);
  await page.getByLabel("E-mail").fill("pass@example.org");
  await page.getByRole("textbox", { name: "Password" }).fill("not the password at all");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByText("Forgot your password?").click();
  await expect(page.getByText("Ask an administrator for a link")).toBeVisible();
  await signInAs(page, "pass@example.org");
  await signOut(page);
  await page.getByRole("button", { name: "Use an API key" }).click();
  await expect(page.getByRole("textbox", { name: "API key" })).toBeFocused();
});

test("a session that is ended elsewhere asks for the password over the page, and what was typed is saved", async ({ page, newBrowser }) => {
  await openLink(page, await invited("over@example.org", "administrator"));
  await page.getByRole("link", { name: "New customer" }).click();
  await page.getByRole("textbox", { name: "Last name" }).fill("Overtyped");
  await page.getByRole("textbox", { name: "Account ID" }).fill("O-1");
  const elsewhere = await newBrowser();
  await signInAs(elsewhere, "over@example.org", "/settings/account");
  const end = elsewhere.getByRole("button", { name: /^End the session/ });
  await saveWithoutSession(page, async () => {
    await end.click();
    await expect(end).toHaveCount(0);
  });
  await expect(elsewhere.getByText(/^The session in .* is ended\.$/)).toBeVisible();
  await expect(elsewhere.getByRole("heading", { name: "My account" })).toBeFocused();
  const dialog = page.getByRole("dialog", { name: "Sign in again to continue" });
  await dialog.getByLabel("E-mail").fill("over@example.org");
  await dialog.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overtyped" })).toBeVisible();
});

test("tabs share one session: each stays signed in when tokens end, and one sign-out ends all, one sign-in opens all", async ({
  context,
  page,
}) => {
  await openLink(page, await invited("tabs@example.org", "editor"));
  const other = await context.newPage();
  await other.goto(`${origin}/customers`);
  await expect(other.getByRole("heading", { name: "Customers" })).toBeVisible();
  // This is as if the access tokens had ended: the first answer to each is 401.
  for (const one of [page, other]) {
    let isFirst = true;
    await one.route("**/v1/limits", (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      return route.fulfill({ status: 401, contentType: "application/problem+json", body: '{"code":"INVALID_TOKEN","status":401}' });
    });
  }
  await Promise.all([page, other].map(openAbout));
  for (const one of [page, other]) await expect(one.getByText("10,000")).toBeVisible();
  const signOutHere = async () => {
    await signOut(page);
    await expect(other.getByText("You signed out in another tab.")).toBeVisible();
  };
  await signOutHere();
  await page.getByLabel("E-mail").fill("tabs@example.org");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  for (const one of [page, other]) await expect(one.getByText("10,000")).toBeVisible(); // each where it was
  await signOutHere();
  await other.reload();
  await expect(other.getByRole("button", { name: "Sign in" })).toBeVisible();
});

test("a link for a new password ends the old one and its sessions", async ({ page, newBrowser }) => {
  const person = await newBrowser();
  await openLink(person, await invited("forgot@example.org", "editor", "Fay Got"));
  await openLink(page, await invited("resets@example.org", "administrator"));
  await page.goto(`${origin}/settings/people`);
  await page.getByRole("button", { name: "Change Fay Got" }).click();
  await page.getByRole("button", { name: "Make a link for a new password" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  const elsewhere = await newBrowser();
  await elsewhere.goto(link);
  await expect(elsewhere.getByRole("heading", { name: "Set a new password" })).toBeVisible();
  await elsewhere.getByLabel("New password").fill(`${PASSWORD} again`);
  await elsewhere.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(elsewhere.getByRole("link", { name: "Uploads" })).toBeVisible();
  await person.reload();
  await expect(person.getByRole("button", { name: "Sign in" })).toBeVisible();
  await person.getByLabel("E-mail").fill("forgot@example.org");
  await person.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await person.getByRole("button", { name: "Sign in" }).click();
  await expect(person.getByRole("alert")).toBeVisible();
});

test("one's own name and password are changed in My account", async ({ page }) => {
  await openLink(page, await invited("own@example.org", "editor", "Old Name"));
  await page.goto(`${origin}/settings/account`);
  await page.getByLabel("Your name").fill("New Name");
  await page.getByRole("button", { name: "Save the name" }).click();
  await expect(page.getByText("Your name is changed.")).toBeVisible();
  await page.getByRole("textbox", { name: "Current password" }).fill("not the present one");
  await page.getByRole("textbox", { name: "New password" }).fill(`${PASSWORD} again`);
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("This is not your current password.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Current password" })).toBeFocused();
  await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Your name")).toHaveValue("New Name");
});

test("someone who may only read is offered nothing that writes, and no administration", async ({ page }) => {
  await openLink(page, await invited("view@example.org", "viewer"));
  await expect(page.getByRole("list", { name: "Collections" }).getByRole("link", { name: "Customers" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^(New|Upload a)/ })).toHaveCount(0);
  await page.getByRole("list", { name: "Collections" }).getByRole("link", { name: "Customers" }).click();
  await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^(New|Upload a)/ })).toHaveCount(0);
  await page.getByRole("link", { name: "Settings" }).click();
  const nav = page.getByRole("navigation", { name: "Settings" });
  await expect(nav.getByRole("link")).toHaveText(["My account", "This browser", "API keys", "Data dictionary", "About"]);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find or go to" }).fill("people");
  await expect(page.getByRole("option", { name: "People" })).toHaveCount(0);
});

test("disabling someone asks first and ends their session; enabling lets them in again", async ({ page, newBrowser }) => {
  await openLink(page, await invited("admin@example.org", "administrator", "Ada Min"));
  const colleague = await newBrowser();
  await openLink(colleague, await invited("col@example.org", "editor", "Col League"));
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("button", { name: "Change Col League" }).click();
  await page.getByRole("button", { name: "Disable the account…" }).click();
  await expect(page.getByRole("dialog")).toContainText("All sessions of this person end at once");
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await expect(page.getByRole("row", { name: "Col League" })).toContainText("Disabled");
  await expect(page.getByRole("button", { name: "Change Col League" })).toBeFocused();
  // The dialog may be open already, and the page behind it hidden.
  await colleague.getByRole("link", { name: "Activity", includeHidden: true }).dispatchEvent("click");
  await expect(colleague.getByRole("dialog", { name: "Sign in again to continue" })).toBeVisible();
  await page.getByRole("button", { name: "Change Col League" }).click();
  await page.getByRole("button", { name: "Enable the account" }).click();
  await expect(page.getByRole("row", { name: "Col League" })).toContainText("Active");
});

test("a role of one's own is made, given and deleted only when nobody has it", async ({ page }) => {
  await openAsAdministrator(page, "/settings/roles");
  await page.getByRole("button", { name: "New role" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Reception");
  await page.getByRole("checkbox", { name: "Customers: Read" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: "Reception" })).toContainText("Customers: read");
  await expect(page.getByRole("button", { name: "Delete: Reception" })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "Delete: Reception" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("row", { name: "Reception" })).toHaveCount(0);
});

/** Opens a page as an administrator who is made for it. */
async function openAsAdministrator(page: Page, path: string): Promise<void> {
  await openLink(page, await invited(`${crypto.randomUUID()}@example.org`, "administrator"));
  await page.goto(origin + path);
}

for (const { colours: colorScheme, width } of appearances([1280, 390], SCHEMES)) {
  test(`the pages of people fit the page and pass axe, ${colorScheme}, ${width} wide`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const expectFit = async () => {
      await expectNoFaults(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    };
    const link = await invited(`axe${width}@example.org`, "administrator");
    await page.goto(link);
    await expect(page.getByLabel("New password")).toBeVisible();
    await expectFit();
    await openLink(page, link);
    for (const [path, title] of [
      ["account", "My account"],
      ["people", "People"],
      ["roles", "Roles"],
    ] as const) {
      await page.goto(`${origin}/settings/${path}`);
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
      await expect(page.getByRole("table")).toBeVisible();
      await expectFit();
    }
    await signOut(page);
    await expect(page.getByRole("textbox", { name: "Password" })).toBeVisible();
    await expectFit();
  });
}
