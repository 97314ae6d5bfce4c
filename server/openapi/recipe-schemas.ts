import { listOf, named, nullable, object, type Schema, TIME } from "../http/json-schemas.ts";

const INFO: Record<string, Schema> = {
  id: { type: "string" },
  name: { type: "string", description: "Each once in a collection, whatever its case." },
  collection: { type: "string" },
  headings: { ...listOf({ type: "string" }), description: "Of the file that it was made with; none: the file has no headings." },
  version: { type: "integer", minimum: 1 },
  createdAt: TIME,
  createdBy: nullable(named("Principal")),
  updatedAt: TIME,
  updatedBy: nullable(named("Principal")),
};

/** What the API answers of recipes as JSON Schema. */
export const RECIPE_SCHEMAS: Record<string, Schema> = {
  IntakeRecipeInfo: object(INFO),
  IntakeRecipe: object({ ...INFO, content: { type: "object", description: "As the app and the batch command wrote it." } }),
};
