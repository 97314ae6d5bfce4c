import { screen } from "@testing-library/react";
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
