import type { FieldErrors, Resolver } from "react-hook-form";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { type Fields, validateRecord } from "../../../core/dictionary/validate.ts";
import { problemMessage, type Texts, textToValidate } from "../../values/field-text.ts";
import { fieldValue, type RecordValues } from "../../values/field-value.ts";
import { typedTexts } from "./diff.ts";

/**
 * A react-hook-form resolver that validates with the dictionary, as the service does: of a stored record only what was changed, since its
 * other values may have been stored under other rules.
 */
export function recordResolver(
  collection: Collection,
  stored: () => RecordValues | undefined = () => undefined,
): Resolver<Texts, unknown, Fields> {
  return (texts) => {
    const base = stored();
    const typed = base ? typedTexts(collection, base, texts) : texts;
    const fields = collection.fields.filter(({ name }) => !base || typed[name] !== undefined);
    const input = Object.fromEntries(fields.map((field) => [field.name, textToValidate(field, typed[field.name] ?? "")]));
    const validated = validateRecord(collection, input, { from: "text", partial: true });
    if (validated.record) {
      const kept = base && Object.fromEntries(collection.fields.map((field) => [field.name, fieldValue(base, field)]));
      return { values: { ...kept, ...validated.record }, errors: {} };
    }
    const errors: FieldErrors<Texts> = {};
    for (const problem of validated.problems) {
      const field = collection.byName.get(problem.field);
      errors[problem.field] ??= {
        type: problem.code,
        message: field ? problemMessage(field, problem, typed[problem.field]) : problem.message,
      };
    }
    return { values: {}, errors };
  };
}
