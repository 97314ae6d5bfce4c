import { listOf, named, nullable, object, type Schema, TIME } from "../http/json-schemas.ts";

const MADE: Record<string, Schema> = {
  version: { type: "integer", minimum: 1 },
  createdAt: TIME,
  createdBy: nullable(named("Principal")),
  updatedAt: TIME,
  updatedBy: nullable(named("Principal")),
};

const INFO: Record<string, Schema> = {
  id: { type: "string" },
  name: { type: "string", description: "Each once in a collection, whatever its case." },
  collection: { type: "string" },
  headings: { ...listOf({ type: "string" }), description: "Of the file that it was made with; none: the file has no headings." },
  ...MADE,
};

/** Says what the API answers of recipes as JSON Schema. */
export const RECIPE_SCHEMAS: Record<string, Schema> = {
  IntakeRecipeInfo: object(INFO),
  IntakeRecipe: object({ ...INFO, content: { type: "object", description: "As the app and the batch command wrote it." } }),
};

/** The same of the organisation. */
export const ORGANISATION_SCHEMAS: Record<string, Schema> = {
  IntakeOrganisation: object({
    name: nullable({ type: "string" }),
    accent: { ...nullable({ type: "string" }), description: "As it was chosen: # and six hexadecimal digits." },
    shades: {
      ...nullable(object({ light: { type: "string" }, dark: { type: "string" } })),
      description: "The accent as it has a contrast of 4.5:1 on light and on dark pages.",
    },
    signInNote: { ...nullable({ type: "string" }), description: "A line on the sign-in page." },
    supportUrl: { ...nullable({ type: "string" }), description: "Where people find help: https: or mailto:." },
    logo: nullable(object({ href: { type: "string", format: "uri-reference" }, type: { type: "string" } })),
  }),
};

/** The same of views. */
export const VIEW_SCHEMAS: Record<string, Schema> = {
  IntakeView: object({
    id: { type: "string" },
    name: { type: "string", description: "Each once among the views for all, and once among those of one maker, whatever its case." },
    collection: { type: "string" },
    isShared: { type: "boolean", description: "Everybody who reads the collection sees it. Otherwise only its maker does." },
    search: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "Search parameters of the list's address in the app.",
    },
    isPartial: { type: "boolean", description: "`search` lacks a filter on a field that the caller does not see." },
    place: { type: "number", description: "Views stand in this order." },
    ...MADE,
  }),
};
