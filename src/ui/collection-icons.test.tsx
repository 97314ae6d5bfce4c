import { expect, test } from "vitest";
import { COLLECTION_COLORS } from "../../core/dictionary/collection-colors.ts";
import schema from "../../core/dictionary/dictionary.schema.json" with { type: "json" };
import { COLLECTION_ICONS } from "./collection-icons.ts";
import { HUES } from "./monogram.tsx";

const { icon, color } = schema.$defs.collection.properties;

test("the dictionary's schema offers the pictures and colours that there are", () => {
  expect(icon.enum).toEqual(Object.keys(COLLECTION_ICONS));
  expect(color.enum).toEqual(COLLECTION_COLORS);
  expect(COLLECTION_COLORS).toHaveLength(HUES.length);
});
