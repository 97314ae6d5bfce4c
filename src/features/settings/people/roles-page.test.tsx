// A role of one's own, and a name that another role has.

import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test("a role cannot have the name of another one, and keeps its own", async () => {
  await app.service.call("POST", "/v1/roles", { name: "Front desk", scope: "read" });
  const { user } = await openPage(app, "/settings/roles");
  await user.click(await screen.findByRole("button", { name: "Change Front desk" }));
  const dialog = within(await screen.findByRole("dialog"));
  const name = dialog.getByLabelText("Name");
  for (const taken of ["viewer", "EDITOR"]) {
    await user.clear(name);
    await user.type(name, taken);
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(dialog.getByText("There is already a role with this name. Choose another name.")).toBeTruthy();
  }
  await user.clear(name);
  await user.type(name, "front desk");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await screen.findByRole("button", { name: "Change front desk" });
});
