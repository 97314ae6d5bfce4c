import type { Collection } from "../../core/dictionary/collections.ts";
import { PageTitle } from "../components/primitives.tsx";
import type { RecordValues } from "../fields/field-value.ts";
import { nameOf } from "../fields/record-name.ts";
import { useNamed } from "./use-parent.ts";

export interface NamedTitleProps {
  collection: Collection;
  record: RecordValues;
}

/** The name of a record that is called by its parents. */
export function NamedTitle({ collection, record }: NamedTitleProps) {
  return <PageTitle>{nameOf(collection, useNamed(collection, record))}</PageTitle>;
}
