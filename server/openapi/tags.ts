// The groups of operations, by the beginning of their address.

import { API_ROOT } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";

export interface Tag {
  name: string;
  description: string;
}

const GROUPS: readonly (Tag & { begins: readonly string[] })[] = [
  { name: "Access", description: "Tokens and API keys for programs.", begins: ["/v1/oauth", "/v1/keys"] },
  {
    name: "Changes",
    description: "What was changed by whom: the feed for other systems, activity for people.",
    begins: ["/v1/changes", "/v1/activity"],
  },
  { name: "Webhooks", description: "Changes are posted to other systems.", begins: ["/v1/webhooks"] },
  { name: "Recipes", description: "How files of one form are read, kept for everybody.", begins: ["/v1/recipes"] },
  { name: "Runs", description: "What became of the rows of uploads and batch runs.", begins: ["/v1/runs"] },
  { name: "Views", description: "What lists show, kept under names for everybody or for one's own.", begins: ["/v1/views"] },
  {
    name: "Dictionary",
    description: "What records are: versions of the data dictionary, and drafts of the next.",
    begins: ["/v1/dictionary"],
  },
  {
    name: "Sign-in",
    description: "Sessions of people. Programs use API keys instead.",
    begins: ["/v1/sign-in", "/v1/sessions", "/v1/oidc", "/v1/links", "/v1/password-resets", "/v1/me"],
  },
  {
    name: "People",
    description: "Accounts, roles and requests for access.",
    begins: ["/v1/users", "/v1/roles", "/v1/access", "/v1/access-requests"],
  },
];

const SERVICE: Tag = { name: "Service", description: "Limits, health and documentation of the service itself." };

export function tagsOf(collections: readonly Collection[]): Tag[] {
  const own = collections.map(({ title, noun }) => ({
    name: title,
    description: `Reads and writes records of the collection, one ${noun} or many at a time.`,
  }));
  return [...own, ...GROUPS.map(({ name, description }) => ({ name, description })), SERVICE];
}

export function tagOf(url: string, collection: Collection | undefined): string {
  if (collection) return collection.title;
  const isBelow = (begin: string) => url === begin || url.startsWith(`${begin}/`);
  return GROUPS.find(({ begins }) => begins.some(isBelow))?.name ?? SERVICE.name;
}

/** Returns the collection whose records the address is about. */
export function collectionOf(url: string, collections: readonly Collection[]): Collection | undefined {
  return collections.find(
    ({ name }) => url.startsWith(`${API_ROOT}/${name}`) && /^(?:$|\/|\.csv$)/.test(url.slice(`${API_ROOT}/${name}`.length)),
  );
}
