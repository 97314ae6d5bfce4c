// Tests what a one-time link opens, in a tab whose address has the link, has lost it, or gets another one.

import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseMail } from "../../../server/testing/servers/mail-server.ts";
import { type MailingApp, openMailingApp } from "../../testing/mailing-app.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { WelcomePage } from "./welcome-page.tsx";

let mailing: MailingApp;
let mailless: TestApp;
beforeAll(async () => {
  mailing = await openMailingApp();
  mailless = await openTestApp();
});
afterAll(async () => {
  await mailing.close();
  await mailless.close();
});

let people = 0;
/** The code of an invitation. */
async function invite({ service }: TestApp, name: string): Promise<{ id: string; email: string; code: string }> {
  people += 1;
  const email = `invited${people}@example.org`;
  const { user, link } = (await service.call("POST", "/v1/users", { email, name, roles: ["editor"] })).json;
  return { id: user.id, email, code: link.url.split("#")[1] };
}

/** The page without a link, as after a reload. `left`: how often it went on by itself. */
async function openWithoutLink(app: TestApp) {
  let left = 0;
  const drawn = await drawPart(app, <WelcomePage onDone={() => left++} />);
  return { ...drawn, left: () => left };
}

test("without its code the page asks to open the link again, and whoever is signed in goes on", async () => {
  const { user, services, left } = await openWithoutLink(mailless);
  await waitFor(() => expect(left()).toBeGreaterThan(0));
  services.session.signOut();
  expect(await screen.findByRole("heading", { name: "Open the link from your mail again" })).toBeTruthy();
  const before = left();
  await user.click(screen.getByRole("button", { name: "Go to sign-in" }));
  expect(left()).toBe(before + 1);
});

test("a link that is pasted into a tab on the page is opened, also after another one, and its code leaves the address", async () => {
  const [one, two] = [await invite(mailless, "Ida One"), await invite(mailless, "Ida Two")];
  const { services } = await openWithoutLink(mailless);
  services.session.signOut();
  for (const [{ code }, name] of [[one, "Ida One"] as const, [two, "Ida Two"] as const]) {
    location.hash = code;
    await waitFor(() => expect((screen.getByLabelText("Your name") as HTMLInputElement).value).toBe(name));
    expect(location.href).not.toContain(code);
  }
});

test("who opens an older link than the newest is told that there may be a newer one, and has another one sent", async () => {
  const { email, code } = await invite(mailing, "Nora New");
  const sent = () => mailing.mail.mails.filter(({ to }) => to.includes(email)).length;
  const { user, services } = await openWithoutLink(mailing);
  services.session.signOut();
  location.hash = code;
  await screen.findByLabelText("Your name");
  // The form is open when a newer link ends this one.
  await mailing.service.call("POST", "/v1/password-resets", { email });
  await expect.poll(sent).toBe(2);
  await user.type(screen.getByLabelText("New password"), "seven green kettles sing");
  await user.click(screen.getByRole("button", { name: "Set the password and sign in" }));
  const heading = await screen.findByRole("heading", { name: "This link cannot be used" });
  expect(document.activeElement).toBe(heading); // the form that had the focus is gone
  const card = within(heading.closest("main") as HTMLElement);
  expect(await card.findByText(/open the one in your newest mail/)).toBeTruthy();
  expect(card.queryByText(/Ask an administrator/)).toBeNull();
  await user.type(card.getByLabelText("Your e-mail address"), email);
  await user.click(card.getByRole("button", { name: "Send a link" }));
  await expect.poll(sent).toBe(3);
  await waitFor(() => expect(document.activeElement?.textContent).toContain("a mail with a link for a new one is on its way"));
  const newest = parseMail(mailing.mail.mails.filter(({ to }) => to.includes(email))[2]?.raw ?? "").text;
  location.hash = /welcome#(\S+)/.exec(newest)?.[1] ?? "";
  expect(await screen.findByLabelText("Your name")).toBeTruthy();
});

test("where the service sends no mail, an administrator is asked for a new link", async () => {
  const { services } = await openWithoutLink(mailless);
  services.session.signOut();
  location.hash = "unknown";
  expect(await screen.findByText(/Ask an administrator for a new one/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Send a link" })).toBeNull();
});
