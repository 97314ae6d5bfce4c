// Says what a recipe does, in one sentence.

import type { Recipe } from "../../../core/contract/recipes.ts";
import { t } from "../../../core/i18n/translate.ts";
import { type RecipeContent, readLayoutRecipe, readRecipe } from "../../../pipeline/mapping/recipe.ts";
import type { UploadMode } from "../../../pipeline/model/plan.ts";
import { count } from "../../values/format.ts";

export function describeRecipe({ content }: Pick<Recipe, "content">): string {
  if (readLayoutRecipe(content)) return t("The layout of a file of an older system, which the batch command reads.");
  const recipe = readRecipe(content);
  if (!recipe) return t("It was saved by another version of Intake and cannot be used here.");
  const rules = describeRules(recipe);
  const what = describeMode(recipe.mode, recipe.columns.filter((name) => name !== null).length);
  return rules.length > 0 ? t("{what}, with {list}.", { what, list: rules.join(", ") }) : `${what}.`;
}

function describeMode(mode: UploadMode, columns: number): string {
  switch (mode) {
    case "create":
      return count(columns, "Adds records from {n} column", "Adds records from {n} columns");
    case "update":
      return count(columns, "Changes records from {n} column", "Changes records from {n} columns");
    case "upsert":
      return count(columns, "Adds and changes records from {n} column", "Adds and changes records from {n} columns");
  }
}

function describeRules({
  matchBy,
  clears,
  columnRules = [],
  autoFixes,
  values = [],
  leftOutGroups,
  accepted = [],
}: RecipeContent): string[] {
  const leftOut = leftOutGroups.length + values.filter(({ to }) => to === null).length;
  const replaced = values.filter(({ to }) => to !== null).length;
  return [
    matchBy !== undefined && t("matched by {fields}", { fields: matchBy.split(",").join(" + ") }),
    clears && t("empty cells clear values"),
    columnRules.length > 0 && count(columnRules.length, "{n} rule for columns", "{n} rules for columns"),
    autoFixes.length > 0 && count(autoFixes.length, "{n} correction in all rows", "{n} corrections in all rows"),
    replaced > 0 && count(replaced, "{n} replaced value", "{n} replaced values"),
    leftOut > 0 && count(leftOut, "{n} group of rows left out", "{n} groups of rows left out"),
    accepted.length > 0 && count(accepted.length, "{n} kind of unusual rows kept", "{n} kinds of unusual rows kept"),
  ].filter((rule) => typeof rule === "string");
}
