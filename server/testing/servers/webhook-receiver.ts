// A receiver of webhooks: a real HTTP server that keeps what it gets and answers as it is told.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { WebhookBody } from "../../../core/contract/webhooks.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "./tls-certificate.ts";

export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: WebhookBody;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** Says how many connections there were. */
  connections(): number;
  /** Answers from now on; at first 204 to everything. */
  answerWith(answer: (received: Received, response: ServerResponse) => void | Promise<void>): void;
  close(): Promise<void>;
}

export async function startReceiver({ tls = false, port = 0 } = {}): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  let answer: Parameters<Receiver["answerWith"]>[0] = (_, response) => void response.writeHead(204).end();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const one = { id: String(request.headers["webhook-id"]), headers: request.headers, text, body: JSON.parse(text) as WebhookBody };
    received.push(one);
    await answer(one, response);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => void handle(request, response).catch(() => response.destroy());
  const server = tls ? createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, onRequest) : createServer(onRequest);
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${actual}/intake`,
    port: actual,
    received,
    connections: () => connections,
    answerWith(next) {
      answer = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Says whether the library that receivers use takes the message as signed with this secret. */
export function isSignedWith(secret: string, { headers, text }: Received): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** The changes of all messages, in the order of their arrival, as "id.version". */
export function changesIn(received: readonly Received[]): string[] {
  return received.flatMap(({ body }) =>
    body.type === "changes" ? body.data.changes.map(({ objectId, version }) => `${objectId}.${version}`) : [],
  );
}
