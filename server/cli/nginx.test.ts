// The documented configurations in a real nginx, where one is installed.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { HAS_NGINX, nginxBlock, startNginx } from "../testing/servers/nginx.ts";
import { openTestService, type TestService } from "../testing/service.ts";
import { hostFiles } from "./host-files.ts";

let service: TestService;
let port: number;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-nginx-")); // not before: without nginx nothing would remove it
  service = await openTestService();
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  port = (service.app.server.address() as AddressInfo).port;
  const root = join(folder, "www");
  mkdirSync(root);
  cpSync("index.html", join(root, "index.html"));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

beforeEach(({ skip }) => skip(!HAS_NGINX, "nginx is not installed"));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The example with plain HTTP, ports and paths of this test; nothing else is changed. */
async function serve<T>(example: string, work: (origin: string) => Promise<T>): Promise<T> {
  const free = await freePort();
  const http = example
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${free};`)
    .replace(/^ *ssl_certificate .+$/m, "")
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`)
    .replace("/srv/www", join(folder, "www"))
    .replace("/srv/hosting", folder);
  const nginx = startNginx(folder, http);
  try {
    const origin = `http://127.0.0.1:${free}`;
    await vi.waitFor(() => fetch(origin), { timeout: 60_000, interval: 20 });
    return await work(origin);
  } finally {
    await nginx.stop();
  }
}

/** Status of addresses that a balancer asks, and of a write that is longer than nginx takes by itself. */
async function ask(origin: string) {
  const status = async (path: string) => (await fetch(origin + path)).status;
  const token = await service.tokenFor("write");
  const body = JSON.stringify([{ lastName: "Ek", accountID: "1" }]) + " ".repeat(2 ** 21);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const written = await fetch(`${origin}/v1/customers?onError=continue`, { method: "POST", headers, body });
  const ready = await fetch(`${origin}/readyz`);
  return {
    written: written.ok,
    ready: await ready.json(),
    live: await status("/livez"),
    metrics: await status("/metrics"),
  };
}

const ASKED = { written: true, ready: { status: "ok" }, live: 200, metrics: 404 };

test("the app on nginx with the service beside it: the service's addresses are the service's", async () => {
  writeFileSync(join(folder, "nginx.conf"), hostFiles({ base: "/" })["hosting/nginx.conf"] ?? "");
  const withService = nginxBlock("hosting").replace(/^( *)# (.+[;}])$/gm, "$1$2");
  await serve(withService, async (origin) => {
    expect(await ask(origin)).toEqual(ASKED);
    expect(await (await fetch(`${origin}/customers/7`)).text()).toContain("<base href");
  });
}, 180_000);

test("nginx in front of the service", async () => {
  await serve(nginxBlock("operators"), async (origin) => expect(await ask(origin)).toEqual(ASKED));
}, 180_000);

test("nginx takes the examples as they are, with HTTP/2", async () => {
  writeFileSync(join(folder, "nginx.conf"), hostFiles({ base: "/" })["hosting/nginx.conf"] ?? "");
  for (const document of ["hosting", "operators"]) {
    const free = await freePort();
    const plain = nginxBlock(document)
      .replace("listen 443 ssl", `listen 127.0.0.1:${free}`)
      .replace(/^ *ssl_certificate .+$/m, "")
      .replace("/srv/hosting", folder);
    await startNginx(folder, plain).stop();
  }
}, 60_000);
