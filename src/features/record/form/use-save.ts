// What pressing Save does: sends what changed, takes over what came of it, keeps what was typed whatever happens.

import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { WireRecord } from "../../../../core/contract/records.ts";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import type { Fields, Problem } from "../../../../core/dictionary/validate.ts";
import { tCode } from "../../../../core/i18n/translate.ts";
import { type Texts, textsOf } from "../../../fields/field-text.ts";
import { changedFields, changedMeanwhile, type MeanwhileChange, valuesOf } from "./diff.ts";
import { useRecordFormState } from "./form-state.ts";
import { type Attempt, useLostReply } from "./lost-reply.ts";
import { useRetrySave, type Wait } from "./retry-save.ts";
import type { SaveAnswer, Then, ToSave } from "./save-result.ts";
import { type DraftKeeper, type DraftOfRecord, useDraft } from "./use-draft.ts";

export interface SaveParts {
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
export type SaveMessage =
  | { wrong: string }
  | { unchanged: true }
  /** Someone else saved meanwhile what was typed here. */
  | { same: true }
  | { unsaved: string }
  | Wait
  | { unknown: string }
  | { meanwhile: MeanwhileChange[]; theirs: WireRecord };

/** The form at the moment when Save was pressed: its values, the fields that were typed into, and the inputs' texts. */
interface ValidatedForm {
  fields: Fields;
  touched: ReadonlySet<string>;
  sent: Texts;
}

export interface Save {
  form: UseFormReturn<Texts, unknown, Fields>;
  /** Checks and saves. */
  press: (then: Then) => Promise<void>;
  /** The same once more, while the service asks to wait. */
  pressAgain: () => void;
  /** How often something came of pressing. */
  presses: number;
  saveMessage: SaveMessage | undefined;
  draft: DraftOfRecord;
  isGone: boolean;
  /** The version that the user sees and types on; undefined while the record is new. */
  base: WireRecord | undefined;
}

export function useSave(parts: SaveParts): Save {
  const { collection, save, onSaved, onDirty } = parts;
  const { form, base, now, typed, show } = useRecordFormState(collection, parts.record);
  const { isDirty } = form.formState;
  const [saveMessage, setSaveMessage] = useState<SaveMessage>();
  const [isFoundGone, setFoundGone] = useState(false);
  const isGone = (parts.isGone ?? false) || isFoundGone;
  const draft = useDraft({ form, typed, base: now, keeper: parts.drafts, join });
  const open = useLostReply<Texts>(take, saveMessage !== undefined && "unknown" in saveMessage);
  const [presses, press] = usePress(form, submit);
  const waiting = useRetrySave(form.getValues, press);
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);

  async function submit(fields: Fields, then: Then, isAgain: boolean): Promise<void> {
    if (!isAgain) setSaveMessage(undefined);
    // As it was judged: what is typed while an earlier attempt is looked for is not in `fields`.
    const validated = { fields, touched: new Set(Object.keys(typed())), sent: { ...form.getValues() } };
    const found = await open.findOut(then);
    const mayGoOn = !found || "unsaved" in found || ("saved" in found && isTyped());
    if (mayGoOn) await send(validated, then);
  }

  async function send(validated: ValidatedForm, then: Then): Promise<void> {
    const { fields, touched, sent } = validated;
    const known = now.current;
    const changes =
      known && !isGone
        ? changedFields(
            known,
            fields,
            Object.keys(typed()).filter((name) => touched.has(name)),
          )
        : fields;
    if (known && Object.keys(changes).length === 0) {
      show(known, typedSince(sent));
      return then === "stay" ? setSaveMessage({ unchanged: true }) : onSaved(undefined, then, isTyped());
    }
    const asked = save(known ? { kind: isGone ? "restore" : "update", base: known, fields: changes } : { kind: "create", fields });
    draft.keepNow(); // with the request on its way, so that a tab that dies now can find out
    const answer = await asked;
    take(answer, { sent, then });
    // An earlier attempt had come through after all: what was changed since goes after it.
    if ("saved" in answer && answer.earlier && isTyped()) await send(validated, then);
  }

  function take(answer: SaveAnswer, attempt: Attempt<Texts>): void {
    open.become("find" in answer && answer.find ? { find: answer.find, attempt } : undefined);
    if ("wait" in answer) {
      setSaveMessage(waiting.begin(answer, attempt.then));
      return;
    }
    if ("unsaved" in answer && waiting.isOn()) return; // it goes once more at once
    waiting.end();
    if ("saved" in answer) takeOver(answer, attempt);
    else if ("conflict" in answer) join(now.current ?? answer.conflict, answer.conflict, typed());
    else if ("gone" in answer) setFoundGone(true);
    else if ("refused" in answer) refuse(answer);
    else setSaveMessage(answer);
  }

  /** The saved record becomes what the form starts from; text typed while the request was under way stays. */
  function takeOver({ saved, earlier }: { saved: WireRecord; earlier?: Fields }, { sent, then }: Attempt<Texts>): void {
    const since = typedSince(earlier ? textsOf(collection, earlier) : sent);
    setFoundGone(false);
    setSaveMessage(undefined);
    show(saved, since);
    draft.saved();
    if (!(earlier && isTyped())) onSaved(saved, then, isTyped());
  }

  /** Their version becomes the base: what the user did not touch shows theirs, what the user typed stays. */
  function join(was: WireRecord, theirs: WireRecord, texts: Texts): void {
    const mine = { ...was, ...valuesOf(collection, texts) };
    setFoundGone(false);
    show(theirs, texts);
    setSaveMessage(isTyped() ? { meanwhile: changedMeanwhile(collection, was, theirs, mine), theirs } : { same: true });
  }

  function refuse({ refused, problems }: { refused: string; problems: Problem[] }): void {
    const placed = problems.filter((problem) => collection.byName.has(problem.field));
    for (const { field, code, message } of placed) {
      form.setError(field, { type: code, message: tCode(code, message, { field: collection.byName.get(field)?.title }) });
    }
    if (placed.length === 0) setSaveMessage({ wrong: refused });
  }

  function typedSince(sent: Readonly<Texts>): Texts {
    const since = Object.entries(form.getValues()).filter(([name, text]) => text !== sent[name] && name !== collection.key.name);
    return Object.fromEntries(since);
  }

  function isTyped(): boolean {
    return Object.keys(typed()).length > 0;
  }

  return { form, press, pressAgain: waiting.goAgain, presses, saveMessage, draft, isGone, base };
}

/** Checks, then submits; pressed again before something has come of it, it does nothing. */
function usePress(
  form: Save["form"],
  submit: (fields: Fields, then: Then, isAgain: boolean) => Promise<void>,
): [number, (then: Then, isAgain?: boolean) => Promise<void>] {
  const isBusy = useRef(false);
  const [presses, setPresses] = useState(0);
  async function press(then: Then, isAgain = false): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await form.handleSubmit((fields) => submit(fields, then, isAgain))();
    } finally {
      isBusy.current = false;
      if (!isAgain) setPresses((n) => n + 1); // by itself it takes the focus from nobody
    }
  }
  return [presses, press];
}
