import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { Modal } from "./modal.tsx";

function draw() {
  let closed = 0;
  const onClose = () => {
    closed += 1;
  };
  render(
    <Modal label="Something" onClose={onClose}>
      <button type="button">Inside</button>
    </Modal>,
  );
  return { user: userEvent.setup(), dialog: screen.getByRole("dialog", { name: "Something" }) as HTMLDialogElement, closed: () => closed };
}

describe("a dialog over the page", () => {
  test("is open as soon as it is drawn", () => {
    expect(draw().dialog.open).toBe(true);
  });

  test("tells that it was closed, as by Escape", () => {
    const { dialog, closed } = draw();
    dialog.close();
    expect(closed()).toBe(1);
  });

  test("closes when the user clicks outside of its box, and not inside", () => {
    const { dialog, closed } = draw();
    const { right, bottom } = dialog.getBoundingClientRect();
    fireEvent.click(screen.getByRole("button", { name: "Inside" }), { clientX: right + 5, clientY: bottom + 5 });
    expect(closed()).toBe(0);
    fireEvent.click(dialog, { clientX: right + 5, clientY: bottom + 5 });
    expect(closed()).toBe(1);
  });
});
