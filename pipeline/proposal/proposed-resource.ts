// Makes a collection of a data package, and the plan of its first upload, from what was proposed and changed.

import { freeName, nameFrom } from "../../core/dictionary/name-from-title.ts";
import type { PackageField, PackageResource } from "../../core/dictionary/packages.ts";
import { isCollectionName } from "../../core/dictionary/reserved-names.ts";
import { t } from "../../core/i18n/translate.ts";
import { type Corrections, NO_CORRECTIONS } from "../model/corrections.ts";
import type { ProposedSort } from "./propose-field.ts";
import { allowedName, type ColumnProposal } from "./propose-table.ts";

/** Holds what the collection is called. */
export interface CollectionWords {
  title: string;
  noun: string;
}

export interface ProposedCollection {
  resource: PackageResource;
  /** Names for each column of the file its field, or null. */
  columns: (string | null)[];
  fixes: Corrections;
}

/** The type of a field of each sort. */
const TYPES: Record<ProposedSort, Readonly<Record<string, unknown>>> = {
  text: { type: "string" },
  multiline: { type: "string", format: "multiline" },
  choice: { type: "string" },
  integer: { type: "integer" },
  decimal: { type: "number" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "date" },
  datetime: { type: "datetime" },
  time: { type: "time" },
  year: { type: "year" },
  email: { type: "string", format: "email" },
  phone: { type: "string", format: "phone" },
  uri: { type: "string", format: "uri" },
};

/** Holds what a person changed of a proposal. */
export interface ColumnChange {
  title?: string;
  sort?: ProposedSort;
  isIncluded?: boolean;
}

/** Returns the columns as a person wants them. With another kind, what was concluded from the old one no longer holds. */
export function changedColumns(columns: readonly ColumnProposal[], changes: Readonly<Record<number, ColumnChange>>): ColumnProposal[] {
  return columns.map((column, at) => {
    const { title, sort, isIncluded = column.isIncluded } = changes[at] ?? {};
    const others = columns.flatMap(({ name }, i) => (i === at ? [] : [name]));
    const named = title === undefined ? {} : { title, name: freeName(allowedName(title, column.isKey), others) };
    if (sort === undefined || sort === column.sort) return { ...column, ...named, isIncluded };
    const { unit: _, ...bare } = column;
    const fixes = column.fixes.filter((fix) => fix === "hidden");
    return { ...bare, ...named, isIncluded, sort, fixes, isUnique: false, evidence: [t("You chose this kind.")] };
  });
}

/** `others`: the collections that are there, with the names that are taken. At least one column is included. */
export function proposedCollection(
  { title, noun }: CollectionWords,
  columns: readonly ColumnProposal[],
  others: readonly { name: string; singular?: unknown }[],
): ProposedCollection {
  const { name, singular } = namesOf({ title, noun }, others);
  const included = columns.filter(({ isIncluded }) => isIncluded);
  const key = included.find(({ isKey, sort }) => isKey && sort === "integer");
  const taken = included.flatMap((column) => [column.name, column.title]);
  const keyName = key?.name ?? freeName("id", taken);
  const fields = included.map(fieldOf);
  if (!key) fields.unshift({ name: keyName, title: freeName("ID", taken), type: "integer" });
  const label = included.filter(({ isLabel, sort }) => isLabel && sort !== "multiline").map((one) => one.name);
  return {
    resource: {
      ...{ name, singular, title: title.trim(), noun: noun.trim() },
      ...(label.length > 0 && { label }),
      schema: { fields, primaryKey: [keyName] },
    },
    columns: columns.map((column) => (column.isIncluded ? column.name : null)),
    fixes: {
      ...NO_CORRECTIONS,
      autoFixes: included.flatMap((column) => column.fixes.map((fix) => ({ field: column.name, name: fix }))),
    },
  };
}

/** Words of other scripts give no name. */
const NAMELESS = /^field(?=\d*$)/;

function namesOf({ title, noun }: CollectionWords, others: readonly { name: string; singular?: unknown }[]) {
  const proposed = nameFrom(title).replace(NAMELESS, "collection");
  const names = others.map((one) => one.name);
  const name = freeName(isCollectionName(proposed) ? proposed : `${proposed}List`, names);
  const singular = freeName(nameFrom(noun).replace(NAMELESS, "entry"), [name, ...others.map((one) => String(one.singular ?? ""))]);
  return { name, singular };
}

function fieldOf({ name, title, heading, sort, isRequired, isUnique, isKey, ...more }: ColumnProposal): PackageField {
  const { decimals = 2, maxLength, choices, unit } = more;
  const constraints = {
    ...(isRequired && !isKey && { required: true }),
    ...(isUnique && { unique: true }),
    ...((sort === "text" || sort === "multiline") && { maxLength: maxLength ?? 200 }),
  };
  const isAlias = heading !== "" && heading !== title;
  return {
    name,
    title,
    ...TYPES[sort],
    ...(sort === "decimal" && { decimals }),
    ...(unit && (sort === "decimal" || sort === "integer") && { description: t("In {unit}.", { unit }) }),
    ...(isAlias && !title.startsWith(heading) && { aliases: [heading] }),
    ...(sort === "choice" && choices && { categories: choices }),
    ...(Object.keys(constraints).length > 0 && { constraints }),
  };
}
