import type { Collection } from "../../../core/dictionary/collections.ts";
import { PageTitle } from "../../ui/primitives.tsx";
import type { RecordValues } from "../field-value.ts";
import { nameOf } from "../record-name.ts";
import { useNamed } from "./use-parent.ts";

export interface NamedTitleProps {
  collection: Collection;
  record: RecordValues;
}

/** Writes the name of a record that is called by its parents. */
export function NamedTitle({ collection, record }: NamedTitleProps) {
  return <PageTitle>{nameOf(collection, useNamed(collection, record))}</PageTitle>;
}
