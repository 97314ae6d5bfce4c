// Recipes of files: who sees a collection reads them, who uploads saves them, and their maker changes and deletes them.

import { RECIPES_PATH } from "../../core/contract/paths.ts";
import {
  MAX_RECIPE_CONTENT,
  MAX_RECIPE_HEADINGS,
  MOST_RECIPES,
  MOST_RECIPES_OF_PERSON,
  type Recipe,
  type RecipeInfo,
} from "../../core/contract/recipes.ts";
import { allowsSome } from "../../core/contract/scopes.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { compareNames } from "../../core/text/compare-names.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named } from "../http/json-schemas.ts";
import { limitErrors } from "../http/limits.ts";
import { type FieldReader, line, optional, readFields, version } from "../http/read-fields.ts";
import { type Kind, madeOnWire, mayWrite } from "./kind.ts";
import type { Saved } from "./store/saved.ts";

const MAX_NAME = 100; // characters

const headings: FieldReader<string> = (given) => {
  const isList = Array.isArray(given) && given.every((one) => typeof one === "string");
  return isList && JSON.stringify(given).length <= MAX_RECIPE_HEADINGS
    ? { value: JSON.stringify(given) }
    : { problem: `headings must be a list of texts, of at most ${MAX_RECIPE_HEADINGS} characters of JSON.` };
};

const content: FieldReader<string> = (given) => {
  const text = isObject(given) ? JSON.stringify(given) : "";
  return text !== "" && text.length <= MAX_RECIPE_CONTENT
    ? { value: text }
    : { problem: `content must be an object of at most ${MAX_RECIPE_CONTENT} characters of JSON.` };
};

const READERS = { name: line("name", MAX_NAME), headings, content };

export const RECIPES: Kind = {
  kind: "recipe",
  path: RECIPES_PATH,
  many: "recipes",
  most: { all: MOST_RECIPES, ofMaker: MOST_RECIPES_OF_PERSON, isOfCollection: false },
  bodyLimit: 6 * (MAX_RECIPE_CONTENT + MAX_RECIPE_HEADINGS), // each character may be written as \\u1234
  fields: {
    all: {
      name: { type: "string", minLength: 1, maxLength: MAX_NAME },
      headings: listOf({ type: "string" }),
      content: { type: "object", description: "As the app and the batch command write it. It is stored as it is." },
    },
    required: ["name", "headings", "content"],
    new: {},
  },
  readNew(body, collection) {
    const { headings: brief, ...given } = readFields(body, { collection, ...READERS });
    return { ...given, brief, isShared: true };
  },
  readChange(body) {
    const { headings: brief, ...given } = readFields(body, { ...READERS, version: optional(version) });
    return { ...given, brief, isShared: true };
  },
  schemas: { one: named("IntakeRecipe"), inList: named("IntakeRecipeInfo") },
  toWire: (item): Recipe => ({ ...infoOf(item), content: JSON.parse(item.content) }),
  inList: (items) => items.map(infoOf).sort((one, other) => compareNames(one.name, other.name, "en")),
  summaries: {
    list: "The recipes of all collections that the caller sees, by name, without their contents",
    create: "A new recipe, for everybody who uploads into the collection",
    read: "One recipe",
    change: "Writes a recipe anew: its maker, or an administrator. With `version`, only if it is still that one",
    delete: "Deletes a recipe: its maker, or an administrator",
  },
  sees: allowsSome,
  lacks: (scope, collection) => (mayWrite(scope, collection) ? undefined : `${collection}:create`),
  errors: {
    missing: "There is no recipe with this id.",
    taken: httpErrors.recipeNameTaken,
    full: httpErrors.tooManyRecipes,
    share: limitErrors.recipeShareUsed,
  },
};

function infoOf({ id, name, collection, brief, ...item }: Saved): RecipeInfo {
  return { id, name, collection, headings: JSON.parse(brief), ...madeOnWire(item) };
}
