import type { FieldErrors, Resolver } from "react-hook-form";
import type { Problem } from "../../../core/contract/problems.ts";
import { askRules, loadRules } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Scope } from "../../../core/dictionary/expression-values.ts";
import { type Fields, validateRecord } from "../../../core/dictionary/validate.ts";
import { dayIn } from "../../../core/forms/time-zones.ts";
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
  return async (texts) => {
    const base = stored();
    const typed = base ? typedTexts(collection, base, texts) : texts;
    const fields = collection.fields.filter(({ name }) => !base || typed[name] !== undefined);
    const input = Object.fromEntries(fields.map((field) => [field.name, textToValidate(field, typed[field.name] ?? "")]));
    const validated = validateRecord(collection, input, { from: "text", partial: true });
    const { problems = validated.record && (await problemsTogether(collection, validated.record, base)) } = validated;
    if (validated.record && !problems?.length) {
      const kept = base && Object.fromEntries(collection.fields.map((field) => [field.name, fieldValue(base, field)]));
      return { values: { ...kept, ...validated.record }, errors: {} };
    }
    const errors: FieldErrors<Texts> = {};
    for (const problem of problems ?? []) {
      const field = collection.byName.get(problem.field);
      errors[problem.field] ??= {
        type: problem.code,
        message: field ? problemMessage(field, problem, typed[problem.field]) : problem.message,
      };
    }
    return { values: {}, errors };
  };
}

/** Asks the rules that look at several fields. Those about who saves are asked by the service alone; what only warns is asked when it is saved. */
async function problemsTogether(collection: Collection, given: Fields, base: RecordValues | undefined): Promise<Problem[]> {
  if (!collection.hasRules) return [];
  await loadRules(collection);
  return askRules(collection, ...askedScope(collection, given, base)).filter(({ code }) => code !== "WARNING");
}

/** Returns what rules are asked of, and the names of the fields that a save would change. */
export function askedScope(
  { timeZone = "UTC" }: Collection,
  given: Fields,
  base: RecordValues | undefined,
): [scope: Scope, changed: ReadonlySet<string> | undefined] {
  const changed = base && new Set(Object.keys(given).filter((name) => (given[name] ?? null) !== (base[name] ?? null)));
  const today = dayIn(timeZone, Date.now());
  return [{ record: { ...base, ...given }, old: base ?? null, me: null, today }, changed];
}
