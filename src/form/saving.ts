// What a form does beside being drawn: follows the stored record, saves what changed, keeps what was typed whatever happens.

import { useCallback, useEffect, useRef, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { Fields, Problem } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { changedFields, changedMeanwhile, type MeanwhileChange, typedTexts, valuesOf } from "./changes.ts";
import { type DraftKeeper, type KeptDraft, useDraft } from "./draft.ts";
import { type Texts, textsOf } from "./field-text.ts";
import { recordResolver } from "./resolver.ts";
import type { SaveAnswer, Then, ToSave } from "./save-answer.ts";
import { type Attempt, useFindOut } from "./unknown-outcome.ts";

export interface SavingParts {
  collection: Collection;
  /** The stored record; without it the form makes a new one. */
  record?: WireRecord | undefined;
  save: (what: ToSave) => Promise<SaveAnswer>;
  /** Undefined: there was nothing to save. `isDirty`: text was typed while the record was being saved, and is not in it. */
  onSaved: (saved: WireRecord | undefined, then: Then, isDirty: boolean) => void;
  drafts: DraftKeeper;
  /** Someone else deleted the record; what is typed stays, and saving makes it again. */
  isGone?: boolean;
  /** Told when there begins or ceases to be text that is not saved. */
  onDirty?: (isDirty: boolean) => void;
}

/** What the form has to tell beside problems at fields. */
export type Said =
  | { wrong: string }
  | { unchanged: true }
  | { unsaved: true }
  | { unknown: string }
  | { meanwhile: MeanwhileChange[]; theirs: WireRecord };

export interface Saving {
  form: UseFormReturn<Texts, unknown, Fields>;
  /** Checks and saves; pressed again meanwhile, it does nothing. */
  press: (then: Then) => Promise<void>;
  /** How often something came of pressing. */
  presses: number;
  said: Said | undefined;
  draft: KeptDraft;
  isGone: boolean;
  /** The version that the user sees and types on; undefined while the record is new. */
  base: WireRecord | undefined;
}

export function useSaving(parts: SavingParts): Saving {
  const { collection, record, save, onSaved, onDirty } = parts;
  const form = useForm<Texts, unknown, Fields>({
    defaultValues: textsOf(collection, record ?? {}),
    resolver: recordResolver(collection),
    mode: "onTouched",
    shouldFocusError: false, // the summary takes the focus and leads to each field
  });
  const { isDirty } = form.formState;
  const [said, setSaid] = useState<Said>();
  const [isFoundGone, setFoundGone] = useState(false);
  const isGone = (parts.isGone ?? false) || isFoundGone;
  const { base, now: baseNow, setBase } = useBase(form, parts, isDirty);
  const draft = useDraft({ form, collection, base: baseNow, keeper: parts.drafts, adopt });
  const open = useFindOut<Texts>(take, said !== undefined && "unknown" in said);
  const isBusy = useRef(false);
  const [presses, setPresses] = useState(0);
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);

  async function press(then: Then): Promise<void> {
    if (isBusy.current) return; // pressed twice
    isBusy.current = true;
    try {
      await form.handleSubmit((fields) => submit(fields, then))();
    } finally {
      isBusy.current = false;
      setPresses((n) => n + 1);
    }
  }

  async function submit(fields: Fields, then: Then): Promise<void> {
    setSaid(undefined);
    const found = await open.findOut(then);
    if (found && !("unsaved" in found || ("saved" in found && typed().length > 0))) return;
    await send(fields, then);
  }

  async function send(fields: Fields, then: Then): Promise<void> {
    const known = baseNow.current;
    const sent = { ...form.getValues() };
    const changes = known && !isGone ? changedFields(known, fields, typed()) : fields;
    if (known && Object.keys(changes).length === 0) {
      form.reset(textsOf(collection, known));
      return then === "stay" ? setSaid({ unchanged: true }) : onSaved(undefined, then, false);
    }
    const asked = save(known ? { kind: isGone ? "restore" : "update", base: known, fields: changes } : { kind: "create", fields });
    draft.keepNow(); // with the request on its way, so that a tab that dies now can find out
    const answer = await asked;
    take(answer, { sent, then });
    // An earlier attempt had come through after all: what was changed since goes after it.
    if ("saved" in answer && answer.earlier && typed().length > 0) await send(fields, then);
  }

  function take(answer: SaveAnswer, attempt: Attempt<Texts>): void {
    if ("saved" in answer) takeOver(answer, attempt);
    else if ("conflict" in answer) {
      if (baseNow.current) adopt(baseNow.current, answer.conflict, typedTexts(collection, baseNow.current, form.getValues()));
    } else if ("gone" in answer) setFoundGone(true);
    else if ("refused" in answer) refuse(answer);
    else if ("unsaved" in answer) setSaid({ unsaved: true });
    else setSaid({ unknown: answer.unknown });
    open.become("unknown" in answer ? { find: answer.find, attempt } : undefined);
  }

  /** The saved record becomes what the form starts from; text typed while the request was under way stays. */
  function takeOver({ saved, earlier }: { saved: WireRecord; earlier?: Fields }, { sent, then }: Attempt<Texts>): void {
    const now = { ...form.getValues() };
    const submitted = earlier ? textsOf(collection, earlier) : sent;
    setFoundGone(false);
    setSaid(undefined);
    setBase(saved);
    form.reset(textsOf(collection, saved));
    draft.saved();
    for (const [name, text] of Object.entries(now)) {
      if (text !== submitted[name] && name !== collection.key.name) form.setValue(name, text, { shouldDirty: true });
    }
    const isDirtySince = typed().length > 0;
    if (!(earlier && isDirtySince)) onSaved(saved, then, isDirtySince);
  }

  /** Their version becomes the base: what the user did not touch shows theirs, what the user typed stays. */
  function adopt(was: WireRecord, theirs: WireRecord, texts: Texts): void {
    const mine = { ...was, ...valuesOf(collection, texts) };
    setSaid({ meanwhile: changedMeanwhile(collection, was, theirs, mine), theirs });
    setFoundGone(false);
    setBase(theirs);
    form.reset(textsOf(collection, theirs));
    for (const [name, text] of Object.entries(texts)) form.setValue(name, text, { shouldDirty: true });
  }

  function refuse({ refused, problems }: { refused: string; problems: Problem[] }): void {
    const placed = problems.filter((problem) => collection.byName.has(problem.field));
    for (const problem of placed) form.setError(problem.field, { type: problem.code, message: problem.message });
    if (placed.length === 0) setSaid({ wrong: refused });
  }

  function typed(): string[] {
    return Object.keys(typedTexts(collection, baseNow.current ?? {}, form.getValues()));
  }

  return { form, press, presses, said, draft, isGone, base };
}

/**
 * The version that the user saw when typing began: neither a refetch nor another tab may move it underneath. A form that
 * nobody has typed into follows the stored record.
 */
function useBase(form: UseFormReturn<Texts, unknown, Fields>, { collection, record }: SavingParts, isDirty: boolean) {
  const [base, setState] = useState(record);
  const now = useRef(record);
  const setBase = useCallback((next: WireRecord) => {
    now.current = next;
    setState(next);
  }, []);
  useEffect(() => {
    if (isDirty || !record || record.version <= (now.current?.version ?? 0)) return;
    setBase(record);
    form.reset(textsOf(collection, record));
  }, [record, isDirty, form, collection, setBase]);
  return { base, now, setBase };
}
