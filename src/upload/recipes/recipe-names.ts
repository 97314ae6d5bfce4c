// The names of recipes: who may take one again, and which one a file suggests.

import type { Me } from "../../../core/contract/people.ts";
import type { RecipeInfo } from "../../../core/contract/recipes.ts";
import { allows } from "../../../core/contract/scopes.ts";

/** Says who may replace a recipe, as the service sees it: its maker, or an administrator. */
export function mayReplace({ createdBy }: RecipeInfo, me: Me | undefined): boolean {
  if (!me) return false;
  return allows(me.scope, "admin") || (createdBy?.type === me.principal.type && createdBy.id === me.principal.id);
}

/** Leaves out the ending, and the date or number with which the files of one sender often end. */
export function nameFrom(fileName: string): string {
  const stem = fileName.replace(/\.[^.]+$/, "");
  const [before = ""] = stem.split(/[\s_.-]*\d[\d\s_.-]*$/);
  return (before.trim() || stem).replaceAll("_", " ").slice(0, 100);
}
