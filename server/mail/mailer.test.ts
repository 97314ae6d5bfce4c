// Mails through a real SMTP server (smtp-server), and through servers that are down, slow or refuse.

import { type AddressInfo, createServer, type Socket } from "node:net";
import type { SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { InvalidMailSettings, readMailSettings } from "../../core/contract/mail-settings.ts";
import { parseMail, startMailServer } from "../testing/servers/mail-server.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "../testing/servers/tls-certificate.ts";
import { createMailer, type Recipient } from "./mailer.ts";
import type { MailContent } from "./messages.ts";

const FROM = "Intake <intake@example.org>";
const ANNA: Recipient = { email: "anna@example.org", name: "Anna Ångström", language: "en" };
const LINK = "https://intake.example.org/join#abc123&x=1";
const ENDS = Date.UTC(2026, 10, 25, 14, 5);
const INVITATION: MailContent = { kind: "invitation", invitedBy: "Jörg <Admin>", link: LINK, expiresAt: ENDS };

const toClose: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(toClose.splice(0).map((close) => close()));
});

/** A mail server that ends with the test. */
async function startServer(options: SMTPServerOptions = {}) {
  const server = await startMailServer(options);
  toClose.push(server.close);
  return server;
}

/** A server of plain TCP. */
async function startListener(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  toClose.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const mailerOf = (url: string, options = {}) => createMailer(readMailSettings(url, FROM), options);
const TRUSTED = { trustedCertificates: TEST_CERTIFICATE };
const TLS: SMTPServerOptions = { key: TEST_KEY, cert: TEST_CERTIFICATE, disabledCommands: [] };
const WITH_PASSWORD: SMTPServerOptions = {
  authOptional: false,
  onAuth: ({ username, password }, _, done) =>
    username === "intake" && password === "p@ss:word" ? done(null, { user: username }) : done(new Error("no")),
};

describe("a mail arrives", () => {
  test("as an invitation with its link, who invites and when it ends, as text and as HTML", async () => {
    const { mails, port } = await startServer();
    expect(await mailerOf(`smtp://127.0.0.1:${port}`).send(INVITATION, ANNA)).toEqual({ sent: true });
    expect(mails).toMatchObject([{ from: "intake@example.org", to: ["anna@example.org"] }]);
    const { header, text, html } = parseMail(mails[0]?.raw ?? "");
    expect(header.get("subject")).toBe("You are invited to Intake");
    expect(header.get("from")).toBe("Intake <intake@example.org>");
    expect(header.get("to")).toMatch(/^=\?UTF-8\?.*<anna@example\.org>$/);
    expect(header.get("auto-submitted")).toBe("auto-generated");
    expect(header.has("x-mailer")).toBe(false);
    expect(text).toContain("Hello Anna Ångström,\n\nJörg <Admin> invites you to Intake");
    expect(text).toContain(`Accept the invitation:\n${LINK}\n`);
    expect(text).toMatch(/until November 25, 2026.*14:05 \(UTC\)/);
    expect(html).toContain("Jörg &#60;Admin&#62; invites you");
    expect(html).toContain('<a href="https://intake.example.org/join#abc123&#38;x=1">Accept the invitation</a>');
  });

  test.each<[MailContent, string, string[]]>([
    [INVITATION, "Einladung zu Intake", ["lädt Sie zu Intake ein", "25. November 2026", LINK]],
    [{ kind: "new-password", link: LINK, expiresAt: ENDS }, "Neues Passwort für Intake setzen", ["Neues Passwort festlegen:", LINK]],
    [
      { kind: "access-request", name: "Bo", email: "bo@example.org", message: "Bitte!\r\nBo", link: LINK },
      "Jemand bittet um Zugang zu Intake",
      ["Bo (bo@example.org) bittet um Zugang", "> Bitte!\n> Bo\n", LINK],
    ],
    [{ kind: "access-approved", link: LINK, expiresAt: ENDS }, "Sie haben Zugang zu Intake", ["Anmeldung wählen:", LINK]],
    [
      { kind: "security-notice", what: "key", at: ENDS, source: "192.0.2.7", name: "Odd", link: LINK },
      "An Ihrem Konto bei Intake hat sich etwas geändert",
      ["wurde von 192.0.2.7 der neue API-Schlüssel „Odd“", LINK, "Ändern Sie sofort Ihr Passwort"],
    ],
  ])("in the reader's language: %#", async (content, subject, sentences) => {
    const { mails, port } = await startServer();
    await mailerOf(`smtp://127.0.0.1:${port}`).send(content, { ...ANNA, name: "", language: "de" });
    const { header, text, html } = parseMail(mails[0]?.raw ?? "");
    expect(decodeWords(header.get("subject") ?? "")).toBe(subject);
    for (const sentence of ["Guten Tag,", ...sentences]) expect(text).toContain(sentence);
    expect(html).toContain('<html lang="de" dir="ltr">');
  });

  test("encrypted and signed in, by STARTTLS and by TLS from the first byte", async () => {
    const login = "intake:p%40ss%3Aword@";
    const first = await startServer({ ...TLS, ...WITH_PASSWORD });
    const second = await startServer({ ...TLS, ...WITH_PASSWORD, secure: true });
    expect(await mailerOf(`smtp://${login}localhost:${first.port}`, TRUSTED).send(INVITATION, ANNA)).toEqual({ sent: true });
    expect(await mailerOf(`smtps://${login}127.0.0.1:${second.port}`, TRUSTED).send(INVITATION, ANNA)).toEqual({ sent: true });
    expect([...first.mails, ...second.mails]).toMatchObject([
      { encrypted: true, user: "intake" },
      { encrypted: true, user: "intake" },
    ]);
  });
});

test("nobody adds a header, a recipient or HTML by a name, an address or a message", async () => {
  const { mails, port } = await startServer();
  const mailer = mailerOf(`smtp://127.0.0.1:${port}`);
  const evil = 'Eve"\r\nBcc: all@example.org\r\n\r\n<img src=x onerror="alert(1)">\u2028\u0000';
  const contents: MailContent[] = [
    { ...INVITATION, invitedBy: evil } as MailContent,
    { kind: "access-request", name: evil, email: evil, message: `${evil}\r\n.\r\nMAIL FROM:<x@example.org>`, link: `${LINK}"><b>` },
  ];
  for (const content of contents) expect(await mailer.send(content, { ...ANNA, name: evil })).toEqual({ sent: true });
  for (const email of [
    "a@b.example\r\nRCPT TO:<c@example.org>",
    "a@b.example,c@example.org",
    "<a@b.example> c@x.example",
    "a b@c.example",
    "a@b@c",
    "",
  ]) {
    expect(await mailer.send(INVITATION, { ...ANNA, email })).toMatchObject({ sent: false, code: "MAIL_BAD_ADDRESS" });
  }
  expect(mails.map(({ to, from }) => [from, ...to])).toEqual(Array(2).fill(["intake@example.org", "anna@example.org"]));
  for (const { raw } of mails) {
    const { header, html } = parseMail(raw);
    expect([...header.keys()].sort()).toEqual(
      ["auto-submitted", "content-type", "date", "from", "message-id", "mime-version", "subject", "to"].sort(),
    );
    expect(html).not.toMatch(/<img|<b>/);
  }
});

describe("a mail that cannot be sent is said, with a reason", () => {
  const codeFor = async (url: string, options = {}) => {
    const sent = await mailerOf(url, options).send(INVITATION, ANNA);
    expect(sent).toMatchObject({ sent: false, reason: expect.stringMatching(/^\S.*\.$/) });
    expect(JSON.stringify(sent)).not.toMatch(/anna@|secret/); // what is logged names nobody
    return sent.sent ? "" : sent.code;
  };

  test("without a mail server", async () => {
    expect(await createMailer(readMailSettings(undefined, undefined)).send(INVITATION, ANNA)).toMatchObject({ code: "MAIL_NOT_SET_UP" });
  });

  test("with a server that is down, or unknown", async () => {
    const { port } = await startServer();
    await toClose.pop()?.();
    expect(await codeFor(`smtp://127.0.0.1:${port}`)).toBe("MAIL_UNREACHABLE");
    expect(await codeFor("smtp://mail.invalid")).toBe("MAIL_UNREACHABLE");
  });

  test("with a wrong password", async () => {
    const { mails, port } = await startServer({ ...TLS, ...WITH_PASSWORD });
    expect(await codeFor(`smtp://intake:secret@127.0.0.1:${port}`, TRUSTED)).toBe("MAIL_SIGN_IN");
    expect(mails).toEqual([]);
  });

  test("with a certificate that nobody vouches for", async () => {
    const { mails, port } = await startServer(TLS);
    const secure = await startServer({ ...TLS, secure: true });
    expect(await codeFor(`smtp://127.0.0.1:${port}`)).toBe("MAIL_TLS");
    expect(await codeFor(`smtps://127.0.0.1:${secure.port}`)).toBe("MAIL_TLS");
    expect([...mails, ...secure.mails]).toEqual([]);
  });

  test("with a password, but a server on the network that offers no encryption", async () => {
    let heard = "";
    const port = await startListener((socket) => {
      socket.write("220 mail.example ESMTP\r\n");
      socket.on("data", (data) => {
        heard += data;
        socket.write(String(data).startsWith("EHLO") ? "250-mail.example\r\n250 AUTH PLAIN LOGIN\r\n" : "502 no\r\n");
      });
    });
    expect(await codeFor(`smtp://intake:secret@0.0.0.0:${port}`)).toBe("MAIL_TLS");
    expect(heard).not.toContain("AUTH");
  });

  test("when the server refuses the address, or the mail", async () => {
    const addresses = await startServer({ onRcptTo: (_, __, done) => done(new Error("550 no such user")) });
    const spam = await startServer({ onData: (stream, _, done) => stream.resume().on("end", () => done(new Error("554 spam"))) });
    expect(await codeFor(`smtp://127.0.0.1:${addresses.port}`)).toBe("MAIL_ADDRESS_REFUSED");
    expect(await codeFor(`smtp://127.0.0.1:${spam.port}`)).toBe("MAIL_REFUSED");
  });

  test("when the server is silent, or sends a byte now and then", async () => {
    const silent = await startListener(() => {});
    const ended: Promise<unknown>[] = [];
    const trickling = await startListener((socket) => {
      const timer = setInterval(() => socket.write("2"), 20);
      ended.push(new Promise((resolve) => socket.once("close", () => resolve(clearInterval(timer)))));
    });
    expect(await codeFor(`smtp://127.0.0.1:${silent}`, { sendWithin: 300 })).toBe("MAIL_TOO_SLOW");
    expect(await codeFor(`smtp://127.0.0.1:${trickling}`, { sendWithin: 300 })).toBe("MAIL_TOO_SLOW");
    await Promise.all(ended); // the connection is given up, too
    expect(ended).toHaveLength(1);
  });

  test("when a hundred others wait already; those are sent", async () => {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { mails, port } = await startServer({ onMailFrom: (_, __, done) => void isReleased.then(() => done()) });
    const mailer = mailerOf(`smtp://127.0.0.1:${port}`);
    const sending = Array.from({ length: 4 + 100 + 1 }, () => mailer.send(INVITATION, ANNA));
    expect(await sending.at(-1)).toMatchObject({ sent: false, code: "MAIL_BUSY" });
    release();
    expect((await Promise.all(sending)).filter(({ sent }) => sent)).toHaveLength(104);
    expect(mails).toHaveLength(104);
  });
});

test("settings that cannot be used are refused in a sentence that does not have the password", () => {
  const wrong = [
    ["https://mail.example.org", FROM],
    ["mail.example.org:25", FROM],
    ["smtp://", FROM],
    ["smtp://u:secret@mail.example.org/?tls=no", FROM],
    ["smtp://mail.example.org:587/?from=secret@example.org", FROM],
    ["smtp://mail.example.org/?x=secret@example.org", FROM],
    ["smtp://u:secret@mail.example.org", undefined],
    ["smtp://u:secret@mail.example.org", "Intake"],
    ["smtp://u:secret@mail.example.org", "a@example.org, b@example.org"],
    ["smtp://u:secret@mail.example.org", "Intake <a@example.org>\r\nBcc: b@example.org"],
    ["smtp://u:sec%ret@mail.example.org", FROM],
  ] as const;
  for (const [url, from] of wrong) {
    expect(() => readMailSettings(url, from)).toThrow(InvalidMailSettings);
    expect(() => readMailSettings(url, from)).toThrow(/^(With )?SMTP_URL/);
    expect(() => readMailSettings(url, from)).not.toThrow(/secret|sec%ret/);
  }
});

test("settings say where and how", () => {
  expect(readMailSettings("smtp://u:p%40@mail.example.org", " intake@example.org ")).toEqual({
    host: "mail.example.org",
    port: 587,
    secure: false,
    requireTLS: true,
    auth: { user: "u", pass: "p@" },
    from: { name: "", address: "intake@example.org" },
  });
  expect(readMailSettings("smtps://[::1]", '"In, take" <intake@example.org>')).toEqual({
    host: "::1",
    port: 465,
    secure: true,
    requireTLS: false,
    from: { name: "In, take", address: "intake@example.org" },
  });
  expect(readMailSettings("", undefined)).toBeUndefined();
});

/** RFC 2047 */
function decodeWords(text: string): string {
  return text.replace(/=\?UTF-8\?Q\?([^?]*)\?=\s*/gi, (_, word: string) =>
    Buffer.from(
      word.replaceAll("_", " ").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    ).toString(),
  );
}
