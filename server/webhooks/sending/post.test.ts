import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { TEST_CERTIFICATE } from "../../testing/servers/tls-certificate.ts";
import { type Receiver, startReceiver } from "../../testing/servers/webhook-receiver.ts";
import { createPost } from "./post.ts";

let receiver: Receiver;
let secure: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  secure = await startReceiver({ tls: true });
});
afterAll(async () => {
  await receiver.close();
  await secure.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answerWith((_, response) => void response.writeHead(204).end());
});

const post = createPost({ allowsPrivate: true, within: 20_000 });
const hurried = createPost({ allowsPrivate: true, within: 300 });

test("a message arrives as it was sent, and a 2xx takes it", async () => {
  expect(await post(receiver.url, { "webhook-id": "msg_1" }, '{"type":"ä"}')).toEqual({
    status: 204,
    problem: null,
    excerpt: "",
    retryAfter: undefined,
  });
  const [received] = receiver.received;
  expect(received?.text).toBe('{"type":"ä"}');
  expect(received?.headers).toMatchObject({ "content-type": "application/json", "webhook-id": "msg_1", "user-agent": "Intake" });
});

test("a refusal shows the beginning of its text, on one line and without control characters", async () => {
  receiver.answerWith((_, response) => {
    response
      .writeHead(500, { "content-type": "text/plain; charset=utf-8" })
      .end(`no\u0000 \u001b[31mroom\r\nhere\u202e ${"x".repeat(5_000)}`);
  });
  const { status, problem, excerpt } = await post(receiver.url, {}, "{}");
  expect([status, problem]).toEqual([500, "status"]);
  expect(excerpt).toMatch(/^no \[31mroom here x+$/);
  expect(excerpt.length).toBe(200);
});

test("a refusal that does not say that it is text shows nothing", async () => {
  receiver.answerWith((_, response) => void response.writeHead(400, { "content-type": "text/html" }).end("<p>no</p>"));
  expect(await post(receiver.url, {}, "{}")).toMatchObject({ status: 400, excerpt: "" });
});

test("a redirect is not followed", async () => {
  const other = await startReceiver();
  receiver.answerWith((_, response) => void response.writeHead(307, { location: other.url }).end());
  expect(await post(receiver.url, {}, "{}")).toMatchObject({ status: 307, problem: "redirect" });
  expect(other.connections()).toBe(0);
  await other.close();
});

test("a connection that is upgraded or closed without an answer is a failure, and does not hang", async () => {
  for (const words of ["HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", ""]) {
    const odd = createServer((socket) => void socket.once("data", () => socket.end(words)));
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    const { problem } = await post(`http://127.0.0.1:${(odd.address() as AddressInfo).port}/`, {}, "{}");
    expect(problem).toBe("unreachable");
    odd.close();
  }
});

test("a pause that the receiver asks for is read as seconds or as a date", async () => {
  receiver.answerWith((_, response) => void response.writeHead(429, { "retry-after": "120" }).end());
  expect((await post(receiver.url, {}, "{}")).retryAfter).toBe(120_000);
  const soon = new Date(Date.now() + 600_000).toUTCString();
  receiver.answerWith((_, response) => void response.writeHead(503, { "retry-after": soon }).end());
  expect((await post(receiver.url, {}, "{}")).retryAfter).toBeGreaterThan(1_000);
  receiver.answerWith((_, response) => void response.writeHead(503, { "retry-after": "soon" }).end());
  expect((await post(receiver.url, {}, "{}")).retryAfter).toBeUndefined();
});

test("an answer that never ends is read up to a limit, and one that never comes is waited for up to a limit", async () => {
  let isCut = false;
  receiver.answerWith(async (_, response) => {
    response.on("close", () => {
      isCut = true;
    });
    response.writeHead(500, { "content-type": "text/plain" });
    while (!isCut) {
      response.write("x".repeat(10_000));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  expect(await post(receiver.url, {}, "{}")).toMatchObject({ status: 500, excerpt: "x".repeat(200) });
  await expect.poll(() => isCut, { timeout: 10_000 }).toBe(true);
  receiver.answerWith(() => undefined);
  expect(await hurried(receiver.url, {}, "{}")).toMatchObject({ status: null, problem: "timeout" });
});

test("a taken message counts as taken, though its answer never ends", async () => {
  receiver.answerWith((_, response) => void response.writeHead(200).write("a"));
  expect(await hurried(receiver.url, {}, "{}")).toMatchObject({ status: 200, problem: null });
});

test("what is not HTTP, too much of a header, and nobody there are named", async () => {
  const noise = createServer((socket) => void socket.resume().end("hello\r\n"));
  await new Promise<void>((resolve) => noise.listen(0, "127.0.0.1", resolve));
  const { port } = noise.address() as { port: number };
  expect(await post(`http://127.0.0.1:${port}/`, {}, "{}")).toMatchObject({ status: null, problem: "protocol" });
  await new Promise((resolve) => noise.close(resolve));
  expect(await post(`http://127.0.0.1:${port}/`, {}, "{}")).toMatchObject({ status: null, problem: "unreachable" });
  receiver.answerWith((_, response) => void response.writeHead(200, { "x-much": "x".repeat(40_000) }).end());
  expect(await post(receiver.url, {}, "{}")).toMatchObject({ status: null, problem: "protocol" });
});

test("a certificate must be trusted and made for the name", async () => {
  expect(await post(secure.url, {}, "{}")).toMatchObject({ status: null, problem: "tls" });
  const trusting = createPost({ allowsPrivate: true, within: 20_000, trustedCertificates: TEST_CERTIFICATE });
  expect(await trusting(secure.url, {}, "{}")).toMatchObject({ status: 204, problem: null });
  const elsewhere = createPost({
    ...{ allowsPrivate: true, within: 20_000, trustedCertificates: TEST_CERTIFICATE },
    resolve: (_, __, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  expect(await elsewhere(`https://other.example.org:${secure.port}/`, {}, "{}")).toMatchObject({ status: null, problem: "tls" });
});

test("a name that does not exist is named", async () => {
  const lost = createPost({
    allowsPrivate: true,
    resolve: (_, __, callback) => callback(Object.assign(new Error("not found"), { code: "ENOTFOUND" }), []),
  });
  expect(await lost("http://receiver.example.org/", {}, "{}")).toMatchObject({ status: null, problem: "name" });
});

test("without WEBHOOK_PRIVATE nothing connects to a private address, whatever the name stands for by then", async () => {
  const answers = ["127.0.0.1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254"];
  let asked = 0;
  const guarded = createPost({
    ...{ allowsPrivate: false, trustedCertificates: TEST_CERTIFICATE },
    resolve: (_, __, callback) => callback(null, [{ address: answers[asked++ % answers.length] ?? "", family: 4 }]),
  });
  const before = secure.connections();
  for (let i = 0; i < answers.length; i++) {
    expect(await guarded(`https://localhost:${secure.port}/`, {}, "{}")).toMatchObject({ status: null, problem: "address" });
  }
  expect(asked).toBe(answers.length); // once for each connection: what was checked is what is connected to
  for (const host of ["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "[::ffff:7f00:1]", "localhost."]) {
    expect(await guarded(`https://${host}:${secure.port}/`, {}, "{}")).toMatchObject({ problem: "address" });
  }
  expect(await guarded(`http://example.org:${receiver.port}/`, {}, "{}")).toMatchObject({ problem: "address" });
  expect(await post(`http://user:word@127.0.0.1:${receiver.port}/`, {}, "{}")).toMatchObject({ problem: "address" });
  expect(secure.connections()).toBe(before);
});

test("a proxy of the environment is not used", async () => {
  const proxy = await startReceiver();
  const names = ["http_proxy", "HTTP_PROXY", "NODE_USE_ENV_PROXY"];
  const before = names.map((name) => process.env[name]);
  Object.assign(process.env, { http_proxy: proxy.url, HTTP_PROXY: proxy.url, NODE_USE_ENV_PROXY: "1" });
  expect(await post(receiver.url, {}, "{}")).toMatchObject({ status: 204 });
  // One by one: a copy of process.env no longer sets the time zone of the other files of this process.
  for (const [i, name] of names.entries()) {
    if (before[i] === undefined) delete process.env[name];
    else process.env[name] = before[i];
  }
  expect(proxy.connections()).toBe(0);
  await proxy.close();
});
