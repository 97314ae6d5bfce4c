// Views of lists: those that everybody sees who reads the collection, and those of one maker alone.

import { foldName } from "../../../core/contract/names.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";
import { type Confusable, conflictOf } from "../../people/store/confusable-names.ts";
import { cellsOfMade, countOfMaker, JOIN_MAKERS, MADE_COLUMNS, type Made, SELECT_MADE, toMade } from "./made-by.ts";

export interface StoredView extends Made {
  id: string;
  name: string;
  collection: string;
  isShared: boolean;
  search: Record<string, string>;
  place: number;
  version: number;
}

const COLUMNS = `id, name, folded_name, collection, owner, search, place, version, ${MADE_COLUMNS}`;
const SELECT = `SELECT t.id, t.name, t.collection, t.owner, t.search, t.place, t.version, ${SELECT_MADE} FROM list_views t ${JOIN_MAKERS}`;

/** Names and places are those of one owner in one collection. Empty: the view is for everybody. */
function ownerOf({ isShared, createdBy }: Pick<StoredView, "isShared" | "createdBy">): string {
  return isShared ? "" : nameOfOwner(createdBy);
}

const nameOfOwner = ({ type, id }: Pick<Principal, "type" | "id">) => `${type} ${id}`;

function toView(cells: readonly Cell[]): StoredView {
  const [id, name, collection, owner, search, place, version, ...made] = cells;
  return {
    id: String(id),
    name: String(name),
    collection: String(collection),
    isShared: owner === "",
    search: JSON.parse(String(search)),
    place: Number(place),
    version: Number(version),
    ...toMade(made),
  };
}

/** Those for everybody and those of `reader`, in their order. */
function* listViews(reader: Pick<Principal, "type" | "id">): Script<StoredView[]> {
  const sql = `${SELECT} WHERE t.owner = '' OR t.owner = $1 ORDER BY t.place, t.folded_name, t.id`;
  return (yield* ask(sql, nameOfOwner(reader))).rows.map(toView);
}

function* readView(id: string): Script<StoredView | undefined> {
  const { rows } = yield* ask(`${SELECT} WHERE t.id = $1`, id);
  return rows[0] && toView(rows[0]);
}

/** The names that a view of this owner may neither have nor look like. */
function* otherNames(collection: string, owner: string, id: string): Script<string[]> {
  const sql = "SELECT name FROM list_views WHERE collection = $1 AND owner = $2 AND id <> $3";
  return (yield* ask(sql, collection, owner, id)).rows.map(([name]) => String(name));
}

/** In one collection: `all` are those of one owner, or of one maker with all their keys; `ofMaker` those for everybody that one maker made. */
export interface MostViews {
  all: number;
  ofMaker: number;
}

/** Without a place: after all others of its owner. "share": its maker has made as many of those for everybody as one may. */
function* addView(
  view: Omit<StoredView, "place"> & { place?: number | undefined },
  most: MostViews,
): Script<StoredView | "taken" | "full" | "share" | Confusable> {
  yield* lockByName("views");
  const owner = ownerOf(view);
  const { count, last } = yield* placesOf(view.collection, owner);
  const room = yield* roomFor(view, count, most);
  if (room !== "free") return room;
  const stored: StoredView = { ...view, place: view.place ?? last + 1 };
  const { id, name, collection, search, place, version } = stored;
  const conflict = conflictOf(name, yield* otherNames(collection, owner, id));
  if (conflict) return conflict;
  const values = [id, name, foldName(name), collection, owner, JSON.stringify(search), place, version, ...cellsOfMade(view)];
  const places = values.map((_, i) => `$${i + 1}`).join(", ");
  // The id is the caller's and may be there.
  const sql = `INSERT INTO list_views (${COLUMNS}) VALUES (${places}) ON CONFLICT (id) DO NOTHING`;
  return (yield* ask(sql, ...values)).count > 0 ? ((yield* readView(id)) ?? stored) : "taken";
}

function* placesOf(collection: string, owner: string): Script<{ count: number; last: number }> {
  const sql = "SELECT count(*), coalesce(max(place), 0) FROM list_views WHERE collection = $1 AND owner = $2";
  const [count = 0, last = 0] = (yield* ask(sql, collection, owner)).rows[0] ?? [];
  return { count: Number(count), last: Number(last) };
}

/** `count`: of its owner. The views of a person's keys are the person's, or more keys would make room for more views. */
function* roomFor(
  { collection, createdBy, isShared }: Pick<StoredView, "collection" | "createdBy" | "isShared">,
  count: number,
  most: MostViews,
): Script<"free" | "full" | "share"> {
  if (count >= most.all) return "full";
  const made = yield* countOfMaker("list_views", createdBy, `collection = $1 AND owner ${isShared ? "=" : "<>"} ''`, [collection]);
  if (made < (isShared ? most.ofMaker : most.all)) return "free";
  return isShared ? "share" : "full";
}

export interface ViewChange extends Pick<StoredView, "name" | "isShared" | "search" | "updatedAt" | "updatedBy"> {
  /** Undefined: it stays where it is, or comes last where its owner changes. */
  place: number | undefined;
}

/** `version`: only if it still has this one. */
function* changeView(
  id: string,
  change: ViewChange,
  version: number | undefined,
  most: MostViews,
): Script<StoredView | "missing" | "other version" | "taken" | "full" | "share" | Confusable> {
  yield* lockByName("views"); // of two changes at once the later one waits
  const before = yield* readView(id);
  if (!before) return "missing";
  if (version !== undefined && version !== before.version) return "other version";
  const { name, isShared, search, updatedAt, updatedBy } = change;
  const owner = ownerOf({ ...before, isShared });
  const moves = isShared !== before.isShared;
  const { count, last } = yield* placesOf(before.collection, owner);
  const room = moves ? yield* roomFor({ ...before, isShared }, count, most) : "free";
  if (room !== "free") return room;
  const place = change.place ?? (moves ? last + 1 : before.place);
  const isKept = name === before.name && !moves;
  const conflict = isKept ? undefined : conflictOf(name, yield* otherNames(before.collection, owner, id));
  if (conflict) return conflict;
  const sql = `UPDATE list_views SET name = $1, folded_name = $2, owner = $3, search = $4, place = $5, version = version + 1, updated_at = $6,
      updated_type = $7, updated_by = $8 WHERE id = $9 AND version = $10`;
  const values = [name, foldName(name), owner, JSON.stringify(search), place, updatedAt, updatedBy.type, updatedBy.id, id, before.version];
  if ((yield* ask(sql, ...values)).count === 0) return "other version";
  return (yield* readView(id)) ?? "missing";
}

function* deleteView(id: string): Script<boolean> {
  return (yield* ask("DELETE FROM list_views WHERE id = $1", id)).count > 0;
}

export const VIEW_SCRIPTS = { reads: { listViews, readView }, writes: { addView, changeView, deleteView } };
