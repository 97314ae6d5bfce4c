// Stores recipes of files and views of lists. Both engines use the same statements.

import { foldName } from "../../../core/contract/names.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";
import { type Confusable, conflictOf } from "../../people/store/confusable-names.ts";

export type SavedKind = "recipe" | "view";

/** Times in ms since 1970. */
export interface Saved {
  id: string;
  kind: SavedKind;
  name: string;
  collection: string;
  /** Is true of what everybody sees who may see the collection. Otherwise only its maker does. */
  isShared: boolean;
  /** JSON that a list of all has: the headings of a recipe, the search of a view. */
  brief: string;
  /** JSON that is read with one item alone: the content of a recipe. A view has none. */
  content: string;
  /** A filter is left out of the brief, because the reader does not see its field. It is not stored. */
  isPartial?: boolean;
  place: number;
  version: number;
  createdAt: number;
  createdBy: Principal;
  updatedAt: number;
  updatedBy: Principal;
}

/**
 * `all` are those of one owner, or of one maker with all their keys; `ofMaker` those for everybody that one maker made. `isOfCollection`:
 * in one collection; otherwise in all together.
 */
export interface MostSaved {
  all: number;
  ofMaker: number;
  isOfCollection: boolean;
}

/** "taken": the name, or the id. "share": the maker has made as many of those for everybody as one may. */
export type NotSaved = "taken" | "full" | "share" | Confusable;
type Owned = Pick<Saved, "kind" | "collection" | "isShared" | "createdBy">;
type ByPrincipal = Pick<Principal, "type" | "id">;

const MOST_READ = 5_000;

const COLUMNS =
  "id, kind, name, folded_name, collection, owner, brief, content, place, version, created_at, created_type, created_by, updated_at, updated_type, updated_by";

const nameOf = (user: string, key: string, id: string) => `coalesce(${user}.name, nullif(${key}.name, ''), ${id})`;

const select = (content: string) => `SELECT t.id, t.kind, t.name, t.collection, t.owner, t.brief, ${content}, t.place, t.version,
    t.created_at, t.created_type, t.created_by, ${nameOf("cu", "ck", "t.created_by")},
    t.updated_at, t.updated_type, t.updated_by, ${nameOf("uu", "uk", "t.updated_by")}
  FROM saved t
    LEFT JOIN users cu ON t.created_type = 'user' AND cu.id = t.created_by LEFT JOIN keys ck ON t.created_type = 'key' AND ck.id = t.created_by
    LEFT JOIN users uu ON t.updated_type = 'user' AND uu.id = t.updated_by LEFT JOIN keys uk ON t.updated_type = 'key' AND uk.id = t.updated_by`;

/** Names and places are those of one owner in one collection. Empty: the item is for everybody. */
const ownerOf = ({ isShared, createdBy }: Pick<Saved, "isShared" | "createdBy">) => (isShared ? "" : nameOfOwner(createdBy));
const nameOfOwner = ({ type, id }: ByPrincipal) => `${type} ${id}`;

function toSaved(cells: readonly Cell[]): Saved {
  const [id, kind, name, collection, owner, brief, content, place, version, ...made] = cells;
  const [createdAt, createdType, createdBy, createdName, updatedAt, updatedType, updatedBy, updatedName] = made;
  return {
    ...({ id, kind, name, collection, brief, content } as Pick<Saved, "id" | "kind" | "name" | "collection" | "brief" | "content">),
    isShared: owner === "",
    place: Number(place),
    version: Number(version),
    createdAt: Number(createdAt),
    createdBy: { type: createdType, id: createdBy, name: createdName } as Principal,
    updatedAt: Number(updatedAt),
    updatedBy: { type: updatedType, id: updatedBy, name: updatedName } as Principal,
  };
}

/** Lists those for everybody and those of `reader`, by place and then by name, without their contents. */
function* listSaved(kind: SavedKind, reader: ByPrincipal): Script<Saved[]> {
  const sql = `${select("''")} WHERE t.kind = $1 AND (t.owner = '' OR t.owner = $2) ORDER BY t.place, t.folded_name, t.id`;
  return (yield* ask(sql, kind, nameOfOwner(reader))).rows.map(toSaved);
}

function* readSaved(kind: SavedKind, id: string): Script<Saved | undefined> {
  const { rows } = yield* ask(`${select("t.content")} WHERE t.kind = $1 AND t.id = $2`, kind, id);
  return rows[0] && toSaved(rows[0]);
}

/**
 * Lists everybody's views, and the recipes of these collections and those in whose contents one of these texts stands. The caller decides what is
 * meant by them.
 */
function* listNaming(
  texts: readonly string[],
  collections: readonly string[],
): Script<Pick<Saved, "id" | "kind" | "name" | "collection" | "isShared" | "brief" | "content">[]> {
  const conditions = [...texts.map(() => "t.content LIKE"), ...collections.map(() => "t.collection =")].map((one, i) => `${one} $${i + 1}`);
  const sql = `SELECT t.id, t.kind, t.name, t.collection, t.owner, t.brief, CASE t.kind WHEN 'view' THEN '' ELSE t.content END FROM saved t
    WHERE ${["t.kind = 'view'", ...conditions].join(" OR ")} ORDER BY t.kind DESC, t.owner <> '', t.folded_name, t.id LIMIT ${MOST_READ}`;
  const { rows } = yield* ask(sql, ...texts.map((text) => `%${text}%`), ...collections);
  return rows.map(([id, kind, name, collection, owner, brief, content]) => ({
    ...({ id, kind, name, collection, brief, content } as Pick<Saved, "id" | "kind" | "name" | "collection" | "brief" | "content">),
    isShared: owner === "",
  }));
}

/** Puts one without a place after all others of its owner. */
function* addSaved(item: Omit<Saved, "place"> & { place?: number | undefined }, most: MostSaved): Script<Saved | NotSaved> {
  yield* lockByName("saved");
  const { id, kind, name, collection, brief, content, version, createdAt, createdBy, updatedAt, updatedBy } = item;
  const notSaved = (yield* roomFor(item, most)) ?? (yield* conflictWithOthers(item, name, id));
  if (notSaved) return notSaved;
  const place = item.place ?? (yield* lastPlaceOf(item)) + 1;
  const values = [id, kind, name, foldName(name), collection, ownerOf(item), brief, content, place, version];
  const made = [createdAt, createdBy.type, createdBy.id, updatedAt, updatedBy.type, updatedBy.id];
  const places = [...values, ...made].map((_, i) => `$${i + 1}`).join(", ");
  // The id may be the caller's and may be there.
  const { count } = yield* ask(`INSERT INTO saved (${COLUMNS}) VALUES (${places}) ON CONFLICT (id) DO NOTHING`, ...values, ...made);
  return count > 0 ? ((yield* readSaved(kind, id)) ?? { ...item, place }) : "taken";
}

function* lastPlaceOf(item: Owned): Script<number> {
  const sql = "SELECT coalesce(max(place), 0) FROM saved WHERE kind = $1 AND collection = $2 AND owner = $3";
  return Number((yield* ask(sql, item.kind, item.collection, ownerOf(item))).rows[0]?.[0]);
}

/** Returns the names that an item of this owner may neither have nor look like. */
function* conflictWithOthers(item: Owned, name: string, id: string): Script<"taken" | Confusable | undefined> {
  const sql = "SELECT name FROM saved WHERE kind = $1 AND collection = $2 AND owner = $3 AND id <> $4";
  const { rows } = yield* ask(sql, item.kind, item.collection, ownerOf(item), id);
  return conflictOf(
    name,
    rows.map(([other]) => String(other)),
  );
}

/** Counts what a person's keys have made as the person's, or more keys would make room for more. */
function* roomFor(item: Owned, most: MostSaved): Script<"full" | "share" | undefined> {
  const { kind, collection, isShared, createdBy } = item;
  const [where, values] = most.isOfCollection ? ["kind = $1 AND collection = $2", [kind, collection]] : ["kind = $1", [kind]];
  const countOf = function* (condition: string, ...more: Cell[]): Script<number> {
    return Number((yield* ask(`SELECT count(*) FROM saved WHERE ${where} AND ${condition}`, ...values, ...more)).rows[0]?.[0]);
  };
  const place = `$${values.length + 1}`;
  if ((yield* countOf(`owner = ${place}`, ownerOf(item))) >= most.all) return "full";
  const { type, id } = createdBy;
  const person = type === "user" ? id : (yield* ask("SELECT user_id FROM keys WHERE id = $1", id)).rows[0]?.[0];
  const isTheirs = person
    ? `(created_type = 'user' AND created_by = ${place} OR created_type = 'key' AND created_by IN (SELECT id FROM keys WHERE user_id = ${place}))`
    : `created_type = 'key' AND created_by = ${place}`;
  const made = yield* countOf(`owner ${isShared ? "=" : "<>"} '' AND ${isTheirs}`, person ?? id);
  if (made < (isShared ? most.ofMaker : most.all)) return undefined;
  return isShared ? "share" : "full";
}

export interface SavedChange extends Pick<Saved, "name" | "isShared" | "brief" | "content" | "updatedAt" | "updatedBy"> {
  /** Undefined: it stays where it is, or comes last where its owner changes. */
  place?: number | undefined;
}

/** `version`: only if it still has this one. */
function* changeSaved(
  kind: SavedKind,
  id: string,
  change: SavedChange,
  version: number | undefined,
  most: MostSaved,
): Script<Saved | "missing" | "other version" | NotSaved> {
  yield* lockByName("saved"); // of two changes at once the later one waits
  const before = yield* readSaved(kind, id);
  if (!before) return "missing";
  if (version !== undefined && version !== before.version) return "other version";
  const { name, isShared, brief, content, updatedAt, updatedBy } = change;
  const after = { ...before, isShared };
  const moves = isShared !== before.isShared;
  const room = moves ? yield* roomFor(after, most) : undefined;
  const notSaved = room ?? (name === before.name && !moves ? undefined : yield* conflictWithOthers(after, name, id));
  if (notSaved) return notSaved;
  const place = change.place ?? (moves ? (yield* lastPlaceOf(after)) + 1 : before.place);
  const sql = `UPDATE saved SET name = $1, folded_name = $2, owner = $3, brief = $4, content = $5, place = $6, version = version + 1,
      updated_at = $7, updated_type = $8, updated_by = $9 WHERE id = $10 AND version = $11`;
  const values = [name, foldName(name), ownerOf(after), brief, content, place, updatedAt, updatedBy.type, updatedBy.id];
  if ((yield* ask(sql, ...values, id, before.version)).count === 0) return "other version";
  return (yield* readSaved(kind, id)) ?? "missing";
}

function* deleteSaved(kind: SavedKind, id: string): Script<boolean> {
  return (yield* ask("DELETE FROM saved WHERE kind = $1 AND id = $2", kind, id)).count > 0;
}

export const SAVED_SCRIPTS = { reads: { listSaved, readSaved, listNaming }, writes: { addSaved, changeSaved, deleteSaved } };
