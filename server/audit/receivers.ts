// The receivers of security events: an address that takes signed messages, or a syslog server.

import { randomUUID } from "node:crypto";
import { connect, isIP, type Socket } from "node:net";
import { hostname } from "node:os";
import { connect as connectTls } from "node:tls";
import { createPost } from "../webhooks/sending/post.ts";
import { isWebhookSecret, signMessage } from "../webhooks/sending/secrets.ts";
import type { SendEvents } from "./event-stream.ts";
import type { OcsfEvent } from "./ocsf.ts";

/** The settings cannot be used. The message says which and why, and has nothing of the secret. */
export class InvalidAuditStream extends Error {}

const SYSLOG_PORTS: Readonly<Record<string, number>> = { "syslog+tls:": 6514, "syslog+tcp:": 601 }; // RFC 5425, RFC 3195

/**
 * Says how to send to AUDIT_STREAM. `trustedCertificates`: PEM in place of the usual authorities, for tests. Throws InvalidAuditStream.
 *
 * @example readReceiver({ AUDIT_STREAM: "syslog+tls://siem.example.org" })
 */
export function readReceiver(env: Readonly<Record<string, string | undefined>>, trustedCertificates?: string): SendEvents | undefined {
  const { AUDIT_STREAM: address = "", AUDIT_SECRET: secret = "" } = env;
  if (address === "") {
    if (secret === "") return undefined;
    throw new InvalidAuditStream("AUDIT_SECRET is set, and AUDIT_STREAM is not: set both, or none.");
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSyslog = url !== undefined && url.protocol in SYSLOG_PORTS && url.hostname !== "" && /^\/?$/.test(url.pathname);
  const isWeb = url !== undefined && ["https:", "http:"].includes(url.protocol) && url.username === "";
  if (!url || !(isSyslog || isWeb))
    throw new InvalidAuditStream(
      "AUDIT_STREAM must be an address such as https://siem.example.org/intake or syslog+tls://siem.example.org.",
    );
  if (isSyslog) {
    if (secret !== "")
      throw new InvalidAuditStream("AUDIT_SECRET signs messages to an https address: a syslog server takes none. Remove it.");
    return sendBySyslog(url, trustedCertificates);
  }
  if (!isWebhookSecret(secret))
    throw new InvalidAuditStream('AUDIT_SECRET must be "whsec_" and 24 to 64 bytes in base64: it signs what goes to AUDIT_STREAM.');
  return sendByPost(address, secret, trustedCertificates);
}

/** Sends a message of Standard Webhooks. Sent again it has another id; each event keeps its own. */
function sendByPost(address: string, secret: string, trustedCertificates?: string): SendEvents {
  const post = createPost({ allowsPrivate: true, ...(trustedCertificates !== undefined && { trustedCertificates }) }); // who operates it chose the address
  return async (events) => {
    const at = Date.now();
    const body = JSON.stringify({ type: "security", timestamp: new Date(at).toISOString(), data: { events } });
    const headers = signMessage([secret], { id: `sec_${randomUUID()}`, timestamp: Math.floor(at / 1_000), body });
    const { status, problem } = await post(address, headers, body);
    if (problem !== null) throw new Error(status === null ? `no answer (${problem})` : `the answer was ${status}`);
  };
}

const NOT_ASCII = /[^!-~]/g;
const FACILITY = 13; // log audit (RFC 5424 section 6.2.1)
const SEVERITIES: Readonly<Record<string, number>> = { Success: 6, Failure: 4 }; // informational, warning
const WITHIN = 15_000; // ms for a connection and what is written to it

/** Opens one connection for each group of events: a syslog server answers nothing, and a connection that was closed meanwhile tells it too late. */
function sendBySyslog(url: URL, trustedCertificates?: string): SendEvents {
  const [host, port] = [url.hostname.replace(/^\[|\]$/g, ""), Number(url.port) || (SYSLOG_PORTS[url.protocol] as number)];
  return (events, signal) =>
    new Promise((resolve, reject) => {
      const isTls = url.protocol === "syslog+tls:";
      const onConnect = () => socket.end(Buffer.concat(events.map(frameOf)));
      const socket: Socket = isTls
        ? connectTls(
            {
              host,
              port,
              ...(isIP(host) === 0 && { servername: host }),
              ...(trustedCertificates !== undefined && { ca: trustedCertificates }),
            },
            onConnect,
          )
        : connect({ host, port }, onConnect);
      const stop = () => socket.destroy(new Error("stopped"));
      signal.addEventListener("abort", stop, { once: true });
      socket.setTimeout(WITHIN, () => socket.destroy(new Error("it takes too long")));
      socket.on("error", reject);
      socket.on("data", () => undefined);
      socket.on("close", () => {
        signal.removeEventListener("abort", stop);
        resolve();
      });
    });
}

/** Writes it by RFC 5424, with its length before it (RFC 6587 section 3.4.1). */
function frameOf(event: OcsfEvent): Buffer {
  const priority = FACILITY * 8 + (SEVERITIES[String(event.status)] ?? 6);
  const host = hostname().replace(NOT_ASCII, "_").slice(0, 255) || "-";
  const head = `<${priority}>1 ${new Date(event.time).toISOString()} ${host} intake ${process.pid} security - `;
  const message = Buffer.from(`${head}\uFEFF${JSON.stringify(event)}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}
