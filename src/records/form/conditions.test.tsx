// A form asks for fields, needs them and offers their values as other fields say, and asks before a value is left behind.

import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { drawPart, openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { BulkDialog } from "../bulk/bulk-dialog.tsx";
import { select } from "../query/selection.ts";

const WAIT = { timeout: 20_000 };
const field = (name: string, title: string, type = "string", more: object = {}) => ({ name, title, type, ...more });
const PACKAGE = {
  title: "Cases",
  resources: [
    {
      name: "cases",
      singular: "case",
      title: "Cases",
      label: ["title"],
      schema: {
        fields: [
          field("id", "ID", "integer"),
          field("title", "Title"),
          field("country", "Country"),
          field("state", "State", "string", {
            choicesIf: [
              { when: 'country == "DE"', values: ["Bavaria", "Berlin"] },
              { when: 'country == "US"', values: ["Ohio"] },
            ],
          }),
          field("status", "Status", "string", { default: '"open"' }),
          field("reason", "Reason", "string", { visibleIf: 'status == "closed"', constraints: { required: true } }),
          field("amount", "Amount", "number", { decimals: 2 }),
          field("fee", "Fee", "number", { decimals: 2, default: "amount * 0.1" }),
          field("owner", "Owner", "string", { default: "me.name" }),
          field("branch", "Branch", "string", { sticky: true }),
        ],
        primaryKey: "id",
      },
    },
  ],
};

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp(PACKAGE);
});
afterEach(cleanup);
afterAll(() => app.close());

const read = async (id: number) => (await app.service.call("GET", `/v1/cases/${id}`)).json;
const make = async (values: object): Promise<number> => (await app.service.call("POST", "/v1/cases", values)).json.id;
const box = (name: string) => screen.getByRole("textbox", { name });
const list = (name: string) => screen.getByRole("combobox", { name }) as HTMLSelectElement;
const value = (name: string) => (box(name) as HTMLInputElement).value;
const retype = async (user: UserEvent, name: string, text: string) => {
  await user.clear(box(name));
  if (text !== "") await user.type(box(name), text);
};
const save = (user: { keyboard(keys: string): Promise<void> }) => user.keyboard("{Control>}s{/Control}");

test("a field appears where it is asked for, is needed there, and is said to have come", async () => {
  const id = await make({ title: "One" });
  const { user } = await openPage(app, `/cases/${id}`);
  await screen.findByRole("textbox", { name: "Status" }, WAIT);
  expect(screen.queryByRole("textbox", { name: "Reason" })).toBeNull();
  await retype(user, "Status", "closed");
  expect(box("Reason").getAttribute("aria-required")).toBe("true");
  await screen.findByText("Reason is asked for now.", {}, WAIT);
  expect(document.activeElement).toBe(box("Status"));
  await save(user);
  await screen.findByRole("button", { name: "Enter the reason." }, WAIT);
  await user.type(box("Reason"), "done");
  await save(user);
  await waitFor(async () => expect(await read(id)).toMatchObject({ status: "closed", reason: "done" }), WAIT);
});

test("what was asked for in vain is not said any more when it goes", async () => {
  const id = await make({ title: "Two" });
  const { user } = await openPage(app, `/cases/${id}`);
  await screen.findByRole("textbox", { name: "Status" }, WAIT);
  await retype(user, "Status", "closed");
  await save(user);
  await screen.findByRole("button", { name: "Enter the reason." }, WAIT);
  await retype(user, "Status", "open");
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Reason" })).toBeNull(), WAIT);
});

test("a value whose field goes is asked about, and kept or cleared as is said, also after the page was left", async () => {
  const id = await make({ title: "Three", status: "closed", reason: "done" });
  const { user } = await openPage(app, `/cases/${id}`);
  await screen.findByRole("textbox", { name: "Status" }, WAIT);
  await retype(user, "Status", "open");
  const question = within(await screen.findByRole("region", { name: "Reason" }, WAIT));
  question.getByText("done");
  await new Promise((resolve) => setTimeout(resolve, 600)); // until the draft is written
  cleanup();
  const { user: again } = await openPage(app, `/cases/${id}`);
  await again.click(await screen.findByRole("button", { name: "Restore" }, WAIT));
  await again.click(within(await screen.findByRole("region", { name: "Reason" }, WAIT)).getByRole("button", { name: "Keep the value" }));
  expect(screen.queryByRole("region", { name: "Reason" })).toBeNull();
  await save(again);
  await waitFor(async () => expect(await read(id)).toMatchObject({ status: "open", reason: "done" }), WAIT);
  await retype(again, "Status", "closed");
  expect(value("Reason")).toBe("done");
  await retype(again, "Status", "open");
  await retype(again, "Status", "closed");
  await save(again);
  await waitFor(async () => expect(await read(id)).toMatchObject({ status: "closed" }), WAIT);
  await retype(again, "Status", "open");
  await again.click(within(await screen.findByRole("region", { name: "Reason" }, WAIT)).getByRole("button", { name: "Clear the value" }));
  await save(again);
  await waitFor(async () => expect(await read(id)).toMatchObject({ status: "open", reason: null }), WAIT);
});

test("a list follows the field it depends on, and says that a value does not fit any more", async () => {
  const id = await make({ title: "Four", state: "Berlin" });
  const { user } = await openPage(app, `/cases/${id}`);
  await screen.findByRole("textbox", { name: "State" }, WAIT);
  await retype(user, "Country", "DE");
  const offered = () => [...list("State").options].map(({ text }) => text);
  expect([list("State").value, offered()]).toEqual(["Berlin", ["None", "Bavaria", "Berlin"]]);
  await retype(user, "Country", "US");
  await waitFor(() => expect(offered()).toEqual(["None", "Berlin (no longer a choice)", "Ohio"]), WAIT);
  expect(list("State").value).toBe("Berlin");
  expect(screen.getAllByText("“Berlin” does not fit the other values. Choose another State.").length).toBeGreaterThan(0);
  await save(user);
  await screen.findByRole("button", { name: "State must be one of Ohio." }, WAIT);
  await user.selectOptions(list("State"), "Ohio");
  await save(user);
  await waitFor(async () => expect(await read(id)).toMatchObject({ country: "US", state: "Ohio" }), WAIT);
  await retype(user, "Country", "");
  expect(value("State")).toBe("Ohio"); // no list holds, so anything may be typed
});

test("a new record begins with defaults, which follow what they read until somebody types there, and leave no draft behind", async () => {
  const { user } = await openPage(app, "/cases/new");
  await waitFor(() => expect(value("Status")).toBe("open"), WAIT);
  await waitFor(() => expect(value("Owner")).not.toBe(""), WAIT);
  await user.type(box("Amount"), "20");
  await waitFor(() => expect(value("Fee")).toBe("2.00"), WAIT);
  await user.clear(box("Fee"));
  await user.type(box("Fee"), "7");
  await user.clear(box("Amount"));
  await user.type(box("Amount"), "50");
  expect(value("Fee")).toBe("7");
  await user.clear(box("Owner"));
  await user.type(box("Branch"), "North");
  await user.type(box("Title"), "Five");
  await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
  await waitFor(async () => {
    const { json } = await app.service.call("GET", "/v1/cases?title=Five");
    expect(json.cases[0]).toMatchObject({ status: "open", fee: "7", amount: "50", owner: null, branch: "North" });
  }, WAIT);
  cleanup();
  await openPage(app, "/cases/new");
  await waitFor(() => expect(value("Branch")).toBe("North"), WAIT);
  await new Promise((resolve) => setTimeout(resolve, 600));
  cleanup();
  await openPage(app, "/cases/new");
  await waitFor(() => expect(value("Status")).toBe("open"), WAIT);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(screen.queryByRole("button", { name: "Restore" })).toBeNull();
});

test("a row of the list asks the same, also about columns that it does not show", async () => {
  const id = await make({ title: "Six", status: "closed", reason: "done", country: "DE" });
  const { user } = await openPage(app, "/cases?sort=-id&columns=title,status,state,country");
  await screen.findAllByRole("link", { name: "Six" }, WAIT);
  const row = document.querySelector(`tr[data-id='${id}']`) as HTMLElement;
  await user.click(within(row).getByTitle("Edit here (F2)"));
  await screen.findByRole("textbox", { name: "Status" }, WAIT);
  await user.selectOptions(list("State"), "Bavaria");
  await retype(user, "Country", "US");
  await screen.findAllByText("“Bavaria” does not fit the other values. Choose another State.", {}, WAIT);
  await user.selectOptions(list("State"), "Ohio");
  await retype(user, "Status", "open");
  await user.click(within(await screen.findByRole("region", { name: "Reason" }, WAIT)).getByRole("button", { name: "Clear the value" }));
  await user.type(box("Status"), "{Enter}");
  await waitFor(async () => expect(await read(id)).toMatchObject({ status: "open", reason: null, country: "US", state: "Ohio" }), WAIT);
});

test("who only reads is shown what is asked for, and what has a value", async () => {
  const ids = [await make({ title: "Eight", reason: "kept" }), await make({ title: "Nine" })];
  const key = await createKeys(app.service.store).create("cases:read");
  for (const [at, shown] of [
    [0, true],
    [1, false],
  ] as const) {
    await openPage(app, `/cases/${ids[at]}`, key);
    await screen.findByText("Status", { selector: "dt" }, WAIT);
    if (shown) await screen.findByText("Reason", { selector: "dt" }, WAIT);
    else expect(screen.queryByText("Reason", { selector: "dt" })).toBeNull();
    cleanup();
  }
});

test("a change of many is held to the conditions of each, before anything is written", async () => {
  const [fits, fails] = [await make({ title: "Ten", country: "DE" }), await make({ title: "Ten", country: "US" })];
  const { user } = await openPage(app, "/cases?title=Ten");
  await screen.findAllByRole("link", { name: "Ten" }, WAIT);
  await user.click(screen.getByRole("checkbox", { name: /all on this page|this page/i }));
  await user.click(await screen.findByRole("button", { name: /Change…/ }, WAIT));
  const dialog = within(await screen.findByRole("dialog", {}, WAIT));
  await user.selectOptions(dialog.getByRole("combobox", { name: "Field" }), "state");
  await user.type(dialog.getByRole("textbox", { name: "New value" }), "Berlin");
  await user.click(dialog.getByRole("button", { name: "Show what would change" }));
  await dialog.findByText(/State must be one of Ohio\./, {}, WAIT);
  await user.click(await dialog.findByRole("button", { name: /^Change 1/ }, WAIT));
  await waitFor(async () => expect([(await read(fits)).state, (await read(fails)).state]).toEqual(["Berlin", null]), WAIT);
});

test.each(["selected", "chosen by a filter"])(
  "a change of many that are %s asks about values that it hides, and keeps or clears them",
  async (how) => {
    const open = async (title: string) => {
      const ids: number[] = [];
      for (const reason of ["done", "late", "earlier"]) ids.push(await make({ title, status: "closed", reason }));
      await app.service.call("PATCH", `/v1/cases/${ids[2]}`, { status: "odd" }); // its reason is hidden already
      const records = await Promise.all(ids.map(read));
      const isChosen = how !== "selected";
      const { user } = await drawPart(
        app,
        <BulkDialog
          collection={app.collection}
          verb="change"
          selection={select(app.collection, new Map(), isChosen ? [] : records)}
          chosen={isChosen ? { query: { title }, without: [], total: 3 } : undefined}
          onSelect={() => {}}
          onClose={() => {}}
        />,
      );
      const dialog = within(await screen.findByRole("dialog", {}, WAIT));
      await user.selectOptions(dialog.getByRole("combobox", { name: "Field" }), "status");
      await user.type(dialog.getByRole("textbox", { name: "New value" }), "open");
      await user.click(dialog.getByRole("button", { name: "Show what would change" }));
      await dialog.findByText("Reason is not asked for any more.", {}, WAIT);
      dialog.getByText(/It still has a value: 2 cases\./);
      const press = async (name: string | RegExp) => user.click(await dialog.findByRole("button", { name }, WAIT));
      const stored = async () => (await Promise.all(ids.map(read))).map(({ status, reason }) => [status, reason]);
      return { dialog, press, stored };
    };
    const kept = await open(`Kept ${how}`);
    await kept.press("Keep the value");
    expect(kept.dialog.queryByText("Reason is not asked for any more.")).toBeNull();
    await kept.press("Change 3 cases");
    const same = ["done", "late", "earlier"].map((reason) => ["open", reason]);
    await waitFor(async () => expect(await kept.stored()).toEqual(same), WAIT);
    cleanup();
    const cleared = await open(`Cleared ${how}`);
    await cleared.press("Clear the value");
    await cleared.dialog.findByText("done", {}, WAIT); // what is cleared stands in the preview
    expect(cleared.dialog.queryByText("Reason is not asked for any more.")).toBeNull();
    await cleared.press("Change 3 cases");
    const left = [null, null, "earlier"].map((reason) => ["open", reason]);
    await waitFor(async () => expect(await cleared.stored()).toEqual(left), WAIT);
  },
);
