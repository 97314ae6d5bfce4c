// The steps that bring stored tables up to a changed dictionary. Changes that would lose or break data are rejected.

import { isDeepStrictEqual } from "node:util";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { quoted, tableOf } from "./columns.ts";

/** A field as the dictionary had it when it was last applied. `kind` may be one that a newer version stored. */
export interface KnownField {
  collection: string;
  name: string;
  kind: string;
  isKey: boolean;
  isUnique: boolean;
}

/** The SQL of an engine for each change, as statements to run in order. */
export interface Ddl {
  createTable(collection: Collection): string[];
  addField(collection: Collection, field: Field): string[];
  dropField(collection: Collection, old: KnownField): string[];
  /** Creates the field's indexes again, unique or not. */
  changeUnique(collection: Collection, field: Field): string[];
  dropTable(collection: { name: string }): string[];
  /** A literal of no bytes. */
  noBytes: string;
}

/** Run in order. If a select finds a row, the change is rejected, with a sentence for whoever started the service. */
export type Step = { run: string } | { select: string; rejection: string };

/** `known`: the fields that the tables have now. */
export function stepsTo(collections: readonly Collection[], known: readonly KnownField[], ddl: Ddl): Step[] {
  const gone = [...new Set(known.map((field) => field.collection))].filter((name) => !collections.some((c) => c.name === name));
  return [
    ...gone.flatMap((name) => dropCollection(name, ddl)),
    ...collections.flatMap((collection) => {
      const before = known.filter((field) => field.collection === collection.name);
      return before.length === 0 ? run(ddl.createTable(collection)) : alterTable(collection, before, ddl);
    }),
    ...checkReferences(collections, ddl),
  ];
}

/** Why a command beside the service is refused with this dictionary: it would change the tables under the service. Undefined for a new store. */
export function otherDictionary(collections: readonly Collection[], known: readonly KnownField[]): string | undefined {
  const sorted = (fields: readonly KnownField[]) => fields.map((field) => JSON.stringify(field, FIELD_PARTS)).sort();
  if (known.length === 0 || isDeepStrictEqual(sorted(known), sorted(knownFields(collections)))) return undefined;
  return "the store has another dictionary: set DICTIONARY as it is set for the service, or start the service first";
}

const FIELD_PARTS: (keyof KnownField)[] = ["collection", "name", "kind", "isKey", "isUnique"];

/** The fields to store for the next start. */
export function knownFields(collections: readonly Collection[]): KnownField[] {
  return collections.flatMap((collection) =>
    collection.fields.map((field) => ({
      collection: collection.name,
      name: field.name,
      kind: field.kind,
      isKey: field === collection.key,
      isUnique: field.unique,
    })),
  );
}

function alterTable(collection: Collection, before: readonly KnownField[], ddl: Ddl): Step[] {
  const key = before.find((field) => field.isKey);
  if (key?.name !== collection.key.name) {
    return [
      { select: "SELECT 1", rejection: `the key of "${collection.name}" was "${key?.name}" and cannot become "${collection.key.name}"` },
    ];
  }
  const isSame = (old: KnownField, field: Field) => old.name === field.name && old.kind === field.kind;
  const dropped = before.filter((old) => !collection.fields.some((field) => isSame(old, field)));
  const added = collection.fields.filter((field) => !before.some((old) => isSame(old, field)));
  const changed = collection.fields.filter(
    (field) => field !== collection.key && before.some((old) => isSame(old, field) && old.isUnique !== field.unique),
  );
  return [
    ...dropped.flatMap((old) => dropField(collection, old, ddl)),
    ...added.flatMap((field) => run(ddl.addField(collection, field))),
    ...changed.flatMap((field) => changeUnique(collection, field, ddl)),
  ];
}

function dropField(collection: Collection, old: KnownField, ddl: Ddl): Step[] {
  const now = collection.byName.get(old.name);
  const change = now ? `was of type ${old.kind} and is now ${now.kind}` : "is no longer in the dictionary";
  const rejection = `field "${old.name}" of "${collection.name}" ${change}, but stored records have values there`;
  return [
    { select: `SELECT 1 FROM ${tableOf(collection)} WHERE ${quoted(old.name)} IS NOT NULL LIMIT 1`, rejection },
    ...run(ddl.dropField(collection, old)),
  ];
}

function changeUnique(collection: Collection, field: Field, ddl: Ddl): Step[] {
  const column = quoted(field.name);
  const twice = `SELECT 1 FROM ${tableOf(collection)} WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1 LIMIT 1`;
  const rejection = `field "${field.name}" of "${collection.name}" is now unique, but stored records share values there`;
  return [...(field.unique ? [{ select: twice, rejection }] : []), ...run(ddl.changeUnique(collection, field))];
}

/**
 * A reference that the dictionary did not have at the last start: every stored value must have its parent. What was checked stands
 * among the settings, because it reads the whole table.
 */
function checkReferences(collections: readonly Collection[], { noBytes }: Ddl): Step[] {
  const all = collections.flatMap((collection) => collection.references.map((field) => ({ collection, field })));
  const names = all.map(({ collection, field }) => `'refers ${collection.name}.${field.name} ${field.reference.collection}'`);
  const others = names.length > 0 ? ` AND name NOT IN (${names.join(", ")})` : "";
  return [
    { run: `DELETE FROM settings WHERE name LIKE 'refers %'${others}` },
    ...all.flatMap(({ collection, field }, i): Step[] => {
      const { collection: parent, key } = field.reference;
      const orphan = `SELECT 1 FROM ${tableOf(collection)} AS c WHERE c.${quoted(field.name)} IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${tableOf({ name: parent })} AS p WHERE p.${quoted(key)} = c.${quoted(field.name)})`;
      const select = `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM settings WHERE name = ${names[i]}) AND EXISTS (${orphan})`;
      const rejection = `field "${field.name}" of "${collection.name}" refers to "${parent}" now, but stored records have values there that no record of "${parent}" has as its key`;
      return [{ select, rejection }, { run: `INSERT INTO settings (name, value) VALUES (${names[i]}, ${noBytes}) ON CONFLICT DO NOTHING` }];
    }),
  ];
}

function dropCollection(name: string, ddl: Ddl): Step[] {
  const rejection = `collection "${name}" is no longer in the dictionary, but the store holds records of it`;
  return [{ select: `SELECT 1 FROM ${tableOf({ name })} LIMIT 1`, rejection }, ...run(ddl.dropTable({ name }))];
}

function run(statements: readonly string[]): Step[] {
  return statements.map((statement) => ({ run: statement }));
}
