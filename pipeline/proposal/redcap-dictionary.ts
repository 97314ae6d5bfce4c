// Drafts a collection from the data dictionary of a REDCap project, and names what does not fit.

import { readDataPackage } from "../../core/dictionary/collections.ts";
import { compileCondition, compileExpression, WORDS, wrongText } from "../../core/dictionary/expressions.ts";
import { freeName, nameFrom } from "../../core/dictionary/name-from-title.ts";
import type { PackageField, PackageResource } from "../../core/dictionary/packages.ts";
import { isCollectionName, isFieldName } from "../../core/dictionary/reserved-names.ts";
import { t } from "../../core/i18n/translate.ts";
import type { Delimiter } from "../model/dialect.ts";
import { parseSample } from "../reading/csv-rows.ts";
import { type Known, NoCounterpart, translateLogic } from "./redcap-logic.ts";

/** One thing that was not taken over, or not as it is there. `variable`: empty for what concerns many. */
export interface RedcapNote {
  variable: string;
  sentence: string;
}

export interface RedcapDraft {
  resource: PackageResource;
  notes: RedcapNote[];
}

/** The columns by which such a file is known, and those that are read besides, as they begin. */
const COLUMNS = {
  variable: "Variable / Field Name",
  form: "Form Name",
  section: "Section Header",
  type: "Field Type",
  label: "Field Label",
  choices: "Choices",
  note: "Field Note",
  validation: "Text Validation Type",
  min: "Text Validation Min",
  max: "Text Validation Max",
  identifier: "Identifier",
  branching: "Branching Logic",
  required: "Required Field",
  annotation: "Field Annotation",
} as const;
type Row = Record<keyof typeof COLUMNS, string>;

/** `title`: of the new collection. Returns a sentence where the file has no fields. */
export function draftFromRedcap(text: string, title: string): RedcapDraft | string {
  const delimiter = /[,;\t]/.exec(text)?.[0] as Delimiter | undefined;
  const read = parseSample(text.replace(/^\uFEFF/, ""), delimiter ?? ",", '"', true);
  const [heading = [], ...cells] = read.rows.map((row) => row.cells);
  const places = Object.entries(COLUMNS).map(([name, begin]) => [name, heading.findIndex((one) => one.startsWith(begin))] as const);
  const rows = cells.map((row) => Object.fromEntries(places.map(([name, at]) => [name, (row[at] ?? "").trim()])) as Row);
  const draft = new Draft();
  const hasForms = new Set(rows.map(({ form }) => form).filter(Boolean)).size > 1;
  let form = "";
  for (const row of rows.filter(({ variable }) => variable !== "")) {
    if (hasForms && row.form !== form) draft.beginSection(row.form.replaceAll("_", " "));
    if (row.section !== "") draft.beginSection(plain(row.section));
    form = row.form;
    draft.add(row);
  }
  if (draft.fields.length === 0) return t("The file has no fields.");
  draft.setExpressions();
  draft.noteTogether(rows);
  return { resource: draft.resource(title), notes: draft.notes };
}

const MOST_SECTIONS = 50; // of a form, as dictionary.schema.json says

/** The words of a field, or why it is none. */
type Words = Readonly<Record<string, unknown>> | string;

const VALIDATIONS: readonly (readonly [RegExp, Readonly<Record<string, unknown>>])[] = [
  [/^date_/, { type: "date" }],
  [/^datetime_/, { type: "datetime" }],
  [/^time/, { type: "time" }],
  [/^integer$/, { type: "integer" }],
  [/^number(?:_comma_decimal)?$/, { type: "number" }],
  [/^email$/, { type: "string", format: "email" }],
  [/^phone/, { type: "string", format: "phone" }],
  [/^zipcode$/, { type: "string", constraints: { pattern: "[0-9]{5}(-[0-9]{4})?" } }],
  [/^alpha_only$/, { type: "string", constraints: { pattern: "[A-Za-z]+" } }],
];

class Draft {
  readonly fields: PackageField[] = [];
  readonly notes: RedcapNote[] = [];
  readonly #known = { fields: new Map<string, PackageField>(), ticks: new Map<string, PackageField>() } satisfies Known;
  readonly #rows = new Map<PackageField, Row>();
  readonly #sections: { name: string; title: string }[] = [];
  #tooMany = 0;

  /** The fields that are added from now on stand in it. */
  beginSection(title: string): void {
    if (title === "") return;
    if (this.#sections.length === MOST_SECTIONS) {
      this.#tooMany += 1;
      return;
    }
    const names = this.#sections.map(({ name }) => name);
    const heading = title.charAt(0).toUpperCase() + title.slice(1);
    this.#sections.push({ name: freeName(nameFrom(title), names), title: heading.slice(0, 200) });
  }

  add(row: Row): void {
    const label = plain(row.label) || row.variable;
    if (row.type === "checkbox") {
      const choices = choicesOf(row.choices);
      for (const { value, label: choice } of choices) {
        const field = this.#put(row, `${row.variable}___${value}`, `${label}: ${choice}`, { type: "boolean" });
        this.#known.ticks.set(`${row.variable}(${value})`, field);
      }
      this.#note(
        row,
        t("several ticks become one field of yes or no for each of the {n} choices, named as REDCap exports them", { n: choices.length }),
      );
      return;
    }
    const words = this.#wordsOf(row);
    if (typeof words === "string") this.#note(row, words);
    else this.#known.fields.set(row.variable, this.#put(row, row.variable, label, words));
  }

  #put(row: Row, wanted: string, label: string, words: Readonly<Record<string, unknown>>): PackageField {
    const allowed =
      /^[A-Za-z]\w{0,62}$/.test(wanted) && isFieldName(wanted) && wanted !== "id" && !WORDS.includes(wanted)
        ? wanted
        : `field_${wanted}`.replace(/\W/g, "_").slice(0, 60);
    const name = freeName(
      allowed,
      this.fields.map((one) => one.name),
    );
    if (name !== wanted) this.#note(row, t("is called {name} here", { name }));
    const titles = this.fields.map((one) => String(one.title));
    const constraints = {
      ...(words.constraints as object),
      ...(/^y/i.test(row.required) && row.type !== "checkbox" && row.type !== "file" && { required: true }), // a file comes after its record
    };
    const section = this.#sections.at(-1);
    const field: PackageField = {
      ...{ name, title: freeName(label.slice(0, 200), titles), ...words },
      ...(row.note !== "" && { description: plain(row.note) }),
      ...(Object.keys(constraints).length > 0 && { constraints }),
      ...(section && { section: section.name }),
    };
    this.fields.push(field);
    this.#rows.set(field, row);
    return field;
  }

  #wordsOf(row: Row): Words {
    switch (row.type) {
      case "text":
        return this.#textWords(row);
      case "notes":
        return { type: "string", format: "multiline" };
      case "dropdown":
      case "radio": {
        const categories = choicesOf(row.choices);
        return categories.length > 0 ? { type: "string", categories } : t("has no choices, so it is left out");
      }
      case "yesno":
      case "truefalse":
        return { type: "boolean" };
      case "slider":
        return { type: "integer", constraints: { minimum: Number(row.min || 0), maximum: Number(row.max || 100) } };
      case "calc":
        return { type: "number" };
      case "file":
        return { type: "string", format: "file" };
      default:
        return t('the type "{type}" has no counterpart, so it is left out', { type: row.type });
    }
  }

  #textWords(row: Row): Words {
    const { validation } = row;
    if (validation === "") return { type: "string" };
    const decimals = /^number_(\d)dp/.exec(validation)?.[1];
    const found = VALIDATIONS.find(([form]) => form.test(validation))?.[1];
    const words = decimals === undefined ? found : { type: "number", decimals: Number(decimals) };
    if (!words) {
      this.#note(row, t('the validation "{validation}" has no counterpart, so it is text', { validation }));
      return { type: "string" };
    }
    const bounds: Record<string, unknown> = {};
    for (const [word, bound] of [
      ["minimum", row.min],
      ["maximum", row.max],
    ] as const) {
      if (bound === "") continue;
      const isNumber = words.type === "integer" || words.type === "number";
      if (isNumber && Number.isFinite(Number(bound.replace(",", ".")))) bounds[word] = Number(bound.replace(",", "."));
      else if (words.type === "date" && /^\d{4}-\d{2}-\d{2}$/.test(bound)) bounds[word] = bound;
      else this.#note(row, t('the bound "{bound}" is left out', { bound }));
    }
    return { ...words, constraints: { ...(words.constraints as object | undefined), ...bounds } };
  }

  /** Runs after all fields are there, because logic may look at later ones. */
  setExpressions(): void {
    for (const [field, row] of this.#rows) {
      if (row.type === "calc") this.#set(field, row, "computed", row.choices);
      if (row.branching !== "") this.#set(field, row, "visibleIf", row.branching);
      const initial = /@DEFAULT\s*=\s*(?:'([^']*)'|"([^"]*)")/i.exec(row.annotation);
      const text = initial?.[1] ?? initial?.[2];
      if (text !== undefined) this.#setDefault(field, row, text);
      else if (/@(?:TODAY|NOW)\b/i.test(row.annotation) && field.type === "date") field.default = "today";
      else if (row.annotation.includes("@"))
        this.#note(row, t("the annotation {text} is left out", { text: row.annotation.replace(/\s+/g, " ") }));
    }
  }

  #set(field: PackageField, row: Row, word: "computed" | "visibleIf", logic: string): void {
    try {
      const source = translateLogic(logic, this.#known);
      const read = readDataPackage({ resources: [this.resource("Check")] });
      const fields = "mistakes" in read ? [] : (read.collections[0]?.fields ?? []);
      const compiled = word === "visibleIf" ? compileCondition(source, fields) : compileExpression(source, fields);
      if (compiled.status === "wrong") throw new NoCounterpart(wrongText(compiled));
      if (word === "visibleIf" && compiled.reads.has(field.name)) throw new NoCounterpart(t("it looks at its own field"));
      field[word] = source;
      if (word === "computed") delete field.constraints;
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      const values = { logic: logic.replace(/\s+/g, " "), why: error.message };
      this.#note(
        row,
        word === "computed"
          ? t("the calculation {logic} is left out: {why}", values)
          : t("the branching logic {logic} is left out: {why}", values),
      );
    }
  }

  #setDefault(field: PackageField, row: Row, text: string): void {
    if (field.type === "boolean") field.default = String(text === "1");
    else if ((field.type === "integer" || field.type === "number") && Number.isFinite(Number(text))) field.default = text;
    else if (field.type === "string" || field.type === "date") field.default = JSON.stringify(text);
    else this.#note(row, t('the default "{text}" is left out', { text }));
  }

  /** Says once what concerns many fields. */
  noteTogether(rows: readonly Row[]): void {
    const forms = [...new Set(rows.map(({ form }) => form).filter(Boolean))];
    if (forms.length > 1)
      this.notes.push({
        variable: "",
        sentence: t("The forms {forms} become one, with a section for each, in this order.", { forms: forms.join(", ") }),
      });
    if (this.#tooMany > 0)
      this.notes.push({
        variable: "",
        sentence: t("A form has at most {most} sections; headers that are left out: {more}.", { most: MOST_SECTIONS, more: this.#tooMany }),
      });
    const personal = rows.filter(({ identifier }) => /^y/i.test(identifier)).map(({ variable }) => variable);
    if (personal.length > 0)
      this.notes.push({
        variable: "",
        sentence: t("Identifiers are fields like others; roles may hide or mask them: {fields}.", { fields: personal.join(", ") }),
      });
  }

  resource(title: string): PackageResource {
    const own =
      title
        .replace(/[^A-Za-z0-9]+/g, "_")
        .replace(/^[^A-Za-z]+|_+$/g, "")
        .toLowerCase()
        .slice(0, 40) || "records";
    const name = isCollectionName(own) ? own : `${own}_list`;
    const [first] = this.fields; // REDCap's own key, which need not be a number
    const fields = this.fields.map((field): PackageField => {
      const { constraints } = field;
      return field === first && field.type === "string"
        ? { ...field, constraints: { ...(constraints as object | undefined), required: true, unique: true } }
        : field;
    });
    const used = this.#sections.filter((section) => fields.some((field) => field.section === section.name));
    return {
      ...{ name, singular: `${name}_record`, title, noun: "record", label: first ? [first.name] : [] },
      ...(used.length > 0 && { sections: used }),
      schema: {
        fields: [
          {
            name: "id",
            title: freeName(
              "ID",
              fields.map((one) => String(one.title)),
            ),
            type: "integer",
          },
          ...fields,
        ],
        primaryKey: "id",
      },
    };
  }

  #note({ variable }: Row, sentence: string): void {
    this.notes.push({ variable, sentence });
  }
}

/** @example choicesOf("1, Yes | 2, No") // [{ value: "1", label: "Yes" }, { value: "2", label: "No" }] */
function choicesOf(text: string): { value: string; label: string }[] {
  return text.split("|").flatMap((one) => {
    const [value = "", ...label] = one.split(",");
    return value.trim() === "" ? [] : [{ value: value.trim(), label: plain(label.join(",")) || value.trim() }];
  });
}

/** A label may have marks of HTML. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
