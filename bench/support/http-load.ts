// A minimal HTTP client that measures: calls over open sockets, one after another on each socket.

import { connect, type Socket } from "node:net";

export interface Call {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Any other status ends the measurement. */
  status: number;
}

export interface Load {
  perSecond: number;
  /** ms from the first byte of the request to the last byte of the response. */
  p50: number;
  p99: number;
}

/** Makes calls 0 to `count` - 1, `sockets` at a time. Throws on an unexpected status. */
export async function load(origin: string, count: number, sockets: number, callOf: (i: number) => Call): Promise<Load> {
  const calls = Array.from({ length: count }, (_, i) => callOf(i));
  const bytes = calls.map((call) => toBytes(origin, call));
  const took: number[] = [];
  let next = 0;
  const rest = stayAwake();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: Math.min(sockets, count) }, async () => {
      const line = await openLine(origin);
      try {
        for (let i = next++; i < count; i = next++) {
          const before = performance.now();
          const { status, body } = await line.call(bytes[i] as Buffer);
          took.push(performance.now() - before);
          expect(calls[i] as Call, status, body);
        }
      } finally {
        line.close();
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  rest();
  took.sort((a, b) => a - b);
  return { perSecond: count / seconds, p50: took[Math.floor(count * 0.5)] ?? 0, p99: took[Math.floor(count * 0.99)] ?? 0 };
}

/**
 * Keeps this process from sleeping between responses. In a virtual machine, waking it costs the sender up to 20 µs:
 * a slow service would pay that for every response, a fast one for none.
 */
function stayAwake(): () => void {
  let isAwake = true;
  const spin = () => void (isAwake && setImmediate(spin));
  spin();
  return () => {
    isAwake = false;
  };
}

/** Makes one call and returns the body of the response. */
export async function request(origin: string, call: Call): Promise<string> {
  const line = await openLine(origin);
  try {
    const { status, body } = await line.call(toBytes(origin, call));
    expect(call, status, body);
    return body();
  } finally {
    line.close();
  }
}

function expect(call: Call, status: number, body: () => string): void {
  if (status !== call.status) throw new Error(`${call.method} ${call.path}: ${status} ${body().slice(0, 300)}`);
}

interface Line {
  call(bytes: Buffer): Promise<{ status: number; body: () => string }>;
  close(): void;
}

async function openLine(origin: string): Promise<Line> {
  const { hostname, port } = new URL(origin);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let parts: Buffer[] = [];
  let missing = 0; // bytes; 0: the head of a response comes next
  let head: Head | undefined;
  let done: ((answer: { status: number; body: () => string }) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  socket.on("data", (data) => {
    parts.push(data);
    if (!head) {
      const all = parts.length === 1 ? data : Buffer.concat(parts);
      parts = [all];
      head = readHead(all);
      if (!head) return;
      missing = head.end + head.length - all.length;
    } else missing -= data.length;
    if (missing > 0) return;
    const [answer, { status, end }] = [parts, head];
    [parts, head] = [[], undefined];
    done?.({ status, body: () => Buffer.concat(answer).subarray(end).toString() });
  });
  socket.on("error", (error) => failed?.(error));
  socket.on("close", () => failed?.(new Error("the service closed the connection")));
  await new Promise<void>((resolve, reject) => {
    failed = reject;
    socket.once("connect", () => resolve());
  });
  return {
    call: (bytes) =>
      new Promise((resolve, reject) => {
        [done, failed] = [resolve, reject];
        socket.write(bytes);
      }),
    close: () => socket.destroy(),
  };
}

interface Head {
  status: number;
  /** Bytes of the head, the empty line included. */
  end: number;
  /** Bytes of the body. */
  length: number;
}

function readHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const text = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *([0-9]+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error("an answer without Content-Length; only those can be read here");
  return { status: Number(text.slice(9, 12)), end: end + 4, length: Number(length) };
}

function toBytes(origin: string, { method, path, headers = {}, body }: Call): Buffer {
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: new URL(origin).host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`);
}
