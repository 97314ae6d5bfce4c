// Requests of recipes, views and runs for the answers that the OpenAPI document promises.

import { randomId } from "../people/auth/random-codes.ts";
import type { Saved, SavedKind } from "../saved/store/saved.ts";
import type { TestService } from "./service.ts";

const MANY = 100_000;

export const newRecipe = (service: TestService) => newSaved(service, "recipe", ["Name"]);
/** Is shared with all, so that every caller sees it. */
export const newView = (service: TestService) => newSaved(service, "view", { q: "a" });

async function newSaved({ store, collections }: TestService, kind: SavedKind, brief: object): Promise<Omit<Saved, "place">> {
  const id = randomId();
  const by = { type: "key", id: "ab", name: "ab" } as const;
  const made = { version: 1, createdAt: Date.now(), createdBy: by, updatedAt: Date.now(), updatedBy: by };
  const content = kind === "recipe" ? "{}" : "";
  const item = { id, kind, name: id, collection: nameIn(collections), isShared: true, brief: JSON.stringify(brief), content, ...made };
  await store.saved.addSaved(item, { all: MANY, ofMaker: MANY, isOfCollection: true });
  return item;
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

let lastRun = 0;

/** Stores a run that is under way and returns its id. */
export async function newRun(service: TestService): Promise<string> {
  const id = `run-${++lastRun}`;
  await service.call("PUT", `/v1/runs/${id}`, { ...bodyOfRun(service), upload: id });
  return id;
}

/** A body that is accepted for a run that is not there yet. */
export function bodyOfRun({ collections }: TestService) {
  return { collection: nameIn(collections), fileName: "a.csv", file: "", meaning: { mode: "create" }, round: 0, upload: `run-${lastRun}` };
}

/** Rows that are sent again of a run that there is not, or while the run is under way. */
export function requestOfRun(service: TestService, status: number): Partial<{ path: string; body: string }> | undefined {
  const body = JSON.stringify({ ...bodyOfRun(service), round: 1, upload: "another" });
  if (status === 404) return { path: `/v1/runs/nowhere${++lastRun}`, body };
  return status === 409 ? { body } : undefined;
}

/** Stores a logo and returns its id. */
export async function newLogo({ store }: TestService): Promise<string> {
  const id = "0123456789abcdef";
  await store.organisation.changeOrganisation({ logo: { id, type: "image/png", data: "iVBORw0KGgo=" } });
  return id;
}
