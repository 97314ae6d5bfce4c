import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { UndoButton } from "./undo-step.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const NOTHING: Report["counts"] = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 };

async function draw(counts: Partial<Report["counts"]>, more: { key?: string } = {}) {
  const report = { counts: { ...NOTHING, ...counts } };
  const part = <UndoButton upload={{ id: "u-1", fileName: "customers.csv" }} collection={app.collection} report={report} />;
  const drawn = await drawPart(app, part, more.key);
  return { ...drawn, press: async (name: string) => drawn.user.click(await screen.findByRole("button", { name })) };
}

const question = () => screen.findByRole("dialog", { name: "Undo the upload of customers.csv?" });

describe("the question before an upload is undone", () => {
  test("says what happens to the records that it created and updated", async () => {
    const { press } = await draw({ created: 3, updated: 1 });
    await press("Undo");
    expect((await question()).textContent).toContain("3 records it created will be deleted; 1 change it made will be taken back.");
  });

  test("undoes nothing when the user stays", async () => {
    const { press, worker } = await draw({ created: 3 });
    await press("Undo");
    await press("Cancel");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(worker.commands).toEqual([]);
  });

  test("has the upload undone when the user says so", async () => {
    const { user, press, worker } = await draw({ created: 3 });
    await press("Undo");
    await user.click(within(await question()).getByRole("button", { name: "Undo the upload" }));
    await waitFor(() => expect(worker.commands.at(-1)).toMatchObject({ type: "undo", uploadId: "u-1" }));
  });
});

describe("the button that undoes an upload", () => {
  test("is not there when the upload stored nothing", async () => {
    await draw({ failed: 3, unchanged: 2 });
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });

  test("is not there for someone who may only read", async () => {
    const { json } = await app.service.call("POST", "/v1/keys", { scope: "read" });
    await draw({ created: 3 }, { key: json.key });
    await waitFor(() => expect(screen.queryByRole("button", { name: "Undo" })).toBeNull());
  });
});
