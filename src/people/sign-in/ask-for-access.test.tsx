// The sign-in page's forms for people who cannot sign in yet, or any more, and the page where an administrator decides.

import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readMailSettings } from "../../../core/contract/mail-settings.ts";
import { createMailer } from "../../../server/mail/mailer.ts";
import { type MailServer, parseMail, startMailServer } from "../../../server/testing/servers/mail-server.ts";
import { DICTIONARY } from "../../../server/testing/service.ts";
import { drawPart, openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { AskForAccess } from "./ask-for-access.tsx";
import { SignInForm } from "./sign-in-form.tsx";

let mail: MailServer;
let app: TestApp;
beforeAll(async () => {
  mail = await startMailServer();
  const mailer = createMailer(readMailSettings(`smtp://127.0.0.1:${mail.port}`, "intake@example.org"));
  app = await openTestApp(DICTIONARY, { signUp: "request", mailer, publicUrl: "https://intake.example.org" });
  await app.service.newPerson("viewer");
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const page = (
  <>
    <SignInForm />
    <AskForAccess />
  </>
);

describe("somebody without an account", () => {
  test("asks for access with a name and an address, and an administrator approves with roles", async () => {
    const { user } = await drawPart(app, page);
    await user.click(await screen.findByText("No account yet? Ask for access"));
    await user.click(screen.getByRole("button", { name: "Ask for access" }));
    expect(document.activeElement?.id).toBe("access-email");
    expect(screen.getByText("Enter your name.")).toBeTruthy();
    const form = within(document.getElementById("access-email")?.closest("form") as HTMLElement);
    await user.type(form.getByLabelText("Your name"), "Nora Neu");
    for (const wrong of ["nora", "nora@example"]) {
      await user.clear(form.getByLabelText("Your e-mail address"));
      await user.type(form.getByLabelText("Your e-mail address"), wrong);
      await user.click(form.getByRole("button", { name: "Ask for access" }));
      expect(await form.findByText("Enter your whole e-mail address, such as anna.berg@example.org.")).toBeTruthy();
    }
    await user.clear(form.getByLabelText("Your e-mail address"));
    await user.type(form.getByLabelText("Your e-mail address"), "new@example.org");
    await user.type(form.getByLabelText("Message"), "Room 7");
    await user.click(form.getByRole("button", { name: "Ask for access" }));
    const answer = await screen.findByText(/^An administrator decides about it\. If you get access, a mail/);
    expect(document.activeElement?.contains(answer) && document.activeElement !== document.body).toBe(true);
  });

  test("stands on the administrators' page, whose link says how many wait", async () => {
    const { user } = await openPage(app, "/settings/requests");
    expect(await screen.findByRole("link", { name: "Access requests (1)" })).toBeTruthy();
    const row = await screen.findByRole("row", { name: /Nora Neu/ });
    expect(row.textContent).toContain("Room 7");
    await user.click(within(row).getByRole("button", { name: "Approve Nora Neu" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Approve Nora Neu" }));
    await user.click(dialog.getByRole("button", { name: "Approve" }));
    expect(dialog.getByText("Choose at least one role.")).toBeTruthy();
    await user.click(dialog.getByRole("checkbox", { name: /^Viewer/ }));
    await user.click(dialog.getByRole("button", { name: "Approve" }));
    const link = (await screen.findByRole("textbox", { name: "Link" })) as HTMLInputElement;
    expect(link.value).toContain("https://intake.example.org/welcome#");
    expect(await screen.findByText("No open requests")).toBeTruthy();
    expect(mail.mails.at(-1)?.to).toEqual(["new@example.org"]);
  });

  test("who is declined is gone from the page", async () => {
    const body = JSON.stringify({ email: "spam@example.org", name: "Spam" });
    await app.service.raw("POST", "/v1/access-requests", { "content-type": "application/json" }, body);
    const { user } = await openPage(app, "/settings/requests");
    await user.click(await screen.findByRole("button", { name: "Decline Spam" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Decline" }));
    expect(await screen.findByText("No open requests")).toBeTruthy();
  });
});

describe("the form for the password", () => {
  const submit = async (user: UserEvent) => user.click(screen.getByRole("button", { name: "Sign in" }));
  const marked = () => ["E-mail", "Password"].filter((label) => screen.getByLabelText(label).getAttribute("aria-invalid") === "true");

  test("marks what is missing, and both when they do not belong together", async () => {
    const { user } = await drawPart(app, page);
    await user.type(await screen.findByLabelText("E-mail"), "anna@example.org");
    await submit(user);
    expect(marked()).toEqual(["Password"]);
    expect(document.activeElement).toBe(screen.getByLabelText("Password"));
    await user.type(screen.getByLabelText("Password"), "not the password");
    await submit(user);
    await screen.findByText(/do not belong together/);
    expect(marked()).toEqual(["E-mail", "Password"]);
  });

  test("marks nothing when the service says nothing about them", async () => {
    const { user } = await drawPart(app, page);
    await user.type(await screen.findByLabelText("E-mail"), "many@example.org");
    await user.type(screen.getByLabelText("Password"), "not the password");
    const tooMany = () => screen.queryByText(/too many attempts/);
    while (!tooMany()) {
      await submit(user);
      await screen.findByRole("alert");
    }
    expect(marked()).toEqual([]);
  });
});

describe("somebody who forgot the password", () => {
  test("gets a link by mail", async () => {
    const invited = await app.service.call("POST", "/v1/users", { email: "forgot@example.org", name: "F", roles: [] });
    expect(invited.status).toBe(201);
    const { user } = await drawPart(app, page);
    await user.click(await screen.findByText("Forgot your password?"));
    const form = within(document.getElementById("reset-email")?.closest("form") as HTMLElement);
    await user.type(form.getByLabelText("Your e-mail address"), "forgot@example.org");
    const before = mail.mails.length;
    await user.click(form.getByRole("button", { name: "Send a link" }));
    expect(await screen.findByText(/a mail with a link for a new one is on its way/)).toBeTruthy();
    await vi.waitFor(() => expect(mail.mails.length).toBe(before + 1), { timeout: 20_000 });
    expect(parseMail(mail.mails.at(-1)?.raw ?? "").text).toContain("https://intake.example.org/welcome#");
  });

  test("asks an administrator where the service sends no mail, and cannot ask for access by default", async () => {
    const plain = await openTestApp();
    try {
      await plain.service.newPerson("viewer");
      const { user } = await drawPart(plain, page);
      await user.click(await screen.findByText("Forgot your password?"));
      expect(screen.getByText(/^Ask an administrator for a link/)).toBeTruthy();
      expect(screen.queryByText("No account yet? Ask for access")).toBeNull();
    } finally {
      await plain.close();
    }
  });
});
