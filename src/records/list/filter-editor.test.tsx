import { screen, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FilterOperator } from "../../../core/dictionary/filters.ts";
import type { KindFamily } from "../../../core/dictionary/kinds.ts";
import { EMPLOYEES } from "../../../server/testing/service.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import type { Bounds } from "../query/filter-bounds.ts";
import type { ListState } from "../query/list-url.ts";
import { type Filter, parseListUrl } from "../query/list-url.ts";
import { FilterEditor } from "./filter-editor.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp(EMPLOYEES);
});
afterAll(() => app.close());

interface Question {
  field: string;
  value: string;
  /** The filter as it stands in the address. */
  asked: Omit<Filter, "operator">;
}

/** An operator that is not here does not compile. */
const QUESTIONS: Record<FilterOperator, Question> = {
  eq: { field: "Badge", value: "NL-0042", asked: { name: "badge", text: "NL-0042" } },
  prefix: { field: "Name", value: "Ada", asked: { name: "name", text: "Ada" } },
  gte: { field: "Age", value: "41", asked: { name: "age", text: "41" } },
  lte: { field: "Birthday", value: "1990-12-31", asked: { name: "birthday", text: "1990-12-31" } },
  gt: { field: "Age", value: "41", asked: { name: "age", text: "41" } },
  lt: { field: "Birthday", value: "1990-12-31", asked: { name: "birthday", text: "1990-12-31" } },
  ne: { field: "Badge", value: "NL-0042", asked: { name: "badge", text: "NL-0042" } },
  contains: { field: "Name", value: "da", asked: { name: "name", text: "da" } },
  suffix: { field: "Badge", value: "42", asked: { name: "badge", text: "42" } },
  notContains: { field: "Badge", value: "X", asked: { name: "badge", text: "X" } },
  null: { field: "Age", value: "", asked: { name: "age", text: "false" } },
  in: { field: "Age", value: "41, 42", asked: { name: "age", text: "41,42" } },
  notIn: { field: "Location", value: "Kraków, Ulm", asked: { name: "location", text: "Kraków,Ulm" } },
  has: { field: "Skills", value: "first aid", asked: { name: "skills", text: "first aid" } },
  hasAny: { field: "Languages", value: "Dutch, Polnisch", asked: { name: "languages", text: "nl,pl" } },
  hasAll: { field: "Rooms", value: "101, 204", asked: { name: "rooms", text: "101,204" } },
};

const WORDS: Record<FilterOperator, string | RegExp> = {
  eq: "is",
  prefix: "starts with",
  gte: "at least",
  gt: "more than",
  lte: "until",
  lt: "before",
  in: "is one of",
  notIn: "is none of",
  ne: "is not",
  contains: "contains",
  suffix: "ends with",
  notContains: "does not contain",
  null: "has a value",
  has: "has",
  hasAny: "has one of",
  hasAll: "has all of",
};

/** A field of each family of kinds, and the conditions it may be asked with. */
const CONDITIONS: Record<KindFamily, [field: string, conditions: string[]]> = {
  list: ["Skills", ["has", "has one of", "has all of", "has a value", "is empty"]],
  text: [
    "Badge",
    [
      "is",
      "is not",
      "starts with",
      "ends with",
      "contains",
      "does not contain",
      "from",
      "after",
      "up to",
      "before",
      "is one of",
      "is none of",
      "has a value",
      "is empty",
    ],
  ],
  amount: [
    "Age",
    ["is", "is not", "at least", "more than", "at most", "less than", "is one of", "is none of", "has a value", "is between", "is empty"],
  ],
  time: [
    "Birthday",
    [
      "is",
      "is not",
      "from",
      "after",
      "until",
      "before",
      "is one of",
      "is none of",
      "has a value",
      "is between",
      "is in the period",
      "is empty",
    ],
  ],
  yesNo: ["Permanent", ["is"]],
};

async function draw(bounds?: Bounds) {
  const asked: Partial<ListState>[] = [];
  let isDone = false;
  const state = { ...parseListUrl(app.collection, {}), filters: (bounds ?? []).flatMap((one) => one ?? []) };
  const { user } = await drawPart(
    app,
    <FilterEditor
      collection={app.collection}
      state={state}
      go={(change) => asked.push(change)}
      onDone={() => {
        isDone = true;
      }}
      {...(bounds && { bounds })}
    />,
  );
  const value = () => screen.getByLabelText(/^Value/);
  return {
    user,
    value,
    choose: (label: string, choice: string) => user.selectOptions(screen.getByLabelText(label), choice),
    enter: (text: string) => user.type(value(), text),
    submit: () => user.click(screen.getByRole("button", { name: /filter$/ })),
    asked: () => asked.at(-1)?.filters,
    isDone: () => isDone,
  };
}

describe("the filter editor", () => {
  test.each(Object.keys(QUESTIONS) as FilterOperator[])("asks with the operator %s what the user chose", async (operator) => {
    const { field, value, asked } = QUESTIONS[operator];
    const editor = await draw();
    await editor.choose("Field", field);
    await editor.choose("Condition", String(WORDS[operator]));
    if (value) await editor.enter(value);
    await editor.submit();
    expect(editor.asked()).toEqual([{ ...asked, operator }]);
    expect(editor.isDone()).toBe(true);
  });

  test.each(Object.entries(CONDITIONS))(
    "offers for a field of the family %s the conditions that mean something",
    async (_, [field, conditions]) => {
      const editor = await draw();
      await editor.choose("Field", field);
      const options = within(screen.getByLabelText("Condition")).getAllByRole("option");
      expect(options.map(({ textContent }) => textContent)).toEqual(conditions);
    },
  );

  test.each(["ID", "Name"])("does not ask whether %s is empty, which every record has", async (field) => {
    const editor = await draw();
    await editor.choose("Field", field);
    const options = within(screen.getByLabelText("Condition")).getAllByRole("option");
    expect(options.map(({ textContent }) => textContent).filter((one) => one === "has a value" || one === "is empty")).toEqual([]);
  });

  test.each(["Location", "Contract"])("offers for the closed list %s only conditions about whole values", async (field) => {
    const editor = await draw();
    await editor.choose("Field", field);
    const options = within(screen.getByLabelText("Condition")).getAllByRole("option");
    expect(options.map(({ textContent }) => textContent)).toEqual(["is", "is not", "is one of", "is none of", "has a value", "is empty"]);
  });

  test("asks for records without a value, and then needs none", async () => {
    const editor = await draw();
    await editor.choose("Field", "Salary");
    await editor.choose("Condition", "is empty");
    expect(screen.queryByLabelText(/^Value/)).toBeNull();
    await editor.submit();
    expect(editor.asked()).toEqual([{ name: "salary", operator: "eq", text: "" }]);
  });

  test("says at once what is wrong with a value, and asks nothing", async () => {
    const editor = await draw();
    await editor.choose("Field", "Age");
    await editor.enter("007");
    await editor.submit();
    expect(screen.getByRole("alert").textContent).toContain("must be a whole number");
    expect(editor.value().getAttribute("aria-invalid")).toBe("true");
    expect([editor.asked(), editor.isDone()]).toEqual([undefined, false]);
  });

  test("asks for a moment in the user's own time", async () => {
    const editor = await draw();
    await editor.choose("Field", "Hired at");
    await editor.enter("2026-01-31T08:30");
    await editor.submit();
    expect(editor.asked()).toEqual([{ name: "hiredatetime", operator: "gte", text: new Date("2026-01-31T08:30").toISOString() }]);
  });

  test("offers the values of a field that has a list of them", async () => {
    const editor = await draw();
    await editor.choose("Field", "Location");
    await editor.choose("Condition", "is");
    await editor.choose("Value", "Kraków");
    await editor.submit();
    expect(editor.asked()).toEqual([{ name: "location", operator: "eq", text: "Kraków" }]);
  });

  test("begins with the filter that is to be changed, and changes that one", async () => {
    const editor = await draw([{ name: "name", operator: "prefix", text: "al" }]);
    expect((editor.value() as HTMLInputElement).value).toBe("al");
    await editor.choose("Condition", "is one of");
    await editor.user.clear(editor.value());
    await editor.enter("Alto, Beta");
    await editor.submit();
    expect(editor.asked()).toEqual([{ name: "name", operator: "in", text: "Alto,Beta" }]);
  });

  test("asks for what lies between two values, whichever was typed first, and changes both at once", async () => {
    const editor = await draw();
    await editor.choose("Field", "Age");
    await editor.choose("Condition", "is between");
    await editor.user.type(screen.getByLabelText("From"), "40");
    await editor.submit();
    expect(screen.getAllByRole("alert").length).toBeGreaterThan(0);
    await editor.user.type(screen.getByLabelText("To"), "30");
    await editor.submit();
    expect(editor.asked()).toEqual([
      { name: "age", operator: "gte", text: "30" },
      { name: "age", operator: "lte", text: "40" },
    ]);
  });

  test("begins with both bounds of a range, and leaves none of them when another condition is chosen", async () => {
    const editor = await draw([
      { name: "age", operator: "gte", text: "30" },
      { name: "age", operator: "lte", text: "40" },
    ]);
    expect(screen.getByLabelText<HTMLInputElement>("From").value).toBe("30");
    expect(screen.getByLabelText<HTMLInputElement>("To").value).toBe("40");
    await editor.choose("Condition", "at least");
    await editor.submit();
    expect(editor.asked()).toEqual([{ name: "age", operator: "gte", text: "30" }]);
  });

  test("asks for a period that is counted from today, and begins with it again", async () => {
    const editor = await draw([
      { name: "updatedAt", operator: "gte", text: "month" },
      { name: "updatedAt", operator: "lt", text: "month+1m" },
    ]);
    expect(screen.getByLabelText<HTMLSelectElement>("Period").selectedOptions[0]?.textContent).toBe("this month");
    await editor.choose("Period", "in the last 7 days");
    await editor.submit();
    expect(editor.asked()).toEqual([
      { name: "updatedAt", operator: "gte", text: "today-6d" },
      { name: "updatedAt", operator: "lt", text: "today+1d" },
    ]);
  });

  test("keeps a relative time as it stands in the address", async () => {
    const editor = await draw([{ name: "updatedAt", operator: "gte", text: "today-7d" }]);
    expect((editor.value() as HTMLInputElement).value).toBe("today-7d");
    expect(screen.getByText("7 days ago")).toBeTruthy();
    await editor.user.type(editor.value(), "{Enter}");
    expect(editor.asked()).toEqual([{ name: "updatedAt", operator: "gte", text: "today-7d" }]);
  });

  test("has the focus on its first choice when it opens", async () => {
    await draw();
    expect(document.activeElement).toBe(screen.getByLabelText("Field"));
  });
});
