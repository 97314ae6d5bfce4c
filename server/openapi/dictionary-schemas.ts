// Describes the API's answers about versions and drafts of the dictionary as JSON Schema.

import { type DictionaryUse, FORMER_NAME_DAYS } from "../../core/contract/dictionary.ts";
import { COMPARERS, FOUND } from "../../core/contract/duplicates.ts";
import { MOST_LOOKUP_VALUES } from "../../core/contract/lookup.ts";
import { CONSTRAINTS } from "../../core/contract/violations.ts";
import { CONDITIONS } from "../access/role-conditions.ts";
import { listOf, named, nullable, object, SCOPE, type Schema, TIME } from "../http/json-schemas.ts";

const USES: readonly DictionaryUse["type"][] = ["view", "recipe", "layout", "role", "webhook", "key", "reference"];

const DRAFT: Record<string, Schema> = {
  id: { type: "string" },
  title: { type: "string" },
  comment: { type: "string" },
  base: { type: "integer", description: "The version from which it was made." },
  createdBy: named("Principal"),
  createdAt: TIME,
  updatedAt: TIME,
  isOwn: {
    type: "boolean",
    description: "The caller has changed its data package last. With DICTIONARY_APPROVAL somebody else applies it.",
  },
};

const COUNT: Schema = { type: "integer", minimum: 0 };

const UNIQUE_VALUES: Schema[] = [{ type: "string" }, { type: "number" }, { type: "boolean" }];
const KEY: Schema = { type: "integer", minimum: 1 };

const LIKENESS: Record<string, Schema> = {
  level: { enum: ["same", "maybe"], description: "`same`: they are, as far as their values say. `maybe`: somebody should look." },
  score: { type: "number", description: "The points of all comparisons together (`match` of the dictionary)." },
  reasons: listOf(
    object(
      {
        fields: listOf({ type: "string" }),
        as: { enum: COMPARERS },
        found: { enum: FOUND, description: "How alike the two values are." },
        letters: { type: "integer", minimum: 1, description: "With letters: how many are wrong." },
      },
      ["fields", "as", "found"],
    ),
  ),
};

export const DICTIONARY_SCHEMAS: Record<string, Schema> = {
  IntakeSummary: object(
    {
      groups: listOf({
        type: "object",
        description:
          "The values of the group's fields by their names, and what was measured, such as `count` and `sum:total`. Null: no value.",
      }),
      total: { type: "object", description: "What was measured, of all records together." },
      next: { type: "string", description: "The cursor of the next page, if there is one." },
    },
    ["groups", "total"],
  ),
  IntakeFoundIn: object(
    {
      collection: { type: "string" },
      records: listOf({ type: "object", description: "A record as the list of its collection has it." }),
      more: { type: "boolean", description: "There are others." },
      meant: { type: "string", description: "The search that found them, where the one that was sent found nothing in any collection." },
      parent: { type: "string", description: "They were found by the words of this parent: the name under which they have it." },
      tookTooLong: { const: true, description: "Nobody knows what is there: looking took longer than a read may." },
    },
    ["collection", "records", "more"],
  ),
  IntakeBrokenRulesOfDay: object({ day: { type: "string", format: "date" }, rules: listOf(named("IntakeBrokenRule")) }),
  IntakeBrokenRule: object(
    {
      constraint: { enum: [...CONSTRAINTS], description: "The first rule of the field that the value breaks, as a save would name it." },
      rule: { type: "string", description: "In place of a constraint: the rule of the collection that is broken." },
      field: { type: "string", description: "Of a rule the first field at which its message stands." },
      count: COUNT,
      exceptions: { ...COUNT, description: "How many others break it on purpose." },
      since: { type: "string", format: "date", description: "The day since which each count has found some, if one has." },
    },
    ["field", "count"],
  ),
  IntakeException: object({
    id: { type: "integer", description: "The key of the record." },
    reason: { type: "string", description: "Empty where a warning was confirmed with a write." },
    at: TIME,
    by: named("Principal"),
  }),
  IntakeDictionaryVersion: object({
    version: { type: "integer", minimum: 1 },
    at: TIME,
    by: { ...nullable(named("Principal")), description: "Null for a version that came from a file." },
    comment: { type: "string" },
  }),
  IntakeDictionaryDraft: object(DRAFT),
  IntakeWholeDraft: object({ ...DRAFT, package: { type: "object", description: "A data package." } }),
  IntakeDuplicatePair: object({ a: KEY, b: { ...KEY, description: "Is greater than a." }, ...LIKENESS }),
  IntakeSimilarRecord: object({ id: KEY, ...LIKENESS }),
  IntakeDifferentPair: object({ a: KEY, b: KEY, same: { const: false }, at: TIME, by: named("Principal") }),
  IntakeUniqueValues: {
    ...{ type: "array", minItems: 1, maxItems: MOST_LOOKUP_VALUES },
    items: { anyOf: [...UNIQUE_VALUES, { type: "array", items: { anyOf: UNIQUE_VALUES } }] },
    description: "Of fields that are unique together each value is a list.",
  },
  IntakeLookup: object({
    found: {
      ...listOf(object({ value: {}, id: KEY, mergedFrom: KEY }, ["value", "id"])),
      description: "As they were asked for. What no record has is left out.",
    },
  }),
  IntakeFormerName: object({
    collection: { type: "string" },
    field: { type: "string", description: "The name of the field today." },
    name: { type: "string", description: "A name that it had before." },
    uses: { type: "integer", minimum: 0, description: `Requests that used it in the last ${FORMER_NAME_DAYS} days.` },
    lastUsedOn: { ...nullable({ type: "string", format: "date" }), description: "The day of the last use, in UTC." },
    lastUsedBy: nullable(named("Principal")),
  }),
  IntakeBroughtRole: object(
    {
      name: { type: "string" },
      scope: SCOPE,
      conditions: CONDITIONS,
      outcome: { enum: ["made", "kept", "left out"], description: "`kept`: there is a role of this name, which stays as it is." },
      detail: { type: "string", description: "Why it is not made." },
    },
    ["name", "scope", "outcome"],
  ),
  IntakeDictionaryImpact: object(
    {
      changes: listOf(
        object(
          {
            kind: { type: "string", description: "What it is: added, renamed, narrowed, required, retired and so on." },
            path: { type: "string", description: "A collection, or collection and field with a dot between." },
            from: {},
            to: {},
            effect: { enum: ["at once", "stands", "refused"] },
            violations: { type: "integer", description: "Stored records that break it." },
            examples: { ...listOf({ type: "integer" }), description: "Keys of a few of them." },
            uses: {
              ...listOf(object({ type: { enum: USES }, id: { type: "string" }, name: { type: "string" } })),
              description:
                "What names the collection or the field. `name` is empty for what somebody keeps for themselves, the host of a webhook, and the place of a field that refers to the collection.",
            },
            requests: {
              type: "integer",
              description: "Of a former name that is taken back: requests that used it, as a former name has them.",
            },
            lastUsedOn: { type: "string", format: "date" },
            lastUsedBy: named("Principal"),
            computes: { type: "integer", description: "Of a field that is computed: records that are computed anew." },
            replaces: { type: "integer", description: "Of these: records whose value was typed, and gives way to the computed one." },
            detail: { type: "string" },
          },
          ["kind", "path", "effect"],
        ),
      ),
      roles: { ...listOf(named("IntakeBroughtRole")), description: "The roles that the data package of the draft brings." },
      complete: { type: "boolean", description: "False: not everything was counted, because that takes too long." },
      next: {
        type: "string",
        description: "With it as `cursor` rules are counted on: the answer has them alone, with the records that follow.",
      },
    },
    ["changes", "complete"],
  ),
  IntakeConversionPreview: object({
    converted: COUNT,
    left: { ...COUNT, description: "Records whose value means nothing in the new kind. It stays in the retired field." },
    empty: COUNT,
    convertedExamples: listOf(object({ id: { type: "integer" }, from: {}, to: {} })),
    leftExamples: {
      ...listOf(object({ id: { type: "integer" }, from: {}, count: COUNT })),
      description: "The most frequent values, each with one record.",
    },
    forms: { ...listOf(object({ name: { type: "string" }, count: COUNT })), description: "Ways in which texts can be read, for `forms`." },
    complete: { type: "boolean", description: "False: there are too many different values to count them all." },
  }),
  IntakeRetired: object({
    id: { type: "string" },
    kind: { enum: ["field", "collection"] },
    path: { type: "string" },
    title: { type: "string" },
    count: { ...COUNT, description: "Records of the collection, or records that have a value in the field." },
    at: { ...nullable(TIME), description: "When it was retired." },
    by: nullable(named("Principal")),
    isEmptying: { type: "boolean" },
  }),
  IntakeComputation: object({
    collection: { type: "string" },
    fields: { ...listOf({ type: "string" }), description: "The fields that are computed." },
    reason: { enum: ["formulas", "day"], description: "formulas: they are others now. day: they read today." },
    run: { type: "string", description: "The run in the history." },
    state: { enum: ["running", "done"] },
    at: TIME,
    seen: COUNT,
    total: COUNT,
    changed: { ...COUNT, description: "Records in which a value was another one." },
  }),
  IntakeConversion: object({
    id: { type: "string", description: "Also the run in the history." },
    field: { type: "string" },
    fromKind: { type: "string" },
    toKind: { type: "string" },
    state: { enum: ["running", "done", "cancelled", "failed"] },
    by: named("Principal"),
    at: TIME,
    seen: COUNT,
    total: COUNT,
    converted: COUNT,
    left: COUNT,
    empty: COUNT,
    leftRecords: { ...listOf({ type: "integer" }), description: "Keys of the first records whose values were left." },
    undoes: { ...nullable({ type: "string" }), description: "The conversion that it takes back." },
    canUndo: { type: "boolean" },
    detail: { type: "string", description: "Says why it failed." },
  }),
};
