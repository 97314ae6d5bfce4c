import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { keyIdOf } from "../../../client/token-exchange.ts";
import type { Outcomes } from "../../../pipeline/model/outcomes.ts";
import { personKey } from "../../browser/person.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { openJournal } from "../storage/indexeddb-journal.ts";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const NOTHING: Outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 };

/** The page with an upload for each of `uploads`: a.csv, b.csv and so on. */
async function open(...uploads: (Partial<Outcomes> & { hasRows?: boolean })[]) {
  const journal = openJournal(personKey(`${app.origin}/v1`, keyIdOf(app.key)));
  for (const [at, { hasRows = true, ...some }] of uploads.entries()) {
    const counts = { ...NOTHING, ...some };
    await journal.put({
      id: `1-2-3-${at}`,
      collection: app.collection.name,
      fileName: `${"abc"[at]}.csv`,
      startedAt: Date.now(),
      endedAt: Date.now(),
      report: { counts, rowsRead: Object.values(counts).reduce((sum, n) => sum + n), seconds: 1, ended: "done", notStored: [] },
      hasRows,
    });
  }
  const { user, services } = await openPage(app, "/uploads");
  return {
    user,
    services,
    remove: async (name: string) => user.click(within(await screen.findByRole("region", { name })).getByRole("button", { name: "Remove" })),
    clear: async () => user.click(await screen.findByRole("button", { name: "Clear this list" })),
    answer: async (question: string, button: string) =>
      user.click(within(await screen.findByRole("dialog", { name: question })).getByRole("button", { name: button })),
  };
}

const isGone = (name: string) => waitFor(() => expect(screen.queryByRole("region", { name })).toBeNull());
const asked = async () => (await screen.findByRole("dialog")).querySelector("h2 + *")?.textContent;
const headingHasFocus = () => waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));

describe("an upload is taken off the list", () => {
  test.each([[{ unchanged: 2, skipped: 1 }], [{ failed: 2, hasRows: false }]])(
    "at once when nothing but its report is lost: %j",
    async (counts) => {
      const { remove } = await open(counts);
      await remove("a.csv");
      await isGone("a.csv");
      await headingHasFocus();
    },
  );

  test.each([
    [{ created: 1 }, "1 upload can then be undone only under Activity."],
    [{ failed: 2, notSent: 1 }, "3 rows that were not stored can then no longer be downloaded."],
  ])("after a question that says what is lost: %j", async (counts, loss) => {
    const { remove, answer } = await open(counts);
    await remove("a.csv");
    expect(await asked()).toBe(loss);
    await answer("Remove a.csv from the list?", "Cancel");
    expect(screen.getByRole("region", { name: "a.csv" })).toBeTruthy();
    await remove("a.csv");
    await answer("Remove a.csv from the list?", "Remove");
    await isGone("a.csv");
    await headingHasFocus();
  });
});

test("what cannot be removed stays on the list, and it is said why", async () => {
  const { remove } = await open({ unchanged: 1 });
  const { delete: whole } = IDBObjectStore.prototype;
  onTestFinished(() => void Object.assign(IDBObjectStore.prototype, { delete: whole }));
  IDBObjectStore.prototype.delete = () => {
    throw new DOMException("The disk is full.", "QuotaExceededError");
  };
  await remove("a.csv");
  await screen.findByText("The disk is full.");
  expect(screen.getByRole("region", { name: "a.csv" })).toBeTruthy();
  Object.assign(IDBObjectStore.prototype, { delete: whole });
  await remove("a.csv");
  await isGone("a.csv");
});

test("an undo does not end the upload that runs in this tab, and says which one it is", async () => {
  const { user, services } = await open({ created: 1 });
  services.uploadManager.continueUpload({ id: "9", fileName: "large.csv" }, app.collection, [], new File(["x"], "large.csv"));
  await waitFor(() => expect(services.uploadManager.state().upload?.step).toBe("preparing"));
  await user.click(within(await screen.findByRole("region", { name: "a.csv" })).getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(document.body.textContent).toMatch(/large\.csv\W? is still being worked on in this tab/));
  expect([screen.queryByRole("dialog"), services.uploadManager.state().fileName]).toEqual([null, "large.csv"]);
});

test("the page without uploads has the way to begin below what it says", async () => {
  await openPage(app, "/uploads");
  const begin = await screen.findByRole("link", { name: "Upload a file" });
  expect(begin.closest("div")?.parentElement).toBe((await screen.findByText("No uploads yet")).parentElement);
});

describe("the list is cleared", () => {
  test("at once when nothing but reports is lost", async () => {
    const { clear } = await open({ unchanged: 1 }, { skipped: 1 });
    await clear();
    await isGone("b.csv");
    await headingHasFocus();
  });

  test("after a question about all uploads of which something is lost", async () => {
    const { clear, answer } = await open({ created: 2, failed: 1 }, { updated: 1 }, { unchanged: 1 });
    await clear();
    expect(await asked()).toBe(
      "1 row that was not stored can then no longer be downloaded. 2 uploads can then be undone only under Activity.",
    );
    await answer("Clear this list?", "Clear this list");
    await isGone("c.csv");
    await headingHasFocus();
  });
});

test("what was taken back elsewhere is shown as undone, in the list and in the report", async () => {
  const { service } = app;
  const run = "run-taken-back";
  const body = { collection: "customers", fileName: "back.csv", file: "", meaning: { mode: "create" }, round: 0, upload: run };
  const counts = { ...NOTHING, created: 2, notSent: 1 };
  await service.call("PUT", `/v1/runs/${run}`, body);
  const records = ["Taken", "Back"].map((lastName) => ({ lastName, firstName: "Run", accountID: "R" }));
  await service.call("POST", "/v1/customers", records, { "intake-source": `upload; run=${run}` });
  const report = { state: "done", counts, rowsRead: 3, seconds: 1, rows: [] };
  expect((await service.call("PUT", `/v1/runs/${run}`, { ...body, report })).status).toBe(200);
  expect((await service.call("POST", "/v1/customers/undo", { run })).json).toMatchObject({ reversed: 2 });
  const { user } = await open();
  const line = within(await screen.findByRole("region", { name: "back.csv" }));
  expect(line.getByText("Undone")).toBeTruthy();
  expect(line.queryByText("Created")).toBeNull();
  await user.click(line.getByRole("link", { name: "back.csv" }));
  await screen.findByText(/^0 of 3 rows are left/);
});

test("the ways to begin stand together in a line of their own where there are several collections", async () => {
  const orders = await openTestApp("core/dictionary/orders.example.json");
  onTestFinished(() => orders.close());
  const body = { collection: "orders", fileName: "a.csv", file: "", meaning: { mode: "create" }, round: 0, upload: "several" };
  const journal = openJournal(personKey(`${orders.origin}/v1`, keyIdOf(orders.key)));
  const report = { counts: { ...NOTHING, created: 1 }, rowsRead: 1, seconds: 1, ended: "done" as const, notStored: [] };
  await journal.put({ id: "1-2-3-9", ...body, startedAt: Date.now(), endedAt: Date.now(), report, hasRows: false });
  await openPage(orders, "/uploads");
  const links = await screen.findAllByRole("link", { name: /^Upload a file of/ });
  expect(links.length).toBeGreaterThan(2);
  expect(links.every(({ parentElement }) => parentElement === links[0]?.parentElement)).toBe(true);
  expect(links[0]?.parentElement?.querySelector("h1")).toBeNull();
});
