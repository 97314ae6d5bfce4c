import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./e2e/support/browser.ts";
import { PORTS } from "./e2e/support/ports.ts";
import { ADMIN_KEY } from "./e2e/support/service.ts";

// Workers load this file again; only the runner itself starts services, each on an empty store that goes with it.
const stores = process.env.TEST_WORKER_INDEX === undefined ? mkdtempSync(join(tmpdir(), "intake-e2e-")) : "";
process.once("exit", () => stores && rmSync(stores, { recursive: true, force: true }));

// Two tests at once with one key send more on a fast machine than a program may.
const UNBOUNDED = { RATE_PER_SECOND: "100000", RATE_BURST: "100000" };

const service = (port: number, env: Record<string, string>) => ({
  command: "node dist/node/intake.js start",
  url: `http://127.0.0.1:${port}/readyz`,
  env: { PORT: String(port), ADMIN_KEY, DATA_DIR: join(stores, String(port)), ...UNBOUNDED, ...env },
  gracefulShutdown: { signal: "SIGTERM" as const, timeout: 5_000 },
  timeout: 30_000,
});

export default defineConfig({
  testDir: "e2e",
  testIgnore: "webkit.spec.ts",
  globalSetup: "./e2e/support/reserve-ids.ts",
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${PORTS.main}`,
    locale: "en-US",
    timezoneId: "Europe/Amsterdam", // neither UTC nor the machine's own: a time that is written in the wrong zone shows
    launchOptions: findChromium(),
    viewport: { width: 1280, height: 800 },
    trace: process.env.TRACE ? "retain-on-failure" : "off", // recording costs a fifth of the run
  },
  webServer: [
    service(PORTS.main, {}),
    service(PORTS.staff, { DICTIONARY: "core/dictionary/employees.example.json" }),
    service(PORTS.orders, { DICTIONARY: "core/dictionary/orders.example.json" }),
    service(PORTS.large, {}),
    service(PORTS.empty, {}),
    service(PORTS.foreign, {
      CORS_ORIGINS: [PORTS.host, PORTS.otherHost, PORTS.staleHost].map((port) => `http://127.0.0.1:${port}`).join(),
    }),
  ],
});
