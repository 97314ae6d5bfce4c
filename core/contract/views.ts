import type { Principal } from "./principals.ts";

/** Holds what a list shows, saved under a name: for everybody who reads the collection, or for its maker alone. Times are RFC 3339 UTC with ms. */
export interface View {
  id: string;
  /** Each name once among the views for all of a collection, and once among those of one maker, whatever its case. */
  name: string;
  collection: string;
  /** Is true where everybody who reads the collection has it. Otherwise nobody but its maker knows of it. */
  isShared: boolean;
  /** The search parameters of the list's address. The service stores them and does not look inside. */
  search: Readonly<Record<string, string>>;
  /** A filter is left out of `search`, because the reader does not see its field: they are shown more records than others. */
  isPartial: boolean;
  /** Views stand in this order, and in equal places by name. Any number, so that one fits between two others. */
  place: number;
  /** Rises by one with each change. */
  version: number;
  createdAt: string;
  /** Is null for a principal that the service does not know any more. */
  createdBy: Principal | null;
  updatedAt: string;
  updatedBy: Principal | null;
}

export const MOST_VIEWS = 100; // of a collection for all, and as many of each person with all their API keys
export const MOST_VIEWS_OF_PERSON = 50; // of a collection for all, made by one person with all their API keys
export const MAX_VIEW_SEARCH = 10_000; // characters of JSON
export const MAX_VIEW_NAME = 60; // characters
