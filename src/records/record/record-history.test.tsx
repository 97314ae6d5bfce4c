import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A customer who was called First, then Second. */
async function makeCustomer(): Promise<string> {
  const { json } = await app.service.call("POST", "/v1/customers", { lastName: "First", accountID: "h" });
  const path = `/customers/${json.objectId}`;
  await app.service.call("PATCH", `/v1${path}`, { lastName: "Second" }, { "intake-source": "upload; run=u-1" });
  return path;
}

const entries = async () => (await screen.findByText("History")).closest("details") as HTMLElement;
const lastName = async () => (await screen.findByRole("textbox", { name: "Last name" })) as HTMLInputElement;

describe("the history of a record", () => {
  test("is read when it is opened, and says what was changed and how", async () => {
    const { user } = await openPage(app, await makeCustomer());
    await lastName();
    expect(within(await entries()).queryByRole("list")).toBeNull();
    await user.click(screen.getByText("History"));
    const changed = await screen.findByLabelText("What changed in version 2");
    expect(changed.textContent).toBe("Last nameBefore First → After Second");
    expect(changed.closest("li")?.textContent).toContain("by an upload");
    expect(within(await entries()).getByText(/^Created by/)).toBeTruthy();
  });

  test("brings an earlier version back, which the form then shows", async () => {
    const path = await makeCustomer();
    const { user } = await openPage(app, path);
    await lastName();
    await user.click(screen.getByText("History"));
    await user.click(await screen.findByRole("button", { name: "Bring back version 1" }));
    await screen.findByText("Version 1 is back.");
    await waitFor(async () => expect((await lastName()).value).toBe("First"));
    expect((await app.service.call("GET", `/v1${path}`)).json).toMatchObject({ lastName: "First", version: 3 });
    expect(await screen.findByText(/^Brought back by/)).toBeTruthy();
    expect(document.activeElement).toBe(within(await entries()).getByRole("list"));
  });

  test("goes on with earlier changes below, and the focus goes with it", async () => {
    const path = await makeCustomer();
    for (let n = 3; n <= 22; n++) await app.service.call("PATCH", `/v1${path}`, { lastName: `Name ${n}` });
    const { user } = await openPage(app, path);
    await lastName();
    await user.click(screen.getByText("History"));
    await user.click(await screen.findByRole("button", { name: "Show earlier changes" }));
    const created = await screen.findByText(/^Created by/);
    const firstShown = screen.getByLabelText("What changed in version 2").closest("li");
    expect(document.activeElement).toBe(firstShown);
    expect(created.closest("li")?.previousElementSibling).toBe(firstShown);
  });

  test("of a deleted record is its page, from which it comes back", async () => {
    const path = await makeCustomer();
    await app.service.call("DELETE", `/v1${path}`);
    const { user } = await openPage(app, path);
    expect(await screen.findByRole("heading", { name: "Second" })).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Bring back version 2" }));
    expect((await lastName()).value).toBe("Second");
  });

  test("of a deleted record reads again when somebody else was first to bring it back", async () => {
    const path = await makeCustomer();
    await app.service.call("DELETE", `/v1${path}`);
    const { user } = await openPage(app, path);
    const bringBack = await screen.findByRole("button", { name: "Bring back version 2" });
    await app.service.call("POST", `/v1${path}/restore`, { version: 1 });
    await user.click(bringBack);
    expect((await lastName()).value).toBe("First");
  });

  test("of a deleted record follows: the form comes as soon as somebody else brings it back", async () => {
    Object.assign(document, { visibilityState: "visible" });
    onTestFinished(() => void Object.assign(document, { visibilityState: "hidden" }));
    const path = await makeCustomer();
    await app.service.call("DELETE", `/v1${path}`);
    await openPage(app, path);
    await screen.findByText("This customer is deleted. You can bring it back as it was.");
    await app.service.call("POST", `/v1${path}/restore`, { version: 2 });
    expect((await lastName()).value).toBe("Second");
  });

  test("ends with erasing for administrators, who type the id; nothing of the record is left", async () => {
    const path = await makeCustomer();
    const id = path.split("/").at(-1) as string;
    const { user } = await openPage(app, path);
    await lastName();
    await user.click(screen.getByText("History"));
    await user.click(await screen.findByRole("button", { name: "Erase for good…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Erase for good" }));
    expect(dialog.getByText(`Type the number ${id}.`)).toBeTruthy();
    await user.type(dialog.getByRole("textbox"), id);
    await user.click(dialog.getByRole("button", { name: "Erase for good" }));
    await screen.findByText("Erased for good.");
    expect(await screen.findByText(/^This customer was erased\./)).toBeTruthy();
    expect(await screen.findByText(/^Erased by/)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/Second|Bring back/);
    expect((await app.service.call("GET", `/v1${path}/copy`)).text).not.toMatch(/First|Second/);
    await user.click(await screen.findByRole("button", { name: "Rewrite the files now" }));
    await screen.findByText("The files are rewritten.");
  });

  test("offers nothing to bring back to somebody who may only read", async () => {
    const path = await makeCustomer();
    const { user } = await openPage(app, path, await createKeys(app.service.store).create("read"));
    await user.click(await screen.findByText("History"));
    await screen.findByLabelText("What changed in version 2");
    expect(screen.queryByRole("button", { name: /^Bring back|^Erase/ })).toBeNull();
  });
});
