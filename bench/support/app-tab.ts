// The app in a tab, signed in, with a tap on the messages between the page and its worker.

import type { Browser, Page } from "@playwright/test";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import type { Command, WorkerEvent } from "../../src/upload/worker/messages.ts";
import { openPage } from "./browser.ts";
import { ADMIN_KEY } from "./service.ts";

export interface AppTab {
  page: Page;
  /** Gives the file to the page and presses "Check"; resolves when the worker has checked it. */
  check(path: string): Promise<Checked>;
  /** Presses "Upload"; resolves with the worker's report. */
  upload(): Promise<Uploaded>;
}

export interface Checked {
  /** From the command to the result, as the page sees it. */
  seconds: number;
  check: Extract<UploadState, { step: "checked" }>["check"];
}

export interface Uploaded {
  seconds: number;
  report: Extract<UploadState, { step: "report" }>["report"];
}

interface Tap {
  startedAt: number;
  /** The first state of this step since the last command, and when it came. */
  ended: Map<string, { at: number; state: UploadState }>;
  broken?: string;
}

const LIMIT = 600_000; // ms for any one step

export async function openApp(browser: Browser, origin: string): Promise<AppTab> {
  const page = await openPage(browser);
  await page.addInitScript(tapWorkers);
  await page.goto(`${origin}/customers/upload`);
  await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await page.getByRole("button", { name: "Sign in" }).click();
  return {
    page,
    async check(path) {
      await page.getByLabel("CSV file").setInputFiles(path);
      await page.getByRole("button", { name: "Check" }).click();
      return checked(page);
    },
    async upload() {
      await page.getByRole("button", { name: "Upload" }).click();
      const { seconds, state } = await waitForStep(page, "report");
      await page.getByRole("heading", { name: "Report" }).waitFor();
      if (state.step !== "report") throw new Error(state.step);
      return { seconds, report: state.report };
    },
  };
}

async function checked(page: Page): Promise<Checked> {
  const { seconds, state } = await waitForStep(page, "checked");
  if (state.step !== "checked") throw new Error(state.step);
  return { seconds, check: state.check };
}

async function waitForStep(page: Page, step: UploadState["step"]): Promise<{ seconds: number; state: UploadState }> {
  // Polled twice a second, so that polling does not disturb the figures; the times come from the tap.
  const ended = await page.waitForFunction(
    (wanted) => {
      const { ended, startedAt, broken } = (window as unknown as { benchTap: Tap }).benchTap;
      if (broken) throw new Error(`The upload broke: ${broken}`);
      const found = ended.get(wanted) ?? ended.get("refused");
      return found && { seconds: (found.at - startedAt) / 1000, state: found.state };
    },
    step,
    { polling: 500, timeout: LIMIT },
  );
  return (await ended.jsonValue()) as { seconds: number; state: UploadState };
}

/** Runs in the page before its own scripts. */
function tapWorkers(): void {
  const tap: Tap = { startedAt: 0, ended: new Map() };
  Object.assign(window, { benchTap: tap });
  const Real = window.Worker;
  window.Worker = class extends Real {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener("message", ({ data }: MessageEvent<WorkerEvent>) => {
        if (data.type === "broken") tap.broken = data.message;
        if (data.type !== "state" || tap.ended.has(data.state.step)) return; // a preview reports "checked" again and again
        tap.ended.set(data.state.step, { at: performance.now(), state: data.state });
      });
    }

    override postMessage(command: Command): void {
      if (command.type === "check" || command.type === "upload") {
        tap.ended.clear();
        tap.startedAt = performance.now();
      }
      super.postMessage(command);
    }
  };
}
