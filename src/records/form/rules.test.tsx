// The form and a row of the list ask the rules of the dictionary as the service does, and say them at their fields.

import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { STAFF_RULES } from "../../../server/testing/service.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };
const END = "The end must not be before the start.";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp(STAFF_RULES);
  const values = { firstName: "Ada", lastName: "Lang", email: "ada@example.com", startOn: "2026-01-01", endOn: "2026-12-31" };
  expect(
    (
      await app.service.call(
        "POST",
        "/v1/staff",
        [1, 2].map((id) => ({ id, ...values })),
      )
    ).status,
  ).toBe(201);
});
afterAll(() => app.close());

const read = async (id: number) => (await app.service.call("GET", `/v1/staff/${id}`)).json;

test("a broken rule stands at each of its fields, is one problem, is sent nowhere, and goes when one of them is mended", async () => {
  const { user } = await openPage(app, "/staff/1");
  const end = await screen.findByRole("textbox", { name: /^End(?! of)/ }, WAIT);
  await user.clear(end);
  await user.type(end, "2025-12-31");
  await user.keyboard("{Control>}s{/Control}");
  const alert = within(await screen.findByRole("alert", {}, WAIT));
  expect(alert.getByText("There is a problem.")).toBeTruthy();
  expect(alert.getAllByRole("button", { name: END })).toHaveLength(1);
  for (const name of [/^Start/, /^End(?! of)/]) expect(screen.getByRole("textbox", { name }).getAttribute("aria-invalid")).toBe("true");
  expect(await read(1)).toMatchObject({ version: 1 });
  const start = screen.getByRole("textbox", { name: /^Start/ });
  await user.clear(start);
  await user.type(start, "2025-01-01");
  await waitFor(() => expect(screen.queryByRole("button", { name: END })).toBeNull(), WAIT);
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(async () => expect(await read(1)).toMatchObject({ startOn: "2025-01-01", endOn: "2025-12-31" }), WAIT);
});

test("a row of the list does so, with the values of columns that are not shown", async () => {
  const { user } = await openPage(app, "/staff?sort=id&columns=firstName,endOn");
  await screen.findAllByRole("link", { name: "Ada" }, WAIT);
  const row = document.querySelector("tr[data-id='2']") as HTMLElement;
  await user.click(within(row).getByTitle("Edit here (F2)"));
  const input = await within(screen.getByRole("table", { name: "Staff" })).findByRole("textbox", { name: "End" }, WAIT);
  await user.clear(input);
  await user.type(input, "2025-12-31{Enter}");
  await screen.findAllByText(END, {}, WAIT);
  expect(await read(2)).toMatchObject({ version: 1 });
});

test("a rule about who saves is asked by the service, which knows that", async () => {
  const fields = [
    { name: "id", type: "integer" },
    { name: "name", title: "Name" },
    { name: "note", title: "Note" },
  ];
  const rules = [
    { name: "known", must: 'size(me.name) > 0 && me.id != ""', message: "Nobody knows you.", fields: ["name"] },
    { name: "kept", must: 'note != "secret" || me.name == "Ada"', message: "Only Ada writes that.", fields: ["note"] },
  ];
  const own = await openTestApp({ resources: [{ name: "things", title: "Things", rules, schema: { fields, primaryKey: "id" } }] });
  onTestFinished(() => own.close());
  const { user } = await openPage(own, "/things/new");
  await user.type(await screen.findByRole("textbox", { name: "Name" }, WAIT), "Box");
  const note = screen.getByRole("textbox", { name: "Note" });
  await user.type(note, "secret");
  await user.keyboard("{Control>}s{/Control}");
  await screen.findAllByText("Only Ada writes that.", {}, WAIT);
  await user.clear(note);
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(async () => expect((await own.service.call("GET", "/v1/things")).json.things).toMatchObject([{ name: "Box" }]), WAIT);
});
