// Passes files that are chosen and not stored from the form of a new record to the page of the record that it has become.

import type { QueryClient } from "@tanstack/react-query";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { ChosenByField } from "./chosen-files.ts";

/** Beside what is cached of the service, which is forgotten when somebody else signs in. */
const key = ({ name }: Collection, id: number) => ["chosenFiles", name, id];

export function passChosenFiles(queries: QueryClient, collection: Collection, id: number, files: ChosenByField): void {
  queries.setQueryData(key(collection, id), files);
}

/** They are there once. */
export function takeChosenFiles(queries: QueryClient, collection: Collection, id: number): ChosenByField | undefined {
  const files = queries.getQueryData<ChosenByField>(key(collection, id));
  queries.removeQueries({ queryKey: key(collection, id) });
  return files;
}
