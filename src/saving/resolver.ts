import type { FieldErrors, Resolver } from "react-hook-form";
import type { Collection } from "../../core/dictionary/collections.ts";
import { type Fields, validateRecord } from "../../core/dictionary/validate.ts";
import { problemMessage, type Texts, textToValidate } from "../fields/field-text.ts";

/** A react-hook-form resolver that validates with the dictionary, as the service does. */
export function recordResolver(collection: Collection): Resolver<Texts, unknown, Fields> {
  return (texts) => {
    const input = Object.fromEntries(collection.fields.map((field) => [field.name, textToValidate(field, texts[field.name] ?? "")]));
    const validated = validateRecord(collection, input, { from: "text" });
    if (validated.record) return { values: validated.record, errors: {} };
    const errors: FieldErrors<Texts> = {};
    for (const problem of validated.problems) {
      const field = collection.byName.get(problem.field);
      errors[problem.field] ??= { type: problem.code, message: field ? problemMessage(field, problem) : problem.message };
    }
    return { values: {}, errors };
  };
}
