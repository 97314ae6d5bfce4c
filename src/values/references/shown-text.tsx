import type { Field } from "../../../core/dictionary/fields.ts";
import { displayText } from "../field-text.ts";
import { ReferenceName } from "./lazy-reference-name.tsx";

/** Shows an input's text as shown in a table: of a reference the name of the parent. */
export function ShownText({ field, text, isLink = false }: { field: Field; text: string; isLink?: boolean }) {
  if (field.reference && text !== "") return <ReferenceName field={field} text={text} isLink={isLink} />;
  return <bdi>{displayText(field, text)}</bdi>;
}
