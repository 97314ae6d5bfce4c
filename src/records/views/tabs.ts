// The tabs above a list: all records first, then the views for everybody, then one's own.

import type { View } from "../../../core/contract/views.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { type ListParts, type ListState, type Search, VIEW_PARAMETER } from "../query/list-url.ts";
import { isSameSearch, openView, searchOf } from "../query/list-views.ts";
import type { SavedViews } from "../query/views.ts";

export interface ViewTab {
  /** Undefined: all records. */
  view: View | undefined;
  /** Says what the list shows then. */
  shows: Search;
  /** The address of that. */
  search: Search;
  /** Names that the view asks for and the collection does not have. */
  gone: readonly string[];
}

/** Props of what can be done with a view. */
export interface ViewParts extends ListParts {
  tabs: readonly [ViewTab, ...ViewTab[]];
  /** Undefined: the address names a view that is gone or somebody else's own. */
  current: ViewTab | undefined;
  /** Opens the dialog that saves the list as a new view or changes the name of the current one, or closes it. */
  onDialog: (what: "new" | "edit" | undefined) => void;
}

export function tabsOf(collection: Collection, views: readonly View[], { columns }: SavedViews): [ViewTab, ...ViewTab[]] {
  const own = views.filter((view) => view.collection === collection.name);
  const all = columns ? { columns } : {};
  return [
    { view: undefined, shows: all, search: all, gone: [] },
    ...[...own.filter(isShared), ...own.filter((view) => !isShared(view))].map(tabOf),
  ];

  function tabOf(view: View): ViewTab {
    const { search: shows, gone } = openView(collection, view.search);
    return { view, shows, search: { ...shows, [VIEW_PARAMETER]: view.id }, gone };
  }
}

/** Says whether the list shows something else than the tab says. Columns alone are no change of all records: they are kept anyway. */
export function isChanged({ view, shows }: ViewTab, state: ListState): boolean {
  const here = searchOf(state);
  return view ? !isSameSearch(here, shows) : Object.keys(here).some((name) => name !== "columns");
}

const isShared = ({ isShared }: View) => isShared;
