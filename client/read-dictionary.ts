// Reads the collections of the service's dictionary, which the service has checked.

import type { Collection } from "../core/dictionary/collections.ts";
import { readCategories } from "../core/dictionary/read-categories.ts";
import { readCollections } from "../core/dictionary/read-collections.ts";
import { readConditions } from "../core/dictionary/read-conditions.ts";
import { addReferences } from "../core/dictionary/references.ts";

/** Returns none for what is no data package. `json`: the answer to `GET /v1/dictionary`. `language`: such as "de". */
export function collectionsIn(json: unknown, language = ""): readonly Collection[] {
  const read = readCollections(json, language, { addReferences, readCategories, readConditions });
  return "collections" in read ? read.collections : [];
}
