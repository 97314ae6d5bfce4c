// Recipes of files: who sees a collection reads them, who uploads saves them, and their maker changes and deletes them.

import type { FastifyRequest } from "fastify";
import { API_ROOT, RECIPES_PATH } from "../../core/contract/paths.ts";
import {
  MAX_RECIPE_CONTENT,
  MAX_RECIPE_HEADINGS,
  MOST_RECIPES,
  MOST_RECIPES_OF_PERSON,
  type Recipe,
  type RecipeInfo,
} from "../../core/contract/recipes.ts";
import { allows, allowsSome } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object, oneOfWords, type Schema } from "../http/json-schemas.ts";
import { limitErrors } from "../http/limits.ts";
import { oneOf, readParameters } from "../http/query-parameters.ts";
import { type FieldReader, line, optional, readFields, version } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { randomId } from "../people/auth/random-codes.ts";
import { madeOnWire } from "./store/made-by.ts";
import type { StoredRecipe, StoredRecipeInfo } from "./store/recipes.ts";

const RECIPE = named("IntakeRecipe");
const BODY_BYTES = 6 * (MAX_RECIPE_CONTENT + MAX_RECIPE_HEADINGS); // each character may be written as \\u1234
const MAX_NAME = 100; // characters

const headings: FieldReader<string[]> = (given) =>
  Array.isArray(given) && given.every((one) => typeof one === "string") && JSON.stringify(given).length <= MAX_RECIPE_HEADINGS
    ? { value: given }
    : { problem: `headings must be a list of texts, of at most ${MAX_RECIPE_HEADINGS} characters of JSON.` };

const content: FieldReader<string> = (given) => {
  const text = isObject(given) ? JSON.stringify(given) : "";
  return text !== "" && text.length <= MAX_RECIPE_CONTENT
    ? { value: text }
    : { problem: `content must be an object of at most ${MAX_RECIPE_CONTENT} characters of JSON.` };
};

const FIELDS: Record<string, Schema> = {
  name: { type: "string", minLength: 1, maxLength: MAX_NAME },
  headings: listOf({ type: "string" }),
  content: { type: "object", description: "As the app and the batch command write it. It is stored as it is." },
};

export function recipeRoutes(collections: readonly Collection[], store: Store): Route[] {
  return [
    { url: API_ROOT + RECIPES_PATH, GET: listRecipes(collections, store), POST: createRecipe(collections, store) },
    { url: `${API_ROOT}${RECIPES_PATH}/:id`, GET: readRecipe(store), PUT: changeRecipe(store), DELETE: deleteRecipe(store) },
  ];
}

function toInfo(stored: StoredRecipeInfo): RecipeInfo {
  return { ...stored, ...madeOnWire(stored) };
}

function toWire({ content: text, ...stored }: StoredRecipe): Recipe {
  return { ...toInfo(stored), content: JSON.parse(text) };
}

function listRecipes(collections: readonly Collection[], { recipes }: Store): RouteHandler {
  const parameters = { collection: { ...oneOf(...collections.map(({ name }) => name)), meaning: "Only the recipes of this collection." } };
  return {
    scope: "signed-in",
    doc: {
      id: "list_recipes",
      summary: "The recipes of all collections that the caller sees, by name, without their contents",
      parameters,
      responses: { 200: object({ recipes: listOf(named("IntakeRecipeInfo")) }) },
    },
    async handle(request, { scope }) {
      const { collection } = readParameters<{ collection: string }>(request.query, parameters);
      const all = await recipes.listRecipes();
      const seen = all.filter((one) => allowsSome(scope, one.collection) && (!collection || one.collection === collection));
      return jsonAnswer(200, { recipes: seen.map(toInfo) }, NO_STORE);
    },
  };
}

function createRecipe(collections: readonly Collection[], { recipes }: Store): RouteHandler {
  const names = collections.map(({ name }) => name);
  const collection: FieldReader<string> = (given) =>
    names.includes(given as string) ? { value: given as string } : { problem: `collection must be one of ${names.join(", ")}.` };
  return {
    scope: "signed-in",
    acceptedTypes: [JSON_TYPE],
    bodyLimit: BODY_BYTES,
    doc: {
      id: "create_recipe",
      summary: "A new recipe, for everybody who uploads into the collection",
      body: { ...object({ collection: oneOfWords(names), ...FIELDS }), additionalProperties: false },
      responses: { 201: RECIPE },
      sentHeaders: { 201: ["Location"] },
      errors: [409, 422],
    },
    async handle(request, { principal, scope }) {
      readParameters(request.query, {});
      const given = readFields(request.body, { collection, name: line("name", MAX_NAME), headings, content });
      if (!mayUpload(scope, given.collection)) throw httpErrors.insufficientScope(`${given.collection}:create`);
      const now = Date.now();
      const made = { createdAt: now, createdBy: principal, updatedAt: now, updatedBy: principal };
      const recipe: StoredRecipe = { id: randomId(), ...given, version: 1, ...made };
      const outcome = await recipes.addRecipe(recipe, { all: MOST_RECIPES, ofMaker: MOST_RECIPES_OF_PERSON });
      if (outcome === "taken") throw httpErrors.recipeNameTaken();
      if (outcome === "share") throw limitErrors.recipeShareUsed();
      if (outcome === "full") throw httpErrors.tooManyRecipes();
      if (outcome !== "added") throw httpErrors.nameConfusable(outcome);
      return jsonAnswer(201, toWire(recipe), { ...NO_STORE, location: `${API_ROOT}${RECIPES_PATH}/${recipe.id}` });
    },
  };
}

function readRecipe(store: Store): RouteHandler {
  return {
    scope: "signed-in",
    doc: { id: "read_recipe", summary: "One recipe", responses: { 200: RECIPE }, errors: [404] },
    async handle(request, session) {
      readParameters(request.query, {});
      return jsonAnswer(200, toWire(await recipeOf(store, request, session)), NO_STORE);
    },
  };
}

function changeRecipe(store: Store): RouteHandler {
  return {
    scope: "signed-in",
    acceptedTypes: [JSON_TYPE],
    bodyLimit: BODY_BYTES,
    doc: {
      id: "change_recipe",
      summary: "Writes a recipe anew: its maker, or an administrator. With `version`, only if it is still that one",
      body: {
        ...object({ ...FIELDS, version: { type: "integer", minimum: 1 } }, ["name", "headings", "content"]),
        additionalProperties: false,
      },
      responses: { 200: RECIPE },
      errors: [404, 409, 412, 422],
    },
    async handle(request, session) {
      readParameters(request.query, {});
      const given = readFields(request.body, { name: line("name", MAX_NAME), headings, content, version: optional(version) });
      const { id } = await ownRecipeOf(store, request, session);
      const { version: expected, ...fields } = given;
      const change = { ...fields, updatedAt: Date.now(), updatedBy: session.principal };
      const changed = await store.recipes.changeRecipe(id, change, expected);
      if (changed === "missing") throw recipeNotFound();
      if (changed === "taken") throw httpErrors.recipeNameTaken();
      if (changed === "other version") throw httpErrors.changedMeanwhile("recipe");
      if ("confusableWith" in changed) throw httpErrors.nameConfusable(changed);
      return jsonAnswer(200, toWire(changed), NO_STORE);
    },
  };
}

function deleteRecipe(store: Store): RouteHandler {
  return {
    scope: "signed-in",
    doc: { id: "delete_recipe", summary: "Deletes a recipe: its maker, or an administrator", responses: { 204: null }, errors: [404] },
    async handle(request, session) {
      readParameters(request.query, {});
      const { id } = await ownRecipeOf(store, request, session);
      if (!(await store.recipes.deleteRecipe(id))) throw recipeNotFound();
      return emptyAnswer(204);
    },
  };
}

function mayUpload(scope: string, collection: string): boolean {
  return allows(scope, `${collection}:create`) || allows(scope, `${collection}:update`);
}

/** Throws NOT_FOUND, also for a recipe of a collection that the caller does not see. */
async function recipeOf({ recipes }: Store, request: FastifyRequest, { scope }: Session): Promise<StoredRecipe> {
  const recipe = await recipes.readRecipe(idOf(request));
  if (!recipe || !allowsSome(scope, recipe.collection)) throw recipeNotFound();
  return recipe;
}

async function ownRecipeOf(store: Store, request: FastifyRequest, session: Session): Promise<StoredRecipe> {
  const recipe = await recipeOf(store, request, session);
  const { type, id } = recipe.createdBy;
  const isOwn = type === session.principal.type && id === session.principal.id && mayUpload(session.scope, recipe.collection);
  if (!isOwn && !allows(session.scope, "admin")) throw httpErrors.insufficientScope("admin");
  return recipe;
}

function recipeNotFound() {
  return httpErrors.notFound("There is no recipe with this id.");
}
