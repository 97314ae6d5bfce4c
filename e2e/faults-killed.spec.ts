// An upload whose tab, browser or service is killed goes on, and afterwards the store equals the file.

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, chromium, expect, type Page, test } from "@playwright/test";
import { findChromium } from "./support/browser.ts";
import { startFaultProxy } from "./support/fault-proxy.ts";
import {
  customersFile,
  expectEachOnce,
  expectReport,
  type OwnService,
  pause,
  ROWS,
  startService,
  startUpload,
} from "./support/own-service.ts";
import { draw, rounds } from "./support/repetitions.ts";
import { openApi, reported, signIn } from "./support/service.ts";

let service: OwnService;
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  service = await startService();
});
test.afterAll(() => service.remove());

test("an upload goes on when its tab is reloaded or closed at any moment", async ({ context }) => {
  const times = rounds(3, 100);
  test.setTimeout(60_000 * times);
  const proxy = await startFaultProxy(() => service.port, { fault: () => "delay" });
  for (let round = 0; round < times; round++) {
    const name = `Tab${round}x`;
    let page = await context.newPage();
    page.on("dialog", (dialog) => dialog.accept());
    await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
    await startUpload(page, customersFile(name));
    let isRunning = true;
    for (let death = 0; death < 3 && isRunning; death++) {
      await pause(1200 * draw(round, death));
      if (draw(round, 10 + death) < 0.5) await page.reload();
      else {
        await page.close();
        page = await context.newPage();
        page.on("dialog", (dialog) => dialog.accept());
      }
      await signIn(page, `http://127.0.0.1:${proxy.port}/uploads`);
      isRunning = await goOnWith(page, name);
    }
    if (!isRunning && (await countOf(name)) === 0) {
      await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
      await startUpload(page, customersFile(name));
      isRunning = true;
    }
    if (isRunning) await expectReport(page);
    await expectEachOnce(service, name);
    await page.close();
  }
  proxy.close();
});

/** On the page of uploads. False when the upload ended before its tab, or had not begun. */
async function goOnWith(page: Page, name: string): Promise<boolean> {
  await expect(
    page
      .getByText("No uploads yet")
      .or(page.getByRole("region", { name: /\.csv/ }))
      .first(),
  ).toBeVisible(); // the list is read
  const unfinished = page.getByRole("region", { name: `${name}.csv, unfinished` });
  if (!(await unfinished.isVisible())) return false;
  const goOn = unfinished.getByText("Continue"); // a button, or a file input where there is no copy of the file
  await expect(goOn).toBeVisible();
  if ((await unfinished.locator("input").count()) === 0) await goOn.click();
  else await unfinished.locator("input").setInputFiles(customersFile(name));
  return true;
}

async function countOf(name: string): Promise<number> {
  return (await (await openApi(service.port)).all("customers", name.toLowerCase())).length;
}

test("an upload goes on in the next browser when its own is killed", async () => {
  const times = rounds(1, 10);
  test.setTimeout(60_000 * times);
  const proxy = await startFaultProxy(() => service.port, { fault: () => "delay", delay: 1500 });
  const profile = test.info().outputPath("profile"); // Playwright removes it before the next run
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
    await expectEachOnce(service, name);
    await second.kill();
  }
  proxy.close();
});

test("an upload goes on when the service is killed and started again", async ({ page }) => {
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
    await expectEachOnce(service, name);
  }
  proxy.close();
});

/** Starts a browser on a profile that survives it. Playwright's own launch offers no way to kill it. */
async function startBrowser(profile: string) {
  const { executablePath, args } = findChromium();
  const own = ["--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"];
  const child = spawn(executablePath, [...args, ...own], { stdio: ["ignore", "ignore", "pipe"], detached: true });
  const address = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stderr.on("data", (data) => {
      output += data;
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.once("close", () => reject(new Error(`The browser ended: ${output}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  return {
    newPage: () => (browser.contexts()[0] as BrowserContext).newPage(),
    /** Like a power cut: no handler runs. */
    async kill() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      process.kill(-(child.pid as number), "SIGKILL"); // the group: its other processes would go on writing
      await ended;
      await browser.close().catch(() => undefined);
      rmSync(join(profile, "SingletonLock"), { force: true }); // else the next browser would believe that this one still runs
    },
  };
}
