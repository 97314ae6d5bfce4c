// Requests of recipes and views for the answers that the OpenAPI document promises.

import { randomId } from "../people/auth/random-codes.ts";
import type { StoredRecipe } from "../saved/store/recipes.ts";
import type { StoredView } from "../saved/store/views.ts";
import type { TestService } from "./service.ts";

const MANY = 100_000;

export async function newRecipe({ store, collections }: TestService): Promise<StoredRecipe> {
  const id = randomId();
  const by = { type: "key", id: "ab", name: "ab" } as const;
  const made = { version: 1, createdAt: Date.now(), createdBy: by, updatedAt: Date.now(), updatedBy: by };
  const recipe: StoredRecipe = { id, name: id, collection: nameIn(collections), headings: ["Name"], content: "{}", ...made };
  await store.recipes.addRecipe(recipe, { all: MANY, ofMaker: MANY });
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

/** For all, so that every caller sees it. */
export async function newView({ store, collections }: TestService): Promise<Omit<StoredView, "place">> {
  const id = randomId();
  const by = { type: "key", id: "ab", name: "ab" } as const;
  const made = { version: 1, createdAt: Date.now(), createdBy: by, updatedAt: Date.now(), updatedBy: by };
  const view = { id, name: id, collection: collections[0]?.name ?? "", isShared: true, search: { q: "a" }, ...made };
  await store.views.addView(view, { all: MANY, ofMaker: MANY });
  return view;
}

/** A body that is accepted. */
export function bodyOfView({ collections }: TestService, template: string): unknown {
  const body = { name: randomId(), isShared: true, search: { sort: "lastName" } };
  return template.endsWith("{id}") ? body : { ...body, collection: collections[0]?.name };
}

export async function requestOfView(service: TestService, template: string, status: number): Promise<{ body: string } | undefined> {
  const body = bodyOfView(service, template) as object;
  if (status === 412) return { body: JSON.stringify({ ...body, version: 99 }) };
  return status === 409 ? { body: JSON.stringify({ ...body, name: (await newView(service)).name }) } : undefined;
}

/** Stores a logo and returns its id. */
export async function newLogo({ store }: TestService): Promise<string> {
  const id = "0123456789abcdef";
  await store.organisation.changeOrganisation({ logo: { id, type: "image/png", data: "iVBORw0KGgo=" } });
  return id;
}
