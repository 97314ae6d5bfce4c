// A recipe: what was decided about files of one form, without what belongs to one file alone.

import type { Collection } from "../../core/dictionary/collections.ts";
import { currentName } from "../../core/dictionary/column-name.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { addedColumns, areColumnRules, type ColumnRule, columnsOfRule } from "../model/column-rules.ts";
import { type Corrections, isWarning, KEPT_REPEATS } from "../model/corrections.ts";
import { type Choices, ENCODINGS, isDelimiter, QUOTES } from "../model/dialect.ts";
import { type Plan, SUSPECT_CODES, type UploadMode } from "../model/plan.ts";
import { type AutoFixName, isForm, PLAIN_FIX_NAMES } from "../model/value-fixes.ts";
import { meaningOf, meaningToday, type Recalled, type RowMeaning, recall, SIMILAR, similarityOf } from "./remembered-mapping.ts";

/** The corrections that hold for every file of the form. */
export type Rules = Pick<Corrections, "autoFixes" | "leftOutGroups" | "accepted" | "repeats" | "values">;

/** The content of a recipe, as the service stores it. */
export interface RecipeContent extends Rules {
  /** The shape of this object. A later one is refused, not guessed at. */
  form: 1;
  mode: UploadMode;
  /** Means what it does in the plan. */
  matchBy?: string | undefined;
  clears?: true | undefined;
  /** Says how the file is written, as far as somebody chose it. The rest is found in each file. */
  choices: Choices;
  /** Names a field for each heading of the recipe, then for each column that the rules add; null: it is left out. */
  columns: (string | null)[];
  /** Says what is done with whole columns. A column is the index of a heading of the recipe, so it is found by its name. */
  columnRules?: readonly ColumnRule[];
}

/** The content of a recipe for files of an older system, which only the command reads. */
export interface LayoutContent {
  form: 1;
  mode: UploadMode;
  /** Holds what the file of the layout has (docs/layouts.md). Programs that read files by layouts check it. */
  layout: Record<string, unknown>;
}

/** Holds what a recipe says of a file. */
export interface Applied extends Omit<Recalled, "values" | "meaning"> {
  meaning: RowMeaning;
  rules: Rules;
  columnRules: ColumnRule[];
}

/** Returns what to store of a checked file. `choices` hold what the user chose about its reading. */
export function recipeOf({ columns, fixes, rules = [], ...plan }: Plan, choices: Choices): RecipeContent {
  const { autoFixes = [], leftOutGroups = [], accepted = [], repeats, values = [] } = fixes ?? {};
  const content: RecipeContent = { form: 1, ...meaningOf(plan), choices, columns: [...columns], autoFixes, leftOutGroups, values };
  return {
    ...content,
    ...(accepted.length > 0 && { accepted }),
    ...(repeats && { repeats }),
    ...(rules.length > 0 && { columnRules: rules }),
  };
}

/** Applies a recipe to a file with these headings. Rules of fields that the collection no longer has are left out. `gone`: headings that the file lacks. */
export function applyRecipe(
  content: RecipeContent,
  headings: readonly string[],
  collection: Collection,
  header: readonly string[],
): Applied {
  const { columns, autoFixes, leftOutGroups, accepted = [], repeats, values = [], columnRules = [] } = content;
  const known = <Rule extends { field: string }>(all: readonly Rule[]): Rule[] =>
    all.flatMap((rule) => {
      const field = rule.field && currentName(collection, rule.field);
      return field === null ? [] : [{ ...rule, field }];
    });
  const rules: Rules = {
    autoFixes: known(autoFixes),
    leftOutGroups: known(leftOutGroups),
    ...(accepted.length > 0 && { accepted }),
    ...(repeats && { repeats }),
    ...(values.length > 0 && { values: known(values) }),
  };
  const table = recall({ header: headings, columns, ...(columnRules.length > 0 && { columnRules }) }, collection, header);
  // A column that was left out and lacks now is no loss, unless a rule reads it.
  const needed = new Set(columnRules.flatMap(columnsOfRule));
  const gone = headings.filter((heading, i) => (columns[i] !== null || needed.has(i)) && table.gone.includes(heading));
  return { columnRules: [], ...table, gone, meaning: meaningToday(collection, content), rules };
}

/** Returns the recipe whose headings are most like those of the file, if it is like any. A file without headings is like none. */
export function similarRecipe<R extends { headings: readonly string[] }>(recipes: readonly R[], header: readonly string[]): R | undefined {
  let [nearest, most]: [R | undefined, number] = [undefined, SIMILAR];
  for (const recipe of recipes) {
    const share = recipe.headings.length > 0 ? similarityOf(recipe.headings, header) : 0;
    if (share > most || (share === most && !nearest)) [nearest, most] = [recipe, share];
  }
  return nearest;
}

const MODES: Record<UploadMode, true> = { create: true, update: true, upsert: true };
const MOST_RULES = 50_000;

/** Each part of a content, and whether it is as it must be: it comes from the service, so from anybody. */
const PARTS: Record<keyof RecipeContent, (given: unknown) => boolean> = {
  form: (given) => given === 1,
  mode: (given) => isOneOf(MODES, given),
  matchBy: (given) => given === undefined || isName(given),
  clears: (given) => given === undefined || given === true,
  choices: isChoices,
  columns: (given) => isList(given, (one) => one === null || typeof one === "string"),
  autoFixes: (given) => isList(given, (one) => hasTexts(one, ["field", "name"]) && isFixName(one.name as AutoFixName)),
  leftOutGroups: (given) => isList(given, (one) => hasTexts(one, ["field", "code"])),
  accepted: (given) => given === undefined || isList(given, (one) => (SUSPECT_CODES as readonly unknown[]).includes(one) || isWarning(one)),
  repeats: (given) => given === undefined || (KEPT_REPEATS as readonly unknown[]).includes(given),
  columnRules: (given) => given === undefined || areColumnRules(given, Number.MAX_SAFE_INTEGER),
  values: (given) =>
    given === undefined || isList(given, (one) => hasTexts(one, ["field", "from"]) && (one.to === null || typeof one.to === "string")),
};

const LAYOUT_PARTS: Record<keyof LayoutContent, (given: unknown) => boolean> = { form: PARTS.form, mode: PARTS.mode, layout: isObject };

/** Returns undefined for a content that this version cannot read, such as one of a later version, and for one with a layout. */
export function readRecipe(content: unknown): RecipeContent | undefined {
  if (!hasParts<RecipeContent>(content, PARTS)) return undefined;
  const { columns, columnRules = [] } = content;
  return areColumnRules(columnRules, columns.length - addedColumns(columnRules).length) ? content : undefined;
}

/** Returns undefined for a content that holds no layout. */
export function readLayoutRecipe(content: unknown): LayoutContent | undefined {
  return hasParts<LayoutContent>(content, LAYOUT_PARTS) ? content : undefined;
}

/** Each part is as it must be, and there is no other. */
function hasParts<Content>(content: unknown, parts: Record<keyof Content & string, (given: unknown) => boolean>): content is Content {
  if (!isObject(content)) return false;
  const isRight = Object.entries<(given: unknown) => boolean>(parts).every(([name, is]) => is(content[name]));
  return isRight && Object.keys(content).every((name) => Object.hasOwn(parts, name));
}

const CHOICES: Record<keyof Choices, (given: unknown) => boolean> = {
  encoding: (given) => (ENCODINGS as readonly unknown[]).includes(given),
  delimiter: isDelimiter,
  quote: (given) => (QUOTES as readonly unknown[]).includes(given),
  sheet: isName,
  entry: isName,
  headingLine: (given) => Number.isSafeInteger(given) && (given as number) >= 0,
};

function isOneOf(table: object, given: unknown): boolean {
  return typeof given === "string" && Object.hasOwn(table, given);
}

function isName(given: unknown): boolean {
  return typeof given === "string" && given.length <= 1_000;
}

function isChoices(given: unknown): boolean {
  return (
    isObject(given) && Object.entries(given).every(([name, one]) => Object.hasOwn(CHOICES, name) && CHOICES[name as keyof Choices](one))
  );
}

function isFixName(name: AutoFixName): boolean {
  return isForm(name) || PLAIN_FIX_NAMES.includes(name);
}

function isList(given: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(given) && given.length <= MOST_RULES && given.every(is);
}

function hasTexts(given: unknown, names: readonly string[]): given is Record<string, unknown> {
  return isObject(given) && names.every((name) => typeof given[name] === "string");
}
