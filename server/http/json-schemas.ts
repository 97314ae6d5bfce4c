// Records, keys and problems as JSON Schema (2020-12), for the OpenAPI document only.

import { API_ROOT } from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { ACTIONS } from "../../core/contract/records.ts";
import { labelOf } from "../../core/dictionary/categories.ts";
import { type Parent, parentsOf, shownFields } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field, Reference } from "../../core/dictionary/fields.ts";
import { withoutRules } from "../../core/dictionary/filters.ts";
import { itemsOf, KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import type { Lookup } from "../../core/dictionary/references.ts";
import type { TextFormat } from "../../core/dictionary/text-formats.ts";
import { SERVICE_FIELDS, WARNINGS } from "../../core/dictionary/validate.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Uses the formats of JSON Schema that allow letters beyond ASCII (RFC 6531, RFC 3987), as the check does. */
const FORMAT_SCHEMAS: Record<TextFormat, Schema> = {
  email: { format: "idn-email" },
  uri: { format: "iri" },
  phone: { description: "A phone number, as people write it." },
  multiline: { description: "Text that may have several lines, separated by \\n." },
};

export const TIME: Schema = { type: "string", format: "date-time" };

export const PRINCIPAL: Schema = {
  ...object({ type: { enum: ["user", "key", "service"] satisfies Principal["type"][] }, id: { type: "string" }, name: { type: "string" } }),
  description: "A person, an API key with which a program signs in, or the service itself, which has computed values anew.",
};

/** Makes a reference to one of the document's schemas. */
export function named(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function object(properties: Record<string, Schema>, required: readonly string[] = Object.keys(properties)): Schema {
  return { type: "object", properties, ...(required.length > 0 && { required: [...required] }) };
}

export function listOf(items: Schema): Schema {
  return { type: "array", items };
}

export function nullable(schema: Schema): Schema {
  return { anyOf: [schema, { type: "null" }] };
}

/** Describes one value of the field, without null. Lengths and patterns count after NFC and trimming, so a validator may be stricter. */
export function fieldSchema(field: Field): Schema {
  const { minimum, maximum, minLength, maxLength } = field;
  const isNumber = typeof minimum === "number" || typeof maximum === "number";
  return {
    ...KIND_TRAITS[field.kind].schema,
    ...(field.item && { items: fieldSchema({ ...field.item, title: field.item.name }), uniqueItems: true }),
    ...(field.format && FORMAT_SCHEMAS[field.format]),
    ...wordsOf(field),
    ...(field.isPerson && { description: describePerson(describe(field)) }),
    ...(field.reference?.where && { description: describeHeld(describe(field), field.reference) }),
    ...(isNumber && minimum !== undefined && { minimum }),
    ...(isNumber && maximum !== undefined && { maximum }),
    ...(minLength !== undefined && { [field.item ? "minItems" : "minLength"]: minLength }),
    ...(maxLength !== undefined && { [field.item ? "maxItems" : "maxLength"]: maxLength }),
    ...(field.pattern && { pattern: field.pattern.source }),
    ...(field.decimals !== undefined && { pattern: patternOf(field.decimals) }),
    ...(field.enum && { enum: [...field.enum] }),
    ...(field.enum && field.labels && { oneOf: field.enum.map((value) => ({ const: value, title: labelOf(field, value) })) }),
  };
}

function wordsOf(field: Field): Schema {
  const description = describe(field);
  return {
    ...(field.title !== field.name && { title: field.title }),
    ...(description && { description }),
    ...(field.example && { examples: [exampleOf(field)] }),
  };
}

function exampleOf({ kind, item, delimiter, example }: Field): unknown {
  const value = KIND_TRAITS[kind].fromText(example, delimiter) ?? example;
  return item ? itemsOf(value).map((one) => KIND_TRAITS[item.kind].fromText(String(one)) ?? one) : value;
}

/** Adds what depends on other fields, which no JSON Schema of one value says. */
function describe({ description, visibleIf, requiredIf, choicesIf = [], default: initial }: Field): string {
  const isNeededThere = requiredIf === "true"; // wherever it is asked for
  return [
    description,
    visibleIf && `It is asked for${isNeededThere ? ", and needed," : ""} where \`${visibleIf}\`.`,
    requiredIf && !isNeededThere && `It is needed where \`${requiredIf}\`.`,
    ...choicesIf.map(({ when, values }) => `It is one of ${values.join(", ")} where \`${when}\`.`),
    initial && `A new record that leaves it out begins with \`${initial}\`.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function describeHeld(description: string, { as, where = [] }: Reference): string {
  const held = where.map(({ own, parent }) => `The ${parent} of the ${as} must be this record's ${own}, if it has one.`);
  return [description, ...held].filter(Boolean).join(" ");
}

/** Describes one value in an answer. Rules may have been narrowed since it was stored, and then it stays as it is: only its kind is certain. */
function storedSchema(field: Field, { key }: Pick<Collection, "key">): Schema {
  return field === key
    ? fieldSchema({ ...field, ...ANY_KEY })
    : {
        ...KIND_TRAITS[field.kind].schema,
        type: typeOf(field, true),
        ...(field.item && { items: KIND_TRAITS[field.item.kind].schema }),
        ...wordsOf(field),
        ...(field.computed !== undefined && computedWords(field)),
        ...(field.autoNumber !== undefined && { description: [field.description, NUMBERED].filter(Boolean).join(" ") }),
      };
}

const NUMBERED = "The service gives it to a new record that is sent without it, and it never changes.";

function computedWords({ description }: Field): Schema {
  const words = "Computed by the service: the value that it computes may be sent, and no other.";
  return { readOnly: true, description: [description, words].filter(Boolean).join(" ") };
}

/** The bounds of keys that are stored, whatever rules the key has today. */
export const ANY_KEY = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

function describePerson(description: string): string {
  return `${description} The id of a person, whose name stands in /v1/users/names. The e-mail address or the name may be sent instead.`.trim();
}

/** Says how the service writes a decimal. It takes a number and zeros at the end as well. */
function patternOf(decimals: number): string {
  return `^-?(0|[1-9][0-9]*)${decimals > 0 ? `(\\.[0-9]{1,${decimals}})?` : ""}$`;
}

const WHO: Schema = { ...nullable(named("Principal")), description: "Null: written before the service kept who did it." };

// Shapes are made of these, too, besides the fields of their collection. Collections may have their plain names, so these begin with Intake.
const OWN_VALUES = {
  createdAt: TIME,
  updatedAt: TIME,
  createdBy: WHO,
  updatedBy: WHO,
  version: { type: "integer", minimum: 1 },
} satisfies Record<string, Schema>;
const OWN_SCHEMAS: Record<string, Schema> = {
  IntakeOwnValues: object({ ...OWN_VALUES, warnings: named("IntakeWarnings") }, Object.keys(OWN_VALUES)),
  IntakeWarnings: {
    ...listOf(
      object(
        {
          pointer: { type: "string" },
          code: { enum: ["WARNING", "DUPLICATE"] },
          detail: { type: "string" },
          rule: { type: "string" },
          href: { type: "string" },
          similar: named("IntakeSimilarRecord"),
        },
        ["code", "detail"],
      ),
    ),
    description:
      "In an answer to a write: the warnings that it has acknowledged, as they would stand in `errors` otherwise, and with `onDuplicate` the stored records that are like a new one.",
  },
  IntakeOperation: operationSchema(
    { type: "object", description: 'A reference may be `{"$ref":"0"}`: the record of the first operation of the request.' },
    { collection: { type: "string", description: "The collection of the record, where it is not that of the address." } },
  ),
  IntakeSomeOwnValues: object(OWN_VALUES, []),
  IntakeDeletion: object({ version: OWN_VALUES.version, deletedAt: TIME, deletedBy: nullable(named("Principal")) }),
  IntakeChoice: object(
    {
      run: { type: "string", description: "Under which the history has what was done, and `undo` takes it back." },
      token: { type: "string", description: "Of a dry run: the same request with `token` in place of `dryRun` does what was tried." },
      expiresAt: { ...TIME, description: "Of a dry run: how long the token holds." },
      next: { ...nullable({ type: "string" }), description: "Of a dry run: the cursor of the further records; null after the last." },
      total: { type: "integer", minimum: 0, description: "Of a dry run without a cursor: how many match in all." },
      totalIsAtLeast: { const: true, description: "There are more than `total`: counting ends with the limit `countedRecords`." },
    },
    ["run"],
  ),
  IntakePage: object(
    {
      next: { type: "string", description: "The cursor of the next page, if there is one." },
      prev: { type: "string", description: "The cursor of the page before, if there is one." },
      total: { type: "integer", minimum: 0, description: "With count=exact." },
      didYouMean: {
        ...listOf({ type: "string" }),
        description: "With hints=true: searches that find something, where this one finds nothing or leaves out another spelling (ue, ü).",
      },
      totalIsAtLeast: { const: true, description: "There are more than `total`: counting ends with the limit `countedRecords`." },
    },
    [],
  ),
};

/** Records as the service answers them: whole, with fewer fields, and deleted. The parents are there where `expand` asks for them. */
function answeredSchemas(collection: Collection, parents: readonly Parent[]): Record<string, Schema> {
  const { record, some, deleted, values, stored, expandable } = schemaNames(collection);
  const expanded = parents.map(({ field, parent }) => {
    const description = `With expand=${field.reference.as}: the record at ${API_ROOT}/${parent.name}/{${field.name}}.`;
    return [field.reference.as, { ...nullable(object(storedFields(shownFields(parent), parent))), description }];
  });
  const above = parents.length > 0 ? [named(expandable)] : [];
  const deletedNote = "With deleted=true: the values that it had. `version` is the deletion's.";
  return {
    [values]: object(storedFields(collection.fields, collection), []),
    [stored]: madeOf([named(values), requiredOf(collection.fields, (field) => field !== collection.key)]),
    [record]: madeOf([named(stored), named("IntakeOwnValues"), ...above]),
    [some]: { ...madeOf([named(values), named("IntakeSomeOwnValues"), ...above]), description: "With fields= a record has those only." },
    ...(parents.length > 0 && { [expandable]: object(Object.fromEntries(expanded), []) }),
    [deleted]: { ...madeOf([named(stored), named("IntakeDeletion")]), description: deletedNote },
  };
}

/** Makes an object with the properties of all of these. */
export function madeOf(allOf: readonly Schema[]): Schema {
  return { type: "object", allOf };
}

/** Says which fields must be there. With their types: not every generator finds a required name in another part of the same shape. */
function requiredOf(fields: readonly Field[], isNullable: (field: Field) => boolean): Schema {
  return object(Object.fromEntries(fields.map((field) => [field.name, { type: typeOf(field, isNullable(field)) }])));
}

function typeOf({ kind }: Field, isNullable: boolean): unknown {
  const { type } = KIND_TRAITS[kind].schema;
  return isNullable ? [type, "null"] : type;
}

/** Describes the values of these fields as an answer has them. */
function storedFields(fields: readonly Field[], collection: Pick<Collection, "key">): Record<string, Schema> {
  return Object.fromEntries(fields.map((field) => [field.name, storedSchema(field, collection)]));
}

/** A record may be sent back as it was read. */
const SENT_BACK: Schema = { readOnly: true, description: "Set by the service; ignored when it is sent." };
const SENT_VERSION: Schema = {
  type: "integer",
  description: "With `match=version` the stored record must have it. Set by the service, and otherwise ignored when it is sent.",
};

/** Describes a record in a request: the stored values within the rules of their fields, and nothing else. A new one has all required fields. */
function sentSchemas(collection: Collection): Record<string, Schema> {
  const { whole, part, values, rules, operation } = schemaNames(collection);
  const parts = [named(values), named("IntakeSentBack"), named(rules)];
  const lookups = [...collection.lookups.values()];
  const ruled = collection.fields.flatMap((field): [string, Schema][] => {
    if (field.computed !== undefined) return [];
    const own = rulesOf(field);
    const isAnyKey = field.minimum === ANY_KEY.minimum && field.maximum === ANY_KEY.maximum;
    const isBare = field === collection.key ? isAnyKey : !field.required && Object.keys(own).length === 0;
    return isBare ? [] : [[field.name, { type: typeOf(field, !field.required), ...own }]];
  });
  const sentBack = collection.references.map(({ reference }): [string, Schema] => [reference.as, SENT_BACK]);
  const own = object(
    Object.fromEntries([...ruled, ...lookups.map((one): [string, Schema] => [one.name, lookupSchema(one)]), ...sentBack]),
    [],
  );
  // A required reference may be given by a unique field of its parent instead.
  const isNeeded = ({ name, required }: Field) => required && !lookups.some(({ fills }) => fills === name);
  const needed = requiredOf(collection.fields.filter(isNeeded), () => false);
  return {
    [whole]: { ...madeOf([...parts, needed]), unevaluatedProperties: false },
    [part]: { ...madeOf(parts), unevaluatedProperties: false },
    [rules]: own,
    [operation]: { ...operationSchema(named(part)), additionalProperties: false },
  };
}

/** Returns what is asked of a value that is sent, beyond the kind that a stored one has. */
function rulesOf(field: Field): Schema {
  const items = field.item && { items: KIND_TRAITS[field.item.kind].schema };
  const stored: Schema = { ...KIND_TRAITS[field.kind].schema, ...items, ...wordsOf(field) };
  const rules = Object.entries(fieldSchema(field)).filter(([word, rule]) => JSON.stringify(stored[word]) !== JSON.stringify(rule));
  return Object.fromEntries(rules.map(([word, rule]) => [word, field.required ? rule : orNull(word, rule)]));
}

/** A closed list of values lets null by, as the other rules do by themselves. */
function orNull(word: string, rule: unknown): unknown {
  if (word === "enum") return [...(rule as unknown[]), null];
  return word === "oneOf" ? [...(rule as unknown[]), { type: "null" }] : rule;
}

function lookupSchema(lookup: Lookup): Schema {
  return { ...nullable(fieldSchema(withoutRules(lookup))), description: `Stands for ${lookup.fills}: the parent that has this value.` };
}

/** Returns the names of a collection's schemas in the document. */
export function schemaNames({ singular }: Collection) {
  const name = (singular[0] ?? "").toUpperCase() + singular.slice(1);
  return {
    record: name,
    some: `${name}Part`,
    deleted: `Deleted${name}`,
    values: `${name}Values`,
    stored: `Stored${name}`,
    expandable: `${name}Parents`,
    place: `${name}Version`,
    filter: `${name}Filter`,
    compared: `${name}Compared`,
    whole: `New${name}`,
    part: `${name}Changes`,
    rules: `${name}Rules`,
    receipt: `${name}Receipt`,
    operation: `${name}Operation`,
  };
}

/** Describes the shapes of these collections. Each field stands in them once, and its rules once more. */
export function recordSchemas(collections: readonly Collection[]): Record<string, Schema> {
  if (collections.length === 0) return {};
  const own = collections.map((one) => ({
    ...answeredSchemas(one, parentsOf(one, collections)),
    ...sentSchemas(one),
    [schemaNames(one).receipt]: receiptSchema(one),
    [schemaNames(one).place]: object({ [one.key.name]: storedSchema(one.key, one), version: { type: "integer" } }, [one.key.name]),
  }));
  const sentBack = Object.fromEntries([...SERVICE_FIELDS, WARNINGS].map((name) => [name, name === "version" ? SENT_VERSION : SENT_BACK]));
  return { ...Object.assign({}, ...own), ...OWN_SCHEMAS, IntakeSentBack: object(sentBack, []) };
}

/** Stands in the place of a record for whoever may write but not read: the values that they sent, the key and the version. */
function receiptSchema(collection: Collection): Schema {
  const lookups = [...collection.lookups.values()].map((lookup) => [lookup.name, lookupSchema(lookup)]);
  const { version } = OWN_VALUES;
  const warnings = named("IntakeWarnings");
  const own = object({ ...Object.fromEntries(lookups), [collection.key.name]: { type: "integer" }, version, warnings }, [
    collection.key.name,
    "version",
  ]);
  return { ...madeOf([named(schemaNames(collection).values), own]), unevaluatedProperties: false };
}

/** Describes the answer to a write of one record: the record, or a receipt for whoever may not read it. */
export function writtenSchema(collection: Collection): { anyOf: Schema[] } {
  const { record, receipt } = schemaNames(collection);
  return { anyOf: [named(record), named(receipt)] };
}

/** Describes the four forms of a body: an array, a bare record, and either in its wrapper. */
export function bodyForms(collection: Collection, record: Schema, most: number): Schema {
  const many = { type: "array", items: record, minItems: 1, maxItems: most };
  return { anyOf: [many, record, object({ [collection.singular]: record }), object({ [collection.name]: many })] };
}

const CURRENT_VERSION: Schema = {
  ...object({ version: { type: "integer", minimum: 1 }, updatedAt: TIME, updatedBy: WHO, href: { type: "string" } }),
  description:
    "With status 412: the stored record that stands against the write, who wrote it last and when. For whoever may read it; /history behind the link says what was changed.",
};

const CHANGED_FIELDS: Schema = {
  ...listOf(object({ field: { type: "string" }, now: {}, before: { type: "object", additionalProperties: {} } })),
  description:
    "With MERGE_CHANGED: each field that was changed after the merge, its value of now, and by the keys of the records the value that each had before.",
};

export const PROBLEM: Schema = object(
  {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer", minimum: 400, maximum: 599 },
    detail: { type: "string" },
    instance: { type: "string" },
    code: { type: "string", pattern: "^[A-Z_]+$" },
    errors: listOf(
      object(
        {
          pointer: { type: "string" },
          parameter: { type: "string" },
          header: { type: "string" },
          code: { type: "string" },
          detail: { type: "string" },
          href: { type: "string" },
          rule: { type: "string", description: "With RULE and WARNING: the name of the rule in the dictionary." },
          constraint: { enum: ["requiredIf", "choicesIf"], description: "The condition of the field, over the record, that asks for it." },
          count: { type: "integer", minimum: 1, description: "With IN_USE: how many records refer to it; href leads to them." },
          similar: named("IntakeSimilarRecord"),
          current: CURRENT_VERSION,
        },
        ["code", "detail"],
      ),
    ),
    truncated: { const: true },
    current: CURRENT_VERSION,
    fields: CHANGED_FIELDS,
    requestId: { type: "string" },
    error: { type: "string" },
    error_description: { type: "string" },
  },
  ["type", "title", "status", "detail", "code"],
);

/** Describes one of these words. A caller who may know none of them is told that it is a text: JSON Schema has no empty list of choices. */
export function oneOfWords(words: readonly string[]): Schema {
  return words.length > 0 ? { enum: [...words] } : { type: "string" };
}

/** Describes one operation of a batch. */
function operationSchema(record: Schema, more: Record<string, Schema> = {}): Schema {
  const acknowledge: Schema = { anyOf: [{ const: "all" }, { type: "array", items: { type: "string" } }] };
  return object({ action: { enum: ACTIONS }, ...more, record, acknowledge }, ["action", "record"]);
}

/** Results and summary of a write of many records. */
export function resultsSchema(collection: Collection, outcomes: readonly string[]): Schema {
  const result = object(
    {
      index: { type: "integer", minimum: 0 },
      outcome: { enum: outcomes },
      status: { type: "integer" },
      [collection.key.name]: { type: "integer" },
      version: { type: "integer" },
      changes: {
        type: "object",
        additionalProperties: { type: "array", items: {}, minItems: 1, maxItems: 2 },
        description: "The old and the new value of each field that changed; the new one alone for whoever may not read the collection.",
      },
      problem: named("ProblemDocument"),
      warnings: named("IntakeWarnings"),
      leftBehind: {
        type: "array",
        items: { type: "string" },
        description: "The fields that keep a value although, by `visibleIf`, they are not asked for any more.",
      },
    },
    ["index", "outcome", "status"],
  );
  const counts = Object.fromEntries(["total", ...outcomes].map((name) => [name, { type: "integer", minimum: 0 }]));
  return object({ results: listOf(result), summary: object(counts) });
}

export const SCOPE: Schema = {
  type: "string",
  description: "Words separated by spaces: `read`, `write`, `admin`, or a collection (or `*`) with a right, such as `things:create`.",
};

const KEY = {
  id: { type: "string" },
  name: { type: "string" },
  owner: { ...nullable({ type: "string" }), description: "The id of the person who made it; null: it belongs to the organisation." },
  scope: SCOPE,
  roles: {
    ...listOf({ type: "string" }),
    description: "Ids of roles, whose conditions hold for the key; with them `scope` is the most that they give.",
  },
  createdAt: TIME,
  expiresAt: nullable(TIME),
  revokedAt: nullable(TIME),
  lastUsedAt: nullable(TIME),
  lastUsedFrom: { ...nullable({ type: "string" }), description: "The network from which it was used last; null: not known." },
};

export const KEY_SCHEMAS: Record<string, Schema> = {
  ApiKey: object(KEY),
  NewApiKey: object({ ...KEY, key: { type: "string", pattern: "^ink_", description: "The whole key, shown here and never again." } }),
};
