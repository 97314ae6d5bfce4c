import { lazyPart, nothing } from "../../app/code/lazy-page.tsx";
import { once } from "../../app/code/once.ts";

// Fetched beside the columns step, and drawn with it. If only this cannot be fetched, the columns are there all the same.
const load = once(() => import("./later-parts.ts").then(({ laterParts }) => laterParts));
export const RecipeChoice = lazyPart(() => load().then(({ RecipeChoice }) => ({ RecipeChoice })), "RecipeChoice");
export const SaveRecipe = lazyPart(() => load().then(({ SaveRecipe }) => ({ SaveRecipe })), "SaveRecipe");
export const ColumnTools = lazyPart(() => load().then(({ ColumnTools }) => ({ ColumnTools })), "ColumnTools");
export const ColumnFacts = lazyPart(() => load().then(({ ColumnFacts }) => ({ ColumnFacts })), "ColumnFacts", nothing);
export const WantedRecipe = lazyPart(
  () => {
    void RecipeChoice.preload(); // so that the recipe is applied at once when the file is read
    return import("./wanted-recipe.tsx");
  },
  "WantedRecipe",
  nothing,
);
