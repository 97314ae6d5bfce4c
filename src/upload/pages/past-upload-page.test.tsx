import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runPath } from "../../../core/contract/paths.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { openTcpProxy } from "../../testing/tcp-proxy.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { formatDatetime } from "../../values/format.ts";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

let IDS = [8101, 8102, 8103];
beforeEach(() => {
  IDS = IDS.map((id) => id + 10);
});
const undo = (run: string) => app.service.call("POST", "/v1/customers/undo", { run });

/** A batch run of three customers, as the command makes it, and its page. */
async function load(run: string, type = "batch"): Promise<void> {
  const customers = IDS.map((objectId) => ({ objectId, lastName: "Ek", accountID: `a${objectId}` }));
  const options = "onError=continue&onConflict=update";
  const { status } = await app.service.call("POST", `/v1/customers?${options}`, { customers }, { "intake-source": `${type}; run=${run}` });
  expect(status).toBe(207);
}
const undoButton = () => screen.queryByRole("button", { name: "Undo" });

describe("the page of a batch run", () => {
  test("asks before the undo by its own words, and says how many changes are taken back", async () => {
    await load("run-1");
    const { user, worker } = await openPage(app, "/uploads/run-1");
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    const dialog = await screen.findByRole("dialog", { name: "Undo the batch run run-1?" });
    expect(dialog.textContent).toContain(
      "3 changes it made will be taken back: records it created are deleted, those it changed get their earlier values.",
    );
    await user.click(within(dialog).getByRole("button", { name: "Undo the batch run" }));
    await waitFor(() => expect(worker.commands.at(-1)).toMatchObject({ type: "undo", uploadId: "run-1" }));
    const counts = { reversed: 3, kept: 0, failed: 0 };
    const state: UploadState = { step: "undone", counts, already: 3, obstacles: [], rowsTotal: 3, ended: "done" };
    worker.post({ type: "state", state });
    expect(await screen.findByRole("button", { name: "Back to the batch run" })).toBeTruthy();
    expect(screen.getByText("This undo took back 0 of 3 rows")).toBeTruthy();
    expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(["Undone 0", "Undone before 3"]),
    );
    expect(screen.getByText("3 changes had been undone before, or their records deleted; this undo did not touch them.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Choose another file" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Back to the batch run" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Batch run" })).toBeTruthy();
  });

  test("offers no undo of what is wholly undone, also when a record was brought back", async () => {
    await load("run-2");
    await undo("run-2");
    const back = await app.service.call("POST", `/v1/customers/${IDS[0]}/restore`, { version: 1 });
    expect(back.status).toBeLessThan(300);
    await openPage(app, "/uploads/run-2");
    await screen.findByText("Taken back by", { exact: false });
    expect(undoButton()).toBeNull();
  });

  test("offers the undo of the rest, and says what is undone already", async () => {
    await load("run-3");
    const first = await app.service.call("PATCH", `/v1/customers/${IDS[1]}`, { firstName: "Jo" });
    expect(first.status).toBe(200);
    await undo("run-3");
    const { user } = await openPage(app, "/uploads/run-3");
    await screen.findByText("Taken back by", { exact: false });
    await user.click(undoButton() as HTMLElement);
    expect((await screen.findByRole("dialog")).textContent).toContain("; 2 of them are undone already.");
  });
});

test("a run that the service does not answer about says so, and is shown when it does", async () => {
  await load("run-5");
  const proxy = await openTcpProxy(app.origin);
  onTestFinished(() => proxy.close());
  proxy.hold(runPath("run-5"));
  const { user } = await openPage({ ...app, origin: proxy.origin }, "/uploads/run-5");
  await waitFor(() => expect(proxy.requests(runPath("run-5"))).toBe(1));
  proxy.cut();
  expect(await screen.findByText("The service cannot be reached.")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "Uploads" })).toBeTruthy();
  proxy.pass();
  await user.click(screen.getByRole("button", { name: "Try now" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Batch run" })).toBeTruthy();
});

test("the undo of an upload of somebody else names it by its collection, its time and who made it", async () => {
  await load("4061110054-708021225", "upload");
  const { parts } = (await app.service.call("GET", `/v1${runPath("4061110054-708021225")}`)).json;
  const { user } = await openPage(app, "/uploads/4061110054-708021225");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  const { textContent } = await screen.findByRole("heading", { name: /^Undo the upload of/ });
  expect(textContent).toBe(`Undo the upload of Customers, ${formatDatetime(parts[0].to)}, ${parts[0].by.name}?`);
});

test("a run names who began it, and who else wrote in it", async () => {
  await load("run-6");
  const other = await app.service.newPerson("editor");
  const body = JSON.stringify({ lastName: "Ek", accountID: "other" });
  const headers = { authorization: `Bearer ${other.token}`, "content-type": "application/json", "intake-source": "batch; run=run-6" };
  expect((await app.service.raw("POST", "/v1/customers", headers, body)).status).toBe(201);
  await openPage(app, "/uploads/run-6");
  const made = await screen.findByText("Made by", { exact: false });
  expect(made.textContent).toMatch(/^Made by [0-9a-f]{16} .* · 4 changes · Customers · Person \d+ also wrote in it$/);
});

test("the end of an undo says in groups what was in the way, leads to the first records, and can be done again", async () => {
  await load("run-4");
  const { user, worker } = await openPage(app, "/uploads/run-4");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Undo the batch run" }));
  const obstacles = [
    { code: "IN_USE", detail: "2 records of orders refer to this customer.", count: 29_957, ids: [8101, 8102] },
    { code: "UNIQUE", field: "accountID", detail: "Another record has this Account ID.", count: 1, ids: [8103] },
  ];
  const counts = { reversed: 43, kept: 0, failed: 29_958 };
  worker.post({ type: "state", state: { step: "undone", counts, already: 0, obstacles, rowsTotal: 30_001, ended: "done" } });
  await screen.findByText("Why records could not be undone");
  const items = (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);
  expect(items).toEqual(
    expect.arrayContaining([
      "29,957 records: Other records refer to them. Delete or change those first, or undo the upload that made them. The first of them: 8101, 8102",
      "1 record: Another record has this Account ID. The first of them: 8103",
    ]),
  );
  expect(screen.getByRole("link", { name: "8102" }).getAttribute("href")).toContain("/customers/8102");
  const before = worker.commands.length;
  await user.click(screen.getByRole("button", { name: "Undo again" }));
  await waitFor(() => expect(worker.commands.slice(before)).toMatchObject([{ type: "undo", uploadId: "run-4" }]));
});
