// Requests as bytes on a socket, for what no HTTP client would send.

import { connect } from "node:net";

export interface RawReply {
  status: number;
  /** The status line and the header fields. */
  head: string;
  /** All that came, without what was asked at the end. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
  json: any;
  /** Says how many responses came on this connection. */
  responses: number;
}

const LAST = "GET /livez HTTP/1.1\r\nHost: intake\r\nConnection: close\r\n\r\n";

/** Sends the bytes and then `last`, which ends the connection if nothing before it does. */
export function sendRaw(port: number, request: string | Buffer, last = LAST): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(Buffer.concat([Buffer.from(request as string, "latin1"), Buffer.from(last)])),
    );
    socket.setEncoding("utf8");
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("error", () => undefined); // it may be closed before all is sent
    socket.setTimeout(30_000, () => reject(new Error(`no end: ${text}`)));
    socket.on("close", () => {
      const [head = "", rest = ""] = text.split(/\r\n\r\n(.*)/s);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const body = Buffer.from(rest).subarray(0, length).toString();
      const hasJson = !String(request).startsWith("HEAD") && /content-type: application\/(problem\+)?json/.test(head);
      const json = hasJson ? JSON.parse(body || "null") : undefined;
      resolve({ status: Number(head.split(" ")[1]), head, text, json, responses: text.split("HTTP/1.1 ").length - 1 });
    });
  });
}
