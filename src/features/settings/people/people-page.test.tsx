// Inviting people, with a service that sends mail and with one that sends none, and finding them.

import { screen } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMailSettings } from "../../../../server/mail/mail-settings.ts";
import { createMailer } from "../../../../server/mail/mailer.ts";
import { type MailServer, startMailServer } from "../../../../server/testing/servers/mail-server.ts";
import { DICTIONARY } from "../../../../server/testing/service.ts";
import { openPage, openTestApp, type TestApp } from "../../../testing/test-app.tsx";

let mail: MailServer;
let mailing: TestApp;
let mailless: TestApp;
beforeAll(async () => {
  mail = await startMailServer();
  const mailer = createMailer(readMailSettings(`smtp://127.0.0.1:${mail.port}`, "intake@example.org"));
  mailing = await openTestApp(DICTIONARY, { mailer, publicUrl: "https://intake.example.org" });
  mailless = await openTestApp();
});
afterAll(async () => {
  await mailing.close();
  await mailless.close();
  await mail.close();
});

/** Opens the dialog, and answers once the page knows what the service can do. */
async function openInvitation(app: TestApp): Promise<void> {
  const { user, queries } = await openPage(app, "/settings/people");
  await user.click(await screen.findByRole("button", { name: "Invite someone" }));
  await expect.poll(() => queries.getQueryData(["ways to sign in"])).toBeTruthy();
}

test("an invitation that is mailed has a language, at first that of the app", async () => {
  await openInvitation(mailing);
  expect(((await screen.findByLabelText("Language of the mail")) as HTMLSelectElement).value).toBe("en");
});

test("an invitation that nobody mails has none", async () => {
  await openInvitation(mailless);
  expect(await screen.findByLabelText("E-mail")).toBeTruthy();
  expect(screen.queryByLabelText("Language of the mail")).toBeNull();
});

test("many people are found by the beginnings of words in names, addresses and roles", async () => {
  const names = [...Array.from({ length: 10 }, (_, i) => `Person ${i + 1}`), "Märta Ångström"];
  for (const [i, name] of names.entries())
    await mailless.service.call("POST", "/v1/users", { email: `p${i}@example.org`, name, roles: [i === 0 ? "viewer" : "editor"] });
  const { user } = await openPage(mailless, "/settings/people");
  const search = await screen.findByRole("searchbox", { name: "Find people" });
  const shown = () => screen.getAllByRole("button", { name: /^Change / }).map((button) => button.getAttribute("aria-label"));
  expect(shown().slice(-2)).toEqual(["Change Person 9", "Change Person 10"]);
  await user.type(search, "angs");
  expect(shown()).toEqual(["Change Märta Ångström"]);
  await user.clear(search);
  await user.type(search, "viewer");
  expect(shown()).toEqual(["Change Person 1"]);
  await user.type(search, "x");
  expect(await screen.findByText("Nobody has a name, address or role like that.")).toBeTruthy();
});
