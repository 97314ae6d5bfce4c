// The app with a service that sends mail, to a real mail server that keeps what it gets.

import { readMailSettings } from "../../core/contract/mail-settings.ts";
import { createMailer } from "../../server/mail/mailer.ts";
import { type MailServer, startMailServer } from "../../server/testing/servers/mail-server.ts";
import { DICTIONARY } from "../../server/testing/service.ts";
import { openTestApp, type TestApp } from "./test-app.tsx";

export interface MailingApp extends TestApp {
  mail: MailServer;
}

/** Its `close` ends the mail server, too. */
export async function openMailingApp(): Promise<MailingApp> {
  const mail = await startMailServer();
  const mailer = createMailer(readMailSettings(`smtp://127.0.0.1:${mail.port}`, "intake@example.org"));
  const app = await openTestApp(DICTIONARY, { mailer, publicUrl: "https://intake.example.org" });
  const close = async () => {
    await app.close();
    await mail.close();
  };
  return { ...app, mail, close };
}
