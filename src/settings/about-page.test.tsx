import { screen } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test("every limit of the service has a name for people", async () => {
  const { json } = await app.service.call("GET", "/v1/limits");
  await openPage(app, "/about");
  await screen.findByText("Records in one write");
  expect(Object.keys(json).length).toBeGreaterThan(10);
  expect(Object.keys(json).filter((name) => screen.queryByText(name))).toEqual([]);
});
