// An upload whose tab, browser or service is killed goes on, and afterwards the store equals the file.

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, chromium, expect, type Page, test } from "@playwright/test";
import { findChromium } from "./support/browser.ts";
import { startFaultProxy } from "./support/fault-proxy.ts";
import { type OwnService, pause, ROWS, startService } from "./support/own-service.ts";
import { draw, rounds } from "./support/repetitions.ts";
import { signIn } from "./support/service.ts";
import {
  checkInput,
  expectCorrected,
  expectInputOnce,
  inputKind,
  isBegun,
  reportOf,
  startInput,
  storeRecipe,
  type UploadInput,
  uploadInput,
} from "./support/upload-inputs.ts";

let service: OwnService;
test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  service = await startService();
  await storeRecipe(service);
});
test.afterAll(() => service.remove());

test("an upload goes on when its tab is reloaded or closed at any moment", async ({ context }) => {
  const times = rounds(3, 100);
  test.setTimeout(90_000 * times);
  const proxy = await startFaultProxy(() => service.port, { fault: () => "delay" });
  const uploads = `http://127.0.0.1:${proxy.port}/uploads`;
  for (let round = 0; round < times; round++) {
    const input = await uploadInput(inputKind(round), `Tab${round}x`);
    let page = await newTab(context);
    await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
    await startInput(page, input);
    let running: InputFile | undefined;
    for (let death = 0; death < 3; death++) {
      await pause(1200 * draw(round, death));
      if (draw(round, 10 + death) < 0.5) await page.reload();
      else {
        await page.close();
        page = await newTab(context);
      }
      await signIn(page, uploads);
      running = await goOn(page, input);
      if (!running) break;
    }
    await finish(page, input, { running, uploads });
    await page.close();
  }
  proxy.close();
});

test("corrections are kept when their browser is killed before the upload", async () => {
  const times = rounds(1, 10);
  test.setTimeout(60_000 * times);
  const profile = test.info().outputPath("profile");
  const address = `http://127.0.0.1:${service.port}/customers/upload`;
  for (let round = 0; round < times; round++) {
    const input = await uploadInput("corrected", `Kept${round}x`);
    const first = await startBrowser(profile);
    const page = await first.newPage();
    await signIn(page, address);
    await checkInput(page, input);
    await expect(page.getByText("Your corrections are kept on this computer.")).toBeVisible();
    await first.kill();
    const second = await startBrowser(profile);
    const next = await second.newPage();
    await signIn(next, address);
    await next
      .getByRole("region", { name: `Kept${round}x.csv, unfinished` })
      .getByRole("button", { name: "Continue" })
      .click();
    await expectCorrected(next);
    await next.getByRole("button", { name: "Upload" }).click();
    expect(await reportOf(next, input)).toEqual({ created: ROWS, inDoubt: 0, notSent: input.leftOut });
    await expectInputOnce(service, input);
    await second.kill();
  }
});

test("an upload goes on in the next browser when its own is killed", async () => {
  const times = rounds(1, 14);
  test.setTimeout(90_000 * times);
  const proxy = await startFaultProxy(() => service.port, { fault: () => "delay", delay: 1500 });
  const uploads = `http://127.0.0.1:${proxy.port}/uploads`;
  const profile = test.info().outputPath("profile"); // Playwright removes it before the next run
  for (let round = 0; round < times; round++) {
    const input = await uploadInput(inputKind(round + 1), `Browser${round}x`);
    const first = await startBrowser(profile);
    const page = await first.newPage();
    await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
    await startInput(page, input);
    await expect(page.getByText("rows/s")).toBeVisible();
    await pause(700 * draw(round, 1));
    await first.kill();
    const second = await startBrowser(profile);
    const next = await second.newPage();
    await signIn(next, uploads);
    const running = await goOn(next, input);
    if (input.kind !== "several") expect(running).toBeDefined(); // of several files one may be done and the next not begun
    await finish(next, input, { running, uploads });
    await second.kill();
  }
  proxy.close();
});

test("an upload goes on when the service is killed and started again", async ({ page }) => {
  const times = rounds(2, 30);
  test.setTimeout(90_000 * times);
  const proxy = await startFaultProxy(() => service.port, { fault: () => "delay" });
  for (let round = 0; round < times; round++) {
    const input = await uploadInput(inputKind(round + 3), `Killed${round}x`);
    await signIn(page, `http://127.0.0.1:${proxy.port}/customers/upload`);
    await startInput(page, input);
    for (let death = 0; death < 2; death++) {
      await pause(900 * draw(round, death));
      await service.kill();
      await service.start();
    }
    expect(await reportOf(page, input), input.kind).toEqual({ created: ROWS, inDoubt: 0, notSent: input.leftOut });
    await expectInputOnce(service, input);
  }
  proxy.close();
});

async function newTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.on("dialog", (dialog) => dialog.accept());
  return page;
}

type InputFile = UploadInput["files"][number];

function unfinished(page: Page, { file }: InputFile) {
  return page.getByRole("region", { name: `${file.name}, unfinished` });
}

/** On the page of uploads. Returns the file that goes on. None does when the upload ended before its tab, or had not begun. */
async function goOn(page: Page, input: UploadInput): Promise<InputFile | undefined> {
  const listed = page.getByText(/^No uploads (yet|from this computer)$/).or(page.getByRole("region", { name: /\.(csv|xlsx|ods|zip)/ }));
  await expect(listed.first()).toBeVisible();
  for (const one of input.files) {
    if (!(await unfinished(page, one).isVisible())) continue;
    const button = unfinished(page, one).getByText("Continue"); // or a file input, where there is no copy of the file
    await expect(button).toBeVisible();
    if ((await unfinished(page, one).locator("input").count()) === 0) await button.click();
    else await unfinished(page, one).locator("input").setInputFiles(one.file);
    await sendUnlessSent(page, input);
    return one;
  }
  return undefined;
}

/** What was killed before its first batch is checked again, with its corrections. */
async function sendUnlessSent(page: Page, { leftOut }: UploadInput): Promise<void> {
  const send = page.getByRole("button", { name: /^Upload \d/ });
  const isGoing = page.getByText("rows/s").or(page.getByRole("heading", { name: "Report" }));
  await expect(send.or(isGoing).first()).toBeVisible({ timeout: 30_000 });
  if (!(await send.isVisible())) return;
  if (leftOut > 0) await expectCorrected(page);
  await send.click();
}

interface Left {
  /** The file that is being uploaded. */
  running: InputFile | undefined;
  /** The address of the page of uploads. */
  uploads: string;
}

/** Sends what is left of each file. Corrections made by hand are there again; a file of which nothing was sent is chosen again. */
async function finish(page: Page, input: UploadInput, { running, uploads }: Left): Promise<void> {
  const others = input.files.filter((one) => one !== running);
  for (const one of running ? [running, ...others] : others) {
    const part: UploadInput = { ...input, files: [one], kind: input.kind === "several" ? "csv" : input.kind };
    if (one !== running) {
      await signIn(page, uploads);
      if (!(await goOn(page, part))) {
        if (await isBegun(service, part)) continue;
        expect(input.kind, "Corrections are lost.").not.toBe("corrected");
        await signIn(page, uploads.replace("/uploads", "/customers/upload"));
        await startInput(page, part);
      }
    }
    expect((await reportOf(page, part)).notSent).toBe(input.leftOut);
  }
  await expectInputOnce(service, input);
}

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
