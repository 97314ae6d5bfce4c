import { screen, waitFor } from "@testing-library/react";
import { describe, expect, onTestFinished, test } from "vitest";
import { inspectFile } from "../../../pipeline/inspection/inspect-file.ts";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { ORDERS } from "../../../server/testing/service.ts";
import { recipesQuery } from "../../service/recipes.ts";
import { openPage, openTestApp } from "../../testing/test-app.tsx";

test("the columns come with all that stands above the button, so that it stays where it is pressed", async () => {
  const app = await openTestApp();
  onTestFinished(app.close);
  const content = { form: 1, mode: "create", choices: {}, columns: [], autoFixes: [], leftOutGroups: [], values: [] };
  await app.service.call("POST", "/v1/recipes", { name: "Monthly", collection: "customers", headings: [], content });
  const { worker, services, queries } = await openPage(app, "/customers/upload");
  const button = (name: string) => screen.queryByRole("button", { name });
  /** Holds what stood above the button, at each change of the page. */
  const above: string[] = [];
  const watching = new MutationObserver(() => {
    if (button("Check")) above.push(`${Boolean(screen.queryByRole("combobox", { name: "Recipe" }))} ${Boolean(button("Change columns"))}`);
  });
  watching.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => watching.disconnect());
  const file = new File(["Surname,Account\nEk,7\n"], "names.csv");
  services.uploadManager.inspect(file, app.collection);
  await waitFor(() => expect(queries.getQueryData(recipesQuery(services.client, app.collection).queryKey)).toHaveLength(1));
  worker.post({ type: "state", state: { step: "columns", inspection: await inspectFile(file, app.collection) } });
  await screen.findByRole("button", { name: "Change columns" });
  expect(new Set(above)).toEqual(new Set(["true true"]));
});

describe("an upload that has ended", () => {
  const report: Report = {
    ...{ rowsRead: 2, ended: "done", seconds: 1, hasPaused: false, notStored: [] },
    counts: { created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 },
  };
  const undone: UploadState = {
    ...{ step: "undone", already: 0, obstacles: [], rowsTotal: 2, ended: "done" },
    counts: { reversed: 2, kept: 0, failed: 0 },
  };

  /** The page of one collection in a tab that has uploaded to another. */
  async function open(path: string) {
    const app = await openTestApp(ORDERS);
    onTestFinished(app.close);
    const { services, ...drawn } = await openPage(app, path);
    const file = new File(["Name\nEk\n"], "names.csv");
    services.uploadManager.inspect(file, app.collection);
    return { ...drawn, app, manager: services.uploadManager, file };
  }

  test.each(["report", "undone"])("is not shown under another collection: its %s stays where it belongs", async (step) => {
    const { worker, app } = await open("/orders/upload");
    expect(app.collection.name).not.toBe("orders");
    await screen.findByText(/is open in this tab/);
    worker.post({ type: "state", state: step === "report" ? { step: "report", report } : undone });
    await screen.findByText(/Drop a CSV file here/);
    expect(screen.queryByText(/stored|is open in this tab/)).toBeNull();
  });

  test("and was undone offers its file again, the list, and another file", async () => {
    const { user, worker, manager, app, file } = await open("/customers/upload");
    manager.inspect(file, app.collection, { delimiter: ";" });
    worker.post({ type: "state", state: { step: "report", report } });
    await screen.findByRole("link", { name: "Open the list" });
    manager.undo(manager.current(), app.collection, [app.collection]);
    const before = manager.current().id;
    worker.post({ type: "state", state: undone });
    const again = await screen.findByRole("button", { name: "Upload the file again" });
    expect(screen.getByRole("link", { name: "Open the list" }).getAttribute("href")).toContain("/customers");
    expect(screen.getByRole("button", { name: "Choose another file" })).toBeTruthy();
    await user.click(again);
    expect(manager.state()).toMatchObject({ file, choices: { delimiter: ";" } });
    expect(manager.current().id).not.toBe(before); // under its old id the service would take it for the same upload
  });

  test("of another file than the one that is open is not uploaded again with that one", async () => {
    const { worker, manager, app } = await open("/customers/upload");
    manager.undo({ id: "1-2-3-4", fileName: "old.csv" }, app.collection, [app.collection]);
    worker.post({ type: "state", state: undone });
    await screen.findByRole("button", { name: "Choose another file" });
    expect(screen.queryByRole("button", { name: "Upload the file again" })).toBeNull();
  });
});
