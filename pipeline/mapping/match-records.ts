// Says which fields name the record that a row means: the key, or others that are unique.

import type { Collection } from "../../core/dictionary/collections.ts";
import { currentName } from "../../core/dictionary/column-name.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { type Unique, uniquesOf } from "../../core/dictionary/unique-keys.ts";
import { uniqueValue } from "../../core/dictionary/unique-value.ts";
import type { Fields } from "../../core/dictionary/validate.ts";

/** Returns the fields by which rows are matched with records. `matchBy`: as the service's parameter has it; undefined for the key. */
export function matchFields(collection: Collection, matchBy: string | undefined): readonly Field[] {
  return uniquesOf(collection).find(({ name }) => name === matchBy)?.fields ?? [collection.key];
}

/** Names the field's own column, or one with a unique value of the parent that stands for it. */
export function columnNamesOf({ lookups }: Collection, { name }: Field): string[] {
  return [name, ...[...lookups.values()].filter(({ fills }) => fills === name).map((lookup) => lookup.name)];
}

/** Lists what these columns can match rows by, the key first. */
export function matchChoices(collection: Collection, columns: readonly (string | null)[]): Unique[] {
  const all = [{ name: collection.key.name, fields: [collection.key] }, ...uniquesOf(collection)];
  return all.filter(({ fields }) => fields.every((field) => columnNamesOf(collection, field).some((name) => columns.includes(name))));
}

/** `wanted` where its columns are there; otherwise the first that the columns can match by, but for the key, which needs no name. */
export function proposeMatch(collection: Collection, columns: readonly (string | null)[], wanted?: string): string | undefined {
  const choices = matchChoices(collection, columns).map(({ name }) => name);
  const name = wanted !== undefined && choices.includes(wanted) ? wanted : choices[0];
  return name === collection.key.name ? undefined : name;
}

/** Returns the name of today of what rows were matched by; undefined where the collection has no such unique fields any more. */
export function currentMatch(collection: Collection, matchBy: string | undefined): string | undefined {
  const name = matchBy
    ?.split(",")
    .map((one) => currentName(collection, one))
    .join();
  return uniquesOf(collection).some((one) => one.name === name) ? name : undefined;
}

/** Says which record a row means by its values; undefined where it says none. */
export function createIdentity(collection: Collection, matchBy: string | undefined): (record: Fields) => Value | undefined {
  if (matchBy === undefined) return (record) => record[collection.key.name] ?? undefined;
  const fields = matchFields(collection, matchBy).map((field) => [columnNamesOf(collection, field), field] as const);
  return (record) => {
    const values = fields.map(([names, field]) => {
      const value = names.map((name) => record[name] ?? null).find((one) => one !== null) ?? null;
      return value === null ? null : uniqueValue(field, value);
    });
    return values.includes(null) ? undefined : JSON.stringify(values);
  };
}
