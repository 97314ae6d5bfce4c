// Requests of recipes for the answers that the OpenAPI document promises.

import { randomId } from "../auth/random-codes.ts";
import type { StoredRecipe } from "../store/recipes.ts";
import type { TestService } from "./service.ts";

const MANY = 100_000;

export async function newRecipe({ store, collections }: TestService): Promise<StoredRecipe> {
  const id = randomId();
  const by = { type: "key", id: "ab", name: "ab" } as const;
  const made = { version: 1, createdAt: Date.now(), createdBy: by, updatedAt: Date.now(), updatedBy: by };
  const recipe: StoredRecipe = { id, name: id, collection: nameIn(collections), headings: ["Name"], content: "{}", ...made };
  await store.recipes.addRecipe(recipe, MANY);
  return recipe;
}

const nameIn = ([first]: TestService["collections"]) => first?.name ?? "";

/** A body that is accepted. */
export function bodyOfRecipe({ collections }: TestService, template: string): unknown {
  const body = { name: randomId(), headings: ["Name"], content: { columns: {} } };
  return template.endsWith("{id}") ? body : { ...body, collection: nameIn(collections) };
}

/** With the name that another one has, or of a version that there is not. */
export async function requestOfRecipe(service: TestService, template: string, status: number): Promise<{ body: string } | undefined> {
  const body = bodyOfRecipe(service, template) as object;
  if (status === 412) return { body: JSON.stringify({ ...body, version: 99 }) };
  return status === 409 ? { body: JSON.stringify({ ...body, name: (await newRecipe(service)).name }) } : undefined;
}
