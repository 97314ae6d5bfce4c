import { cleanup, screen, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
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

  test("counts each outcome that a row has, and no other", async () => {
    const some = { ...counts, skipped: 1, notSent: 3 };
    await drawPart(app, <ReportBody report={{ ...report, counts: some, rowsRead: 6 }} />);
    const rows = within(screen.getByRole("table", { name: "Outcomes" })).getAllByRole("row");
    expect(rows.map((row) => row.textContent)).toEqual(["Created2", "Skipped1", "Not sent3", "Rows read6"]);
    cleanup();
    await drawPart(app, <ReportBody report={report} undo={{ reversed: 2, kept: 0, failed: 0 }} />);
    const undone = within(screen.getByRole("table", { name: "Outcomes" })).getAllByRole("row");
    expect(undone.slice(1).map((row) => row.textContent)).toEqual(["Created or updated20", "Undone02", "Rows read22"]);
  });

  test("names nobody where the service does not say", async () => {
    await drawPart(app, <ReportBody report={report} />);
    expect(screen.getByTestId("part").textContent).toContain("2 of 2 rows are stored in 3 s");
    expect(screen.getByTestId("part").textContent).not.toContain("by");
  });
});
