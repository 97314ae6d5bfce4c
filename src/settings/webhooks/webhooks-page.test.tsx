// A webhook that two administrators change at the same time.

import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DICTIONARY } from "../../../server/testing/service.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp(DICTIONARY, { webhooks: { allowsPrivate: true, within: 1_000 } });
});
afterAll(() => app.close());

async function openDialog() {
  for (const { id } of (await app.service.call("GET", "/v1/webhooks")).json.webhooks)
    await app.service.call("DELETE", `/v1/webhooks/${id}`);
  const { headers } = await app.service.call("POST", "/v1/webhooks", { url: "http://127.0.0.1:1/", enabled: false });
  const at = String(headers.location);
  const { user } = await openPage(app, "/settings/webhooks");
  await user.click(await screen.findByRole("button", { name: "Change" }));
  const dialog = within(await screen.findByRole("dialog"));
  return {
    ...{ user, dialog },
    save: () => user.click(dialog.getByRole("button", { name: "Save" })),
    elsewhere: (change: object) => app.service.call("PATCH", at, change),
    stored: async () => (await app.service.call("GET", at)).json,
  };
}

test("whoever changes its address leaves the choice of records as somebody else has made it meanwhile", async () => {
  const { user, dialog, save, elsewhere, stored } = await openDialog();
  await elsewhere({ collections: ["customers"] });
  await user.type(dialog.getByLabelText("Address"), "in");
  await save();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await stored()).toMatchObject({ url: "http://127.0.0.1:1/in", collections: ["customers"] });
});

test("an address that somebody else has changed is not overwritten, but shown", async () => {
  const { user, dialog, save, elsewhere, stored } = await openDialog();
  await user.type(dialog.getByLabelText("Address"), "in");
  await elsewhere({ url: "http://127.0.0.1:1/theirs" });
  await save();
  expect(await dialog.findByText(/^Somebody else has changed this meanwhile/)).toBeTruthy();
  expect((await stored()).url).toBe("http://127.0.0.1:1/theirs");
  expect((dialog.getByLabelText("Address") as HTMLInputElement).value).toBe("http://127.0.0.1:1/theirs");
});

test("conditions on one collection are edited as a list's filters, and go with another choice of collections", async () => {
  const { user, dialog, save, elsewhere, stored } = await openDialog();
  await elsewhere({ collections: ["customers"] });
  await user.click(await dialog.findByRole("button", { name: "Add a condition" }));
  const panel = within(await screen.findByRole("group", { name: "Add a condition" }));
  await user.selectOptions(panel.getByLabelText("Field"), "Last name");
  await user.type(panel.getByLabelText("Value"), "Ek");
  await user.click(panel.getByRole("button", { name: "Apply the condition" }));
  await user.click(dialog.getByRole("checkbox", { name: "Changes of any field" }));
  for (const name of ["First name", "Last name"]) await user.click(dialog.getByRole("checkbox", { name }));
  await user.click(dialog.getByRole("checkbox", { name: "The values before and after" }));
  await save();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await stored()).toMatchObject({ where: expect.stringMatching(/^lastName.*Ek$/), fields: ["accountID"], include: ["changes"] });
  await user.click(await screen.findByRole("button", { name: "Change" }));
  const again = within(await screen.findByRole("dialog"));
  await user.click(again.getByRole("checkbox", { name: "All records" }));
  expect(again.queryByRole("button", { name: "Add a condition" })).toBeNull();
  await user.click(again.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await stored()).toMatchObject({ collections: [], where: null, fields: [], include: ["changes"] });
});
