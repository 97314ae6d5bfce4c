// The main journeys in WebKit, by WebDriver: docs/decisions/0099-firefox-runs-the-tests-of-chromium.md.

import { defineConfig } from "@playwright/test";
import chromium from "./playwright.config.ts";

export default defineConfig({
  ...chromium,
  testMatch: "webkit.spec.ts",
  testIgnore: [],
  workers: 1, // one screen and one window has the focus
  timeout: 180_000,
});
