import { describe, expect, test } from "vitest";
import { customers } from "../testing/fake-service.ts";
import { mappingOf, recallFrom } from "./remembered-mapping.ts";

const HEADER = ["Nr", "Who", "Konto", "Fax"];
const COLUMNS = ["objectId", "lastName", "accountID", null];
const remembered = [mappingOf(customers, HEADER, { columns: COLUMNS })];

describe("columns as last time", () => {
  test("for the same headings", () => {
    expect(recallFrom(remembered, customers, HEADER)).toEqual({ columns: COLUMNS, added: [], gone: [] });
  });

  test("in another order, case or spelling of signs", () => {
    expect(recallFrom(remembered, customers, ["FAX", " konto", "who", "N.r."])?.columns).toEqual([
      null,
      "accountID",
      "lastName",
      "objectId",
    ]);
  });

  test("what is new is matched by its name, what is gone is said", () => {
    expect(recallFrom(remembered, customers, ["Nr", "Who", "Konto", "First name"])).toEqual({
      columns: ["objectId", "lastName", "accountID", "firstName"],
      added: ["First name"],
      gone: ["Fax"],
    });
  });

  test("what is new takes no field from a column of last time", () => {
    expect(recallFrom(remembered, customers, [...HEADER, "Last name"])?.columns).toEqual([...COLUMNS, null]);
  });

  test("two columns of one heading are two", () => {
    const twins = [mappingOf(customers, ["Name", "Name", "Konto"], { columns: ["firstName", "lastName", "accountID"] })];
    expect(recallFrom(twins, customers, ["Konto", "name", "NAME"])?.columns).toEqual(["accountID", "firstName", "lastName"]);
  });

  test("the nearest of several files is taken, and of equals the latest", () => {
    const near = { ...mappingOf(customers, [...HEADER, "Mobile"], { columns: [null, "lastName", null, null, null] }), usedAt: 1 };
    expect(recallFrom([near, ...remembered], customers, HEADER)?.columns).toEqual(COLUMNS);
    const later = { ...mappingOf(customers, [...HEADER, "Pager"], { columns: ["objectId", null, null, null, null] }), usedAt: 2 };
    expect(recallFrom([near, later], customers, HEADER)?.columns).toEqual(["objectId", null, null, null]);
  });

  test("a field that the dictionary no longer has is left out", () => {
    expect(
      recallFrom([mappingOf(customers, HEADER, { columns: ["objectId", "nickname", null, null] })], customers, HEADER)?.columns,
    ).toEqual(["objectId", null, null, null]);
  });
});

describe("changes to columns as last time", () => {
  const rules = [
    { do: "split", column: 1, separator: ", ", at: "first", into: ["Last name", "First name"] },
    { do: "trim", column: 4 },
  ] as const;
  const kept = [mappingOf(customers, HEADER, { columns: ["objectId", null, "accountID", null, "lastName", "firstName"], rules })];

  test("are made where their columns stand now, with the columns that they add", () => {
    expect(recallFrom(kept, customers, ["Who", "Nr", "Konto", "Fax", "Mobile"])).toEqual({
      columns: [null, "objectId", "accountID", null, null, "lastName", "firstName"],
      columnRules: [
        { ...rules[0], column: 0 },
        { ...rules[1], column: 5 },
      ],
      added: ["Mobile"],
      gone: [],
    });
  });

  test("are left out when the file lacks a column of them", () => {
    expect(recallFrom(kept, customers, ["Nr", "Konto", "Fax"])).toEqual({
      columns: ["objectId", "accountID", null],
      added: [],
      gone: ["Who"],
    });
  });
});

describe("nothing is recalled", () => {
  test("from a file that is very different", () => {
    expect(recallFrom(remembered, customers, ["Nr", "Name", "City", "Street"])).toBeUndefined();
  });

  test("from another collection", () => {
    expect(recallFrom([{ ...remembered[0], collection: "employees" } as (typeof remembered)[0]], customers, HEADER)).toBeUndefined();
  });
});

test("files with the same headings in any order are stored once", () => {
  const [a, b] = [mappingOf(customers, HEADER, { columns: COLUMNS }), mappingOf(customers, [...HEADER].reverse(), { columns: COLUMNS })];
  expect(a.key).toBe(b.key);
  expect(mappingOf(customers, [...HEADER, "Nr"], { columns: COLUMNS }).key).not.toBe(a.key);
});

test("what wrong values became is remembered, and handed on with the columns", () => {
  const values = [{ field: "accountID", from: "n/a", to: "" }];
  const mapping = mappingOf(customers, HEADER, { columns: COLUMNS, values });
  expect(recallFrom([mapping], customers, HEADER)?.values).toEqual(values);
});
