// Reads one field of a Table Schema.

import type { Categories } from "./categories.ts";
import { workingNames } from "./column-name.ts";
import { LongNumber, MOST_DECIMALS } from "./decimals.ts";
import { type FileRules, MOST_FILES } from "./files.ts";
import { expected, KIND_NAMES, KIND_TRAITS, type Kind, type Value } from "./kinds.ts";
import type { KnownPeople } from "./people.ts";
import { FORMAT_NAMES, type TextFormat } from "./text-formats.ts";

/** Reads the closed list of a field, as `readCategories` does: it is loaded only with packages that have some. */
export type ReadCategories = (input: unknown, kind: Kind, language: string, path: string, report: ReportMistake) => Categories | undefined;

/** Reads the conditions, defaults and formulas of fields, as `readConditions` does: it is loaded only with packages that have some. */
export type ReadConditions = (fields: readonly Field[], schema: Record<string, unknown>, path: string, report: ReportMistake) => boolean;

/** Reads which files a field takes, as `readFile` does: it is loaded only with packages that have some. Undefined for other fields. */
export type ReadFile = (input: Readonly<Record<string, unknown>>, path: string, report: ReportMistake) => FileRules | undefined;

export type ReportMistake = (path: string, message: string) => undefined;

export interface Field extends Partial<Omit<Categories, "enum">> {
  name: string;
  /** Earlier names, the oldest first. They stand for the field wherever no field has that name now. */
  formerNames?: readonly string[];
  /** Says which of them requests and files may not use any more. */
  withdrawnNames?: readonly string[];
  title: string;
  description: string;
  kind: Kind;
  /** Holds each value as text, as it would stand in a CSV cell. */
  example: string;
  /** Other headings that files use for this field. */
  aliases: readonly string[];
  required: boolean;
  unique: boolean;
  /** It is unique whatever the case of its letters: "Ben@x.org" is "ben@x.org". */
  caseless?: boolean;
  /** Is true where the caller sees its values and may not change them: by their rights, as only the service says, or because it is computed. */
  readOnly?: boolean;
  /** Is true where the caller gets masks in place of its values: it is a text then, and readOnly. Only the service says so, never a file. */
  masked?: boolean;
  /** Is true where the caller may not read the collection to whose records the field refers. Only the service says so, never a file. */
  isUnseenReference?: boolean;
  /** Lengths in code points after NFC; of several values their number. */
  minLength?: number;
  maxLength?: number;
  minimum?: Value;
  maximum?: Value;
  /** Matches the whole value. */
  pattern?: RegExp;
  enum?: readonly Value[];
  /** Says how many digits may stand behind the point, if the kind is "decimal". */
  decimals?: number;
  /** Says what each of several values is: a field without a name and rules of its own, but for a closed list. */
  item?: Field;
  /** Stands between several values in files, if not a comma. */
  delimiter?: string;
  /** It is a whole number of any size, such as another system's key, of kind "decimal": its digits stand in JSON as text. */
  isBig?: true;
  /** Its values are the ids of people who use the service. */
  isPerson?: true;
  /** Holds whom a client knows, beside labels, which are their names. The service itself looks them up. */
  people?: KnownPeople;
  /** Says which files it takes, if the kind is "file" or "files". Only the service sets its values. */
  file?: FileRules;
  /** Says what sort of text it is, if the kind is "string". */
  format?: TextFormat;
  /** Its values are keys of another collection's records. */
  reference?: Reference;
  /** An expression over the record: the field is asked for only where it is true. */
  visibleIf?: string;
  /** An expression over the record: the field must have a value where it is true, and where it is visible. */
  requiredIf?: string;
  /** Says for each condition which values are left where it holds. */
  choicesIf?: readonly Choices[];
  /** An expression: the value of a new record that leaves the field out. */
  default?: string;
  /** The form of a new record begins with the value that the person stored last. */
  sticky?: boolean;
  /** An expression over the record, which gives its value. Nobody types it. */
  computed?: string;
  /** A pattern such as "INV-{yyyy}-{00000}": the service gives each new record the next number, and it never changes. */
  autoNumber?: string;
  /** It is being filled with the values of a field of another kind. */
  convertedFrom?: ConvertedFrom;
}

/** Values that are allowed where a condition over the record holds. */
export interface Choices {
  when: string;
  values: readonly Value[];
}

/** Says out of which field the values of another one come, while they are converted. */
export interface ConvertedFrom {
  /** The name of the field that has the values. */
  field: string;
  /** The ways of writing that texts are read in, as an upload names them; without it those that can mean one value only. */
  forms?: readonly string[];
  /** Text → what it means. */
  values?: Readonly<Record<string, string>>;
  /** The field had the values before, and gets back what was changed since. `forms` and `values` are those of the way there. */
  isBack?: boolean;
}

/** Names what a field refers to (`foreignKeys` of the Table Schema). */
export interface Reference {
  /** The name of the parent's collection. */
  collection: string;
  /** The name of its key. */
  key: string;
  /** The name under which answers have the parent, such as `customer`. */
  as: string;
  /** Says what becomes of this record when its parent is deleted: it forbids that, is deleted with it, or loses the value. */
  onDelete: "restrict" | "cascade" | "clear";
  /** The collection refers to itself, and no record lies below itself. */
  acyclic?: true;
  /** Fields of the parent that must have the same value as fields of this record (`where`), as the customer of an order's contact. */
  where?: readonly HeldField[];
}

/** `own`: the name of a field of the record that refers. Without a value there nothing is compared. */
export interface HeldField {
  parent: string;
  own: string;
}

export type ReferenceField = Field & { reference: Reference };

export const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
/** Sets the constraint on the field, or returns what its value must be. */
type ReadConstraint = (field: Field, input: unknown) => string | undefined;

const CONSTRAINTS: Record<string, ReadConstraint> = {
  required: (field, input) => readFlag(field, "required", input),
  unique: (field, input) => readFlag(field, "unique", input),
  minLength: (field, input) => readLength(field, "minLength", input),
  maxLength: (field, input) => readLength(field, "maxLength", input),
  minimum: (field, input) => readBound(field, "minimum", input),
  maximum: (field, input) => readBound(field, "maximum", input),
  pattern: (field, input) => {
    if (!KIND_TRAITS[field.kind].isText || typeof input !== "string") return "a regular expression, on a field of type string";
    try {
      field.pattern = new RegExp(`^(?:${input})$`, "u");
    } catch (error) {
      return `a regular expression (${(error as Error).message})`;
    }
  },
  enum: (field, input) => {
    if (!Array.isArray(input) || input.length === 0) return "a list of values";
    if (field.labels) return "left out: the categories are the list";
    if (field.item) return "left out: the closed list of several values is its categories";
    const values = input.map((item) => readConstant(field, item));
    if (values.some((value) => value === undefined)) return `a list of values of type ${field.kind}`;
    field.enum = values as Value[];
  },
};

/** Reads a field descriptor of a Table Schema. Mistakes go to `report`; undefined for a field without a valid name or type. */
export function readField(
  given: unknown,
  path: string,
  report: ReportMistake,
  language = "",
  {
    readCategories = () => undefined,
    readFile = () => undefined,
  }: { readCategories?: ReadCategories | undefined; readFile?: ReadFile | undefined } = {},
): Field | undefined {
  if (!isObject(given)) return report(path, "a field is an object");
  const input = inLanguage(given, language, path, report);
  const { name, type = "string", constraints = {} } = input;
  if (typeof name !== "string" || !FIELD_NAME.test(name)) {
    return report(`${path}/name`, 'a name is at most 63 letters (a to z), digits and _, and begins with a letter, such as "lastName"');
  }
  if (!TYPES.includes(type as Kind)) return report(`${path}/type`, `"${type}" is not one of ${TYPES.join(", ")}`);
  const isBig = type === "integer" && input.format === "big";
  const decimals = isBig ? 0 : readDecimals(input, path, report);
  const format = readFormat(input, path, report);
  const file = readFile(input, path, report);
  const kind = file ? (type === "list" ? "files" : "file") : decimals === undefined ? (type as Kind) : "decimal";
  const several = readSeveral(input, kind, path, report, file);
  const categories = readCategories(input.categories, several?.item.kind ?? kind, language, `${path}/categories`, report);
  const [formerNames, withdrawnNames] = [readTexts(input.formerNames), readTexts(input.withdrawnNames)];
  const field: Field = {
    name,
    formerNames,
    ...(withdrawnNames.length > 0 && { withdrawnNames }),
    title: typeof input.title === "string" && input.title !== "" ? input.title : name,
    description: typeof input.description === "string" ? input.description : "",
    kind,
    ...(decimals !== undefined && { decimals }),
    ...(isBig && { isBig }),
    ...(input.format === PERSON && input.masked !== true && { isPerson: true as const }), // a mask is no id
    ...(format !== undefined && { format }),
    ...(file && { file }),
    ...(several ? { ...several, item: { ...several.item, ...categories } } : categories),
    example: input.example === undefined ? "" : String(input.example),
    aliases: [...readTexts(input.aliases), ...otherTitles(given, input.title), ...workingNames({ formerNames, withdrawnNames })],
    required: false,
    unique: false,
    ...(input.readOnly === true && { readOnly: true }),
    ...(input.masked === true && { masked: true }),
    ...(input.isUnseenReference === true && { isUnseenReference: true }),
  };
  if (!isObject(constraints)) return report(`${path}/constraints`, "constraints are an object");
  for (const [constraint, value] of Object.entries(constraints)) {
    const wanted = Object.hasOwn(CONSTRAINTS, constraint) ? CONSTRAINTS[constraint]?.(field, value) : undefined;
    if (wanted) report(`${path}/constraints/${constraint}`, `must be ${wanted}`);
  }
  checkRange(field, `${path}/constraints`, report);
  if (file && several) field.maxLength ??= MOST_FILES;
  return field;
}

/** The format of a text that is the id of a person. */
export const PERSON = "person";
/** The format of a text that names the content of a file. */
export const FILE = "file";

const TYPES: readonly Kind[] = KIND_NAMES.filter((kind) => !KIND_TRAITS[kind].type);

/** Reads our own property beside Table Schema's: other programs read the field as a number. */
function readDecimals({ type, decimals }: Record<string, unknown>, path: string, report: ReportMistake): number | undefined {
  if (decimals === undefined) return undefined;
  const isCount = Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= MOST_DECIMALS;
  if (type === "number" && isCount) return Number(decimals);
  return report(`${path}/decimals`, `must be a whole number from 0 to ${MOST_DECIMALS}, on a field of type number`);
}

function readFormat(
  { type = "string", itemType = "string", format }: Record<string, unknown>,
  path: string,
  report: ReportMistake,
): TextFormat | undefined {
  if (format === undefined || format === "default") return undefined;
  const known = FORMAT_NAMES.find((name) => name === format);
  if (known && type === "string") return known;
  if ((format === "big" && type === "integer") || ((format === PERSON || format === FILE) && type === "string")) return undefined;
  if (format === FILE && type === "list" && itemType === "string") return undefined;
  return report(
    `${path}/format`,
    `must be "default", "big" on a field of type integer, ${FILE} on a list of type string, or on a field of type string one of ${FORMAT_NAMES.join(", ")}, ${PERSON}, ${FILE}`,
  );
}

const ITEM_TYPES: readonly Kind[] = KIND_NAMES.filter(
  (kind) => KIND_TRAITS[kind].isText || (KIND_TRAITS[kind].isAmount && TYPES.includes(kind)),
);
const DELIMITER = /^[^\p{L}\p{N}\p{C} ".+-]{1,3}$|^\n$/u;

/** Reads several values: what each of them is, and what stands between them. */
function readSeveral(
  { title, name, itemType = "string", delimiter }: Record<string, unknown>,
  kind: Kind,
  path: string,
  report: ReportMistake,
  file: FileRules | undefined,
): (Required<Pick<Field, "item">> & Pick<Field, "delimiter">) | undefined {
  if (!KIND_TRAITS[kind].isList) return undefined;
  if (!ITEM_TYPES.includes(itemType as Kind)) report(`${path}/itemType`, `must be one of ${ITEM_TYPES.join(", ")}`);
  if (delimiter !== undefined && !(typeof delimiter === "string" && DELIMITER.test(delimiter)))
    report(
      `${path}/delimiter`,
      "must be one to three signs, such as ; or |, or a line break: no letter, digit, space, quotation mark or sign of a number",
    );
  const item: Field = {
    name: String(name),
    title: String(title || name),
    description: "",
    kind: file ? "file" : ITEM_TYPES.includes(itemType as Kind) ? (itemType as Kind) : "string",
    ...(file && { file }),
    example: "",
    aliases: [],
    required: false,
    unique: false,
  };
  return { item, ...(typeof delimiter === "string" && { delimiter }) };
}

const TRANSLATED = ["title", "description", "noun", "group"];

/** Returns a resource or field with its title, description and noun in this language, where its `translations` have them. */
export function inLanguage(input: Record<string, unknown>, language: string, path: string, report: ReportMistake): Record<string, unknown> {
  const { translations = {} } = input;
  const isRead =
    isObject(translations) &&
    Object.values(translations).every(
      (words) => isObject(words) && Object.entries(words).every(([name, text]) => TRANSLATED.includes(name) && typeof text === "string"),
    );
  if (!isRead) {
    report(`${path}/translations`, `must be ${TRANSLATED.join(", ")} by language, such as { "de": { "title": "Kunden" } }`);
    return input;
  }
  return { ...input, ...(translations[language] as Record<string, string> | undefined) };
}

/** Returns the titles in the other languages, so that a file's headings match in any of them. */
function otherTitles({ title, translations }: Record<string, unknown>, shown: unknown): string[] {
  const all = [
    title,
    ...Object.values(isObject(translations) ? translations : {}).map((words) => (isObject(words) ? words.title : undefined)),
  ];
  return all.filter((one): one is string => typeof one === "string" && one !== "" && one !== shown);
}

/** Passes over what is no text: dictionary.schema.json refuses it. */
function readTexts(input: unknown): string[] {
  return Array.isArray(input) ? input.filter((one) => typeof one === "string") : [];
}

function readFlag(field: Field, constraint: "required" | "unique", input: unknown): string | undefined {
  if (typeof input !== "boolean") return "true or false";
  if (input && constraint === "unique" && field.item) return "left out: records are not told apart by several values";
  field[constraint] = input;
}

function readLength(field: Field, constraint: "minLength" | "maxLength", input: unknown): string | undefined {
  if (!KIND_TRAITS[field.kind].isText && !field.item) return "left out: only a field of type string or list has a length";
  if (!Number.isSafeInteger(input) || (input as number) < 0) return "a whole number, 0 or more";
  field[constraint] = input as number;
}

function readBound(field: Field, constraint: "minimum" | "maximum", input: unknown): string | undefined {
  if (!KIND_TRAITS[field.kind].order) return `left out: a field of type ${field.kind} has no order`;
  const value = readConstant(field, input);
  if (value === undefined) return expected(field.kind);
  field[constraint] = value;
}

/** Table Schema allows a constraint's value in its JSON form or as text. */
export function readConstant(field: Field, input: unknown): Value | undefined {
  const { fromJson, fromText } = KIND_TRAITS[field.kind];
  return fromJson(input) ?? (typeof input === "string" ? fromText(input, field.delimiter) : undefined);
}

function checkRange(field: Field, path: string, report: ReportMistake): void {
  const { minimum, maximum, minLength, maxLength } = field;
  if (minimum !== undefined && maximum !== undefined && KIND_TRAITS[field.kind].order?.isAfter(minimum, maximum)) {
    report(`${path}/minimum`, "must not be above the maximum");
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    report(`${path}/minLength`, "must not be above the maxLength");
  }
}

/** Says whether a value of JSON is an object: neither null nor an array, nor a number with more digits than a double keeps. */
export function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input) && !(input instanceof LongNumber);
}
