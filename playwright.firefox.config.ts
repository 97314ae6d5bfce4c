// The tests of the main journeys in Firefox ESR: docs/decisions/0099-firefox-runs-the-tests-of-chromium.md.

import { fileURLToPath } from "node:url";
import { defineConfig, firefox, type Locator } from "@playwright/test";
import { findFirefox } from "./e2e/support/browser.ts";
import chromium from "./playwright.config.ts";

const launch = firefox.launch;
firefox.launch = async function (this: typeof firefox, ...options) {
  const browser = await launch.apply(this, options);
  const page = await browser.newPage();
  setValuesAsTyped(Object.getPrototypeOf(page.locator("body")) as Locator);
  await page.close();
  return browser;
};

/** React does not notice what the driver fills in, because the driver also changes the value that React compares with. */
function setValuesAsTyped(locator: Locator): void {
  locator.fill = async function (this: Locator, text: string) {
    await this.focus();
    await this.evaluate((element, value) => {
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value") ?? {};
      set?.call(element, value);
      element.dispatchEvent(new Event("input", { bubbles: true }));
      element.dispatchEvent(new Event("change", { bubbles: true }));
    }, text);
  };
}

const JOURNEYS =
  /\/(?:accessibility|assistive|change-kind|columns|corrections|crash|customers|dictionary-editor|drafts|employees|entry|errors|first-start|form-states|grid|kept-corrections|languages|large-file|list|list-[a-z]+|live|navigation|new-collection|numbers|odd-files|palette|people|previous-next|recipes|session|settings|several-files|spreadsheets|ugly-file|upload|webhooks)\.spec\.ts$/;

/** What the driver cannot do yet, and the tests that need it. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  "reports no downloads": [
    "the report of an upload can be read later",
    "an exported list has the columns",
    "the template is one click away",
    "a file with three bad rows stores the others",
    "a file's problems name bounds",
  ],
  "cannot make a clipboard event with a text": [
    "a block from a spreadsheet is pasted",
    "a column of 10,000 rows is filled",
    "dates are pasted in the form",
    "a date that is pasted while",
  ],
  "cannot be a touch screen": ["there are no hints about keys"],
  "cannot withhold or change an answer, or read a body": [
    "a save sends only what was changed",
    "a page whose code cannot be fetched",
    "a response that gets lost makes no second customer",
    "an error of the service after storing",
    "a change whose response gets lost",
    "a late response to an earlier search",
    "a panel whose code cannot be fetched",
    "an app for another service on the same host",
  ],
  "gives the focus to one window of several": [
    "a list shows what somebody else changed",
    "a form with typed text takes in",
    "with people the sign-in asks for",
    "disabling someone asks first",
  ],
  "cannot set the size of letters": ["the browser's text size doubled"],
  "ends with a crash of Firefox 153 itself": ["the page has no faults at"],
};

export default defineConfig({
  ...chromium,
  testMatch: JOURNEYS,
  grepInvert: Object.values(LEFT_OUT)
    .flat()
    .map((title) => new RegExp(title)),
  use: {
    ...chromium.use,
    browserName: "firefox",
    channel: "moz-firefox",
    launchOptions: {
      executablePath: fileURLToPath(new URL("e2e/support/firefox.mjs", import.meta.url)),
      env: { ...process.env, FIREFOX_PATH: findFirefox() } as Record<string, string>,
      firefoxUserPrefs: {
        "ui.primaryPointerCapabilities": 6, // a mouse: without a screen Firefox finds none
        "ui.allPointerCapabilities": 6,
        "widget.gtk.overlay-scrollbars.enabled": true, // as wide as in Chromium's tests: not at all
        "widget.non-native-theme.scrollbar.style": 1,
        "ui.useOverlayScrollbars": 1,
      },
    },
  },
});
