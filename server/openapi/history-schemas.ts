// What the API answers of changes as JSON Schema. Collections may have their plain names, so these begin with Intake.

import { OPERATIONS, SOURCE_TYPES } from "../../core/contract/history.ts";
import { named, nullable, object, type Schema, TIME } from "../http/json-schemas.ts";

const ENTRY: Record<string, Schema> = {
  version: { type: "integer", minimum: 1, description: "Rises with each change of the record; a deletion has one, too." },
  at: TIME,
  operation: { enum: [...OPERATIONS] },
  by: nullable(named("Principal")),
  source: object({ type: { enum: [...SOURCE_TYPES] }, run: nullable({ type: "string" }) }),
};
const CHANGES: Schema = {
  type: "object",
  description: "Field name → value before and after; null is no value.",
  additionalProperties: { type: "array", minItems: 2, maxItems: 2 },
};

export const HISTORY_SCHEMAS: Record<string, Schema> = {
  IntakeHistoryEntry: object({ ...ENTRY, changes: CHANGES }),
  IntakeChange: object(
    {
      cursor: { type: "string", description: "The feed goes on after it (`after=`)." },
      collection: { type: "string" },
      objectId: { type: "integer" },
      ...ENTRY,
      changes: { ...CHANGES, description: "With `include=changes`." },
      record: { anyOf: [{ type: "object" }, { type: "null" }], description: "As it is now, with `include=record`; null: deleted." },
    },
    ["cursor", "collection", "objectId", ...Object.keys(ENTRY)],
  ),
};
