import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Field, readField } from "../../core/dictionary/fields.ts";
import { readCategories } from "../../core/dictionary/read-categories.ts";
import type { CheckSummary } from "../checking/findings.ts";
import { inspectFile } from "../inspection/inspect-file.ts";
import type { ValueRule } from "../model/corrections.ts";
import type { UploadMode } from "../model/plan.ts";
import type { AutoFixName } from "../model/value-fixes.ts";
import { counted, createService, customers, employees, fileOf, upload } from "../testing/fake-service.ts";
import { type FakeSession, findingsOf, HEADER, openFakeSession } from "../testing/fake-session.ts";
import { rowsXml, xlsxFile } from "../testing/workbooks.ts";
import type { Act, RowFilter } from "./correction-state.ts";

function found({ seconds: _, ...check }: CheckSummary): Omit<CheckSummary, "seconds"> {
  return check;
}

test("a row with bytes that are not UTF-8 says so, and what stands for them is never stored", async () => {
  const [before, after] = [`${HEADER}1,Zoë,Ångström,Ä\n2,,M`, "ller,B\n"].map((text) => new TextEncoder().encode(text));
  const session = await openFakeSession(Uint8Array.from([...(before ?? []), 0xfc, ...(after ?? [])]));
  expect(session.check()).toMatchObject({ ready: 1, groups: [{ field: "", code: "BYTES", count: 1 }] });
  expect(session.check().groups[0]?.message).toContain("bytes that are not UTF-8");
  await session.act({ do: "confirm", row: 2 });
  expect(session.check()).toMatchObject({ ready: 1, groups: [{ field: "lastName", code: "CHARACTERS", count: 1 }] });
  await session.act({ do: "edit", row: 2, column: 2, text: "Müller" });
  expect(session.check()).toMatchObject({ ready: 2, groups: [] });
});

test("a day number of a workbook that counts from 1904 becomes the day that the workbook means", async () => {
  const rows = [
    ["id", "name", "permanent", "birthday"],
    ["1", "Ann", "true", "30000"],
  ];
  for (const [is1904, day] of [
    [true, "1986-02-19"],
    [false, "1982-02-18"],
  ] as const) {
    const file = xlsxFile([{ name: "Staff", xml: rowsXml(rows) }], { is1904 });
    const { dialect, columns } = await inspectFile(file, employees);
    const { groups } = (await findingsOf(file, employees, { dialect, columns, mode: "create" })).summary();
    expect(groups.flatMap(({ offers }) => offers.flatMap(({ choices }) => choices.map(({ becomes }) => becomes)))).toEqual([day]);
  }
});

describe("a cell that is edited", () => {
  test("makes its row ready at once, and the row stays in the list", async () => {
    const session = await openFakeSession("1,,Ann,A\n2,,,B\n3,,,C\n");
    session.corrections.act({ do: "edit", row: 2, column: 2, text: "Bob" });
    expect(session.check()).toMatchObject({ ready: 2, groups: [{ code: "REQUIRED", count: 1, ranges: [[3, 3]] }] });
    expect(session.rows().map(({ row, is, cells }) => [row, is, cells[2]])).toEqual([
      [2, "corrected", "Bob"],
      [3, "wrong", ""],
    ]);
    expect(session.rows("lastName REQUIRED")).toHaveLength(2);
  });

  test("is still invalid, with the new reason", async () => {
    const session = await openFakeSession("x,,Ann,A\n");
    session.corrections.act({ do: "edit", row: 1, column: 0, text: "-5" });
    expect(session.rows()[0]?.problems).toMatchObject([{ field: "objectId", code: "TOO_SMALL" }]);
    expect(session.check().groups.map(({ code }) => code)).toEqual(["TOO_SMALL"]);
  });

  test("that had a repeated key makes the other rows valid", async () => {
    const session = await openFakeSession("1,,Ann,A\n1,,Bob,B\n2,,Eve,E\n3,,,F\n");
    await session.act({ do: "edit", row: 2, column: 0, text: "2" });
    expect(session.check().groups.map(({ code, ranges }) => [code, ranges])).toContainEqual(["DUPLICATE", [[3, 3]]]);
    await session.act({ do: "edit", row: 2, column: 0, text: "9" });
    expect(session.check()).toMatchObject({ ready: 3, groups: [{ code: "REQUIRED" }] });
  });

  test("in a row of another width does not make the row valid until all its cells are confirmed", async () => {
    const session = await openFakeSession("1,Jo,Smith, Jr.,A\n");
    await session.act({ do: "edit", row: 1, column: 2, text: "Smith, Jr." });
    await session.act({ do: "edit", row: 1, column: 3, text: "A" });
    expect(session.check().ready).toBe(0);
    await session.act({ do: "confirm", row: 1 });
    expect(session.check().ready).toBe(1);
    expect(session.rows()[0]).toMatchObject({ is: "corrected", cells: ["1", "Jo", "Smith, Jr.", "A"] });
  });

  test("can be undone and redone", async () => {
    const session = await openFakeSession("1,,,A\n");
    const before = { check: found(session.check()), rows: session.rows() };
    await session.act({ do: "edit", row: 1, column: 2, text: "Ann" });
    const after = found(session.check());
    await session.act({ do: "undo" });
    expect({ check: found(session.check()), rows: session.rows() }).toEqual(before);
    expect(session.state()).toMatchObject({ canUndo: false, canRedo: true });
    await session.act({ do: "redo" });
    expect(found(session.check())).toEqual(after);
  });

  test("is validated without reading any other row of a file of 300,000", async () => {
    const session = await openFakeSession(`1,,,A\n${"x,,Ann,A\n".repeat(300_000)}`);
    session.corrections.act({ do: "edit", row: 1, column: 2, text: "Ann" });
    expect(session.corrections.isBusy).toBe(false);
    expect(session.check().ready).toBe(1);
  });
});

function openBirthdays(...dates: string[]): Promise<FakeSession> {
  return openFakeSession(`id,name,permanent,birthday\n${dates.map((date, i) => `${i + 1},Ann,true,${date}\n`).join("")}`, {
    collection: employees,
    columns: ["id", "name", "permanent", "birthday"],
  });
}

function openPlaces(places: readonly string[], remembered?: readonly ValueRule[]): Promise<FakeSession> {
  return openFakeSession(`id,name,permanent,location\n${places.map((place, i) => `${i + 1},Ann,true,${place}\n`).join("")}`, {
    collection: employees,
    columns: ["id", "name", "permanent", "location"],
    remembered,
  });
}

function valuesOf(session: FakeSession, group: string): unknown[][] {
  const answer = session.corrections.answer({ for: "values", group, from: 0, to: 1000 });
  return answer.for === "values" ? answer.values.map(({ text, rows, proposal }) => [text, rows, proposal?.to]) : [];
}

test("a rule for a column that the file lacks, as a recipe may have it, is not listed as applied", async () => {
  const session = await openFakeSession("objectId,lastName\n1.0,Ann\n", { columns: ["objectId", "lastName"], mode: "update" });
  await session.act({ do: "autoFix", field: "accountID", name: "hidden", isOn: true });
  await session.act({ do: "autoFix", field: "objectId", name: "trailingZero", isOn: true });
  await session.act({ do: "values", field: "firstName", values: [{ from: "n/a", to: "" }] });
  await session.act({ do: "values", field: "lastName", values: [{ from: "n/a", to: "Ann" }] });
  const { autoFixes, valueFixes } = session.check();
  expect(autoFixes.map(({ field, rows }) => [field, rows])).toEqual([["objectId", 1]]);
  expect(valueFixes.map(({ field, rows }) => [field, rows])).toEqual([["lastName", 0]]);
});

describe("the wrong values of a field", () => {
  const places = ["Utrecht", "Utrcht", "Utrcht", "lagos", "Mars", "n/a", "Utrcht"];

  test("are counted, the commonest first, each with a proposal", async () => {
    const session = await openPlaces(places);
    expect(valuesOf(session, "location ENUM")).toEqual([["Utrcht", 3, "Utrecht"], ["Mars", 1, undefined], ["lagos", 1, "Lagos"], ["n/a", 1, ""]]); // biome-ignore format: short
    expect(session.check().groups[0]?.values).toEqual({
      distinct: 4,
      unlisted: 0,
      proposed: 1,
      proposedRows: 3,
      proposals: [{ text: "Utrcht", rows: 3, proposal: { to: "Utrecht", why: "similar" } }],
      corrected: 5, // also "lagos" and "n/a", by a fix
    });
  });

  test("become other values, no value, or leave their rows out; undo takes all of it back", async () => {
    const session = await openPlaces(places);
    const values = [{ from: "Utrcht", to: "Utrecht" }, { from: "n/a", to: "" }, { from: "Mars", to: null }]; // biome-ignore format: short
    await session.act({ do: "values", field: "location", values });
    expect(session.check()).toMatchObject({ ready: 5, leftOut: 1, valueFixes: [{ field: "location", rules: 3, rows: 4 }] });
    expect(valuesOf(session, "location ENUM")).toEqual([["lagos", 1, "Lagos"]]);
    await session.act({ do: "revertValues", field: "location" });
    expect(session.check()).toMatchObject({ ready: 1, leftOut: 0, valueFixes: [] });
    await session.act({ do: "undo" });
    expect(session.check()).toMatchObject({ ready: 5, leftOut: 1 });
  });

  test("become a value that is wrong itself: then the cell stays as it is", async () => {
    const session = await openPlaces(places);
    await session.act({ do: "values", field: "location", values: [{ from: "Mars", to: "Venus" }] });
    expect(session.check()).toMatchObject({ ready: 1, valueFixes: [{ rules: 1, rows: 0 }] });
  });

  test("are proposed as last time, and not applied unseen", async () => {
    const session = await openPlaces(places, [{ field: "location", from: "Mars", to: "Seoul" }]);
    expect(session.check().ready).toBe(1);
    expect(valuesOf(session, "location ENUM")[1]).toEqual(["Mars", 1, "Seoul"]);
    expect(session.check().correctable).toEqual({ rows: 6, isLeast: false });
    await session.act({ do: "proposals", group: "location ENUM" });
    expect(session.check()).toMatchObject({ ready: 7, correctable: { rows: 0 } });
  });

  test("that would be left out as last time are not among those that the proposals correct", async () => {
    const session = await openPlaces(places, [{ field: "location", from: "Mars", to: null }]);
    expect(session.check()).toMatchObject({ ready: 1, correctable: { rows: 5, isLeast: false } });
    await session.act({ do: "proposals" });
    expect(session.check()).toMatchObject({ ready: 6, leftOut: 1, correctable: { rows: 0 } });
  });

  test("have no proposal when two allowed values are equally similar", async () => {
    const collection = { ...employees, byName: new Map(employees.byName), fields: [...employees.fields] };
    const location = { ...(employees.byName.get("location") as Field), enum: ["Berlin", "Merlin", "Wien"] };
    collection.byName.set("location", location);
    collection.fields[collection.fields.findIndex(({ name }) => name === "location")] = location;
    const session = await openFakeSession("id,name,permanent,location\n1,Ann,true,Gerlin\n2,Ann,true,Merlim\n", {
      collection,
      columns: ["id", "name", "permanent", "location"],
    });
    expect(valuesOf(session, "location ENUM")).toEqual([["Gerlin", 1, undefined], ["Merlim", 1, "Merlin"]]); // biome-ignore format: short
  });

  test("have as proposal what is spelled nearly like a label in whatever language, also with ae for ä", async () => {
    const categories = [
      { value: "beginer", label: "Beginner", translations: { de: { label: "Anfänger" } } },
      { value: "adv", label: "Advanced", translations: { de: { label: "Fortgeschrittene" } } },
    ];
    const location = readField({ name: "location", type: "string", categories }, "", () => undefined, "", { readCategories }) as Field;
    const collection = { ...employees, byName: new Map(employees.byName).set("location", location) };
    collection.fields = employees.fields.map((field) => (field.name === "location" ? location : field));
    const rows = ["Anfaenger", "Anfaengr", "Begginer", "Fortgeschritene", "Meister"].map((text, i) => `${i + 1},Ann,true,${text}\n`);
    const session = await openFakeSession(`id,name,permanent,location\n${rows.join("")}`, {
      collection,
      columns: ["id", "name", "permanent", "location"],
    });
    expect(session.check().ready).toBe(0);
    expect(valuesOf(session, "location ENUM")).toEqual([
      ["Anfaenger", 1, "beginer"],
      ["Anfaengr", 1, "beginer"],
      ["Begginer", 1, "beginer"],
      ["Fortgeschritene", 1, "adv"],
      ["Meister", 1, undefined],
    ]);
  });

  test("are counted again when a cell is edited", async () => {
    const session = await openPlaces(places);
    session.corrections.act({ do: "edit", row: 2, column: 3, text: "Mars" });
    expect(valuesOf(session, "location ENUM").slice(0, 2)).toEqual([["Mars", 2, undefined], ["Utrcht", 2, "Utrecht"]]); // biome-ignore format: short
    session.corrections.act({ do: "edit", row: 2, column: 3, text: "Utrecht" });
    session.corrections.act({ do: "undo" });
    expect(valuesOf(session, "location ENUM")[0]).toEqual(["Mars", 2, undefined]);
  });

  test("beyond those that are counted one by one are counted together", async () => {
    const session = await openPlaces(Array.from({ length: 20_100 }, (_, i) => `Place ${i}`));
    expect(session.check().groups[0]?.values).toMatchObject({ distinct: 20_000, unlisted: 100 });
  });
});

describe("a whole group at once", () => {
  test("is corrected by the automatic fix that it offers", async () => {
    const session = await openFakeSession(`${Array.from({ length: 1000 }, (_, i) => `${i + 1}.0,,Ann,A\n`).join("")}x,,Bob,B\n`);
    expect(session.check().groups[0]).toMatchObject({ count: 1001, offers: [{ choices: [{ name: "trailingZero" }], rows: 1000 }] });
    await session.act({ do: "autoFix", field: "objectId", name: "trailingZero", isOn: true });
    expect(session.check()).toMatchObject({ ready: 1000, autoFixes: [{ title: "Object ID", rows: 1000 }] });
    await session.act({ do: "undo" });
    expect(session.check()).toMatchObject({ ready: 0, autoFixes: [] });
  });

  test("offers each form of dates that leaves no doubt, and asks about the others", async () => {
    const offered = (session: FakeSession) =>
      session.check().groups[0]?.offers.map(({ choices, rows, example }) => [example, rows, ...choices.map(({ becomes }) => becomes)]);
    expect(offered(await openBirthdays("31.1.1985", "1.2.1985", "12/31/85", "n/a", "x"))).toEqual([
      ["1.2.1985", 2, "1985-02-01"],
      ["12/31/85", 1, "1985-12-31"],
      ["n/a", 1, null],
    ]);
    expect(offered(await openBirthdays("3/4/1985", "13/1/1985"))).toEqual([
      ["13/1/1985", 1, "1985-01-13"],
      ["3/4/1985", 1, "1985-04-03", "1985-03-04"],
    ]);
  });

  test("asks what a point means once commas are decimal signs, instead of taking it for a decimal point", async () => {
    const salaries = ["12,5", "1.234", "99.5", "1.234,50"];
    const rows = salaries.map((salary, i) => `${i + 1},Ann,true,"${salary}"\n`);
    const salary: Field = { ...(employees.byName.get("salary") as Field), kind: "number" };
    delete salary.decimals;
    const fields = employees.fields.map((field) => (field.name === "salary" ? salary : field));
    const session = await openFakeSession(`id,name,permanent,salary\n${rows.join("")}`, {
      collection: { ...employees, fields, byName: new Map(fields.map((field) => [field.name, field])) },
      columns: ["id", "name", "permanent", "salary"],
    });
    expect(session.check()).toMatchObject({ ready: 2 }); // 1.234 is a number like any other
    await session.act({ do: "autoFix", field: "salary", name: "number:,", isOn: true });
    expect(session.check().groups).toMatchObject([{ code: "AMBIGUOUS", count: 1, offers: [{ example: "1.234" }] }]);
    const becomes = session.check().groups[0]?.offers[0]?.choices.map((choice) => [choice.name, choice.becomes]);
    expect(becomes).toEqual([
      ["number:,?", 1234],
      ["number:.?", 1.234],
    ]);
    await session.act({ do: "edit", row: 2, column: 1, text: "" }); // the row stays in the list
    await session.act({ do: "autoFix", field: "salary", name: "number:,?", isOn: true });
    expect(session.rows().flatMap(({ row, becomes }) => (row === 2 ? becomes.filter((value) => value !== undefined) : []))).toEqual([1234]);
    await session.act({ do: "edit", row: 2, column: 1, text: "Ann" });
    expect(session.check()).toMatchObject({ ready: 4, groups: [] });
  });

  test("is corrected with all its proposals in one act, but for what must be asked", async () => {
    const session = await openBirthdays("31.1.1985", "12/31/85", "-", "3/4/1985", "1985-01-31");
    await session.act({ do: "proposals", group: "birthday KIND" });
    expect(session.check()).toMatchObject({ ready: 4, groups: [{ count: 1, offers: [{ example: "3/4/1985" }] }] });
    await session.act({ do: "autoFix", field: "birthday", name: "date:m/d/y?", isOn: true });
    expect(session.check()).toMatchObject({ ready: 5, groups: [] });
    await session.act({ do: "undo" });
    await session.act({ do: "undo" });
    expect(session.check()).toMatchObject({ ready: 1, autoFixes: [] });
  });

  test("and all other groups are corrected in one act, but for what must be asked; one undo takes all of it back", async () => {
    const rows = ["31.1.1985,Utrcht,ja", "-,Lagos,true", "3/4/1985,Utrcht,nein", "1985-01-31,Mars,true", "1985-01-31,Seoul,true"];
    const text = `id,name,birthday,location,permanent\n${rows.map((row, i) => `${i + 1},Ann,${row}\n`).join("")}`;
    const session = await openFakeSession(text, { collection: employees, columns: ["id", "name", "birthday", "location", "permanent"] });
    const before = found(session.check());
    expect(session.check()).toMatchObject({ ready: 1, correctable: { rows: 2, isLeast: true } });
    await session.act({ do: "proposals" });
    expect(session.check()).toMatchObject({ ready: 3, correctable: { rows: 0 }, groups: [{ field: "birthday", count: 1 }, { field: "location", count: 1 }] }); // biome-ignore format: short
    await session.act({ do: "undo" });
    expect(found(session.check())).toEqual(before);
    await session.act({ do: "redo" });
    await session.act({ do: "proposals" });
    await session.act({ do: "undo" });
    expect(found(session.check())).toEqual(before); // the second time there was nothing left to do, so there is no step for it
  });

  test("is left out; a row of it that is corrected afterwards is ready", async () => {
    const session = await openFakeSession("1,,,A\n2,,,B\n3,,Eve,C\n");
    await session.act({ do: "leaveOutGroup", field: "lastName", code: "REQUIRED", isOut: true });
    expect(session.check()).toMatchObject({
      ready: 1,
      leftOut: 2,
      groups: [],
      leftOutGroups: [{ message: "Enter the last name.", rows: 2 }],
    });
    await session.act({ do: "edit", row: 1, column: 2, text: "Ann" });
    expect(session.check()).toMatchObject({ ready: 2, leftOut: 1 });
  });

  test("has the row that has a repeated key first", async () => {
    const session = await openFakeSession(`${Array.from({ length: 5000 }, (_, i) => `${i + 1},,Ann,A\n`).join("")}70,,Bob,B\n70,,Eve,E\n`);
    await session.quiet();
    expect(session.rows().map(({ row, problems }) => [row, problems[0]?.message])).toEqual([
      [5001, "Row 70 has the same Object ID."],
      [5002, "Row 70 has the same Object ID."],
    ]);
  });

  test("does not count the key of a row that was left out", async () => {
    const session = await openFakeSession("1,,Ann,A\n1,,Bob,B\n");
    await session.act({ do: "leaveOutGroup", field: "objectId", code: "DUPLICATE", isOut: true });
    expect(session.check()).toMatchObject({ ready: 1, leftOut: 1 });
    await session.act({ do: "undo" });
    await session.act({ do: "edit", row: 2, column: 2, text: "Bo" });
    await session.act({ do: "leaveOut", rows: [2], isOut: true });
    expect(session.rows()[0]).toMatchObject({ is: "leftOut", isLeftOutAlone: true });
    await session.act({ do: "leaveOut", rows: [2], isOut: false });
    expect(session.check()).toMatchObject({ ready: 1, leftOut: 0 });
  });
});

describe("a block of cells that is edited", () => {
  test("has the texts over and over, as one step", async () => {
    const session = await openFakeSession("1,,,A\n2,,,B\n3,,,\n");
    await session.act({ do: "editCells", rows: [1, 2, 3], columns: [2, 3], texts: [["Ann", "X"], ["Bob"]] });
    expect(session.rows().map(({ cells }) => cells.slice(2))).toEqual([
      ["Ann", "X"],
      ["Bob", "B"],
      ["Ann", "X"],
    ]);
    expect(session.check().ready).toBe(3);
    await session.act({ do: "undo" });
    expect(session.check().ready).toBe(0);
    expect(session.state().canUndo).toBe(false);
  });

  test("is restored as it is in the file, also where the row has no such cell", async () => {
    const session = await openFakeSession("1,,,A\n2\n");
    await session.act({ do: "editCells", rows: [1, 2], columns: [2, 3], texts: [["Ann", "Z"]] });
    expect(session.rows().map(({ inFile }) => inFile.slice(2))).toEqual([
      ["", "A"],
      ["", ""],
    ]);
    await session.act({ do: "editCells", rows: [1, 2], columns: [2, 3], texts: [[null]] });
    expect(session.corrections.plan.fixes?.edits).toEqual({});
  });

  test("of many rows is checked with the whole file", async () => {
    const session = await openFakeSession(Array.from({ length: 500 }, (_, i) => `${i + 1},,,A\n`).join(""));
    const rows = session.rows().map(({ row }) => row);
    await session.act({ do: "editCells", rows, columns: [2], texts: [["Ann"]] });
    await session.quiet();
    expect(session.check().ready).toBe(500);
  });
});

describe("the rows that are shown", () => {
  const shown = (session: FakeSession, filter: RowFilter, first?: string[]) => {
    const answer = session.corrections.answer({ for: "rows", filter, ...(first && { first }), from: 0, to: 100 });
    return answer.for === "rows" ? answer.rows : [];
  };

  test("are those whose cells have a text, in the file or as edited, in one column or any", async () => {
    const session = await openFakeSession("1,Ärnst,,A\n2,,,arnstberg\n3,,,C\n");
    await session.act({ do: "edit", row: 3, column: 2, text: "Arnst" });
    await session.act({ do: "edit", row: 1, column: 1, text: "Eva" });
    expect(shown(session, { text: "ARNST" }).map(({ row }) => row)).toEqual([1, 2, 3]);
    expect(shown(session, { text: "arnst", field: "accountID" }).map(({ row }) => row)).toEqual([2]);
    expect(shown(session, { text: "arnst", group: "lastName REQUIRED" })).toHaveLength(3);
    expect(shown(session, { text: "nobody" })).toEqual([]);
  });

  test("have the cells in the order that is asked for", async () => {
    const session = await openFakeSession("1,Jo,,A\n");
    expect(shown(session, {}, ["lastName"])[0]?.cells).toEqual(["", "1", "Jo", "A"]);
  });

  test("show what a rule makes of a cell", async () => {
    const session = await openFakeSession("2.0,,,B\n");
    await session.act({ do: "autoFix", field: "objectId", name: "trailingZero", isOn: true });
    await session.quiet();
    expect(shown(session, {})[0]).toMatchObject({ cells: ["2.0", "", "", "B"], becomes: [2, undefined, undefined, undefined] });
  });

  test("lead from problem to problem of one group", async () => {
    const session = await openFakeSession("x,,,A\ny,,Eve,B\n3,,,C\n");
    const answer = session.corrections.answer({ for: "next", filter: { group: "lastName REQUIRED" }, at: { index: 0, field: -1 }, by: 1 });
    expect(answer).toEqual({ for: "next", at: { index: 0, field: 2 } });
  });
});

test("a group that is left out is no longer named once none of its rows is", async () => {
  const session = await openFakeSession("x,,Eve\n", { mode: "create" });
  await session.act({ do: "leaveOutGroup", field: "objectId", code: "KIND", isOut: true });
  await session.act({ do: "confirm", row: 1 });
  expect(session.check().leftOutGroups).toMatchObject([{ field: "objectId", code: "KIND", rows: 1 }]);
  await session.act({ do: "undo" });
  expect(session.check().leftOutGroups).toEqual([]);
});

test("after any corrections, undo and redo, the findings are those of a new check with the same corrections", async () => {
  const cell = fc.constantFrom("", "1", "2", "2.0", "x", "Ann", "-", "007", "1,234", "€ 5");
  const row = fc.array(cell, { minLength: 3, maxLength: 5 });
  const place = { row: fc.integer({ min: 1, max: 8 }), column: fc.integer({ min: 0, max: 3 }) };
  const aField = fc.constantFrom("objectId", "lastName", "accountID", "");
  const aCode = fc.constantFrom("REQUIRED", "KIND", "DUPLICATE", "CELLS");
  const anAct: fc.Arbitrary<Act> = fc.oneof(
    fc.record({ do: fc.constant("edit" as const), ...place, text: cell }),
    fc.record({
      do: fc.constant("editCells" as const),
      rows: fc.uniqueArray(place.row, { minLength: 1 }),
      columns: fc.uniqueArray(place.column, { minLength: 1 }),
      texts: fc.array(fc.array(fc.option(cell), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ do: fc.constant("confirm" as const), row: place.row }),
    fc.record({ do: fc.constant("leaveOut" as const), rows: fc.uniqueArray(place.row), isOut: fc.boolean() }),
    fc.record({ do: fc.constant("leaveOutGroup" as const), field: aField, code: aCode, isOut: fc.boolean() }),
    fc.record({
      do: fc.constant("autoFix" as const),
      field: aField,
      name: fc.constantFrom<AutoFixName>("trailingZero", "empty", "number:.", "number:€"),
      isOn: fc.boolean(),
    }),
    fc.record({
      do: fc.constant("values" as const),
      field: aField,
      values: fc.array(fc.record({ from: cell, to: fc.constantFrom("3", "", null, undefined) }), { maxLength: 3 }),
    }),
    fc.record({ do: fc.constant("revertValues" as const), field: aField }),
    fc.record({ do: fc.constant("proposals" as const), group: fc.constantFrom("objectId KIND", "accountID REQUIRED") }),
    fc.record({ do: fc.constant("proposals" as const) }),
    fc.record({ do: fc.constantFrom("undo" as const, "redo" as const) }),
  );
  const modes = fc.constantFrom<UploadMode>("create", "update", "upsert");
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), fc.array(anAct, { maxLength: 8 }), modes, async (rows, acts, mode) => {
      const text = HEADER + rows.map((cells) => `${cells.join(",")}\n`).join("");
      const session = await openFakeSession(text, { mode });
      const first = found(session.check());
      for (const act of acts) await session.act(act);
      await session.quiet();
      const fresh = await findingsOf(fileOf(text), customers, structuredClone(session.corrections.plan));
      expect({ ...found(session.check()), listed: 0 }).toEqual({ ...found(fresh.summary()), listed: 0 });
      const wrong = session.rows().filter(({ is }) => is === "wrong");
      const messages = wrong.map((one) =>
        one.problems.map((problem) => problem.message.replace(/^Row [0-9]+ has/, "An earlier row of this file has")),
      );
      const bad = fresh.list().filter(({ verdict }) => verdict.problems && verdict.problems[0]?.code !== "LEFT_OUT");
      expect(wrong.map((one) => one.row)).toEqual(bad.map((one) => one.row));
      expect(messages).toEqual(bad.map((one) => one.verdict.problems?.map(({ message }) => message)));
      for (let i = 0; i < acts.length; i++) await session.act({ do: "undo" });
      expect({ ...found(session.check()), listed: 0 }).toEqual({ ...first, listed: 0 });
    }),
    { numRuns: 150, interruptAfterTimeLimit: 5_000 },
  );
});

test("the next problem is found across rows, forwards and backwards, and after the last comes the first", async () => {
  const session = await openFakeSession("x,,,A\n2,,,B\n3,,Eve,\n");
  await session.act({ do: "edit", row: 2, column: 2, text: "Bob" });
  const next = (index: number, field: number, by: 1 | -1 = 1) => {
    const answer = session.corrections.answer({ for: "next", filter: {}, at: { index, field }, by });
    return answer.for === "next" ? answer.at : undefined;
  };
  expect(next(0, 0)).toEqual({ index: 0, field: 2 });
  expect(next(0, 2)).toEqual({ index: 2, field: 3 }); // row 2 is corrected
  expect(next(2, 3)).toEqual({ index: 0, field: 0 });
  expect(next(0, 0, -1)).toEqual({ index: 2, field: 3 });
});

describe("the upload applies the corrections", () => {
  test("edited, fixed and left out, each row with its reason", async () => {
    const text = `${HEADER}1,,,A\n2.0,,Bob,B\n3,,Eve,E\n4,,,D\n3,,Fay,F\nx,,Gil,G\n`;
    const session = await openFakeSession(text);
    await session.act({ do: "edit", row: 1, column: 2, text: "Ann" });
    await session.act({ do: "autoFix", field: "objectId", name: "trailingZero", isOn: true });
    await session.act({ do: "leaveOutGroup", field: "lastName", code: "REQUIRED", isOut: true });
    const service = createService();
    const { report } = await upload(fileOf(text), service, { plan: structuredClone(session.corrections.plan) });
    expect(counted(report)).toEqual({ created: 3, notSent: 3 });
    expect([...service.records.values()].map(({ objectId, lastName }) => [objectId, lastName])).toEqual([
      [1, "Ann"],
      [2, "Bob"],
      [3, "Eve"],
    ]);
    expect(report.notStored.map(({ row, reason }) => [row, reason.split(".")[0]])).toEqual([
      [4, "You left this row out"],
      [5, "An earlier row of this file has the same Object ID"],
      [6, "Object ID must be a whole number without separators or leading zeros, such as 100482"],
    ]);
  });
});
