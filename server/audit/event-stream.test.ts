// The stream of security events: what is sent, in which order, and what happens while its receiver is away.

import { type AddressInfo, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { logSecurityEvent, type SecurityEvent } from "../people/auth/security-events.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "../testing/servers/tls-certificate.ts";
import { isSignedWith, type Receiver, startReceiver } from "../testing/servers/webhook-receiver.ts";
import { createEventStream, type EventStream, type SendEvents } from "./event-stream.ts";
import type { OcsfEvent } from "./ocsf.ts";
import { readReceiver } from "./receivers.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const SOON = { timeout: 20_000, interval: 10 };

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

/** Writes a line as the service's log has it. */
function write(stream: EventStream, event: SecurityEvent, fields: Parameters<typeof logSecurityEvent>[2] = {}, id = "r1"): void {
  const log = {
    warn: (given: object, msg: string) =>
      stream.hear(`${JSON.stringify({ level: 40, time: 1_764_500_000_000, pid: 7, hostname: "h", ...given, msg })}\n`),
  };
  logSecurityEvent({ id, ip: "192.0.2.7", log }, event, fields);
}

function streamTo(env: Record<string, string>, options?: Parameters<typeof createEventStream>[1], certificates?: string): EventStream {
  const stream = createEventStream(readReceiver(env, certificates) as SendEvents, { pause: 1, ...options });
  toClose.push(() => stream.close(0));
  return stream;
}

async function startWeb(): Promise<Receiver> {
  const receiver = await startReceiver();
  toClose.push(receiver.close);
  return receiver;
}

const eventsIn = ({ received }: Receiver): OcsfEvent[] =>
  received.flatMap(({ body }) => (body as unknown as { data: { events: OcsfEvent[] } }).data.events);

test("an event is signed, and has the class, who did it, to whom, from where and how it ended", async () => {
  const receiver = await startWeb();
  const stream = streamTo({ AUDIT_STREAM: receiver.url, AUDIT_SECRET: SECRET });
  write(stream, "role changed", { principal: { type: "user", id: "a1" }, target: "b2" });
  stream.hear('{"level":40,"msg":"something else","event":"signed in"}\n');
  write(stream, "sign-in refused", { target: "c3", reason: "no passkey" }, "r2");
  await expect.poll(() => eventsIn(receiver).length, SOON).toBe(2);
  expect(receiver.received.every((one) => isSignedWith(SECRET, one))).toBe(true);
  const [changed, refused] = eventsIn(receiver);
  expect(changed).toMatchObject({
    ...{ time: 1_764_500_000_000, class_uid: 3004, type_uid: 300_403, activity_name: "Update", message: "role changed", status: "Success" },
    actor: { user: { uid: "a1", type: "user" } },
    entity: { type: "role", uid: "b2" },
    src_endpoint: { ip: "192.0.2.7" },
    metadata: { version: "1.4.0", product: { name: "Intake" }, correlation_uid: "r1" },
  });
  expect(refused).toMatchObject({ class_uid: 3002, type_uid: 300_201, status_id: 2, status_detail: "no passkey", user: { uid: "c3" } });
  expect(changed?.metadata.uid).not.toBe(refused?.metadata.uid);
});

test("what the receiver does not take comes again, in order, and it is said once that it is away and once that it is back", async () => {
  const receiver = await startWeb();
  let isAway = true;
  receiver.answerWith((_, response) => void response.writeHead(isAway ? 503 : 204).end());
  const stream = streamTo({ AUDIT_STREAM: receiver.url, AUDIT_SECRET: SECRET });
  const logged: string[] = [];
  stream.logTo({ warn: (_, msg) => logged.push(msg), error: (_, msg) => logged.push(msg) });
  for (let i = 0; i < 150; i++) write(stream, "signed in", { principal: { type: "user", id: `u${i}` } });
  await expect.poll(() => receiver.received.length, SOON).toBeGreaterThan(2);
  expect(logged).toEqual([expect.stringContaining("does not take security events")]);
  receiver.received.length = 0;
  isAway = false;
  const users = () => [...new Set(eventsIn(receiver).map(({ actor }) => (actor as { user: { uid: string } }).user.uid))];
  await expect.poll(() => users().length, SOON).toBe(150);
  expect(users()).toEqual(Array.from({ length: 150 }, (_, i) => `u${i}`));
  await expect.poll(() => logged.at(-1), SOON).toContain("again");
  expect(logged).toHaveLength(2);
});

test("of more than may wait the oldest are missed, which is said; the end sends what it can", async () => {
  const taken: OcsfEvent[][] = [];
  let isAway = true;
  const send: SendEvents = async (events) => {
    if (isAway) throw new Error("away");
    taken.push([...events]);
  };
  const stream = createEventStream(send, { pause: 600_000, most: 3 });
  const logged: string[] = [];
  stream.logTo({ warn: (_, msg) => logged.push(msg), error: (_, msg) => logged.push(msg) });
  for (let i = 0; i < 5; i++) write(stream, "key made", { target: `k${i}` });
  await expect.poll(() => logged, SOON).toEqual([expect.stringContaining("misses the oldest"), expect.stringContaining("does not take")]);
  isAway = false;
  await stream.close(20_000);
  expect(taken.flat().map(({ entity }) => (entity as { uid: string }).uid)).toEqual(["k2", "k3", "k4"]);
});

test("the end does not wait longer than it may for a receiver that hangs", async () => {
  const stream = createEventStream(
    (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
  );
  const logged: object[] = [];
  stream.logTo({ warn: () => undefined, error: (fields) => logged.push(fields) });
  write(stream, "erased");
  await stream.close(1);
  expect(logged.at(-1)).toEqual({ missed: 1 });
});

describe.each([
  ["syslog+tcp", createServer],
  ["syslog+tls", (hear: Parameters<typeof createServer>[1]) => createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, hear)],
] as const)("%s", (scheme, open) => {
  test("a syslog server gets frames with the event as JSON, also those that it was away for", async () => {
    let text = "";
    const server = (open as typeof createServer)((socket) => {
      socket.on("error", () => undefined);
      socket.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
    });
    const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
    const end = () => new Promise((resolve) => server.close(resolve));
    await listen(0);
    const { port } = server.address() as AddressInfo;
    await end();
    const stream = streamTo({ AUDIT_STREAM: `${scheme}://127.0.0.1:${port}` }, {}, TEST_CERTIFICATE);
    const logged: string[] = [];
    stream.logTo({ warn: () => undefined, error: (_, msg) => logged.push(msg) });
    write(stream, "exported", { principal: { type: "key", id: "k1" }, collection: "customers", rows: 7, complete: true });
    await expect.poll(() => logged.length, SOON).toBe(1);
    await listen(port);
    toClose.push(end);
    write(stream, "access refused", { principal: { type: "user", id: "ü1" }, missing: "customers:read" }, "r2");
    await expect.poll(() => text.match(/>1 /g)?.length, SOON).toBe(2);
    let rest = Buffer.from(text);
    const events: OcsfEvent[] = [];
    while (rest.length > 0) {
      const [head = "", length = ""] = /^(\d+) /.exec(rest.toString("utf8")) ?? [];
      const message = rest.subarray(head.length, head.length + Number(length)).toString();
      expect(message).toMatch(/^<1(?:08|10)>1 2025-11-30T10:53:20\.000Z \S+ intake \d+ security - \uFEFF\{/);
      events.push(JSON.parse(message.slice(message.indexOf("{"))));
      rest = rest.subarray(head.length + Number(length));
    }
    expect(events).toMatchObject([
      { class_uid: 6003, activity_name: "Read", status: "Success", unmapped: { collection: "customers", rows: 7, complete: true } },
      { class_uid: 6003, status: "Failure", status_detail: "The token lacks customers:read.", actor: { user: { uid: "ü1" } } },
    ]);
  });
});

test.each([
  [{ AUDIT_STREAM: "siem.example.org" }, "must be an address"],
  [{ AUDIT_STREAM: "syslog+tls://siem.example.org/path" }, "must be an address"],
  [{ AUDIT_STREAM: "ftp://siem.example.org" }, "must be an address"],
  [{ AUDIT_STREAM: "https://siem.example.org" }, "AUDIT_SECRET must be"],
  [{ AUDIT_STREAM: "https://siem.example.org", AUDIT_SECRET: "whsec_c2hvcnQ=" }, "AUDIT_SECRET must be"],
  [{ AUDIT_STREAM: "syslog+tls://siem.example.org", AUDIT_SECRET: SECRET }, "takes none"],
  [{ AUDIT_SECRET: SECRET }, "AUDIT_STREAM is not"],
])("%j is refused with what is wrong, and nothing of the secret", (env, words) => {
  expect(() => readReceiver(env)).toThrow(words);
  expect(() => readReceiver(env)).not.toThrow(SECRET.slice(6));
});

test("without settings there is none", () => {
  expect(readReceiver({})).toBeUndefined();
});
