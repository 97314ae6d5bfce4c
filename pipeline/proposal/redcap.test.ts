// A REDCap data dictionary as a draft, and its logic as expressions.

import { expect, test } from "vitest";
import { askRules, askStates, loadRules } from "../../core/dictionary/ask-rules.ts";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import type { PackageField } from "../../core/dictionary/packages.ts";
import german from "../../core/i18n/de.json" with { type: "json" };
import { inCatalogue } from "../../core/i18n/translate.ts";
import { draftFromRedcap } from "./redcap-dictionary.ts";
import { isRedcapDictionary } from "./redcap-heading.ts";
import { NoCounterpart, translateLogic } from "./redcap-logic.ts";

const HEADING =
  '"Variable / Field Name","Form Name","Section Header","Field Type","Field Label","Choices, Calculations, OR Slider Labels","Field Note","Text Validation Type OR Show Slider Number","Text Validation Min","Text Validation Max",Identifier?,"Branching Logic (Show field only if...)","Required Field?","Custom Alignment","Question Number (surveys only)","Matrix Group Name","Matrix Ranking?","Field Annotation"';
const line = (...cells: string[]) => Array.from({ length: 18 }, (_, i) => `"${(cells[i] ?? "").replaceAll('"', '""')}"`).join(",");
/** After a demo project that REDCap ships: a trial with baseline and visits. */
const FILE = [
  HEADING,
  line("study_id", "demographics", "", "text", "Study ID"),
  line(
    "date_enrolled",
    "demographics",
    "Consent Information",
    "text",
    "Date subject signed consent",
    "",
    "YYYY-MM-DD",
    "date_ymd",
    "2020-01-01",
    "today",
    "",
    "",
    "y",
    "",
    "",
    "",
    "",
    "@TODAY",
  ),
  line("dob", "demographics", "", "text", "Date of birth", "", "", "date_ymd"),
  line("first_name", "demographics", "", "text", "First Name", "", "", "", "", "", "y"),
  line("email", "demographics", "", "text", "E-mail", "", "", "email", "", "", "y"),
  line(
    "ethnicity",
    "demographics",
    "",
    "radio",
    "Ethnicity",
    "0, Hispanic or Latino | 1, NOT Hispanic or Latino | 2, Unknown, or not reported",
  ),
  line("race", "demographics", "", "checkbox", "<b>Race</b>", "0, Asian | 1, White | 2, Other", "Tick all"),
  line("race_other", "demographics", "", "text", "Which other?", "", "", "", "", "", "", "[race(2)] = '1'", "y"),
  line("sex", "demographics", "", "dropdown", "Gender", "0, Female | 1, Male", "", "", "", "", "", "", "y", "", "", "", "", '@DEFAULT="0"'),
  line("given_birth", "demographics", "", "yesno", "Has the patient given birth before?", "", "", "", "", "", "", '[sex] = "0"'),
  line(
    "num_children",
    "demographics",
    "",
    "text",
    "How many times?",
    "",
    "",
    "integer",
    "1",
    "20",
    "",
    "[sex] = '0' and ([given_birth] = '1' or [num_children_known] <> '')",
  ),
  line("num_children_known", "demographics", "", "text", "Known children", "", "", "integer"),
  line("height", "baseline_data", "", "text", "Height (cm)", "", "", "number_1dp", "130", "215", "", "", "y"),
  line("weight", "baseline_data", "", "text", "Weight (kg)", "", "", "number", "35", "200"),
  line("bmi", "baseline_data", "", "calc", "BMI", "[weight] * 10000 / ([height] * [height])"),
  line("age", "baseline_data", "", "calc", "Age", 'rounddown(datediff([dob], "today", "y"))'),
  line("comments", "baseline_data", "", "notes", "Comments", "", "", "", "", "", "", "[bmi] >= 30 or [weight] > '150'"),
  line("patient_document", "baseline_data", "", "file", "Consent"),
  line("pain", "visits", "Pain", "slider", "Pain", "None | Some | Worst"),
  line("ssn", "visits", "", "text", "Social security number", "", "", "ssn"),
  line("late", "visits", "", "text", "Late", "", "", "", "", "", "", "[visit_1_arm_1][sex] = '1'"),
  line("old", "visits", "", "text", "Old value"),
].join("\r\n");

function drafted() {
  const draft = draftFromRedcap(FILE, "Demo Trial");
  if (typeof draft === "string") throw new Error(draft);
  const read = readDataPackage({ resources: [draft.resource] });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  const [collection] = read.collections;
  if (!collection) throw new Error("there is no collection");
  return { ...draft, collection, field: (name: string) => draft.resource.schema.fields.find((one) => one.name === name) as PackageField };
}

test("such a file is known by its first columns", () => {
  expect([FILE, `\uFEFF${FILE}`, "id,name\r\n1,a", '"Variable / Field Name"'].map(isRedcapDictionary)).toEqual([true, true, false, false]);
});

test("types, validations, choices and bounds become a collection that the check of a dictionary takes", () => {
  const { resource, field } = drafted();
  expect([resource.name, resource.title, resource.label]).toEqual(["demo_trial", "Demo Trial", ["study_id"]]);
  expect(field("study_id").constraints).toEqual({ required: true, unique: true });
  expect(field("date_enrolled")).toMatchObject({
    type: "date",
    default: "today",
    description: "YYYY-MM-DD",
    constraints: { minimum: "2020-01-01", required: true },
  });
  expect(field("email")).toMatchObject({ type: "string", format: "email" });
  expect(field("ethnicity").categories).toEqual([
    { value: "0", label: "Hispanic or Latino" },
    { value: "1", label: "NOT Hispanic or Latino" },
    { value: "2", label: "Unknown, or not reported" },
  ]);
  expect([field("race___2").title, field("race___2").type]).toEqual(["Race: Other", "boolean"]);
  expect(field("height")).toMatchObject({ type: "number", decimals: 1, constraints: { minimum: 130, maximum: 215, required: true } });
  expect(field("pain")).toMatchObject({ type: "integer", constraints: { minimum: 0, maximum: 100 } });
  expect([field("sex").default, field("comments").format]).toEqual(['"0"', "multiline"]);
});

test("branching logic hides and asks as there, and a calculation is computed", async () => {
  const { collection, field } = drafted();
  expect(field("race_other").visibleIf).toBe("race___2 == true");
  expect(field("num_children").visibleIf).toBe('sex == "0" && (given_birth == true || !isEmpty(num_children_known))');
  expect(field("bmi").computed).toBe("weight * 10000 / (height * height)");
  expect(field("comments").visibleIf).toBe("bmi >= 30 || weight > 150");
  await loadRules(collection);
  const stateOf = (record: Record<string, string | number | boolean>) => {
    const scope = { record, old: null, me: null, today: "2026-11-29" };
    const states = askStates(collection, scope);
    const isVisible = (name: string) => states.get(name)?.isVisible;
    return [isVisible("race_other"), isVisible("num_children"), askRules(collection, scope).map((one) => one.field)];
  };
  expect(stateOf({ sex: "0", given_birth: true, date_enrolled: "2026-01-01" })).toEqual([false, true, []]);
  expect(stateOf({ sex: "1", race___2: true })).toEqual([true, false, ["race_other"]]);
});

test("forms and headers are sections, files are files, and whole years an age", () => {
  const { resource, field } = drafted();
  expect(resource.sections).toEqual([
    { name: "demographics", title: "Demographics" },
    { name: "consentInformation", title: "Consent Information" },
    { name: "baselineData", title: "Baseline data" },
    { name: "pain", title: "Pain" },
  ]);
  expect(["study_id", "date_enrolled", "race___2", "height", "pain", "ssn"].map((name) => field(name).section)).toEqual([
    ...["demographics", "consentInformation", "consentInformation", "baselineData", "pain", "pain"],
  ]);
  expect(field("patient_document")).toMatchObject({ type: "string", format: "file" });
  expect(field("age").computed).toBe("age(dob)");
});

test("what does not fit is named, each with its variable", () => {
  const { notes, field } = drafted();
  expect(notes.map(({ variable, sentence }) => `${variable}: ${sentence}`)).toEqual([
    'date_enrolled: the bound "today" is left out',
    "race: several ticks become one field of yes or no for each of the 3 choices, named as REDCap exports them",
    'ssn: the validation "ssn" has no counterpart, so it is text',
    "old: is called field_old here",
    "late: the branching logic [visit_1_arm_1][sex] = '1' is left out: [visit_1_arm_1][sex] is no field here",
    ": The forms demographics, baseline_data, visits become one, with a section for each, in this order.",
    ": Identifiers are fields like others; roles may hide or mask them: first_name, email.",
  ]);
  expect(field("late").visibleIf).toBeUndefined();
});

test("it is named in the reader's language", () => {
  const { notes } = inCatalogue({ language: "de", texts: german }, () => drafted());
  expect(notes.slice(0, 2).map(({ sentence }) => sentence)).toEqual([
    "die Grenze „today“ wird weggelassen",
    "mehrere Häkchen werden zu je einem Ja-Nein-Feld pro Auswahlmöglichkeit (3), benannt wie in den Exporten von REDCap",
  ]);
  const late = notes.find(({ variable }) => variable === "late")?.sentence;
  expect(late).toBe("die Verzweigung [visit_1_arm_1][sex] = '1' wird weggelassen: [visit_1_arm_1][sex] ist hier kein Feld");
});

test("a file without fields says so", () => {
  expect(draftFromRedcap(HEADING, "Empty")).toBe("The file has no fields.");
});

const text = { name: "a", type: "string" };
const known = {
  fields: new Map<string, PackageField>([
    ["a", text],
    ["n", { name: "n", type: "number" }],
    ["yes", { name: "yes", type: "boolean" }],
    ["day", { name: "day", type: "date" }],
    ["later", { name: "later", type: "date" }],
    ["c", { name: "c", type: "string", categories: [{ value: "1", label: "One" }] }],
  ]),
  ticks: new Map([["t(1)", { name: "t___1", type: "boolean" }]]),
};

test.each([
  ["[a]='x' OR [a]=\"y\"", 'a == "x" || a == "y"'],
  ["[a] <> ''", "!isEmpty(a)"],
  ["5 < [n]", "n > 5"],
  ["[yes] = '0'", "yes != true"],
  ["[yes] <> '1' and [t(1)]='1'", "yes != true && t___1 == true"],
  ["([n] + 2) * 3 >= 4", "(n + 2) * 3 >= 4"],
  ["rounddown(datediff([day], 'today', 'y'), 0) >= 18", "age(day) >= 18"],
  ["rounddown(datediff([day],[later],'y','ymd',true)) < 3", "age(day, later) < 3"],
])("%s is %s", (logic, expression) => {
  expect(translateLogic(logic, known)).toBe(expression);
});

test.each([
  "[b] = '1'",
  "[n] = 'x'",
  "[c] > '1'",
  "sum([n], 1) > 2",
  "[a] = 'x' and",
  "([a] = 'x'",
  "[a] = 'x' [n]",
  "[a] # 1",
  "[yes] > '1'",
  "rounddown([n])",
  "rounddown(datediff([n], 'today', 'y'))",
  "rounddown(datediff([day], 'today', 'd'))",
  "rounddown(datediff('today', [day], 'y'))",
])("%s has no counterpart", (logic) => {
  expect(() => translateLogic(logic, known)).toThrow(NoCounterpart);
});
