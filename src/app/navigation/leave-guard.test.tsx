import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const question = () => screen.findByRole("dialog", { name: "Leave without saving?" });

/** A new customer's form with text in it, and the link to the list. */
async function beginToType() {
  const page = await openPage(app, "/customers/new");
  await page.user.type(await screen.findByRole("textbox", { name: "Last name" }), "Half");
  return { ...page, list: screen.getByRole("link", { name: "Customers" }) };
}

describe("leaving a form", () => {
  test("with unsaved text asks first, and the answer that loses nothing has the focus", async () => {
    const { user, list } = await beginToType();
    await user.click(list);
    const dialog = await question();
    expect(document.activeElement).toBe(within(dialog).getByRole("button", { name: "Stay" }));
    expect(dialog.textContent).toContain("What you typed is not saved yet.");
  });

  test("is taken back by Stay: the text is still there and the focus is where it was", async () => {
    const { user, list } = await beginToType();
    await user.click(list);
    await user.click(within(await question()).getByRole("button", { name: "Stay" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect((screen.getByRole("textbox", { name: "Last name" }) as HTMLInputElement).value).toBe("Half");
    expect(document.activeElement).toBe(list);
  });

  test("goes on by Leave", async () => {
    const { user, list } = await beginToType();
    await user.click(list);
    await user.click(within(await question()).getByRole("button", { name: "Leave" }));
    expect(await screen.findByRole("heading", { name: "Customers" })).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("without text asks nothing", async () => {
    const { user } = await openPage(app, "/customers/new");
    await screen.findByRole("textbox", { name: "Last name" });
    await user.click(screen.getByRole("link", { name: "Customers" }));
    expect(await screen.findByRole("heading", { name: "Customers" })).toBeTruthy();
  });

  test("after saving asks nothing", async () => {
    const { user, list } = await beginToType();
    await user.type(screen.getByRole("textbox", { name: "Account ID" }), "1");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText(/is saved/);
    await user.click(list);
    expect(await screen.findByRole("heading", { name: "Customers" })).toBeTruthy();
  });
});
