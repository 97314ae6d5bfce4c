import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { draftKey, openDrafts } from "../../records/drafts/draft-store.ts";
import { type Drawn, openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const press = ({ user }: Drawn) => user.click(screen.getByRole("button", { name: "Sign out" }));
const signInForm = () => screen.findByRole("button", { name: "Sign in" });

describe("signing out", () => {
  test("asks nothing where nothing would be lost", async () => {
    const page = await openPage(app, "/customers");
    await press(page);
    expect(await signInForm()).toBeTruthy();
    expect(page.services.session.token()).toBeUndefined();
  });

  test("over unsaved text asks first, and Cancel keeps the text", async () => {
    const page = await openPage(app, "/customers/new");
    const input = (await screen.findByRole("textbox", { name: "Last name" })) as HTMLInputElement;
    await page.user.type(input, "Half");
    await press(page);
    const dialog = await screen.findByRole("dialog", { name: "Sign out without saving?" });
    await page.user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(input.value).toBe("Half");
    expect(page.services.session.token()).toBeTruthy();
  });

  test("names the records whose unsaved text another page or tab has left, and forgets it only when told to", async () => {
    const { services } = await openPage(app, "/customers");
    const drafts = openDrafts(() => true);
    const whose = { service: services.client.baseUrl, owner: services.session.owner(), collection: "customers" };
    const base = { objectId: 7, lastName: "Berg", version: 1 } as unknown as WireRecord;
    const key = draftKey({ ...whose, id: 7 });
    await drafts.write(key, { texts: { lastName: "Burg" }, base, typedAt: Date.now() });
    await drafts.write(draftKey({ ...whose, id: undefined }), { texts: { lastName: "New" }, base: undefined, typedAt: Date.now() });
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    const dialog = await screen.findByRole("dialog", { name: "Sign out without saving?" });
    await within(dialog).findByText(/Not saved: Berg, customer \(new\)\./);
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect((await drafts.read(key))?.texts).toEqual({ lastName: "Burg" });
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Sign out" }));
    expect(await signInForm()).toBeTruthy();
    expect(await drafts.read(key)).toBeUndefined();
  });

  test("over a running upload says how far it is, and goes on when told to", async () => {
    const page = await openPage(app, "/customers");
    page.services.uploadManager.inspect(new File(["lastName\nA\n"], "half.csv"), app.collection);
    page.worker.post({ type: "state", state: SENDING });
    expect((await screen.findByText("50 %")).textContent).toBe("50\u00a0%"); // a no-break space, so that it stays on one line
    await press(page);
    const dialog = await screen.findByRole("dialog", { name: "Stop the upload and sign out?" });
    expect(dialog.textContent).toContain("The upload is at 50 %.");
    await page.user.click(within(dialog).getByRole("button", { name: "Stop and sign out" }));
    await waitFor(() => expect(page.worker.commands.at(-1)).toEqual({ type: "cancel" }));
    page.worker.post({ type: "state", state: CANCELLED });
    expect(await signInForm()).toBeTruthy();
  });
});

const SENDING: UploadState = {
  step: "sending",
  counts: { created: 5, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 },
  rowsTotal: 10,
  rowsDone: 5,
  waiting: null,
  isPaused: false,
  rowsPerSecond: 1,
  secondsLeft: 5,
};

const CANCELLED: UploadState = {
  step: "report",
  report: {
    counts: { created: 5, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 5 },
    rowsRead: 10,
    seconds: 1,
    ended: "cancelled",
    notStored: [],
  },
};
