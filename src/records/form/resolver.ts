import type { FieldErrors, Resolver } from "react-hook-form";
import type { Problem } from "../../../core/contract/problems.ts";
import { askRules, loadRules, setComputed } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Scope } from "../../../core/dictionary/expression-values.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { isSame } from "../../../core/dictionary/kinds.ts";
import { type Fields, type Validation, validateRecord } from "../../../core/dictionary/validate.ts";
import { dayIn } from "../../../core/forms/time-zones.ts";
import { problemMessage, type Texts, textToValidate } from "../../values/field-text.ts";
import { fieldValue, type RecordValues } from "../../values/field-value.ts";
import { typedTexts } from "./diff.ts";

/**
 * Makes a react-hook-form resolver that validates with the dictionary, as the service does: of a stored record only what was changed, since its
 * other values may have been stored under other rules.
 */
export function recordResolver(
  collection: Collection,
  stored: () => RecordValues | undefined = () => undefined,
): Resolver<Texts, unknown, Fields> {
  return async (texts) => {
    const base = stored();
    const { typed, validated } = validateTexts(collection, texts, base);
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

/** Validates what a save would change. `typed`: the texts of that. */
export function validateTexts(
  collection: Collection,
  texts: Texts,
  base: RecordValues | undefined,
): { typed: Texts; validated: Validation } {
  const typed = base ? typedTexts(collection, base, texts) : texts;
  // A default that the caller may only see is shown, and given by the service.
  const isOurs = ({ readOnly, default: begins }: Field) => !(readOnly && begins !== undefined);
  const fields = collection.fields.filter(
    (field) => field.computed === undefined && (base ? typed[field.name] !== undefined : isOurs(field)),
  );
  const input = Object.fromEntries(fields.map((field) => [field.name, textToValidate(field, typed[field.name] ?? "")]));
  return { typed, validated: validateRecord(collection, input, { from: "text", partial: true }) };
}

/** Asks the rules that look at several fields. Those about who saves are asked by the service alone; what only warns is asked when it is saved. */
async function problemsTogether(collection: Collection, given: Fields, base: RecordValues | undefined): Promise<Problem[]> {
  if (!collection.hasRules) return [];
  await loadRules(collection);
  const { problems, asked } = computeAndAsk(collection, given, base);
  return [...problems, ...askRules(collection, ...asked)].filter(({ code }) => code !== "WARNING");
}

/** Computes what follows from a save, and returns what is wrong there, what rules are asked of, and the names of the fields that it would change. */
export function computeAndAsk(
  collection: Collection,
  given: Fields,
  base: RecordValues | undefined,
): { problems: Problem[]; asked: [scope: Scope, changed: ReadonlySet<string> | undefined] } {
  const differing = (values: Fields) =>
    base && new Set(Object.keys(values).filter((name) => !isSame(values[name] ?? null, base[name] ?? null)));
  const today = dayIn(collection.timeZone ?? "UTC", Date.now());
  const record = { ...base, ...given };
  const problems = setComputed(collection, record, today, differing(given));
  return { problems, asked: [{ record, old: base ?? null, me: null, today }, differing(record as Fields)] };
}
