// Recipes of files: those of one collection or of all, and saving, renaming and deleting one.

import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { RECIPES_PATH } from "../../core/contract/paths.ts";
import type { Recipe, RecipeInfo } from "../../core/contract/recipes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";

/** Begins the key of every list of recipes. */
export const RECIPE_KEYS = ["recipes"];

/** Is the key of the mutation that fetches a recipe to use it. */
export const USE_RECIPE = ["use recipe"];

/** Reads the recipes of a collection, or of all that the caller sees, by name. */
export function recipesQuery(client: Client, collection?: Collection) {
  return queryOptions({
    queryKey: [...RECIPE_KEYS, collection?.name],
    queryFn: async ({ signal }): Promise<RecipeInfo[]> => {
      const { json } = await client.request("GET", RECIPES_PATH, { query: { collection: collection?.name }, signal });
      return (json as { recipes: RecipeInfo[] }).recipes;
    },
  });
}

/** Reads one recipe with its content, as it is in this version. */
export function recipeQuery(client: Client, { id, version }: RecipeInfo) {
  return queryOptions({
    queryKey: ["recipe", id, version],
    staleTime: Number.POSITIVE_INFINITY, // a version never changes
    queryFn: async ({ signal }) => (await client.request("GET", recipePath({ id }), { signal })).json as Recipe,
  });
}

export type NewRecipe = Pick<Recipe, "name" | "collection" | "headings" | "content">;

/** `before`: the recipe in whose place it is saved, if it is still as it was read. Throws ApiError. */
export async function saveRecipe(client: Client, { collection, ...recipe }: NewRecipe, before: RecipeInfo | undefined): Promise<Recipe> {
  const { json } = before
    ? await client.request("PUT", recipePath(before), { body: { ...recipe, version: before.version } })
    : await client.request("POST", RECIPES_PATH, { body: { collection, ...recipe } });
  return json as Recipe;
}

/** Everything else stays as it is. Throws ApiError, with 412 when somebody changed the recipe since it was read. */
export async function renameRecipe(client: Client, info: RecipeInfo, name: string): Promise<Recipe> {
  const { collection, headings, content } = (await client.request("GET", recipePath(info))).json as Recipe;
  return saveRecipe(client, { name, collection, headings, content }, info);
}

/** One that is gone already is deleted, too. Throws ApiError. */
export async function deleteRecipe(client: Client, info: RecipeInfo): Promise<void> {
  await client.request("DELETE", recipePath(info)).catch((error) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
}

function recipePath({ id }: Pick<Recipe, "id">): string {
  return `${RECIPES_PATH}/${encodeURIComponent(id)}`;
}
