// A real mail server in the test's process (smtp-server), and its mails read.

import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  encrypted: boolean;
  user?: string;
  /** Holds it as it came, header and body. */
  raw: string;
}

export interface MailServer {
  /** Says what it took, the first one first. */
  mails: ReceivedMail[];
  port: number;
  close(): Promise<void>;
}

/** A mail server that keeps what it takes. Without options it has no sign-in and no TLS. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          encrypted: session.secure,
          ...(session.user && { user: session.user }),
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {}); // a client that hangs up is no fault here
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return { mails, port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** The header as name → value, unfolded, and the parts by their media type, decoded. */
export function parseMail(raw: string): { header: Map<string, string>; text: string; html: string } {
  const [head = ""] = raw.split("\r\n\r\n", 1);
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  const header = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]));
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? "";
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  const bodyOf = (type: string) => {
    const part = parts.find((part) => part.includes(`Content-Type: ${type}`)) ?? "";
    const body = part.slice(part.indexOf("\r\n\r\n") + 4);
    if (part.includes("base64")) return Buffer.from(body, "base64").toString();
    if (!part.includes("quoted-printable")) return body;
    const bytes = body.replace(/=\r\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, "latin1").toString();
  };
  return { header, text: bodyOf("text/plain").replaceAll("\r\n", "\n"), html: bodyOf("text/html").replaceAll("\r\n", "\n") };
}
