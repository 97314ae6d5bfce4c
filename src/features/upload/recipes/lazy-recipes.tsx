import { lazyPart } from "../../../navigation/lazy-page.tsx";

// Most files have no recipe, so their pages do not wait for this.
const load = () => import("./recipes.tsx");
export const RecipeChoice = lazyPart(() => load().then(({ RecipeChoice }) => ({ RecipeChoice })), "RecipeChoice");
export const SaveRecipe = lazyPart(() => load().then(({ SaveRecipe }) => ({ SaveRecipe })), "SaveRecipe");
