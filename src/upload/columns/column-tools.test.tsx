import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../../pipeline/containers/row-source.ts";
import { inspectFile } from "../../../pipeline/inspection/inspect-file.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { ColumnsStep } from "../steps/columns-step.tsx";
import { findInColumns } from "../worker/column-work.ts";
import { changeRules, stepRules, withoutRule, withRule } from "./rule-history.ts";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const TEXT = "Wer,Account,State\nPoe Ana,1,on\nEk Bo,2,on\nLi Cy,3,\n";

/** The step of a file; `answer` does what the worker was asked for last. */
async function draw(text = TEXT, rules: Plan["rules"] = undefined) {
  const file = new File([text], "names.csv");
  const inspection = await inspectFile(file, app.collection);
  const plan: Plan = { dialect: inspection.dialect, columns: inspection.columns, mode: "create", ...(rules && { rules }) };
  const drawn = await drawPart(
    app,
    <ColumnsStep collection={app.collection} columns={{ step: "columns", inspection }} plan={plan} />,
    app.key,
  );
  const manager = drawn.services.uploadManager;
  manager.inspect(file, app.collection);
  manager.choose(plan);
  return { ...drawn, manager, plan };
}

test("what stands in a column is found in one pass: fill, values, the commonest, lengths", async () => {
  const { plan } = await draw();
  const found: unknown[] = [];
  await findInColumns({ file: new File([TEXT], "a.csv"), plan }, (one) => found.push(one));
  expect(found.at(-1)).toMatchObject({
    profile: {
      rowsRead: 3,
      isDone: true,
      columns: [
        { filled: 3, distinct: 3 },
        { filled: 3 },
        { filled: 2, distinct: 1, hasMore: false, commonest: [{ text: "on", rows: 2 }], shortest: 2, longest: 2 },
      ],
    },
  });
});

test("what a rule would change is counted, with examples", async () => {
  const { plan } = await draw();
  const found: unknown[] = [];
  const rule = { do: "replace", column: 2, find: "on", to: "off", isPattern: false, ignoresCase: false } as const;
  await findInColumns({ file: new File([TEXT], "a.csv"), plan, rule }, (one) => found.push(one));
  expect(found.at(-1)).toMatchObject({ preview: { hits: 2, rowsRead: 3, isDone: true, examples: [{ before: "on", after: ["off"] }, {}] } });
});

test("cells that say that there is no value, and lost zeros, are corrected in all columns of text with one press", async () => {
  const text = "Surname,First name,Account,Number\nn/a,NULL,00123,n/a\nPoe,Ana,00456,1\nEk,k.A.,789,2\n";
  const { manager, user, worker, plan } = await draw(text);
  const found: Parameters<Parameters<typeof findInColumns>[1]>[0][] = [];
  await findInColumns({ file: new File([text], "a.csv"), plan }, (one) => found.push(one));
  await waitFor(() => expect(worker.commands.some(({ type }) => type === "columns")).toBe(true));
  worker.post({ type: "columns", found: found.at(-1) });
  const offer = (await screen.findByText("Some cells can be corrected together:")).parentElement as HTMLElement;
  expect(
    within(offer)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual([
    "Last name: 1 cell such as “n/a” becomes empty.",
    "First name: 2 cells such as “NULL” become empty.",
    "Account ID: 1 cell gets zeros, as “789” becomes “00789”.",
  ]);
  await user.click(within(offer).getByRole("button", { name: "Correct all of them" }));
  const { rules } = manager.state().plan as Plan;
  const read: string[][] = [];
  for await (const { rows } of rowsOf({ file: new File([text], "a.csv"), plan: { ...plan, ...(rules && { rules }) } })) read.push(...rows);
  expect(read).toEqual([
    ["", "", "00123", "n/a"],
    ["Poe", "Ana", "00456", "1"],
    ["Ek", "", "00789", "2"],
  ]);
  stepRules(manager, manager.state().plan as Plan, "undo");
  expect(manager.state().plan?.rules).toBeUndefined();
});

test("a pattern is tried on all rows before the check, unless the file cannot be read: then the check says so", async () => {
  const rule = { do: "replace", column: 2, find: "o.", to: "off", isPattern: true, ignoresCase: false } as const;
  const { worker } = await draw(TEXT, [rule]);
  const check = screen.getByRole<HTMLButtonElement>("button", { name: "Check" });
  await waitFor(() => expect(worker.commands.some(({ type }) => type === "columns")).toBe(true));
  await screen.findByText("The pattern is being tried on all rows. Then the file can be checked.");
  expect(check.getAttribute("aria-disabled")).toBe("true");
  worker.post({ type: "columns", found: undefined });
  await waitFor(() => expect(check.getAttribute("aria-disabled")).toBe("false"));
  expect(screen.getByText("Nothing is stored yet.")).toBeTruthy();
});

test("a rule is made in the dialog, says what lacks first, and new columns with names of fields are matched", async () => {
  const { user, manager } = await draw();
  await user.click(await screen.findByRole("button", { name: "Change Wer" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change columns" }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "What to do" }), "split");
  await user.click(dialog.getByRole("button", { name: "Apply" }));
  expect(dialog.getByRole("alert").textContent).toContain("Name two new columns");
  await user.type(dialog.getByLabelText("New columns"), "Last name, First name");
  await user.click(dialog.getByRole("button", { name: "Apply" }));
  await waitFor(() =>
    expect(manager.state().plan?.rules).toEqual([
      { do: "split", column: 0, separator: " ", at: "first", into: ["Last name", "First name"] },
    ]),
  );
  expect(manager.state().plan?.columns.slice(3)).toEqual(["lastName", "firstName"]);
});

test("values in several spellings are offered, united as they are chosen, and read so", async () => {
  const text = "Surname,First name,Account\nMüller,Ana,1\nMüller,Bo,2\nmuller ,Cy,3\nMuellers,Di,4\nMüllers,Ed,5\n";
  const { manager, user, worker, plan } = await draw(text);
  const found: Parameters<Parameters<typeof findInColumns>[1]>[0][] = [];
  await findInColumns({ file: new File([text], "a.csv"), plan }, (one) => found.push(one));
  await waitFor(() => expect(worker.commands.some(({ type }) => type === "columns")).toBe(true));
  worker.post({ type: "columns", found: found.at(-1) });
  await user.click(await screen.findByRole("button", { name: "1 value in several spellings" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change columns" }));
  expect(dialog.getAllByRole("checkbox").map((box) => [box.parentElement?.textContent, (box as HTMLInputElement).checked])).toEqual([
    ["Müller 2 rows", true],
    ["muller 1 row", true],
    ["Müllers 1 row · perhaps", false],
  ]);
  await user.click(dialog.getByRole("checkbox", { name: "Müllers 1 row · perhaps" }));
  await user.clear(dialog.getByLabelText("Becomes"));
  await user.click(dialog.getByRole("button", { name: "Apply" }));
  expect(dialog.getByRole("alert").textContent).toBe("Choose values that are one, and what they become.");
  await user.type(dialog.getByLabelText("Becomes"), "Müller");
  await user.click(dialog.getByRole("button", { name: "Apply" }));
  const rules = [{ do: "unite", column: 0, spellings: [{ from: ["muller", "Müllers"], to: "Müller" }] }] as const;
  await waitFor(() => expect(manager.state().plan?.rules).toEqual(rules));
  const read: (string | undefined)[] = [];
  for await (const { rows } of rowsOf({ file: new File([text], "a.csv"), plan: { ...plan, rules } }))
    read.push(...rows.map(([name]) => name));
  expect(read).toEqual(["Müller", "Müller", "Müller", "Muellers", "Müller"]);
});

test("a column of names is offered to be split into the fields for both parts, which no other column may be", async () => {
  const text = 'Wer,Account\n"Poe, Ana",1\n"Ek, Bo",2\n"van Li, Cy D.",3\n';
  const { manager, user, worker, plan } = await draw(text);
  const found: Parameters<Parameters<typeof findInColumns>[1]>[0][] = [];
  await findInColumns({ file: new File([text], "a.csv"), plan }, (one) => found.push(one));
  await waitFor(() => expect(worker.commands.some(({ type }) => type === "columns")).toBe(true));
  worker.post({ type: "columns", found: found.at(-1) });
  await user.click(await screen.findByRole("button", { name: "Split into Last name, First name" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change columns" }));
  await user.click(dialog.getByRole("button", { name: "Apply" }));
  const { rules, columns } = manager.state().plan as Plan;
  expect(columns).toEqual([null, "accountID", "lastName", "firstName"]);
  const read: string[][] = [];
  for await (const { rows } of rowsOf({ file: new File([text], "a.csv"), plan: { ...plan, ...(rules && { rules }) } })) read.push(...rows);
  expect(read.map((row) => row.slice(2))).toEqual([
    ["Poe", "Ana"],
    ["Ek", "Bo"],
    ["van Li", "Cy D."],
  ]);
});

test("undo and redo are exact, and a rule that is removed takes its columns along", async () => {
  const { manager, plan } = await draw();
  const now = () => manager.state().plan as Plan;
  const { collection } = app;
  changeRules(manager, now(), withRule(now(), { do: "constant", value: "x", into: "Extra" }, collection));
  changeRules(
    manager,
    now(),
    withRule(now(), { do: "split", column: 0, separator: " ", at: "last", into: ["Last name", "First name"] }, collection),
  );
  changeRules(manager, now(), withRule(now(), { do: "fill", column: 5, from: 3 }, collection));
  const all = now();
  for (let i = 0; i < 3; i++) stepRules(manager, now(), "undo");
  expect(now()).toEqual(plan);
  for (let i = 0; i < 3; i++) stepRules(manager, now(), "redo");
  expect(now()).toEqual(all);
  expect(withoutRule(now(), 0)).toEqual({
    rules: [
      { do: "split", column: 0, separator: " ", at: "last", into: ["Last name", "First name"] },
      { do: "fill", column: 4, from: -1 },
    ],
    columns: [...plan.columns, "lastName", "firstName"],
  });
});
