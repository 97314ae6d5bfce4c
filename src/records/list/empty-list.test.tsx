// Tests what an empty list says of a search that finds nothing.

import { screen } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp("core/dictionary/employees.example.json");
});
afterAll(() => app.close());

test.each([
  ["32,816.66", true],
  ["Nobody", false],
])("a search for %s leads to the filter where it is an amount", async (q, leads) => {
  await openPage(app, `/employees?q=${encodeURIComponent(q)}`);
  await screen.findByText("The search finds words that start with what you type.", {}, { timeout: 20_000 });
  expect(screen.queryByText("A filter finds amounts.") !== null).toBe(leads);
});
