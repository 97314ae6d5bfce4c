import { screen } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../../../pipeline/model/outcomes.ts";
import { drawPart, openTestApp, type TestApp } from "../../../testing/test-app.tsx";
import { ReportBody } from "./report-step.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const counts: Report["counts"] = { created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 };
const report: Report = { counts, rowsRead: 2, seconds: 3, ended: "done", notStored: [] };

describe("the report of an upload", () => {
  test("says whose sign-in it was", async () => {
    await drawPart(app, <ReportBody report={report} by="Ann Okafor" />);
    expect(screen.getByTestId("part").textContent).toContain("2 of 2 rows are stored in 3 s · by Ann Okafor");
  });

  test("names nobody where the service does not say", async () => {
    await drawPart(app, <ReportBody report={report} />);
    expect(screen.getByTestId("part").textContent).toContain("2 of 2 rows are stored in 3 s");
    expect(screen.getByTestId("part").textContent).not.toContain("by");
  });
});
