// Follows what is typed in a form: which fields are asked for, which are needed, and which values they offer.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import { askDefaults, askStates } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { allFormerNamesOf } from "../../../core/dictionary/column-name.ts";
import type { Me, Scope } from "../../../core/dictionary/expression-values.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import type { FieldState } from "../../../core/dictionary/rules.ts";
import { type Fields, isProblem, valueOfKind } from "../../../core/dictionary/validate.ts";
import { dayIn } from "../../../core/forms/time-zones.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { meQuery } from "../../service/me.ts";
import { holdPlace } from "../../ui/focus/hold-place.ts";
import { displayText, type Texts, textOf, textToValidate } from "../../values/field-text.ts";
import type { RecordValues } from "../../values/field-value.ts";
import type { FormState } from "./use-record-form-state.ts";

/** A field with conditions as the texts in the inputs leave it. */
export interface FieldInForm extends Pick<FieldState, "isVisible" | "isRequired"> {
  /** The texts of the values that it offers; undefined where no list depends on others now. */
  choices: readonly string[] | undefined;
  /** The text in its input, which the list may lack. */
  text: string;
  /** It has a value, and what was typed elsewhere has hidden it. */
  isLeftBehind: boolean;
}

export interface Conditions {
  /** Returns undefined for a field without conditions. */
  of(field: Field): FieldInForm | undefined;
  /** The fields that are hidden with a value of which nobody has said yet that it stays. */
  leftBehind: readonly Field[];
  keep(field: Field): void;
  clear(field: Field): void;
  /** Says what has appeared or gone since, or does not fit any more, for those who do not see it. */
  news: string;
}

/** The rules of the collection are loaded. */
export function useConditions(collection: Collection, { form, base }: Pick<FormState, "form" | "base">): Conditions {
  const me = useMe(collection);
  const read = () => readStates(collection, { texts: form.getValues(), base, me });
  const [states, setStates] = useState(read);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef({ read, states });
  latest.current = { read, states };
  const news = useRef("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version, or who is signed in, may change what is asked for
  useEffect(() => {
    if (!collection.hasRules) return undefined;
    const follow = () => {
      const { read, states } = latest.current;
      const next = read();
      if (JSON.stringify([...next]) === JSON.stringify([...states])) return;
      news.current = newsOf(collection, states, next);
      // It waits a moment: a change of the form may come from within an effect.
      queueMicrotask(() => holdPlace(() => setStates(next)));
      setKept((before) => new Set([...before].filter((name) => next.get(name)?.isVisible === false))); // the next time it is asked again
    };
    follow();
    return form.subscribe({ formState: { values: true }, callback: follow });
  }, [collection, form, base, me]);
  return {
    of: ({ name }) => states.get(name),
    leftBehind: collection.form.filter(({ name }) => states.get(name)?.isLeftBehind && !kept.has(name)),
    keep: ({ name }) => setKept((before) => new Set([...before, name])),
    clear: ({ name }) => form.setValue(name, "", { shouldDirty: true }),
    news: news.current,
  };
}

/** Says who fills in the form, as far as its conditions may ask. */
function useMe({ hasRules = false }: Collection): Me | null {
  const { client } = useServices();
  const { data } = useQuery({ ...meQuery(client), enabled: hasRules });
  return data?.principal ?? null;
}

interface Typed {
  texts: Texts;
  base: WireRecord | undefined;
  me: Me | null;
}

function readStates(collection: Collection, { texts, base, me }: Typed): ReadonlyMap<string, FieldInForm> {
  if (!collection.hasRules) return new Map();
  const states = askStates(collection, scopeOf(collection, { ...base, ...valuesTyped(collection, texts) }, base, me));
  const before = base && askStates(collection, scopeOf(collection, base, base, me));
  return new Map(
    [...states].map(([name, { isVisible, isRequired, choices }]) => {
      const field = collection.byName.get(name) as Field;
      const text = texts[name] ?? "";
      const isNew = before?.get(name)?.isVisible !== false || text !== textOf(field, (base?.[name] ?? null) as string | null);
      const state = { isVisible, isRequired, choices: choices?.map((value) => textOf(field, value)), text };
      return [name, { ...state, isLeftBehind: !isVisible && text !== "" && isNew && field.computed === undefined }];
    }),
  );
}

function scopeOf({ timeZone = "UTC" }: Collection, record: RecordValues, old: RecordValues | undefined, me: Me | null): Scope {
  return { record, old: old ?? null, me, today: dayIn(timeZone, Date.now()) };
}

/** Returns the values of the texts. A text that is none of the kind is no value yet. */
function valuesTyped({ fields }: Collection, texts: Texts): Fields {
  const typed = fields.filter(({ name }) => texts[name] !== undefined);
  return Object.fromEntries(
    typed.map((field) => {
      const value = valueOfKind(field, textToValidate(field, texts[field.name] ?? ""), "text");
      return [field.name, isProblem(value) ? null : value];
    }),
  );
}

function newsOf(collection: Collection, before: ReadonlyMap<string, FieldInForm>, now: ReadonlyMap<string, FieldInForm>): string {
  const sentences = [...now].flatMap(([name, state]) => {
    const field = collection.byName.get(name) as Field;
    const { title } = field;
    if (state.isVisible !== before.get(name)?.isVisible)
      return state.isVisible ? t("{title} is asked for now.", { title }) : t("{title} is not asked for any more.", { title });
    return state.isVisible && isOutside(state) ? describeOutside(field, state) : [];
  });
  return sentences.join(" ");
}

/** Says whether the list that holds now lacks the value that was chosen before. */
export function isOutside({ choices, text }: FieldInForm): boolean {
  return choices !== undefined && text !== "" && !choices.includes(text);
}

export function describeOutside(field: Field, { text }: FieldInForm): string {
  return t("“{value}” does not fit the other values. Choose another {title}.", { value: displayText(field, text), title: field.title });
}

/** Begins with what was stored last, unless that could not be saved. */
function isKept({ sticky, readOnly }: Field): boolean {
  return sticky === true && !readOnly;
}

/**
 * Fills a new record with the defaults of its fields, which follow the fields that they read until somebody types over them; a sticky field
 * begins with what the person stored last. Returns the texts that nobody has typed.
 */
export function useDefaults(
  collection: Collection,
  { form, base }: Pick<FormState, "form" | "base">,
  kept: Texts,
): ReadonlyMap<string, string> {
  const { views } = useServices();
  const me = useMe(collection);
  const filled = useRef(new Map<string, string>()).current;
  const typed = useRef(new Set(Object.keys(kept))).current;
  const isNew = base === undefined;
  useEffect(() => {
    for (const [former, name] of allFormerNamesOf(collection)) {
      if (typed.has(former)) typed.add(name);
      const text = filled.get(former);
      if (text !== undefined) filled.set(name, text);
    }
    const own = isNew ? collection.fields.filter((field) => field.default !== undefined || isKept(field)) : [];
    const last = views.of(collection).sticky ?? {};
    let isFilling = false;
    const fill = () => {
      const left = own.filter(({ name }) => !typed.has(name));
      const given = valuesTyped(collection, form.getValues());
      for (const { name } of left) delete given[name];
      for (const { name } of left.filter(isKept)) if ((last[name] ?? null) !== null) given[name] = last[name] as Value;
      const record = { ...given, ...askDefaults(collection, scopeOf(collection, given, undefined, me)) };
      const states = askStates(collection, scopeOf(collection, record, undefined, me));
      isFilling = true;
      for (const field of left) {
        const text = states.get(field.name)?.isVisible === false ? "" : textOf(field, record[field.name] ?? null);
        filled.set(field.name, text);
        if (form.getValues(field.name) !== text) form.resetField(field.name, { defaultValue: text });
      }
      isFilling = false;
    };
    const follow = ({ name = "" }: { name?: string }) => {
      if (isFilling) return;
      if (filled.has(name) && form.getValues(name) !== filled.get(name)) {
        typed.add(name);
        filled.delete(name);
      }
      fill();
    };
    if (own.length === 0) return filled.clear();
    fill();
    return form.subscribe({ formState: { values: true }, callback: follow });
  }, [collection, form, isNew, me, filled, typed, views]);
  return filled;
}
