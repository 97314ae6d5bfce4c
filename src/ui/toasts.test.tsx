import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createShortcuts } from "./keyboard/shortcuts.ts";
import { createToasts, ToastRegion } from "./toasts.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (seconds: number) => act(() => vi.advanceTimersByTime(1_000 * seconds));

test("a toast goes after a while, but not while it has the focus, and then leaves the focus to the heading", () => {
  const toasts = createToasts();
  render(
    <>
      <h1 tabIndex={-1}>Customers</h1>
      <ToastRegion toasts={toasts} keys={createShortcuts(window, () => true)} />
    </>,
  );
  const show = (message: string, label?: string) => act(() => toasts.show({ message, ...(label && { action: { label, run: () => {} } }) }));
  show("Saved.");
  wait(11);
  expect(screen.queryByText("Saved.")).toBeNull();

  show("Deleted.", "Undo");
  screen.getByRole("button", { name: "Undo" }).focus();
  wait(60);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo" }));
  show("Saved.");
  expect(document.activeElement).toBe(screen.getByRole("heading"));
});
