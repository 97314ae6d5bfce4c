// Keeps what the tables know of the dictionary: its fields, by their columns, and their rules as they were last applied.

import { isDeepStrictEqual } from "node:util";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Field, ReferenceField } from "../../core/dictionary/fields.ts";
import { ask, type Script } from "./script/script.ts";

/** A field as the dictionary had it when it was last applied. `kind` may be one that a newer version stored. */
export interface KnownField {
  collection: string;
  /** The name that it had first. */
  column: string;
  kind: string;
  isKey: boolean;
  isUnique: boolean;
  /** It is unique whatever the case of its letters. */
  isCaseless: boolean;
}

const CASELESS = 2; // in the column that says with 1 that a field is unique

const RULES = "dictionary"; // the row of the settings with the rules that were last applied, as JSON

/** Reads the fields that the tables have, as the last start left them. */
export function* readKnownFields(): Script<KnownField[]> {
  const { rows } = yield* ask("SELECT collection, name, kind, is_key, is_unique FROM fields");
  return rows.map(([collection, column, kind, isKey, isUnique]) => ({
    collection: String(collection),
    column: String(column),
    kind: String(kind),
    isKey: Boolean(isKey),
    isUnique: Boolean(isUnique),
    isCaseless: Number(isUnique) === CASELESS,
  }));
}

/** Writes the rules of every field, as the store keeps them: two dictionaries whose tables and rules are the same have the same text. */
export function rulesText(collections: readonly Collection[]): string {
  const rules = collections.flatMap((collection) =>
    collection.fields.map((field) => {
      const held = heldColumns(collection, field, collections);
      return [columnPlace(collection, field), { ...rulesOf(field), ...(held.length > 0 && { held }) }] as const;
    }),
  );
  return JSON.stringify(Object.fromEntries(rules.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** `held`: as heldColumns has them. */
export type Rules = Readonly<Record<string, ReturnType<typeof rulesOf> & { held?: readonly string[] }>>;

/** Returns the pairs of columns in which a record must agree with its parent: that of the parent, a blank and its own. No new name changes them. */
export function heldColumns({ byName }: Collection, { reference }: Field, collections: readonly Collection[]): string[] {
  const parent = collections.find(({ name }) => name === reference?.collection);
  return (reference?.where ?? []).flatMap(({ parent: theirs, own }) => {
    const [there, here] = [parent?.byName.get(theirs), byName.get(own)];
    return there && here ? [`${columnName(there)} ${columnName(here)}`] : [];
  });
}

export function rulesOf(field: Field) {
  const { kind, required, unique, caseless, minLength, maxLength, minimum, maximum, enum: values, decimals, format, pattern, item } = field;
  const rules = {
    kind,
    required,
    unique,
    caseless,
    minLength,
    maxLength,
    minimum,
    maximum,
    enum: values,
    decimals,
    format,
    pattern: pattern?.source,
  };
  return { ...rules, ...(item?.enum && { items: item.enum }) };
}

/** Returns undefined for a store that no version with rules has opened yet. */
export function* readRules(): Script<Rules | undefined> {
  const bytes = (yield* ask("SELECT value FROM settings WHERE name = $1", RULES)).rows[0]?.[0];
  return bytes instanceof Uint8Array ? JSON.parse(Buffer.from(bytes).toString()) : undefined;
}

/** Writes nothing where nothing has changed: a start must succeed on a full disk. */
export function* writeKnown(collections: readonly Collection[], known: readonly KnownField[], before: Rules | undefined): Script<void> {
  const rules = rulesText(collections);
  if (before === undefined || JSON.stringify(before) !== rules) {
    yield* ask("DELETE FROM settings WHERE name = $1", RULES);
    yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", RULES, Buffer.from(rules));
  }
  if (isSame(known, knownFields(collections))) return;
  yield* ask("DELETE FROM fields");
  for (const { collection, column, kind, isKey, isUnique, isCaseless } of knownFields(collections)) {
    const sql = "INSERT INTO fields (collection, name, kind, is_key, is_unique) VALUES ($1, $2, $3, $4, $5)";
    yield* ask(sql, collection, column, kind, Number(isKey), isCaseless ? CASELESS : Number(isUnique));
  }
}

export function placeOf({ name }: { name: string }, field: { name: string }): string {
  return `${name}.${field.name}`;
}

/** Returns the place under which the store keeps what it knows of a field, which no new name changes. */
export function columnPlace(collection: { name: string }, field: Parameters<typeof columnName>[0]): string {
  return placeOf(collection, { name: columnName(field) });
}

/** Returns the fields that the tables have and the collection has no more, or of another kind. */
export function lostFields(collection: Collection, before: readonly KnownField[]): KnownField[] {
  return before.filter((old) => !collection.fields.some((field) => isOf(old, collection, field)));
}

/** Returns the kind of a field as the store knows it: several values of another kind are another kind. */
export function storedKind({ kind, item }: Field): string {
  return item ? `${kind} of ${item.kind}` : kind;
}

export function isOf(known: KnownField, { name }: Collection, field: Field): boolean {
  return known.collection === name && known.column === columnName(field) && known.kind === storedKind(field);
}

const FIELD_PARTS: (keyof KnownField)[] = ["collection", "column", "kind", "isKey", "isUnique", "isCaseless"];

export function isSame(one: readonly KnownField[], other: readonly KnownField[]): boolean {
  const sorted = (fields: readonly KnownField[]) => fields.map((field) => JSON.stringify(field, FIELD_PARTS)).sort();
  return isDeepStrictEqual(sorted(one), sorted(other));
}

/** Returns the fields to store for the next start. */
export function knownFields(collections: readonly Collection[]): KnownField[] {
  return collections.flatMap((collection) =>
    collection.fields.map((field) => ({
      collection: collection.name,
      column: columnName(field),
      kind: storedKind(field),
      isKey: field === collection.key,
      isUnique: field.unique,
      isCaseless: field.caseless === true,
    })),
  );
}

/** Returns one field of each collection that the dictionary has no more. */
export function gone(collections: readonly Collection[], known: readonly KnownField[]): KnownField[] {
  const others = known.filter(({ collection }) => !collections.some(({ name }) => name === collection));
  return [...new Map(others.map((field) => [field.collection, field])).values()];
}

export function markOf(collection: Collection, field: ReferenceField): string {
  return `'refers ${columnPlace(collection, field)} ${field.reference.collection}${field.reference.acyclic ? " acyclic" : ""}'`;
}

/** Returns the name of the index of fields that are unique together. No column has a comma in its name. */
export function nameOfKey(fields: readonly Field[]): string {
  return fields.map(columnName).join();
}

/** Names the settings that say which fields are held to be unique together. */
export function markOfKey(collection: Collection, fields: readonly Field[]): string {
  return `unique ${collection.name} ${nameOfKey(fields)}`;
}

export interface KnownKey {
  collection: string;
  /** Is what `nameOfKey` returns. */
  name: string;
}

/** Reads the fields that were unique together when the dictionary was last applied. */
export function* readKnownKeys(): Script<KnownKey[]> {
  const { rows } = yield* ask("SELECT name FROM settings WHERE name LIKE 'unique %'");
  return rows.map(([mark]) => {
    const [, collection = "", name = ""] = String(mark).split(" ");
    return { collection, name };
  });
}
