// The recipes of the service: finds one by its name, and checks that files can be read by it.

import { foldName } from "../../core/contract/names.ts";
import type { Recipe, RecipeInfo } from "../../core/contract/recipes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { whySlowPattern } from "../../core/dictionary/slow-patterns.ts";
import { type RecipeContent, readLayoutRecipe, readRecipe } from "../../pipeline/mapping/recipe.ts";
import { patternsOf } from "../../pipeline/model/column-rules.ts";
import type { UploadMode } from "../../pipeline/model/plan.ts";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import { checkLayout, type KnownLayout } from "./read-layout-file.ts";

/** The recipes of the service that the caller may see. */
export interface Recipes {
  list(): Promise<RecipeInfo[]>;
  read(id: string): Promise<Recipe>;
}

/** A recipe that was saved in the app. */
export interface ColumnsRecipe {
  recipe: Recipe;
  collection: Collection;
  content: RecipeContent;
}

/** A recipe that holds the layout of a file of an older system. */
export interface LayoutRecipe extends KnownLayout {
  recipe: Recipe;
  mode: UploadMode;
}

export type LoadedRecipe = ColumnsRecipe | LayoutRecipe;

/** `of`: the collection, if it is given. Throws CommandError. */
export async function loadRecipe(
  recipes: Recipes,
  name: string,
  collections: readonly Collection[],
  of: string | undefined,
): Promise<LoadedRecipe> {
  const { id, collection } = chooseRecipe(await recipes.list(), name, collections, of);
  const recipe = await recipes.read(id);
  const byLayout = readLayoutRecipe(recipe.content);
  if (byLayout) {
    const { mode, layout } = byLayout;
    const known = await checkLayout(JSON.stringify(layout), `The layout of the recipe “${recipe.name}”`, collections, mode);
    return { ...known, recipe, mode };
  }
  const content = readRecipe(recipe.content);
  if (!content) {
    const sentence = `The recipe “${recipe.name}” cannot be read: it was saved by a later version of Intake, or by another program. Install the version of this program that the service has.`;
    throw new CommandError(EXIT.nothing, sentence);
  }
  await refuseSlowRules(recipe.name, content);
  return { recipe, collection, content };
}

/** A name that several collections have needs `collection`. Throws CommandError. */
function chooseRecipe(
  recipes: readonly RecipeInfo[],
  name: string,
  collections: readonly Collection[],
  collection: string | undefined,
): { id: string; collection: Collection } {
  const isMeant = (one: RecipeInfo) => collection === undefined || one.collection === collection;
  const found = recipes.filter((one) => isMeant(one) && foldName(one.name) === foldName(name));
  const [recipe] = found;
  if (found.length > 1) {
    const names = found
      .map((one) => one.collection)
      .sort()
      .join(", ");
    throw new CommandError(
      EXIT.nothing,
      `Several collections have a recipe “${name}”. Say with --collection which one is meant: ${names}.`,
    );
  }
  const known = recipe && collections.find((one) => one.name === recipe.collection);
  if (known) return { id: recipe.id, collection: known };
  const names = recipes.filter(isMeant).map((one) => `“${one.name}”`);
  const there = names.length > 0 ? `There ${names.length === 1 ? "is" : "are"}: ${names.slice(0, 20).join(", ")}.` : "There is none yet.";
  const where = collection === undefined ? "" : ` for ${collection}`;
  throw new CommandError(
    EXIT.nothing,
    `The service has no recipe “${name}”${where}. ${there} Recipes are saved in the app, after the check of a file, and by layout save.`,
  );
}

/** Nobody watches a nightly run, so a pattern must be proved to be fast before it reads a cell. Throws CommandError. */
async function refuseSlowRules(name: string, { columnRules }: RecipeContent): Promise<void> {
  const patterns = patternsOf(columnRules);
  if (patterns.length === 0) return;
  const { checkSync } = await import("recheck/lib/browser.js");
  for (const pattern of patterns) {
    const why = whySlowPattern(pattern, checkSync);
    if (why) throw new CommandError(EXIT.nothing, `The recipe “${name}” is not used. In its rule that finds ${pattern.source}, ${why}.`);
  }
}
