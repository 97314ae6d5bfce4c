import { createEvent, fireEvent, screen } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawPart, openTestApp, type TestApp } from "../testing/test-app.tsx";
import { FormDialog } from "./form-dialog.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const nothing = () => undefined;

test.each([
  [false, ["Go", "Cancel"]],
  [true, ["Cancel", "Go"]],
])("the button that loses nothing stands first in a dangerous dialog (%s), as in a question", async (isDangerous, order) => {
  const dialog = { title: "Sure?", submitLabel: "Go", isBusy: false, error: null, onSubmit: nothing, onClose: nothing };
  await drawPart(
    app,
    <FormDialog {...dialog} isDangerous={isDangerous}>
      {null}
    </FormDialog>,
  );
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(order);
});

test("Escape and a click beside it lose nothing that was typed before it was said that they would", async () => {
  let closed = 0;
  const dialog = { title: "New", submitLabel: "Save", isBusy: false, error: null, onSubmit: nothing, onClose: () => closed++ };
  const { user } = await drawPart(
    app,
    <FormDialog {...dialog}>
      <input aria-label="Name" />
    </FormDialog>,
  );
  const warning = () => screen.queryByText(/What you typed is not saved/);
  /** Does what the browser does for Escape. */
  const pressEscape = () => {
    const event = createEvent("cancel", screen.getByRole("dialog"), { cancelable: true });
    fireEvent(screen.getByRole("dialog"), event);
    return event.defaultPrevented ? "stays" : "closes";
  };
  expect(pressEscape()).toBe("closes"); // nothing is typed
  await user.type(screen.getByLabelText("Name"), "Front desk");
  expect(pressEscape()).toBe("stays");
  expect(warning()).toBeTruthy();
  await user.type(screen.getByLabelText("Name"), " 2");
  expect(warning()).toBeNull();
  fireEvent.click(screen.getByRole("dialog"), { clientX: 2_000, clientY: 2_000 });
  expect([warning() !== null, closed]).toEqual([true, 0]);
  expect(pressEscape()).toBe("closes");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(closed).toBe(1);
});
