// The address at which records are merged.

import type { Target } from "../../app/router/paths.ts";

/** It is like the address of a record. */
export function mergeAddress(collection: string, ids: readonly number[]): Target {
  return { to: "/$collection/$id", params: { collection, id: "merge" }, search: { ids: ids.join(",") } };
}
