import { defineConfig } from "@playwright/test";
import { findChromium } from "./e2e/support/browser.ts";
export default defineConfig({ testDir: "e2e", workers: 1, timeout: 60_000, expect: { timeout: 10_000 }, reporter: "list", outputDir: "/tmp/pw-warnings",
  use: { locale: "en-US", timezoneId: "Europe/Amsterdam", launchOptions: findChromium(), viewport: { width: 1280, height: 800 } } });
