import { describe, expect, test } from "vitest";
import { customers, employees } from "../testing/fake-service.ts";
import { noteColumns } from "./column-notes.ts";
import { matchHeader, missingFields, REASON_HEADING, ROW_HEADING } from "./match-columns.ts";

describe("columns are matched with fields", () => {
  test.each<[string, (string | null)[], (string | null)[]]>([
    ["by name", ["objectId", "firstName", "lastName", "accountID"], ["objectId", "firstName", "lastName", "accountID"]],
    ["by title", ["Object ID", "First name", "Last name", "Account ID"], ["objectId", "firstName", "lastName", "accountID"]],
    ["by alias", ["customer number", "Vorname", "Nachname", "Konto"], ["objectId", "firstName", "lastName", "accountID"]],
    [
      "whatever the case, accents and signs",
      ["OBJECT_ID", "prenom", " last-name ", "account.id"],
      ["objectId", "firstName", "lastName", "accountID"],
    ],
    ["with a small slip", ["Objekt ID", "Frist name", "Lastname", "Acount ID"], ["objectId", "firstName", "lastName", "accountID"]],
    ["in any order, others left out", ["Fax", "accountID", "", "lastName"], [null, "accountID", null, "lastName"]],
    ["never one field twice", ["Last name", "Surname", "lastName"], [null, null, "lastName"]],
    ["the exact heading before the slip", ["Lastt name", "Last name"], [null, "lastName"]],
    ["not our own columns of an errors file", ["lastName", REASON_HEADING, ROW_HEADING], ["lastName", null, null]],
  ])("%s", (_, header, columns) => {
    expect(matchHeader(customers, header as string[])).toEqual(columns);
  });

  test("also those of another collection", () => {
    const header = ["Name", "hire date", "permanent", "Salry"];
    expect(matchHeader(employees, header)).toEqual(["name", "hiredatetime", "permanent", "salary"]);
  });

  test.each([
    ["Salary in EUR", "salary"],
    ["Salary (€)", "salary"],
    ["Salary EUR", "salary"],
    ["Loc.", "location"],
    ["Salary old", null],
    ["Salary FAX", null],
    ["SalaryEUR", null],
    ["Salary (alt)", null],
    ["Beg", null],
    ["B.", null],
  ])("a unit behind the name and an abbreviation with a dot: %s", (heading, field) => {
    expect(matchHeader(employees, ["Name", heading])).toEqual(["name", field]);
  });

  test("an abbreviation that may be two fields is none, and the field's own heading comes first", () => {
    expect(matchHeader(employees, ["Bad.", "Badge"])).toEqual([null, "badge"]);
    expect(matchHeader(employees, ["Salary", "Salary EUR"])).toEqual(["salary", null]);
    expect(matchHeader(customers, ["Acc."])).toEqual(["accountID"]);
  });
});

describe("what does not fit is named", () => {
  test.each([
    [["lastName", "Fax"], "“Fax” matches no field of Customers and is left out."],
    [["lastName", "Surname"], "“Surname” is a second column for Last name; only the first is used."],
    [["lastName", " "], "Column 2 has no heading and is left out."],
    [["lastName", "", " ", ""], "3 columns have no heading and are left out: 2, 3 and 4."],
    [["lastName", ...Array.from({ length: 30 }, () => "")], "30 columns have no heading and are left out: 2, 3, 4, 5, 6 and 25 more."],
    [["lastName", "version"], "“version” is set by the service and is left out."],
    [["Lst name"], "“Lst name” is read as Last name."],
    [["lastName", "accountID"], "Without a column: Object ID, First name."],
  ])("%j: %s", (header, note) => {
    expect(noteColumns(customers, header, matchHeader(customers, header), "create")).toContain(note);
  });

  test("what the user chose is said as it is chosen", () => {
    expect(noteColumns(customers, ["lastName", "Fax"], [null, "lastName"], "create")).toEqual([
      "“lastName” is a second column for Last name; only the first is used.",
      "Without a column: Object ID, First name.",
    ]);
  });

  test("many fields without a column are one sentence", () => {
    expect(noteColumns(employees, ["name", "permanent"], ["name", "permanent"], "create")).toEqual([
      "Without a column: ID, Age, Hired at, Location, Birthday and 13 more.",
    ]);
  });

  test("nothing is said when everything fits", () => {
    const header = ["objectId", "firstName", "lastName", "accountID"];
    expect(noteColumns(customers, header, header, "create")).toEqual([]);
  });
});

describe("fields that a mode cannot do without", () => {
  const names = (mode: "create" | "update" | "upsert", columns: (string | null)[]) =>
    missingFields(customers, columns, mode).map(({ name }) => name);
  test("new records need the required fields", () => {
    expect(names("create", ["lastName", null])).toEqual(["accountID"]);
    expect(names("upsert", ["objectId"])).toEqual(["lastName", "accountID"]);
  });
  test("an update needs the key and nothing else", () => {
    expect(names("update", ["lastName"])).toEqual(["objectId"]);
    expect(names("update", ["objectId"])).toEqual([]);
  });
});
