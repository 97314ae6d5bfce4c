// Dictionaries with one mistake each, of every kind that people make, and the one sentence that says it with its mend.

type Loose = Record<string, unknown>;
interface Resource extends Loose {
  schema: Loose & { fields: Loose[]; foreignKeys?: Loose[] };
}

/** Names the mistake, where it stands as a JSON pointer, and what is said about it. */
export type WrongDictionary = [
  kind: string,
  change: (things: Resource, parts: Resource, all: Loose) => void,
  path: string,
  message: string,
];

/** Things and their parts without a mistake. */
export function rightDictionary(): { resources: [Resource, Resource]; [word: string]: unknown } {
  return {
    resources: [
      {
        name: "things",
        label: ["title"],
        schema: {
          fields: [
            { name: "id", type: "integer" },
            { name: "title", title: "Title", constraints: { required: true } },
            { name: "size", title: "Size", type: "number" },
          ],
          primaryKey: "id",
        },
      },
      {
        name: "parts",
        schema: {
          fields: [
            { name: "id", type: "integer" },
            { name: "thingId", type: "integer" },
          ],
          primaryKey: "id",
          foreignKeys: [{ fields: ["thingId"], reference: { resource: "things", fields: ["id"] }, as: "thing" }],
        },
      },
    ],
  };
}

/** The whole dictionary with this mistake. */
export function withMistake(change: WrongDictionary[1]): Loose {
  const all = rightDictionary();
  change(all.resources[0], all.resources[1], all);
  return all;
}

const set = (part: Loose | undefined, words: Loose) => void Object.assign(part as Loose, words);
const field = (resource: Resource, words: Loose, index = 1) => set(resource.schema.fields[index], words);
const constraint = (resource: Resource, constraints: Loose, index = 1) => field(resource, { constraints }, index);
const ruleWith = (words: Loose) => ({ name: "sizeRule", must: "size > 0", message: "The size must be above 0.", ...words });
const rule = (resource: Resource, words: Loose) => set(resource, { rules: [ruleWith(words)] });
const RULE = "/resources/0/rules/0";
const comparison = (resource: Resource, words: Loose, others: Loose = {}) =>
  set(resource, { match: { comparisons: [{ fields: ["title"], as: "name", weight: 2, ...words }], same: 2, maybe: 1, ...others } });
const COMPARISON = "/resources/0/match/comparisons/0";
const OF_RECORD = "must not read me: the value follows from the record and from today alone";
const DEEP = "has more than 200 parts, or more than 25 inside each other; split the rule in two (character 26)";
const NO_FIELDS = "is missing: the rule reads no field, so it must say at which its message stands";
const TITLE = "/resources/0/schema/fields/1";
const SIZE = "/resources/0/schema/fields/2";
const KEY = "/resources/1/schema/foreignKeys/0";
const TYPES = "string, integer, number, boolean, date, datetime, time, year, list";
const NAME = 'a name is at most 63 letters (a to z), digits and _, and begins with a letter, such as "lastName"';

export const WRONG_DICTIONARIES: readonly WrongDictionary[] = [
  [
    "a comparison of no field",
    (t) => comparison(t, { fields: ["titel"] }),
    `${COMPARISON}/fields/0`,
    'there is no field "titel"; did you mean "title"?',
  ],
  [
    "a comparison of the key",
    (t) => comparison(t, { fields: ["id"], as: "exact" }),
    `${COMPARISON}/fields/0`,
    '"id" is the key, which no two records have in common',
  ],
  ["a number as a name", (t) => comparison(t, { fields: ["size"] }), `${COMPARISON}/fields/0`, "must be a field of type string"],
  ["a text as a date", (t) => comparison(t, { as: "date" }), `${COMPARISON}/fields/0`, "must be a field of type date"],
  [
    "two fields that are no name",
    (t) => comparison(t, { fields: ["title", "size"], as: "exact" }),
    `${COMPARISON}/fields`,
    'must be one field; only "name" compares several together',
  ],
  ["letters of a name", (t) => comparison(t, { letters: 2 }), `${COMPARISON}/letters`, 'must be left out: only "letters" counts them'],
  ["days of a name", (t) => comparison(t, { days: 2 }), `${COMPARISON}/days`, 'must be left out: only "date" counts them'],
  ["a weight of nothing", (t) => comparison(t, { weight: 0 }), `${COMPARISON}/weight`, "must be > 0"],
  ["maybe above same", (t) => comparison(t, {}, { maybe: 3 }), "/resources/0/match/maybe", "must not be above same"],
  [
    "more than all points",
    (t) => comparison(t, {}, { same: 3 }),
    "/resources/0/match/same",
    "must not be above 2, which is what all weights are together",
  ],
  ["a type with a slip", (t) => field(t, { type: "strng" }), `${TITLE}/type`, `"strng" is not one of ${TYPES}; did you mean "string"?`],
  ["a type that is none", (t) => field(t, { type: "object" }), `${TITLE}/type`, `"object" is not one of ${TYPES}`],
  [
    "a word with a slip",
    (t) => constraint(t, { maxlenght: 3 }),
    `${TITLE}/constraints/maxlenght`,
    'is not a key here; did you mean "maxLength"?',
  ],
  [
    "a word in the wrong object",
    (t) => field(t, { required: true }),
    `${TITLE}/required`,
    'is not a key here; it belongs into "constraints"',
  ],
  ["a word at the top with a slip", (_t, _p, all) => set(all, { tittle: "x" }), "/tittle", 'is not a key here; did you mean "title"?'],
  ["a number as text", (t) => constraint(t, { maxLength: "3" }), `${TITLE}/constraints/maxLength`, "must be a whole number, 0 or more"],
  ["a flag as text", (t) => constraint(t, { required: "true" }), `${TITLE}/constraints/required`, "must be true or false"],
  [
    "bounds in the wrong order",
    (t) => constraint(t, { minLength: 5, maxLength: 3 }),
    `${TITLE}/constraints/minLength`,
    "must not be above the maxLength",
  ],
  [
    "a pattern that is none",
    (t) => constraint(t, { pattern: "(a" }),
    `${TITLE}/constraints/pattern`,
    "must be a regular expression (Unterminated group)",
  ],
  [
    "a pattern on a number",
    (t) => constraint(t, { pattern: "a" }, 2),
    `${SIZE}/constraints/pattern`,
    "must be a regular expression, on a field of type string",
  ],
  [
    "a length on a number",
    (t) => constraint(t, { maxLength: 3 }, 2),
    `${SIZE}/constraints/maxLength`,
    "must be left out: only a field of type string or list has a length",
  ],
  [
    "a bound of another kind",
    (t) => field(t, { type: "date", constraints: { minimum: "soon" } }, 2),
    `${SIZE}/constraints/minimum`,
    "must be a date, such as 2026-01-31",
  ],
  ["an empty list", (t) => constraint(t, { enum: [] }), `${TITLE}/constraints/enum`, "must be a list of values"],
  [
    "a value twice in a list",
    (t) => constraint(t, { enum: ["a", "a"] }),
    `${TITLE}/constraints/enum`,
    "must have each entry once; entry 2 stands there already",
  ],
  [
    "a list of another kind",
    (t) => constraint(t, { enum: ["a"] }, 2),
    `${SIZE}/constraints/enum`,
    "must be a list of values of type number",
  ],
  [
    "one label for two values",
    (t) =>
      field(t, {
        categories: [
          { value: "a", label: "New" },
          { value: "b", label: "new" },
        ],
      }),
    `${TITLE}/categories/1`,
    '"new" is a value or label of a already; choose another label',
  ],
  [
    "two categories of one value",
    (t) => field(t, { categories: ["a", "a"] }),
    `${TITLE}/categories/1`,
    "a second category has the value a; leave one of the two out",
  ],
  ["no name", (t) => delete t.schema.fields[1]?.name, `${TITLE}/name`, NAME],
  ["a name with a space", (t) => field(t, { name: "last name" }), `${TITLE}/name`, NAME],
  ["a name that is too long", (t) => field(t, { name: "a".repeat(64) }), `${TITLE}/name`, NAME],
  ["a name twice", (t) => field(t, { name: "TITLE" }, 2), `${SIZE}/name`, 'a second field is named "TITLE"; choose another name'],
  [
    "a name of the service",
    (t) => field(t, { name: "version" }, 2),
    `${SIZE}/name`,
    '"version" is used by the service itself; choose another name',
  ],
  [
    "a name of the database",
    (t) => field(t, { name: "xmin" }, 2),
    `${SIZE}/name`,
    '"xmin" is a name that PostgreSQL keeps for itself; choose another name',
  ],
  [
    "a collection twice",
    (t, p) => set(p, { name: "things", schema: { fields: t.schema.fields, primaryKey: "id" } }),
    "/resources/1/name",
    'a second resource is named "things"; choose another name',
  ],
  [
    "a collection with the name of a route",
    (_, p) => set(p, { name: "users" }),
    "/resources/1/name",
    '"users" is used by the service itself; choose another name',
  ],
  [
    "a collection with a capital",
    (t) => set(t, { name: "Things" }),
    "/resources/0/name",
    'a name is at most 63 letters (a to z), digits and _, and begins with a small letter, such as "customers"',
  ],
  [
    "no singular",
    (_, p) => set(p, { name: "stock" }),
    "/resources/1/singular",
    'the singular of "stock", such as "customer", is needed and must differ from it',
  ],
  ["no collection", (_t, _p, all) => set(all, { resources: [] }), "/resources", "a data package lists at least one resource"],
  [
    "no collection that is shown",
    (t, p) => [t, p].map((one) => set(one, { retired: true })),
    "/resources",
    "every collection is retired; bring one back, or add one",
  ],
  ["no field", (t) => set(t.schema, { fields: [] }), "/resources/0/schema/fields", "a Table Schema lists at least one field"],
  ["no schema", (t) => delete (t as Loose).schema, "/resources/0/schema", "a Table Schema is needed here"],
  ["no key", (t) => delete t.schema.primaryKey, "/resources/0/schema/primaryKey", 'exactly one field is the key, such as ["objectId"]'],
  [
    "a key that is no field",
    (t) => set(t.schema, { primaryKey: "number" }),
    "/resources/0/schema/primaryKey",
    'there is no field "number"; there are id, title, size',
  ],
  [
    "a key that is no number",
    (t) => set(t.schema, { primaryKey: "title" }),
    "/resources/0/schema/primaryKey",
    'the key must be of type integer; "title" is string',
  ],
  [
    "a reference to nothing",
    (_, p) => set(p.schema.foreignKeys?.[0]?.reference as Loose, { resource: "thigns" }),
    `${KEY}/reference/resource`,
    'there is no resource "thigns"; did you mean "things"?',
  ],
  [
    "a reference to no key",
    (_, p) => set(p.schema.foreignKeys?.[0]?.reference as Loose, { fields: ["nr"] }),
    `${KEY}/reference/fields`,
    'must be the key of "things": ["id"]',
  ],
  [
    "a reference by no field",
    (_, p) => set(p.schema.foreignKeys?.[0], { fields: ["thingsId"] }),
    `${KEY}/fields`,
    '"parts" has no field "thingsId"; did you mean "thingId"?',
  ],
  [
    "a reference twice",
    (_, p) => p.schema.foreignKeys?.push({ ...p.schema.foreignKeys[0], as: "other" }),
    "/resources/1/schema/foreignKeys/1/fields",
    '"thingId" refers to "things" already; leave one of the two out',
  ],
  [
    "another end of a reference",
    (_, p) => set(p.schema.foreignKeys?.[0], { onDelete: "cascde" }),
    `${KEY}/onDelete`,
    'must be one of restrict, cascade, clear; did you mean "cascade"?',
  ],
  [
    "an agreement about no field",
    (_, p) => set(p.schema.foreignKeys?.[0], { where: { titel: "thingId" } }),
    `${KEY}/where/titel`,
    '"things" has no field "titel"; did you mean "title"?',
  ],
  [
    "a circle that must be filled",
    (t, p) => {
      t.schema.fields.push({ name: "partId", type: "integer", constraints: { required: true } });
      t.schema.foreignKeys = [{ fields: ["partId"], reference: { resource: "parts", fields: ["id"] }, as: "part" }];
      constraint(p, { required: true });
    },
    "/resources/1/schema/fields/1",
    "the required references things.partId, parts.thingId lead in a circle: no record of these collections could ever be made. Let one of them be empty",
  ],
  ["an order of no field", (t) => set(t, { list: ["titel"] }), "/resources/0/list/0", 'there is no field "titel"; did you mean "title"?'],
  [
    "a field twice in an order",
    (t) => set(t, { form: ["title", "title"] }),
    "/resources/0/form",
    "must have each entry once; entry 2 stands there already",
  ],
  ["a title that is no text", (t) => field(t, { title: 5 }), `${TITLE}/title`, "must be a text"],
  ["a title that is too long", (t) => field(t, { title: "x".repeat(201) }), `${TITLE}/title`, "must have at most 200 characters"],
  [
    "a title with hidden marks",
    (t) => field(t, { title: "a\u202Eb" }),
    `${TITLE}/title`,
    "has a line break, a control character or a hidden direction mark; take it out",
  ],
  [
    "one heading for two fields",
    (t) => field(t, { aliases: ["Title"] }, 2),
    SIZE,
    '"Title" is a name, title or alias of "title" already: files and people could not tell them apart',
  ],
  [
    "decimals of a text",
    (t) => field(t, { decimals: 2 }),
    `${TITLE}/decimals`,
    "must be a whole number from 0 to 10, on a field of type number",
  ],
  [
    "a format with a slip",
    (t) => field(t, { format: "emial" }),
    `${TITLE}/format`,
    'must be "default", "big" on a field of type integer, file on a list of type string, or on a field of type string one of email, uri, phone, multiline, person, file; did you mean "email"?',
  ],
  [
    "a section that there is not",
    (t) => {
      set(t, { sections: [{ name: "address" }, { name: "prices" }] });
      field(t, { section: "adress" });
    },
    `${TITLE}/section`,
    'there is no section "adress"; did you mean "address"?',
  ],
  ["a section without a list of them", (t) => field(t, { section: "address" }), `${TITLE}/section`, 'there is no section "address"'],
  [
    "two sections of one name",
    (t) => set(t, { sections: [{ name: "address" }, { name: "address" }] }),
    "/resources/0/sections/1/name",
    'a second section is named "address"; choose another name',
  ],
  [
    "a language by its name",
    (t) => field(t, { translations: { german: { title: "Titel" } } }),
    `${TITLE}/translations/german`,
    "is not a key here; a language has a tag, such as de or pt-BR",
  ],
  [
    "a word of translations with a slip",
    (t) => field(t, { translations: { de: { titel: "Titel" } } }),
    `${TITLE}/translations/de/titel`,
    'is not a key here; did you mean "title"?',
  ],
  [
    "an example of another kind",
    (t) => field(t, { example: "long" }, 2),
    `${SIZE}/example`,
    "must be a value of the field, which is of type number",
  ],
  [
    "more fields than a table has",
    (t) => t.schema.fields.push(...Array.from({ length: 500 }, (_, i) => ({ name: `f${i}` }))),
    "/resources/0/schema/fields",
    "must be a list of at most 500",
  ],
  [
    "a rule with a field that there is not",
    (t) => rule(t, { must: "size > 0 && titel != 'x'" }),
    `${RULE}/must`,
    'there is no field "titel"; did you mean "title"? (character 13)',
  ],
  ["a rule that ends too early", (t) => rule(t, { must: "size >" }), `${RULE}/must`, "ends too early (character 7)"],
  ["a rule with one =", (t) => rule(t, { must: "size = 3" }), `${RULE}/must`, 'has "=" where "==" is needed (character 6)'],
  [
    "a rule that compares what differs",
    (t) => rule(t, { must: "size > title" }),
    `${RULE}/must`,
    "a number and a text cannot stand for each other (character 1)",
  ],
  [
    "a rule that is neither true nor false",
    (t) => rule(t, { must: "size + 1" }),
    `${RULE}/must`,
    "must be true or false, such as !isEmpty(id), and this is a number (character 1)",
  ],
  [
    "a condition with a slip",
    (t) => rule(t, { when: "isEmtpy(size)" }),
    `${RULE}/when`,
    "there is no function isEmtpy; did you mean isEmpty? (character 1)",
  ],
  [
    "a function with too few arguments",
    (t) => rule(t, { must: "days(today) > 3" }),
    `${RULE}/must`,
    "days is written as days(later, earlier) (character 1)",
  ],
  [
    "a date that is none",
    (t) => rule(t, { must: 'today > "2026-02-30"' }),
    `${RULE}/must`,
    '"2026-02-30" is not a date, such as "2026-01-31" (character 9)',
  ],
  ["a rule with nested parts without end", (t) => rule(t, { must: `${"(".repeat(30)}true${")".repeat(30)}` }), `${RULE}/must`, DEEP],
  [
    "a rule that is too long",
    (t) => rule(t, { must: `size > 0${" && size > 0".repeat(100)}` }),
    `${RULE}/must`,
    "is longer than 1000 characters; split the rule in two (character 1000)",
  ],
  [
    "a condition that is none",
    (t) => field(t, { visibleIf: "size + 1" }, 1),
    `${TITLE}/visibleIf`,
    "must be true or false, such as !isEmpty(id), and this is a number (character 1)",
  ],
  [
    "a field that is asked for by its own value",
    (t) => field(t, { visibleIf: "size > 1" }, 2),
    "/resources/0/schema/fields/2/visibleIf",
    "must look at other fields than its own",
  ],
  [
    "a list of values of another kind",
    (t) => field(t, { choicesIf: [{ when: 'title == "a"', values: ["large"] }] }, 2),
    "/resources/0/schema/fields/2/choicesIf/0/values",
    "must be values that the field may have, of type number",
  ],
  [
    "a default of another type",
    (t) => field(t, { default: '"much"' }, 2),
    "/resources/0/schema/fields/2/default",
    "Size must be a number with a point before the decimals, such as 12.5.",
  ],
  [
    "a default that breaks the rules of its field",
    (t) => field(t, { default: "1 + 99", constraints: { maximum: 10 } }, 2),
    "/resources/0/schema/fields/2/default",
    "Size must be 10 or less.",
  ],
  [
    "a default that is no value of the field",
    (t) => field(t, { default: "size > 1" }, 1),
    "/resources/0/schema/fields/1/default",
    "must be of the field's type, text, and this is of type boolean",
  ],
  [
    "a default that reads what was stored",
    (t) => field(t, { default: "old.size" }, 2),
    "/resources/0/schema/fields/2/default",
    "must not read old: a new record has no values that were stored before",
  ],
  [
    "a default that reads another one",
    (t) =>
      set(t.schema, { fields: t.schema.fields.map((one, i) => ({ ...one, ...(i > 0 && { default: ['"a"', "size(title)"][i - 1] }) })) }),
    "/resources/0/schema/fields/2/default",
    'must read fields without a default or a formula, and "title" has one',
  ],
  [
    "a default of a unique field",
    (t) => field(t, { default: "1", constraints: { unique: true } }, 2),
    "/resources/0/schema/fields/2/default",
    "must be left out: keys, unique fields and references have no default",
  ],
  [
    "a key that is asked for sometimes",
    (t) => field(t, { requiredIf: "size > 1" }, 0),
    "/resources/0/schema/fields/0/requiredIf",
    "must be left out: every record has its key, which the service gives",
  ],
  [
    "a formula of another kind",
    (t) => field(t, { computed: "size + 1", constraints: {} }),
    `${TITLE}/computed`,
    "is a number, and the field needs a text",
  ],
  ["a formula that reads who saves", (t) => field(t, { computed: "me.name", constraints: {} }), `${TITLE}/computed`, OF_RECORD],
  [
    "a formula of itself",
    (t) => field(t, { computed: "size + 1" }, 2),
    "/resources/0/schema/fields/2/computed",
    'must not go in a circle: it is computed of "size" itself',
  ],
  [
    "formulas of each other",
    (t) => {
      field(t, { computed: "string(size)", constraints: {} });
      field(t, { computed: "size(title)" }, 2);
    },
    `${TITLE}/computed`,
    'must not go in a circle: it is computed of "title" and "size"',
  ],
  [
    "a computed key",
    (t) => field(t, { computed: "size + 1" }, 0),
    "/resources/0/schema/fields/0/computed",
    "must be left out: every record has its key, which the service gives",
  ],
  [
    "a computed field that is required",
    (t) => field(t, { computed: "size(title)", constraints: { required: true } }, 2),
    "/resources/0/schema/fields/2/constraints/required",
    "must be left out: the value is computed",
  ],
  ["a rule of no fields", (t) => rule(t, { must: "true" }), `${RULE}/fields`, NO_FIELDS],
  ["a rule without a sentence", (t) => set(t, { rules: [{ name: "a", must: "size > 0" }] }), `${RULE}/message`, "is missing"],
  ["a message at no field", (t) => rule(t, { fields: ["siez"] }), `${RULE}/fields/0`, 'there is no field "siez"; did you mean "size"?'],
  [
    "two rules of one name",
    (t) => set(t, { rules: [ruleWith({}), ruleWith({})] }),
    "/resources/0/rules/1/name",
    'a second rule is named "sizeRule"; choose another name',
  ],
  [
    "a rule on a retired field",
    (t) => {
      field(t, { retired: true }, 2);
      rule(t, {});
    },
    RULE,
    'the rule reads "size", which is retired; take the rule out, or bring the field back',
  ],
  [
    "a time zone that there is not",
    (_t, _p, all) => set(all, { timeZone: "Europe/Bonn" }),
    "/timeZone",
    '"Europe/Bonn" is no time zone; write a name of the IANA database, such as Europe/Berlin',
  ],
  [
    "a file that must be there",
    (things) => things.schema.fields.push({ name: "photo", format: "file", constraints: { required: true } }),
    "/resources/0/schema/fields/3/constraints/required",
    "must be left out: a file is sent once its record is there",
  ],
  [
    "a file by which a record is named",
    (things) => field(things, { format: "file", constraints: {} }),
    "/resources/0/label/0",
    '"title" holds files, by which no record is named',
  ],
  [
    "types of files where there are none",
    (things) => field(things, { accept: ["image/*"] }),
    "/resources/0/schema/fields/1/accept",
    'must be left out: only a field with "format": "file" has files',
  ],
  [
    "no media types",
    (things) => things.schema.fields.push({ name: "photo", format: "file", accept: ["jpg"] }),
    "/resources/0/schema/fields/3/accept",
    'must be a list of media types, such as ["image/*", "application/pdf"]',
  ],
  [
    "a file that is computed, which could name that of another record",
    (things) => things.schema.fields.push({ name: "photo", format: "file", computed: "title" }),
    "/resources/0/schema/fields/3/computed",
    "must be left out: only who sends a file says which one it is",
  ],
  [
    "a file at the address of the parts",
    (things) => things.schema.fields.push({ name: "parts", format: "file" }),
    "/resources/0/schema/fields/3/name",
    '"parts" is used by the service itself; choose another name',
  ],
];
