import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { PanelButton } from "./panel.tsx";

async function open() {
  const user = userEvent.setup();
  render(
    <>
      <PanelButton label="Columns" title="Choose columns">
        {(close) => (
          <button type="button" onClick={close}>
            Done
          </button>
        )}
      </PanelButton>
      <button type="button">Elsewhere</button>
    </>,
  );
  const button = screen.getByRole("button", { name: "Columns" });
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await user.click(button);
  return { user, button };
}

const panel = () => screen.queryByRole("dialog", { name: "Choose columns" });

describe("a panel beside its button", () => {
  test("opens with the focus in it, and its button says so", async () => {
    const { button } = await open();
    expect(document.activeElement).toBe(panel());
    expect(button.getAttribute("aria-expanded")).toBe("true");
    expect(button.getAttribute("aria-controls")).toBe(panel()?.id);
  });

  test("closes by Escape and gives the focus back to its button", async () => {
    const { user, button } = await open();
    await user.keyboard("{Escape}");
    expect(panel()).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  test("closes when the user clicks elsewhere, which keeps the focus", async () => {
    const { user } = await open();
    const other = screen.getByRole("button", { name: "Elsewhere" });
    await user.click(other);
    expect(panel()).toBeNull();
    expect(document.activeElement).toBe(other);
  });

  test("closes when what is in it is done, and gives the focus back", async () => {
    const { user, button } = await open();
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(panel()).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  test("closes by a second click on its button", async () => {
    const { user, button } = await open();
    await user.click(button);
    expect(panel()).toBeNull();
  });
});
