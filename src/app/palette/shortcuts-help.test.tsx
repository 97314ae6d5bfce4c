import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const help = () => screen.findByRole("dialog", { name: "Keyboard shortcuts" });

describe("the help with shortcuts", () => {
  test("lists the keys that do something on this page, and no others", async () => {
    const { user } = await openPage(app, "/customers");
    await user.keyboard("?");
    expect((await help()).textContent).toContain("New record");
    expect((await help()).textContent).not.toContain("Ctrl+S");
  });

  test("of a form lists the key that saves", async () => {
    const { user } = await openPage(app, "/customers/new");
    await screen.findByRole("textbox", { name: "Last name" });
    screen.getByRole("heading", { level: 1 }).focus(); // in an input it would be typed
    await user.keyboard("?");
    expect((await help()).textContent).toContain("Ctrl+S");
    expect((await help()).textContent).not.toContain("New record");
  });

  test("does not open while someone types a question mark", async () => {
    const { user } = await openPage(app, "/customers/new");
    const input = (await screen.findByRole("textbox", { name: "Last name" })) as HTMLInputElement;
    await user.type(input, "Who?");
    expect(input.value).toBe("Who?");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("closes by its button, and the focus goes back to where it was", async () => {
    const { user } = await openPage(app, "/customers");
    const link = screen.getByRole("link", { name: "Uploads" });
    link.focus();
    await user.keyboard("?");
    await user.click(within(await help()).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(document.activeElement).toBe(link);
  });

  test("turns single keys off: they are listed no more and do nothing", async () => {
    const { user } = await openPage(app, "/customers");
    await user.keyboard("?");
    await user.click(within(await help()).getByRole("checkbox", { name: /Single-key shortcuts/ }));
    expect((await help()).textContent).not.toContain("New record");
    await user.click(within(await help()).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("?");
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
