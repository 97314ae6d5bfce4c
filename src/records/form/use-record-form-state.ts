// The texts in the inputs, and the version of the record that they are compared with.

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { allFormerNamesOf } from "../../../core/dictionary/column-name.ts";
import { withCurrentNames } from "../../../core/dictionary/current-names.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { useLocale } from "../../app/services/services.ts";
import { fromNeutral, type Texts, textsOf, toNeutral } from "../../values/field-text.ts";
import { type NumberSigns, numberSigns } from "../../values/typed-numbers.ts";
import { typedTexts } from "./diff.ts";
import { recordResolver } from "./resolver.ts";
import { useDefaults } from "./use-conditions.ts";

export interface FormState {
  form: UseFormReturn<Texts, unknown, Fields>;
  /** The version that the user edits; undefined for a new record. */
  base: WireRecord | undefined;
  /** The same as a ref, for code that awaited something. */
  now: RefObject<WireRecord | undefined>;
  /** Returns the given texts, or those in the inputs, that differ from the base. */
  typed(texts?: Texts): Texts;
  /** Makes another version the base, with these texts typed over it. */
  show(record: WireRecord, texts: Texts): void;
}

/** The base is the version that the user edits: a refetch does not change it (use-follow-stored.ts does). */
export function useRecordFormState(collection: Collection, record: WireRecord | undefined, kept: Texts = {}): FormState {
  const now = useRef(record);
  const form = useForm<Texts, unknown, Fields>({
    defaultValues: { ...textsOf(collection, record ?? {}), ...kept },
    resolver: recordResolver(collection, () => now.current),
    mode: "onTouched",
    shouldFocusError: false, // the problem summary gets the focus
  });
  const [base, setBase] = useState(record);

  const show = useCallback(
    (next: WireRecord, texts: Texts) => {
      now.current = next;
      setBase(next);
      form.reset(textsOf(collection, next));
      for (const [name, text] of Object.entries(texts)) form.setValue(name, text, { shouldDirty: true });
    },
    [form, collection],
  );

  useOtherNames(collection, (ofToday) => {
    if (now.current) now.current = ofToday(now.current) as WireRecord;
    setBase(now.current);
    const texts = ofToday(form.getValues());
    form.reset(ofToday(form.formState.defaultValues ?? {}) as Texts);
    for (const [name, text] of Object.entries(texts)) form.setValue(name, text as string, { shouldDirty: true });
  });
  const filled = useDefaults(collection, { form, base }, kept);
  useRuleProblems(collection, form);
  useOtherLocale((before) => {
    const rewritten = (texts: Partial<Texts>) => fromNeutral(collection, toNeutral(collection, texts as Texts, before));
    const texts = rewritten(form.getValues());
    form.reset(rewritten(form.formState.defaultValues ?? {}));
    for (const [name, text] of Object.entries(texts)) form.setValue(name, text, { shouldDirty: true });
  });

  /** Finds what differs, in a new record from an empty one, but for defaults; one that was emptied is typed, too. */
  const typed = (texts = form.getValues()) => {
    if (now.current) return typedTexts(collection, now.current, texts);
    const isFilled = ([name, text]: [string, string]) => filled.get(name) === text;
    const emptied = collection.fields.filter(({ name }) => texts[name] === "" && hasDefault(name)).map(({ name }) => [name, ""]);
    return Object.fromEntries([...Object.entries(typedTexts(collection, {}, texts)).filter((one) => !isFilled(one)), ...emptied]);
  };
  const hasDefault = (name: string) => (form.formState.defaultValues?.[name] ?? "") !== "" && !filled.has(name);
  return { form, base, now, typed, show };
}

/** A rule stands at several fields, and a condition reads others. When one of them is changed, what is said at the others is asked again. */
function useRuleProblems({ fields, hasRules }: Collection, form: FormState["form"]): void {
  useEffect(() => {
    if (!hasRules) return undefined;
    const isOfOthers = ({ requiredIf, choicesIf }: Field, type: unknown) =>
      type === "RULE" || (type === "REQUIRED" && requiredIf !== undefined) || (type === "ENUM" && choicesIf !== undefined);
    return form.subscribe({
      formState: { values: true },
      callback: () => {
        const wrong = fields.filter((field) => isOfOthers(field, form.getFieldState(field.name).error?.type));
        if (wrong.length > 0) void form.trigger(wrong.map(({ name }) => name));
      },
    });
  }, [form, fields, hasRules]);
}

type Named = Readonly<Record<string, unknown>>;

/** When fields are renamed while the form is open, what is stored in them and typed into them follows. It must come before the defaults. */
function useOtherNames(collection: Collection, rename: (ofToday: (values: Named) => Named) => void): void {
  const before = useRef(collection);
  const latest = useRef(rename);
  latest.current = rename;
  useEffect(() => {
    const known = before.current.byName;
    before.current = collection;
    const renamed = collection.fields.filter(({ name, formerNames = [] }) => !known.has(name) && formerNames.some((one) => known.has(one)));
    if (renamed.length === 0) return;
    const isBlank = (name: string) => renamed.some((field) => field.name === name); // an input has just been drawn under that name
    latest.current((values) => {
      const own = Object.fromEntries(Object.entries(values).filter(([name]) => !isBlank(name)));
      return withCurrentNames(collection, own, allFormerNamesOf);
    });
  }, [collection]);
}

/** When the user chooses another locale while the form is open, its numbers follow. `before`: the signs that they are written with. */
function useOtherLocale(rewrite: (before: NumberSigns) => void): void {
  useLocale();
  const signs = numberSigns();
  const before = useRef(signs);
  const latest = useRef(rewrite);
  latest.current = rewrite;
  useEffect(() => {
    if (before.current === signs) return;
    latest.current(before.current);
    before.current = signs;
  }, [signs]);
}
