// Gathers what the columns step loads beside its table, as one module.

import { columnParts } from "../columns/column-tools.tsx";
import { RecipeChoice, SaveRecipe } from "./recipes.tsx";

export const laterParts = { ...columnParts, RecipeChoice, SaveRecipe };
