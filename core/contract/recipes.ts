import type { Principal } from "./principals.ts";

/**
 * Holds how files of one form are read, matched and corrected, saved under a name for everybody who uploads into the collection. Times are
 * RFC 3339 UTC with ms.
 */
export interface Recipe {
  id: string;
  /** Each name once in a collection, whatever its case. */
  name: string;
  collection: string;
  /** The headings of the file that it was made with, by which the next such file is recognised. Empty: a file without headings. */
  headings: string[];
  /** Holds what the pipeline reads (pipeline/model/recipe.ts). The service stores it and does not look inside. */
  content: Record<string, unknown>;
  /** Rises by one with each change. */
  version: number;
  createdAt: string;
  /** Is null for a principal that the service does not know any more. */
  createdBy: Principal | null;
  updatedAt: string;
  updatedBy: Principal | null;
}

/** A recipe in the list of all: without its content, which may be long. */
export type RecipeInfo = Omit<Recipe, "content">;

export const MOST_RECIPES = 1_000; // of all collections
export const MOST_RECIPES_OF_PERSON = 200; // made by one person with all their API keys, or by one key of the organisation
export const MAX_RECIPE_HEADINGS = 20_000; // characters of JSON
export const MAX_RECIPE_CONTENT = 200_000; // characters of JSON
