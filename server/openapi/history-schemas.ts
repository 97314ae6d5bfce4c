// Has JSON Schemas of what the API answers of changes. Collections may have the plain names: these begin with Intake.

import { OPERATIONS, SOURCE_TYPES } from "../../core/contract/history.ts";
import { listOf, named, nullable, object, type Schema, TIME } from "../http/json-schemas.ts";

const SOURCE: Schema = object({ type: { enum: [...SOURCE_TYPES] }, run: nullable({ type: "string" }) });
const ENTRY: Record<string, Schema> = {
  version: { type: "integer", minimum: 1, description: "Rises with each change of the record; a deletion has one, too." },
  at: TIME,
  operation: { enum: [...OPERATIONS] },
  by: nullable(named("Principal")),
  source: SOURCE,
};
const MERGED_INTO: Schema = { type: "integer", description: "It was deleted because it was merged into the record with this key." };
const CHANGES: Schema = {
  type: "object",
  description: "Field name → value before and after; null is no value.",
  additionalProperties: { type: "array", items: {}, minItems: 2, maxItems: 2 },
};

export const HISTORY_SCHEMAS: Record<string, Schema> = {
  IntakeHistoryEntry: object(
    {
      ...ENTRY,
      changes: CHANGES,
      acknowledged: { ...listOf({ type: "string" }), description: "The rules that warned, and that whoever wrote it has acknowledged." },
      mergedInto: MERGED_INTO,
      mergedFrom: { type: "integer", description: "It is an entry of the record with this key, which was merged into this one." },
    },
    [...Object.keys(ENTRY), "changes"],
  ),
  IntakeActivity: object(
    {
      write: { type: "integer", description: "The number of the write; asked for with `write=`, each of its changes is listed." },
      collection: { type: "string" },
      objectId: { type: "integer", description: "Of the last change, as are operation and version." },
      ...ENTRY,
      size: {
        type: "integer",
        minimum: 1,
        description: "Changes of the write, or of all writes of the run: those by the person and on the days that are asked for.",
      },
      label: {
        type: "object",
        description: "What a record that was deleted was called: values of its label fields. Not there once they are erased.",
        additionalProperties: {},
      },
    },
    ["write", "collection", "objectId", ...Object.keys(ENTRY), "size"],
  ),
  IntakeMerge: object({
    id: { type: "string", description: "By it the merge is taken apart." },
    survivor: { type: "integer" },
    others: { ...listOf({ type: "integer" }), description: "The keys of the records that became part of the survivor." },
    at: TIME,
    by: nullable(named("Principal")),
  }),
  IntakeErasure: object({
    collection: { type: "string" },
    objectId: { type: "integer" },
    version: ENTRY.version as Schema,
    at: TIME,
    by: ENTRY.by as Schema,
  }),
  IntakeExport: object({
    id: { type: "string" },
    at: { ...TIME, description: "When it began." },
    by: nullable(named("Principal")),
    collection: { type: "string" },
    expanded: { ...listOf({ type: "string" }), description: "Other collections of which it has labels." },
    filter: { ...listOf({ type: "string" }), description: "The names of the filters, such as `lastName[prefix]`; `q` is a search." },
    query: {
      ...nullable({ type: "string" }),
      description:
        "Search and filters with their values, as the query of an address: for administrators and for whoever exported. Null: none, or forgotten.",
    },
    rows: {
      ...nullable({ type: "integer", minimum: 0 }),
      description: "Null while it is under way, or if the service ended before it did.",
    },
    complete: { type: "boolean", description: "All rows were sent." },
  }),
  IntakeRunPart: object({
    collection: { type: "string" },
    source: SOURCE,
    by: { ...nullable(named("Principal")), description: "Who began it." },
    others: { ...listOf(named("Principal")), description: "Who else wrote under its id, in the order in which they came." },
    from: TIME,
    to: TIME,
    size: { type: "integer", minimum: 1, description: "Changes." },
  }),
  IntakeChange: object(
    {
      cursor: { type: "string", description: "The feed goes on after it (`after=`)." },
      collection: { type: "string" },
      objectId: { type: "integer" },
      ...ENTRY,
      changes: { ...CHANGES, description: "With `include=changes`." },
      record: { anyOf: [{ type: "object" }, { type: "null" }], description: "As it is now, with `include=record`; null: deleted." },
      mergedInto: MERGED_INTO,
    },
    ["cursor", "collection", "objectId", ...Object.keys(ENTRY)],
  ),
};
