// Recipes: how files of one form are read, matched and corrected. Times in ms since 1970.

import { foldName } from "../../../core/contract/names.ts";
import { compareNames } from "../../../core/text/compare-names.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";
import { type Confusable, conflictOf } from "../../people/store/confusable-names.ts";
import { cellsOfMade, countOfMaker, JOIN_MAKERS, MADE_COLUMNS, type Made, SELECT_MADE, toMade } from "./made-by.ts";

export interface StoredRecipe extends StoredRecipeInfo {
  /** JSON. */
  content: string;
}

/** Without its content. */
export interface StoredRecipeInfo extends Made {
  id: string;
  name: string;
  collection: string;
  headings: string[];
  version: number;
}

const COLUMNS = `id, name, folded_name, collection, headings, content, version, ${MADE_COLUMNS}`;
const select = (content: string) => `SELECT t.id, t.name, t.collection, t.headings, ${content}, t.version, ${SELECT_MADE}
  FROM recipes t ${JOIN_MAKERS}`;

function toRecipe(cells: readonly Cell[]): StoredRecipe {
  const [id, name, collection, headings, content, version, ...made] = cells;
  return {
    id: String(id),
    name: String(name),
    collection: String(collection),
    headings: JSON.parse(String(headings)),
    content: String(content),
    version: Number(version),
    ...toMade(made),
  };
}

function* listRecipes(): Script<StoredRecipeInfo[]> {
  const { rows } = yield* ask(`${select("''")} ORDER BY t.id`);
  const infos = rows.map((cells) => {
    const { content: _, ...info } = toRecipe(cells);
    return info;
  });
  return infos.sort((one, other) => compareNames(one.name, other.name, "en"));
}

function* readRecipe(id: string): Script<StoredRecipe | undefined> {
  const { rows } = yield* ask(`${select("t.content")} WHERE t.id = $1`, id);
  return rows[0] && toRecipe(rows[0]);
}

/** The names that a recipe of the collection may neither have nor look like. */
function* otherNames(collection: string, id: string): Script<string[]> {
  const { rows } = yield* ask("SELECT name FROM recipes WHERE collection = $1 AND id <> $2", collection, id);
  return rows.map(([name]) => String(name));
}

/** `most`: in all, and of one maker (countOfMaker). "share": the maker has as many. */
function* addRecipe(
  recipe: StoredRecipe,
  most: { all: number; ofMaker: number },
): Script<"added" | "taken" | "full" | "share" | Confusable> {
  yield* lockByName("recipes");
  const { rows } = yield* ask("SELECT count(*) FROM recipes");
  if (Number(rows[0]?.[0]) >= most.all) return "full";
  if ((yield* countOfMaker("recipes", recipe.createdBy)) >= most.ofMaker) return "share";
  const { id, name, collection, headings, content, version } = recipe;
  const conflict = conflictOf(name, yield* otherNames(collection, id));
  if (conflict) return conflict;
  const values = [id, name, foldName(name), collection, JSON.stringify(headings), content, version, ...cellsOfMade(recipe)];
  const places = values.map((_, i) => `$${i + 1}`).join(", ");
  yield* ask(`INSERT INTO recipes (${COLUMNS}) VALUES (${places})`, ...values);
  return "added";
}

export type RecipeChange = Pick<StoredRecipe, "name" | "headings" | "content" | "updatedAt" | "updatedBy">;

/** `version`: only if it still has this one. */
function* changeRecipe(
  id: string,
  change: RecipeChange,
  version: number | undefined,
): Script<StoredRecipe | "missing" | "other version" | "taken" | Confusable> {
  yield* lockByName("recipes"); // of two changes at once the later one waits
  const before = yield* readRecipe(id);
  if (!before) return "missing";
  if (version !== undefined && version !== before.version) return "other version";
  const { name, headings, content, updatedAt, updatedBy } = change;
  const conflict = name === before.name ? undefined : conflictOf(name, yield* otherNames(before.collection, id));
  if (conflict) return conflict;
  const sql = `UPDATE recipes SET name = $1, folded_name = $2, headings = $3, content = $4, version = version + 1, updated_at = $5,
      updated_type = $6, updated_by = $7 WHERE id = $8 AND version = $9`;
  const values = [name, foldName(name), JSON.stringify(headings), content, updatedAt, updatedBy.type, updatedBy.id, id, before.version];
  if ((yield* ask(sql, ...values)).count === 0) return "other version";
  return (yield* readRecipe(id)) ?? "missing";
}

function* deleteRecipe(id: string): Script<boolean> {
  return (yield* ask("DELETE FROM recipes WHERE id = $1", id)).count > 0;
}

export const RECIPE_SCRIPTS = { reads: { listRecipes, readRecipe }, writes: { addRecipe, changeRecipe, deleteRecipe } };
