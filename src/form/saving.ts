// What a form does beside being drawn: follows the stored record, saves what changed, keeps what was typed whatever happens.

import { useEffect, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { Fields, Problem } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { changedFields, changedMeanwhile, type MeanwhileChange } from "./changes.ts";
import { type Texts, textsOf } from "./field-text.ts";
import { recordResolver } from "./resolver.ts";

export type SaveAnswer =
  | { saved: WireRecord }
  /** Refused: problems belong to fields, the message to the whole. */
  | { refused: string; problems: Problem[] }
  /** Someone else saved this version meanwhile. */
  | { conflict: WireRecord }
  | { gone: true };

export interface SavingParts {
  collection: Collection;
  /** The stored record; without it the form makes a new one. */
  record?: WireRecord | undefined;
  /** `fields`: the whole record when it is new or gone, else only what changed against `base`. */
  save: (fields: Fields, base: WireRecord | undefined) => Promise<SaveAnswer>;
  /** Someone else deleted the record; what is typed stays, and saving makes it again. */
  isGone?: boolean;
  /** Told when there begins or ceases to be text that is not saved. */
  onDirty?: (isDirty: boolean) => void;
}

/** What the form has to tell beside problems at fields. */
export type Said = { wrong: string } | { unchanged: true } | { meanwhile: MeanwhileChange[] };

export interface Saving {
  form: UseFormReturn<Texts, unknown, Fields>;
  submit: (fields: Fields) => Promise<void>;
  said: Said | undefined;
  isGone: boolean;
  /** A record of this key is or was stored: the key is shown and never changes. */
  isStored: boolean;
}

export function useSaving({ collection, record, save, isGone: isKnownGone = false, onDirty }: SavingParts): Saving {
  const form = useForm<Texts, unknown, Fields>({
    defaultValues: textsOf(collection, record ?? {}),
    resolver: recordResolver(collection),
    mode: "onTouched",
    shouldFocusError: false, // the summary takes the focus and leads to each field
  });
  const { isDirty, dirtyFields } = form.formState;
  // The version that the user saw when typing began: neither a refetch nor another tab may move it underneath.
  const [base, setBase] = useState(record);
  const [said, setSaid] = useState<Said>();
  const [isFoundGone, setFoundGone] = useState(false);
  const isGone = isKnownGone || isFoundGone;

  // A form that nobody has typed into follows the stored record.
  useEffect(() => {
    if (isDirty || !record || record.version === base?.version) return;
    setBase(record);
    form.reset(textsOf(collection, record));
  }, [record, base, isDirty, form, collection]);
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);

  async function submit(fields: Fields): Promise<void> {
    setSaid(undefined);
    const submitted = form.getValues();
    const touched = Object.keys(dirtyFields);
    const known = isGone ? undefined : base;
    const sent = known ? changedFields(known, fields, touched) : fields;
    if (known && Object.keys(sent).length === 0) {
      form.reset(textsOf(collection, known));
      return setSaid({ unchanged: true });
    }
    const answer = await save(sent, known);
    if ("saved" in answer) takeOver(answer.saved, submitted);
    else if ("conflict" in answer) adopt(answer.conflict, fields, touched);
    else if ("gone" in answer) setFoundGone(true);
    else refuse(answer);
  }

  /** The saved record becomes what the form starts from; text typed while the request was under way stays. */
  function takeOver(saved: WireRecord, submitted: Texts): void {
    const typed = form.getValues();
    setFoundGone(false);
    setBase(saved);
    form.reset(textsOf(collection, saved));
    for (const [name, text] of Object.entries(typed)) {
      if (text !== submitted[name]) form.setValue(name, text, { shouldDirty: true });
    }
  }

  /** Their version becomes the base: what the user did not touch shows theirs, what the user typed stays. */
  function adopt(theirs: WireRecord, mine: Fields, touched: string[]): void {
    if (base) setSaid({ meanwhile: changedMeanwhile(collection, base, theirs, { ...base, ...pick(mine, touched) }) });
    setBase(theirs);
    form.reset(textsOf(collection, theirs), { keepDirtyValues: true });
  }

  function refuse({ refused, problems }: { refused: string; problems: Problem[] }): void {
    const placed = problems.filter((problem) => collection.byName.has(problem.field));
    for (const problem of placed) form.setError(problem.field, { type: problem.code, message: problem.message });
    if (placed.length === 0) setSaid({ wrong: refused });
  }

  return { form, submit, said, isGone, isStored: base !== undefined };
}

function pick(fields: Fields, names: string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}
