import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./e2e/support/browser.ts";
import { ADMIN_KEY, EMPTY_PORT, FOREIGN_PORT, HOST_PORTS, LARGE_PORT, PORT, STAFF_PORT } from "./e2e/support/service.ts";

// Workers load this file again; only the runner itself starts services, each on an empty store that goes with it.
const stores = process.env.TEST_WORKER_INDEX === undefined ? mkdtempSync(join(tmpdir(), "intake-e2e-")) : "";
process.once("exit", () => stores && rmSync(stores, { recursive: true, force: true }));

const service = (port: number, env: Record<string, string>) => ({
  command: "node --import tsx server/main.ts",
  url: `http://127.0.0.1:${port}/readyz`,
  env: { PORT: String(port), ADMIN_KEY, DATA_DIR: join(stores, String(port)), ...env },
  gracefulShutdown: { signal: "SIGTERM" as const, timeout: 5_000 },
  timeout: 30_000,
});

export default defineConfig({
  testDir: "e2e",
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    launchOptions: findChromium(),
    viewport: { width: 1280, height: 800 },
    trace: process.env.TRACE ? "retain-on-failure" : "off", // recording costs a fifth of the run
  },
  webServer: [
    service(PORT, {}),
    service(STAFF_PORT, { DICTIONARY: "core/dictionary/employees.example.json" }),
    service(LARGE_PORT, {}),
    service(EMPTY_PORT, {}),
    service(FOREIGN_PORT, { CORS_ORIGINS: HOST_PORTS.map((port) => `http://127.0.0.1:${port}`).join() }),
  ],
});
