// Reads `foreignKeys` of a Table Schema: which fields of a collection hold the key of a record of another one.

import { workingNames } from "./column-name.ts";
import { type Field, type HeldField, isObject, type Reference, type ReferenceField, type ReportMistake } from "./fields.ts";
import { KIND_TRAITS } from "./kinds.ts";
import { lookupName } from "./lookup-name.ts";
import { isFieldName } from "./reserved-names.ts";

/** Holds what is read of a collection before its references are. */
interface Referring {
  name: string;
  singular: string;
  title: string;
  fields: readonly Field[];
  key: Field;
}

/**
 * A unique field of the parent that stands for its key: a column, or a member of JSON, such as `customer.accountNumber`. The service puts
 * the key into `fills`. Only its kind is checked, because the parent may be stored under other rules.
 */
export interface Lookup extends Field {
  /** The name of the field that refers. */
  fills: string;
  /** The name of the parent's field. */
  by: string;
}

/** Names what a caller may find below a record of the parent already. */
const BELOW_A_RECORD = new Set(["history", "restore", "viewers", "erasure", "copy"]);
const RULES: readonly Reference["onDelete"][] = ["restrict", "cascade", "clear"];

/** Holds what reading sets. */
interface WithReferences extends Referring {
  references: readonly ReferenceField[];
  lookups: ReadonlyMap<string, Lookup>;
}

/** Reads the references of all collections, once all are known. `resources`: as the data package has them. */
export function addReferences(resources: readonly unknown[], collections: readonly WithReferences[], report: ReportMistake): void {
  let isWrong = false;
  const note: ReportMistake = (...mistake) => {
    isWrong = true;
    return report(...mistake);
  };
  const schemas = resources.flatMap((resource, i) => {
    const { name, schema } = isObject(resource) ? resource : {};
    const own = collections.find((one) => one.name === name);
    return own && isObject(schema) ? { own, schema, path: `/resources/${i}/schema/foreignKeys` } : [];
  });
  for (const { own, schema, path } of schemas) own.references = readReferences(schema, own, collections, path, note);
  if (!isWrong) for (const { own, schema, path } of schemas) readHeld(schema, own, collections, path, report);
  for (const own of collections) own.lookups = lookupsOf(own.references, collections);
}

/** Reads the references of one collection, sets `reference` on its fields, and answers these in the order of `foreignKeys`. */
function readReferences(
  { foreignKeys }: Record<string, unknown>,
  own: Referring,
  collections: readonly Referring[],
  path: string,
  report: ReportMistake,
): ReferenceField[] {
  if (foreignKeys === undefined) return [];
  if (!Array.isArray(foreignKeys)) {
    report(
      path,
      'a list is needed, such as [{ "fields": ["customerId"], "reference": { "resource": "customers", "fields": ["objectId"] } }]',
    );
    return [];
  }
  return foreignKeys.flatMap((given, i) => readReference(given, own, collections, `${path}/${i}`, report) ?? []);
}

function readReference(
  given: unknown,
  own: Referring,
  collections: readonly Referring[],
  path: string,
  report: ReportMistake,
): ReferenceField | undefined {
  if (!isObject(given) || !isObject(given.reference)) return report(path, 'a foreign key has "fields" and a "reference"');
  const field = readOwnField(given.fields, own, `${path}/fields`, report);
  const parent = readParent(given.reference, own, collections, `${path}/reference`, report);
  if (!field || !parent) return undefined;
  const as = readName(given.as, field, parent, own, `${path}/as`, report);
  const { onDelete = "restrict" } = given;
  const rule = RULES.find((known) => known === onDelete);
  if (!rule) return report(`${path}/onDelete`, `must be one of ${RULES.join(", ")}`);
  if (rule === "clear" && field.required)
    return report(`${path}/onDelete`, `"clear" takes the value away, but "${field.name}" is required`);
  if (!as) return undefined;
  if (given.acyclic !== undefined && (given.acyclic !== true || parent !== own))
    return report(`${path}/acyclic`, `must be true, where "${own.name}" refers to itself, or be left out`);
  field.minimum ??= 1; // not the bounds of the parent's key: stored parents may break those
  field.maximum ??= Number.MAX_SAFE_INTEGER;
  return Object.assign(field, {
    reference: { collection: parent.name, key: parent.key.name, as, onDelete: rule, ...(given.acyclic === true && { acyclic: true }) },
  });
}

/** Reads which references are held to others, once all are right: whether two fields may be compared depends on what they refer to. */
function readHeld(
  { foreignKeys }: Record<string, unknown>,
  own: Referring,
  collections: readonly Referring[],
  path: string,
  report: ReportMistake,
): void {
  for (const [i, given] of Array.isArray(foreignKeys) ? foreignKeys.entries() : []) {
    if (!isObject(given) || given.where === undefined) continue;
    const field = own.fields.find(({ name }) => name === namesOf(given.fields)[0]);
    const parent = collections.find(({ name }) => name === field?.reference?.collection);
    if (!field?.reference || !parent) continue;
    const at = `${path}/${i}/where`;
    if (!isObject(given.where))
      report(at, `a field of "${parent.name}" and one of "${own.name}" are needed, such as { "customerId": "customerId" }`);
    else
      field.reference.where = Object.entries(given.where).flatMap(
        ([name, value]) => readPair(name, value, { field, own, parent }, `${at}/${name}`, report) ?? [],
      );
  }
}

function readPair(
  name: string,
  value: unknown,
  { field, own, parent }: { field: Field; own: Referring; parent: Referring },
  path: string,
  report: ReportMistake,
): HeldField | undefined {
  const theirs = parent.fields.find((one) => one.name === name);
  const mine = own.fields.find((one) => one.name === value);
  if (!theirs) return report(path, `"${parent.name}" has no field "${name}"`);
  if (!mine) return report(path, `"${own.name}" has no field "${String(value)}"`);
  if (mine === field) return report(path, `"${mine.name}" is the reference itself; another field must be named`);
  const isSame = theirs.kind === mine.kind && theirs.reference?.collection === mine.reference?.collection;
  if (!isSame)
    return report(
      path,
      `"${name}" of "${parent.name}" and "${mine.name}" of "${own.name}" must be of one type, and refer to one resource if they refer`,
    );
  return { parent: name, own: mine.name };
}

function readOwnField(given: unknown, { name, fields, key }: Referring, path: string, report: ReportMistake): Field | undefined {
  const [fieldName, ...more] = namesOf(given);
  if (fieldName === undefined || more.length > 0) return report(path, 'exactly one field refers, such as ["customerId"]');
  const field = fields.find((one) => one.name === fieldName);
  if (!field) return report(path, `"${name}" has no field "${fieldName}"`);
  if (field === key) return report(path, `"${fieldName}" is the key of "${name}" itself; another field must refer`);
  if (field.reference) return report(path, `"${fieldName}" refers to "${field.reference.collection}" already`);
  if (!KIND_TRAITS[field.kind].isWhole) return report(path, `"${fieldName}" must be of type integer, as keys are; it is ${field.kind}`);
  return field;
}

function readParent(
  { resource, fields }: Record<string, unknown>,
  own: Referring,
  collections: readonly Referring[],
  path: string,
  report: ReportMistake,
): Referring | undefined {
  // Without a resource, or with an empty one, Table Schema means the same table.
  if (resource === undefined || resource === "") {
    return report(`${path}/resource`, `a resource must be named; where "${own.name}" refers to itself, by its own name`);
  }
  const parent = collections.find(({ name }) => name === resource);
  if (!parent) return report(`${path}/resource`, `there is no resource "${String(resource)}"`);
  const [name, ...more] = namesOf(fields);
  if (name !== parent.key.name || more.length > 0) {
    return report(`${path}/fields`, `must be the key of "${parent.name}": ["${parent.key.name}"]`);
  }
  if (BELOW_A_RECORD.has(own.name)) {
    return report(`${path}/resource`, `a collection named "${own.name}" cannot have a parent: the service uses that address`);
  }
  return parent;
}

/** Returns the name under which answers have the parent where no `as` says it: the field's name without "Id", or the parent's singular. */
export function usualName(field: string, singular: string): string {
  const short = field.replace(/(?:_id|Id|ID)$/, "");
  return short === field ? singular : short;
}

function readName(
  given: unknown,
  { name }: Field,
  { singular }: Referring,
  own: Referring,
  path: string,
  report: ReportMistake,
): string | undefined {
  const as = given ?? usualName(name, singular);
  if (typeof as !== "string" || !isFieldName(as))
    return report(path, 'a name such as "customer" is needed, which the service does not use itself');
  const isTaken = (other: string | undefined) => other?.toLowerCase() === as.toLowerCase();
  if (own.fields.some((other) => isTaken(other.name)))
    return report(path, `"${as}" is a field of "${own.name}"; the parent needs another name`);
  if (own.fields.some(({ reference }) => isTaken(reference?.as))) return report(path, `"${as}" is the name of another parent`);
  if (isTaken(own.name) || isTaken(own.singular)) return report(path, `"${as}" is the name of the collection itself`);
  return as;
}

/** Table Schema allows a name or a list of names. */
function namesOf(given: unknown): string[] {
  const names = typeof given === "string" ? [given] : given;
  return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : [];
}

/** Returns the lookups of these references by their names. */
function lookupsOf(references: readonly ReferenceField[], collections: readonly Referring[]): Map<string, Lookup> {
  const lookups = references.flatMap((field) => {
    const { collection, as } = field.reference;
    const parent = collections.find(({ name }) => name === collection);
    const unique = parent?.fields.filter((one) => one.unique && one !== parent.key) ?? [];
    return unique.map((by): Lookup => {
      const under = (names: readonly string[] = []) => names.map((former) => lookupName(as, former));
      const [formerNames, withdrawnNames] = [under(by.formerNames), under(by.withdrawnNames)];
      const words = wordsOf(field, by);
      return {
        ...by,
        ...words,
        aliases: [...words.aliases, ...workingNames({ formerNames, withdrawnNames })],
        name: lookupName(as, by.name),
        formerNames,
        withdrawnNames,
        required: false,
        unique: false,
        fills: field.name,
        by: by.name,
      };
    });
  });
  return new Map(lookups.map((lookup) => [lookup.name, lookup]));
}

function wordsOf(field: Field, by: Field) {
  return {
    title: `${field.title}: ${by.title}`,
    description: by.description,
    aliases: by.aliases.map((alias) => `${field.title} ${alias}`),
  };
}
