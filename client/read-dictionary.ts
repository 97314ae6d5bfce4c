// Reads the collections of the service's dictionary, which the service has checked.

import type { Collection } from "../core/dictionary/collections.ts";
import { readCollections } from "../core/dictionary/read-collections.ts";
import { READ_PARTS } from "../core/dictionary/read-parts.ts";

/** Returns none for what is no data package. `json`: the answer to `GET /v1/dictionary`. `language`: such as "de". */
export function collectionsIn(json: unknown, language = ""): readonly Collection[] {
  const read = readCollections(json, language, READ_PARTS);
  return "collections" in read ? read.collections : [];
}
