import { afterEach, describe, expect, test } from "vitest";
import type { Field } from "../../../core/dictionary/fields.ts";
import { employees } from "../../../pipeline/testing/fake-service.ts";
import { type FakeSession, openFakeSession } from "../../../pipeline/testing/fake-session.ts";
import { setLocale } from "../../values/format.ts";
import { meantText } from "./cell-text.ts";

const COLUMNS = ["id", "name", "hiredatetime", "permanent", "birthday", "salary", "begins", "notes"]; // in the order of the cells

afterEach(() => setLocale(""));

/** A file of which the first row is wrong. */
function open(...salaries: string[]): Promise<FakeSession> {
  const rows = salaries.map((salary, i) => `${i + 1},Ann,?,true,?,"${salary}",?,`);
  return openFakeSession(`${COLUMNS.join()}\n${rows.join("\n")}\n`, { collection: employees, columns: COLUMNS });
}

/** Types into the first row as the grid does. Returns the cell, and whether it is right. */
async function typeInto(session: FakeSession, name: string, text: string): Promise<[text: string | undefined, isRight: boolean]> {
  const column = COLUMNS.indexOf(name);
  const field = employees.byName.get(name) as Field;
  await session.act({ do: "edit", row: 1, column, text, meant: meantText(field, text) });
  const [row] = session.rows();
  return [row?.cells[column], !row?.problems.some((problem) => problem.field === name)];
}

describe("what is typed into a cell as the reader’s forms take it", () => {
  test.each([
    ["en-IN", "salary", "12,34,567.5", "1234567.5"],
    ["en-IN", "salary", "1,00,000.00", "100000"],
    ["en-IN", "birthday", "3 Apr 2026", "2026-04-03"],
    ["en-IN", "birthday", " 31 Dec 2025 ", "2025-12-31"],
    ["en-IN", "birthday", "03/04/2026", "2026-04-03"],
    ["en-IN", "birthday", "\u200e03/04/2026\u200b", "2026-04-03"],
    ["en-US", "birthday", "03/04/2026", "2026-03-04"],
    ["en-IN", "begins", "9:30 am", "09:30:00"],
    ["de-DE", "salary", "1.234,50", "1234.5"],
    ["de-DE", "birthday", "03.04.2026", "2026-04-03"],
    ["de-DE", "begins", "9.30", "09:30:00"],
    ["en-IN", "hiredatetime", "03/04/2026 09:05", new Date(2026, 3, 3, 9, 5).toISOString()],
  ])("in %s: %s “%s” is %s", async (locale, name, text, value) => {
    setLocale(locale);
    expect(await typeInto(await open("?"), name, text)).toEqual([value, true]);
  });

  test("is undone and redone in one step", async () => {
    setLocale("de-DE");
    const session = await open("?");
    await typeInto(session, "salary", "1.234,50");
    await session.act({ do: "undo" });
    expect([session.rows()[0]?.cells[5], session.state().canUndo]).toEqual(["?", false]);
    await session.act({ do: "redo" });
    expect(session.rows()[0]?.inFile[5]).toBe("?");
  });

  test("is shown as what was stored, also where that was there already", async () => {
    setLocale("de-DE");
    const session = await open("?");
    await typeInto(session, "salary", "1.234,50");
    const { revision } = session.state();
    expect(await typeInto(session, "salary", "1234,5")).toEqual(["1234.5", true]);
    expect(session.state().revision).toBeGreaterThan(revision);
  });

  test("is not read so where the column takes it as it stands", async () => {
    setLocale("de-DE");
    const session = await open("?", "12.5");
    expect(await typeInto(session, "salary", "1.25")).toEqual(["1.25", true]);
    await session.act({ do: "autoFix", field: "birthday", name: "date:m/d/y?", isOn: true });
    setLocale("en-IN");
    expect(await typeInto(session, "birthday", "03/04/2026")).toEqual(["03/04/2026", true]);
    expect(session.rows()[0]?.becomes[COLUMNS.indexOf("birthday")]).toBe("2026-03-04");
  });

  test("stays as it is where a form cannot read it either, or could read it in two ways", async () => {
    setLocale("fr-FR");
    const session = await open("?");
    expect(await typeInto(session, "salary", "1.234.5")).toEqual(["1.234.5", false]);
    expect(await typeInto(session, "birthday", "31 Feb 2026")).toEqual(["31 Feb 2026", false]);
    expect(await typeInto(session, "notes", "3 Apr 2026")).toEqual(["3 Apr 2026", true]);
  });

  test("is refused with the reason that is left: what was read is out of bounds", async () => {
    setLocale("en-IN");
    const session = await open("?");
    expect(await typeInto(session, "birthday", "31 Dec 1899")).toEqual(["1899-12-31", false]);
    expect(session.rows()[0]?.problems).toContainEqual(expect.objectContaining({ field: "birthday", code: "TOO_SMALL" }));
  });
});
