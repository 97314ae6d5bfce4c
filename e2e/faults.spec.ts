// Uploads whose way, tab, browser or service fail in the middle: afterwards the store is the file, nothing is doubled, and the report adds up.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, expect, type Page, test } from "@playwright/test";
import { findChromium } from "./browser.ts";
import { FAULTS, type Fault, startFaultProxy } from "./fault-proxy.ts";
import { ADMIN_KEY, openApi, reported, signIn } from "./service.ts";
import { rounds } from "./share.ts";

const ROWS = 6_000;

/** A service of its own on a store of its own, that can be killed and started again. */
async function startService() {
  const port = await freePort();
  const store = mkdtempSync(join(tmpdir(), "intake-faults-"));
  let child: ChildProcess | undefined;
  const service = {
    port,
    async start() {
      const env = { ...process.env, PORT: String(port), ADMIN_KEY, DATA_DIR: store };
      child = spawn(process.execPath, ["--import", "tsx", "server/main.ts"], { env, stdio: "ignore" });
      for (let i = 0; i < 200; i++) {
        if (
          await fetch(`http://127.0.0.1:${port}/readyz`)
            .then(({ ok }) => ok)
            .catch(() => false)
        )
          return;
        await pause(50);
      }
      throw new Error("The service did not start.");
    },
    async kill() {
      const ended = new Promise((resolve) => child?.once("close", resolve));
      child?.kill("SIGKILL");
      await ended;
    },
    async remove() {
      await service.kill();
      rmSync(store, { recursive: true, force: true });
    },
  };
  await service.start();
  return service;
}

let service: Awaited<ReturnType<typeof startService>>;
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  service = await startService();
});
test.afterAll(() => service.remove());

/** Rows without ids: stored twice they would be two records. With `ids` the file names them. */
function customersFile(name: string, from?: number): { name: string; mimeType: string; buffer: Buffer } {
  const rows = Array.from({ length: ROWS }, (_, i) => `${from === undefined ? "" : from + i},${name} ${i},C`).join("\n");
  return { name: `${name}.csv`, mimeType: "text/csv", buffer: Buffer.from(`objectId,lastName,accountID\n${rows}\n`) };
}

async function startUpload(page: Page, file: ReturnType<typeof customersFile>): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles(file);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
}

async function expectReport(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 60_000 });
}

async function expectEachOnce(name: string): Promise<void> {
  const names = (await (await openApi(service.port)).all("customers", name.toLowerCase())).map(({ lastName }) => lastName);
  expect([names.length, new Set(names).size]).toEqual([ROWS, ROWS]);
}

for (const fault of FAULTS) {
  test(`${fault} on the way, time and again`, async ({ page }) => {
    const times = rounds(1, 20);
    test.setTimeout(60_000 * times);
    for (let round = 0; round < times; round++) {
      const kindAt = drawFaults(round, fault);
      const proxy = await startFaultProxy(() => service.port, { fault: kindAt });
      const name = `F${fault}x${round}y`;
      await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
      await startUpload(page, customersFile(name));
      await expectReport(page);
      expect(await reported(page, "Created")).toBe(ROWS);
      await expectEachOnce(name);
      expect(proxy.met).toBeGreaterThan(0);
      proxy.close();
    }
  });
}

test("a service that ignores idempotency keys: nothing is doubled, and what is not known is in doubt", async ({ page }) => {
  const times = rounds(1, 20);
  test.setTimeout(60_000 * times);
  for (let round = 0; round < times; round++) {
    // Not "dropAfter": a browser by itself repeats a POST when a connection that it uses again drops before the first byte.
    const fault = (batch: number): Fault | undefined => (draw(round, batch) < 0.5 ? (batch % 2 ? "cut" : "500after") : undefined);
    const proxy = await startFaultProxy(() => service.port, { fault, dropsKeys: true });
    for (const from of [undefined, 60_000_000 + round * ROWS]) {
      const name = `Nokeys${round}${from === undefined ? "a" : "b"}`;
      await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
      await startUpload(page, customersFile(name, from));
      await expectReport(page);
      await expectEachOnce(name);
      const [created, inDoubt] = [await reported(page, "Created"), await reported(page, "In doubt")];
      expect(created + inDoubt).toBe(ROWS);
      if (from !== undefined) expect(inDoubt).toBe(0);
    }
    proxy.close();
  }
});

test("the tab is reloaded or closed at any moment, and the upload goes on", async ({ context }) => {
  const times = rounds(3, 100);
  test.setTimeout(60_000 * times);
  const proxy = await startFaultProxy(() => service.port, { fault: () => "delay" });
  for (let round = 0; round < times; round++) {
    const name = `Tab${round}x`;
    let page = await context.newPage();
    page.on("dialog", (dialog) => dialog.accept());
    await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
    await startUpload(page, customersFile(name));
    for (let death = 0; death < 3; death++) {
      await pause(1200 * draw(round, death));
      if (draw(round, 10 + death) < 0.5) await page.reload();
      else {
        await page.close();
        page = await context.newPage();
        page.on("dialog", (dialog) => dialog.accept());
      }
      await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
      const unfinished = page.getByRole("region", { name: `${name}.csv, unfinished` });
      // It may have been done before, or not even begun.
      if ((await page.getByLabel("CSV file").isVisible()) && !(await unfinished.isVisible({ timeout: 500 }).catch(() => false))) {
        await pause(300);
        if (!(await unfinished.isVisible())) break;
      }
      await unfinished.getByRole("button", { name: "Continue" }).click();
    }
    if (await page.getByLabel("CSV file").isVisible()) {
      const stored = (await (await openApi(service.port)).all("customers", name.toLowerCase())).length;
      if (stored === 0) await startUpload(page, customersFile(name));
      else expect(stored).toBe(ROWS);
    } else await expectReport(page);
    await expect.poll(async () => (await (await openApi(service.port)).all("customers", name.toLowerCase())).length).toBe(ROWS);
    await expectEachOnce(name);
    await page.close();
  }
  proxy.close();
});

test("the whole browser is killed, and the next one goes on", async () => {
  const times = rounds(1, 10);
  test.setTimeout(60_000 * times);
  const proxy = await startFaultProxy(() => service.port, { fault: () => "delay", delay: 1500 });
  const profile = mkdtempSync(join(tmpdir(), "intake-profile-"));
  for (let round = 0; round < times; round++) {
    const name = `Browser${round}x`;
    const first = await startBrowser(profile);
    const page = await first.newPage();
    await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
    await startUpload(page, customersFile(name));
    await expect(page.getByText("rows/s")).toBeVisible();
    await pause(700 * draw(round, 1));
    await first.kill();
    const second = await startBrowser(profile);
    const next = await second.newPage();
    await signIn(next, `http://127.0.0.1:${proxy.port}/customers/upload`);
    await next
      .getByRole("region", { name: `${name}.csv, unfinished` })
      .getByRole("button", { name: "Continue" })
      .click();
    await expectReport(next);
    await expectEachOnce(name);
    await second.kill();
  }
  rmSync(profile, { recursive: true, force: true });
  proxy.close();
});

test("the service is killed and started again while rows arrive", async ({ page }) => {
  const times = rounds(2, 30);
  test.setTimeout(90_000 * times);
  const proxy = await startFaultProxy(() => service.port, { fault: () => "delay" });
  for (let round = 0; round < times; round++) {
    const name = `Killed${round}x`;
    await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
    await startUpload(page, customersFile(name));
    for (let death = 0; death < 2; death++) {
      await pause(900 * draw(round, death));
      await service.kill();
      await service.start();
    }
    await expectReport(page);
    expect(await reported(page, "Created")).toBe(ROWS);
    await expectEachOnce(name);
  }
  proxy.close();
});

/** Of the first batches about half meet the fault, one of them for certain; an upload that goes on again and again comes through. */
function drawFaults(round: number, fault: Fault): (batch: number) => Fault | undefined {
  const certain = Math.floor(draw(round, 99) * 5);
  return (batch) => (batch < 12 && (batch === certain || draw(round, batch) < 0.4) ? fault : undefined);
}

/** 0 ≤ n < 1, the same for the same two numbers. */
function draw(round: number, turn: number): number {
  const x = Math.sin(round * 127.1 + turn * 311.7 + 74.7) * 43_758.5453;
  return x - Math.floor(x);
}

/** A browser of its own on a profile that stays: Playwright's own way has no way to kill it. */
async function startBrowser(profile: string) {
  const { executablePath, args } = findChromium();
  const own = ["--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"];
  const child = spawn(executablePath, [...args, ...own], { stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (data) => {
      said += data;
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.once("close", () => reject(new Error(`The browser ended: ${said}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  return {
    newPage: () => (browser.contexts()[0] as BrowserContext).newPage(),
    /** As a power cut would: no handler runs. */
    async kill() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      await browser.close().catch(() => undefined);
      rmSync(join(profile, "SingletonLock"), { force: true }); // the next one would take this one for alive
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
