import { createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WireRecord } from "../../../core/contract/records.ts";
import { idOf } from "../../service/records.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { type Selection, select } from "../query/selection.ts";
import { BulkDialog } from "./bulk-dialog.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Three selected customers, and the dialog over them. `query`: they are chosen by it, and not one by one. */
async function open(verb: "change" | "delete", query?: Record<string, string>, takenOut: readonly number[] = []) {
  const { collection, service } = app;
  const made = ["One", "Two", "Three"].map((lastName) => ({ firstName: "Many", lastName, accountID: "B-1" }));
  const { json } = await service.call("POST", "/v1/customers", made);
  const records = json.customers as WireRecord[];
  const ids = records.map((record) => idOf(collection, record));
  const selections: Selection[] = [];
  let isClosed = false;
  const selection = select(collection, new Map(), records);
  const without = takenOut.map((at) => ids[at] as number);
  const own = { ...query, [`${collection.key.name}[gte]`]: String(ids[0]) }; // other tests have customers of these names
  const chosen = query && { query: own, without, total: records.length - without.length };
  function OpenDialog() {
    const [isOpen, setOpen] = useState(true);
    const close = () => {
      isClosed = true;
      setOpen(false);
    };
    return isOpen && <BulkDialog {...{ collection, verb, selection, chosen }} onSelect={(next) => selections.push(next)} onClose={close} />;
  }
  const { user } = await drawPart(app, <OpenDialog />);
  const stored = async () => Promise.all(ids.map(async (id) => (await service.call("GET", `/v1/customers/${id}`)).json));
  return {
    user,
    ids,
    stored,
    dialog: screen.getByRole("dialog"),
    press: async (name: string | RegExp) => user.click(await screen.findByRole("button", { name })),
    changeElsewhere: (at: number) => service.call("PATCH", `/v1/customers/${ids[at]}`, { firstName: "Meanwhile" }),
    accounts: async () => (await stored()).map(({ accountID }) => accountID),
    /** Returns the operations of each record's history, the newest first. */
    operations: async () => {
      const answers = await Promise.all(ids.map((id) => service.call("GET", `/v1/customers/${id}/history`)));
      return answers.map(({ json: { history } }) => (history as { operation: string }[]).map(({ operation }) => operation));
    },
    isClosed: () => isClosed,
    selected: () => [...(selections.at(-1)?.keys() ?? [])],
  };
}

describe("the dialog over all that a list has", () => {
  const QUERY = { firstName: "Many" };

  test("changes them as the service chooses them, without those that were taken out, and undo gives the old values back", async () => {
    const { user, dialog, press, accounts } = await open("change", QUERY, [1]);
    expect(within(dialog).getByRole("heading", { name: "Change 2 customers" })).toBeTruthy();
    await user.selectOptions(within(dialog).getByLabelText("Field"), "Account ID");
    await user.type(within(dialog).getByLabelText("New value"), "B-2");
    await press("Show what would change");
    expect(await within(dialog).findAllByText("B-2")).toHaveLength(2);
    expect(within(dialog).getByText("Many One")).toBeTruthy(); // its name was read, though nobody has selected it
    expect(await accounts()).toEqual(["B-1", "B-1", "B-1"]);
    await press("Change 2 customers");
    await screen.findByText("2 customers are changed.");
    expect(await accounts()).toEqual(["B-2", "B-1", "B-2"]);
    await press("Undo");
    await screen.findByText("2 customers are restored.");
    expect(await accounts()).toEqual(["B-1", "B-1", "B-1"]);
  });

  test("leaves one that someone changed after the preview, names it, and takes it with the next try", async () => {
    const { user, dialog, press, accounts, changeElsewhere } = await open("change", QUERY);
    await user.selectOptions(within(dialog).getByLabelText("Field"), "Account ID");
    await user.type(within(dialog).getByLabelText("New value"), "B-3");
    await press("Show what would change");
    await within(dialog).findAllByText("B-3");
    const before = new Date().toISOString();
    while (new Date().toISOString() === before); // so that the change is later than what the preview has seen
    await changeElsewhere(1);
    await press("Change 3 customers");
    await within(dialog).findByText("Somebody has changed it since. Nothing was done.");
    expect(await accounts()).toEqual(["B-3", "B-1", "B-3"]);
    await press("Try the rest again");
    await waitFor(async () => expect(await accounts()).toEqual(["B-3", "B-3", "B-3"]));
  });

  test("deletes them, and undo brings them back", async () => {
    const { press, operations } = await open("delete", QUERY);
    await press("Delete 3 customers");
    await screen.findByText("3 customers are deleted.");
    await press("Undo");
    await screen.findByText("3 customers are restored.");
    expect(await operations()).toEqual(Array.from({ length: 3 }, () => ["restored", "deleted", "created"]));
  });
});

describe("the dialog that changes many records", () => {
  test("says what one Escape would lose before another one loses it", async () => {
    const { user, dialog } = await open("change");
    const cancel = () => fireEvent(dialog, createEvent("cancel", dialog, { cancelable: true })); // false: it stays open
    expect(cancel()).toBe(true);
    await user.type(within(dialog).getByLabelText("New value"), "Ida");
    expect(cancel()).toBe(false);
    expect(within(dialog).getByText(/What you typed is not saved/)).toBeTruthy();
    expect(cancel()).toBe(true);
  });

  test("asks for the field and its new value, and says how many records it is about", async () => {
    const { dialog } = await open("change");
    expect(within(dialog).getByRole("heading", { name: "Change 3 customers" })).toBeTruthy();
    expect(document.activeElement).toBe(within(dialog).getByLabelText("Field"));
    const fields = within(within(dialog).getByLabelText("Field")).getAllByRole("option");
    expect(fields.map(({ textContent }) => textContent)).toEqual(["First name", "Last name", "Account ID"]);
  });

  test("says what is wrong with a value before anything is asked of the service", async () => {
    const { user, dialog, press } = await open("change");
    await user.selectOptions(within(dialog).getByLabelText("Field"), "Account ID");
    await press("Show what would change");
    expect((await screen.findByRole("alert")).textContent).toContain("account ID");
  });

  test("shows what would change before it is done, then does it, and undo gives the old values back", async () => {
    const { user, dialog, press, accounts, isClosed, selected, ids } = await open("change");
    await user.selectOptions(within(dialog).getByLabelText("Field"), "Account ID");
    await user.type(within(dialog).getByLabelText("New value"), "B-2");
    await press("Show what would change");
    expect(await within(dialog).findAllByText("B-2")).toHaveLength(3);
    expect(document.activeElement?.textContent).toBe("Change 3 customers"); // Enter goes on
    expect(await accounts()).toEqual(["B-1", "B-1", "B-1"]);
    await press("Change 3 customers");
    await screen.findByText("3 customers are changed.");
    expect(await accounts()).toEqual(["B-2", "B-2", "B-2"]);
    expect([isClosed(), selected()]).toEqual([true, ids]);
    await press("Undo");
    await screen.findByText("3 customers are restored.");
    expect(await accounts()).toEqual(["B-1", "B-1", "B-1"]);
  });

  test("offers to clear a field only where a record may be without it", async () => {
    const { user, dialog } = await open("change");
    const clear = () => within(dialog).queryByRole("checkbox", { name: "Clear the field instead" });
    await user.selectOptions(within(dialog).getByLabelText("Field"), "Last name");
    expect(clear()).toBeNull();
    await user.selectOptions(within(dialog).getByLabelText("Field"), "First name");
    expect(clear()).toBeTruthy();
  });

  test("clears a field when asked to", async () => {
    const { user, dialog, press, stored } = await open("change");
    await user.selectOptions(within(dialog).getByLabelText("Field"), "First name");
    await user.click(within(dialog).getByRole("checkbox", { name: "Clear the field instead" }));
    await press("Show what would change");
    await press("Change 3 customers");
    await screen.findByText("3 customers are changed.");
    expect((await stored()).map(({ firstName }) => firstName)).toEqual([null, null, null]);
  });

  test("leaves a record that someone changed meanwhile, names it, and takes it with the next try", async () => {
    const { user, dialog, press, accounts, changeElsewhere } = await open("change");
    await changeElsewhere(1);
    await user.selectOptions(within(dialog).getByLabelText("Field"), "Account ID");
    await user.type(within(dialog).getByLabelText("New value"), "B-3");
    await press("Show what would change");
    await press("Change 2 customers");
    await within(dialog).findByText(/ changed it .* Nothing was done\.$/);
    expect(within(dialog).getByText("Many Two")).toBeTruthy();
    expect(await accounts()).toEqual(["B-3", "B-1", "B-3"]);
    await press("Try the rest again");
    await waitFor(async () => expect(await accounts()).toEqual(["B-3", "B-3", "B-3"]));
  });

  test("changes nothing when it is cancelled", async () => {
    const { press, accounts, isClosed } = await open("change");
    await press("Cancel");
    expect([isClosed(), await accounts()]).toEqual([true, ["B-1", "B-1", "B-1"]]);
  });
});

describe("the dialog that deletes many records", () => {
  test("names them before, deletes them when told to, and undo brings them back", async () => {
    const { dialog, press, accounts, operations, selected } = await open("delete");
    await within(dialog).findByText("Many Two");
    expect(await accounts()).toEqual(["B-1", "B-1", "B-1"]);
    await press("Delete 3 customers");
    await screen.findByText("3 customers are deleted.");
    expect([await accounts(), selected()]).toEqual([[undefined, undefined, undefined], []]);
    await press("Undo");
    await screen.findByText("3 customers are restored.");
    expect(await accounts()).toEqual(["B-1", "B-1", "B-1"]);
    expect(await operations()).toEqual([
      ["restored", "deleted", "created"],
      ["restored", "deleted", "created"],
      ["restored", "deleted", "created"],
    ]);
  });

  test("undo leaves a record alone that someone else brought back and changed, and says so", async () => {
    const { press, accounts, operations, ids } = await open("delete");
    await press("Delete 3 customers");
    await screen.findByText("3 customers are deleted.");
    const made = await app.service.call("PUT", `/v1/customers/${ids[1]}`, { lastName: "Another", accountID: "B-9" });
    expect(made.status).toBe(201);
    await press("Undo");
    await screen.findByText("2 customers are restored. 1 could not be restored: someone has changed them since.");
    expect(await accounts()).toEqual(["B-1", "B-9", "B-1"]);
    expect((await operations())[1]).toEqual(["created", "deleted", "created"]);
  });

  test("deletes nothing when it is cancelled", async () => {
    const { dialog, press, accounts } = await open("delete");
    await within(dialog).findByText("Many Two");
    await press("Cancel");
    expect(await accounts()).toEqual(["B-1", "B-1", "B-1"]);
  });
});
