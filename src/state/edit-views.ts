// Saves, renames and deletes named views. Separate from views.ts, because a list does not need it.

import type { Search } from "./list-url.ts";
import type { SavedViews } from "./views.ts";

/** Replaces a view of the same name. Drops the cursor, which would soon expire. */
export function saveView(saved: SavedViews, name: string, { cursor: _, ...search }: Search): SavedViews {
  const view = { name, search };
  const isKnown = saved.views.some((one) => one.name === name);
  return { ...saved, views: isKnown ? saved.views.map((one) => (one.name === name ? view : one)) : [...saved.views, view] };
}

export function renameView(saved: SavedViews, from: string, to: string): SavedViews {
  const others = saved.views.filter((one) => one.name === from || one.name !== to);
  const views = others.map((one) => (one.name === from ? { ...one, name: to } : one));
  return { ...saved, views, home: saved.home === from ? to : saved.home };
}

export function deleteView(saved: SavedViews, name: string): SavedViews {
  return { ...saved, views: saved.views.filter((one) => one.name !== name), home: saved.home === name ? undefined : saved.home };
}
