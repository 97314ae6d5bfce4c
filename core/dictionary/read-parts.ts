// Reads what not every data package has, for callers that load it only with those that have some.

import { readCategories } from "./read-categories.ts";
import type { ReadParts } from "./read-collections.ts";
import { readConditions } from "./read-conditions.ts";
import { addSections } from "./read-sections.ts";
import { readUniqueKeys } from "./read-unique-keys.ts";
import { addReferences } from "./references.ts";

export const READ_PARTS: ReadParts = { addReferences, readCategories, readConditions, addSections, readUniqueKeys };
