// Finds every mistake of a data package, leaves out those that follow from another one, and says how each is worded.

import Ajv, { type DefinedError } from "ajv/dist/2020.js";
import { rulesOnRetired } from "../../core/dictionary/check-rules.ts";
import { COLLECTION_COLORS } from "../../core/dictionary/collection-colors.ts";
import type { Mistake } from "../../core/dictionary/collections.ts";
import schema from "../../core/dictionary/dictionary.schema.json" with { type: "json" };
import { FILE, isObject, PERSON } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";
import { isPackage, kindIn, type Package, type PackageField } from "../../core/dictionary/packages.ts";
import { FORMAT_NAMES } from "../../core/dictionary/text-formats.ts";
import { wordMistakes } from "../../core/text/schema-mistakes.ts";
import { closest } from "../../core/text/similarity.ts";
import { readWithRetired } from "../access/retired.ts";
import { requiredCircles, sharedHeadings, unreachedPoints } from "./whole-dictionary.ts";

const validate = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).compile(schema);

/** Finds every mistake of a data package. `path`: a JSON pointer into it. File, API, editor and commands all say these sentences. */
export function mistakesIn(dataPackage: unknown): Mistake[] {
  const read = readWithRetired(dataPackage);
  const own = "mistakes" in read ? read.mistakes : [];
  // The reader says better what a value must be than the schema can; the schema knows every word.
  const shape = mistakesOfShape(dataPackage).filter(({ path }) => !own.some((other) => other.path === path));
  if (own.length > 0 || shape.length > 0 || "mistakes" in read) return worded([...own, ...shape], dataPackage);
  if (isPackage(dataPackage) && dataPackage.resources.every(({ retired }) => retired))
    return [{ path: "/resources", message: "every collection is retired; bring one back, or add one" }];
  return [
    ...wrongExamples(dataPackage),
    ...rulesOnRetired(dataPackage as Package),
    ...sharedHeadings(dataPackage),
    ...unreachedPoints(read.collections),
    ...requiredCircles(read.collections),
  ];
}

/** Reports the mistakes that dictionary.schema.json finds, with JSON pointers. */
function mistakesOfShape(dataPackage: unknown): Mistake[] {
  return validate(dataPackage) ? [] : wordMistakes(validate.errors as DefinedError[]);
}

/** Keeps one mistake for each place, the deepest that says it, and none that follows from the mistake of another place. */
function worded(mistakes: readonly Mistake[], dataPackage: unknown): Mistake[] {
  const isWrong = (path: RegExp) => mistakes.some((other) => path.test(other.path));
  const follows = ({ path, message }: Mistake) => {
    const [, resource, part] = /^(\/resources\/\d+)\/(.*)$/.exec(path) ?? [];
    if (resource === undefined || part === undefined) return false;
    if (part === "singular") return isWrong(new RegExp(`^${resource}/name$`));
    if (!message.startsWith("there is no ")) return false;
    if (/^(label|list|form)\/\d+$/.test(part)) return isWrong(new RegExp(`^${resource}/schema/fields(/\\d+(/(name|type))?)?$`));
    if (part === "schema/primaryKey") return isWrong(new RegExp(`^${resource}/schema/fields$`));
    const isParentHere = namesOf(valueAt(dataPackage, "/resources")).includes(String(valueAt(dataPackage, path)));
    return part.endsWith("/reference/resource") && (isParentHere || isWrong(/^\/resources\/\d+(\/name)?$/));
  };
  return mistakes
    .filter(
      (mistake, i) =>
        !follows(mistake) &&
        !mistakes.some((other, k) => other.path.startsWith(`${mistake.path}/`) || (k < i && other.path === mistake.path)),
    )
    .map((mistake) => withHint(mistake, dataPackage));
}

/** Says what to do about mistakes whose sentences say only what is wrong. */
const HINTS: readonly [RegExp, string][] = [
  [/^a second (resource|field) is named|is used by the service itself$|keeps for itself$/, "choose another name"],
  [/^a second category has|^"[^"]*" refers to "[^"]*" already$/, "leave one of the two out"],
  [/is a value or label of .* already$/, "choose another label"],
];
const MOST_NAMES = 12;

function withHint({ path, message }: Mistake, dataPackage: unknown): Mistake {
  const [, hint] = HINTS.find(([wrong]) => wrong.test(message)) ?? [];
  if (hint) return { path, message: `${message}; ${hint}` };
  // The engine repeats the pattern with what was put around it.
  if (path.endsWith("/constraints/pattern")) return { path, message: message.replace(/Invalid regular expression: .*: /, "") };
  const names = namesFor(dataPackage, path);
  const [, given = [valueAt(dataPackage, path)].flat()[0]] = /no (?:field|resource|section) "([^"]*)"$/.exec(message) ?? [];
  if (!names || typeof given !== "string" || names.includes(given)) return { path, message };
  const meant = closest(given, names);
  if (meant) return { path, message: `${message}; did you mean "${meant}"?` };
  if (!/no (field|resource|section) "/.test(message) || names.length === 0) return { path, message };
  const all = `${names.slice(0, MOST_NAMES).join(", ")}${names.length > MOST_NAMES ? " and others" : ""}`;
  return { path, message: `${message}; there are ${all}` };
}

/** Returns the names that a place may have, where only some are right. */
function namesFor(dataPackage: unknown, path: string): string[] | undefined {
  const [, resource = ""] = /^(\/resources\/\d+)/.exec(path) ?? [];
  const all = valueAt(dataPackage, "/resources");
  const fieldsOf = (at: string) => namesOf(valueAt(dataPackage, `${at}/schema/fields`));
  if (/\/(label|list|form)\/\d+$|\/comparisons\/\d+\/fields\/\d+$|\/primaryKey$|\/foreignKeys\/\d+\/fields$/.test(path))
    return fieldsOf(resource);
  if (path.endsWith("/reference/resource")) return namesOf(all);
  const [, key, theirs] = /^(.*\/foreignKeys\/\d+)\/where\/([^/]+)$/.exec(path) ?? [];
  if (key !== undefined) {
    const parent = valueAt(dataPackage, `${key}/reference/resource`);
    const ofParent = fieldsOf(`/resources/${namesOf(all).indexOf(String(parent))}`);
    return ofParent.includes(String(theirs)) ? fieldsOf(resource) : ofParent;
  }
  if (/\/fields\/\d+\/type$/.test(path)) return schema.$defs.field.properties.type.enum;
  if (/\/fields\/\d+\/format$/.test(path)) return ["default", "big", ...FORMAT_NAMES, PERSON, FILE];
  if (path.endsWith("/section")) return namesOf(valueAt(dataPackage, `${resource}/sections`));
  if (path.endsWith("/onDelete")) return schema.$defs.foreignKey.properties.onDelete.enum;
  return path.endsWith("/color") ? [...COLLECTION_COLORS] : undefined;
}

function namesOf(given: unknown): string[] {
  return Array.isArray(given) ? given.flatMap((one) => (isObject(one) && typeof one.name === "string" ? [one.name] : [])) : [];
}

/** Returns the value at a JSON pointer (RFC 6901), or undefined. */
function valueAt(dataPackage: unknown, path: string): unknown {
  const names = path
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce<unknown>(
    (value, name) => ((isObject(value) || Array.isArray(value)) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined),
    dataPackage,
  );
}

/** A person is a text to whoever reads an example. */
function kindOfField(field: PackageField): Kind {
  const kind = kindIn(field);
  return kind === PERSON ? "string" : (kind as Kind);
}

/** Examples that are no value of their field's kind: they stand in sample files and in the documentation of the API. */
function wrongExamples(dataPackage: unknown): Mistake[] {
  const { resources } = dataPackage as Package;
  return resources.flatMap(({ schema: { fields } }, r) =>
    fields.flatMap((field, f) => {
      const { type = "string", example = "" } = field;
      if (example === "" || KIND_TRAITS[kindOfField(field)].fromText(String(example)) !== undefined) return [];
      return [{ path: `/resources/${r}/schema/fields/${f}/example`, message: `must be a value of the field, which is of type ${type}` }];
    }),
  );
}
