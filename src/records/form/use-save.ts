// Saves a form: sends what changed, shows the result, and never loses what was typed.

import { type RefObject, useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Problem } from "../../../core/contract/problems.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import { ruleMessage } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { titleOfProblem } from "../../../core/dictionary/unique-keys.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { tCode } from "../../../core/i18n/translate.ts";
import { type Texts, textsOf } from "../../values/field-text.ts";
import type { FileBox, LeftFiles } from "../../values/record-files/chosen-files.ts";
import { changedFields, changedMeanwhile, type MeanwhileChange, unitedTexts, valuesOf } from "./diff.ts";
import { validateTexts } from "./resolver.ts";
import type { AfterSave, SaveRequest, SaveResult } from "./save-result.ts";
import { type DraftStorage, type RecordDraft, useDraft } from "./use-draft.ts";
import { useFollowStored } from "./use-follow-stored.ts";
import { type Attempt, useLostReply } from "./use-lost-reply.ts";
import { type FormState, useRecordFormState } from "./use-record-form-state.ts";
import { type SaveWait, useRetrySave } from "./use-retry-save.ts";
import { inOwnWords, useWarnings, type Warning, type Warnings } from "./use-warnings.ts";

export interface UseSaveOptions {
  collection: Collection;
  /** The stored record; undefined for a new one. */
  record?: WireRecord | undefined;
  /** Holds what a new record begins with. */
  kept?: Texts;
  save: (what: SaveRequest) => Promise<SaveResult>;
  /**
   * `saved` is undefined when there was nothing to save. `isDirty`: something is not saved. That is text which was typed during the save, or
   * files alone: `left`.
   */
  onSaved: (saved: WireRecord | undefined, then: AfterSave, isDirty: boolean, left?: LeftFiles) => void;
  drafts: DraftStorage;
  /** Someone else deleted the record. Saving creates it again. */
  isGone?: boolean;
  /** Says whether the notice of a deletion that came by itself is in sight. */
  isGoneInSight?: () => boolean;
  /** Says whether a version was saved by someone else while the page was open. */
  isNews?: (record: WireRecord) => boolean;
  /** Is called when the form becomes dirty or clean. `isKept`: the browser has kept what is typed. `hasFiles`: it has files, which nobody keeps. */
  onDirty?: (isTyped: boolean, isKept: boolean, hasFiles: boolean) => void;
  /** The files that are chosen in the form. */
  box?: FileBox;
}

/** The result of the last save, apart from problems at fields. */
export type SaveStatus =
  | { wrong: string }
  /** Whoever saves is asked whether it is meant so. */
  | { warned: readonly Warning[]; isConfirmed: boolean }
  | { unchanged: true }
  /** Someone else saved exactly what was typed here. */
  | { same: true }
  | { unsaved: string }
  | SaveWait
  | { unknown: string }
  | { perhapsSaved: string }
  /** Someone else saved first. `isRefused`: a save was refused for it. `isSeen`: for it, or the user has chosen a value. */
  | { meanwhile: MeanwhileChange[]; was: WireRecord; theirs: WireRecord; isRefused: boolean; isSeen: boolean }
  /** Someone else saved while nothing was typed. */
  | { changed: MeanwhileChange[]; was: WireRecord; theirs: WireRecord };

/** The form when Save was pressed: its values, the names of the changed fields, and the inputs' texts. */
interface ValidatedForm {
  fields: Fields;
  touched: ReadonlySet<string>;
  sent: Texts;
}

export interface UseSaveResult {
  form: UseFormReturn<Texts, unknown, Fields>;
  /** Validates and saves. */
  trySave: (then: AfterSave) => Promise<void>;
  /** Retries while the service asks to wait. */
  tryAgain: () => void;
  /** The number of finished attempts. */
  attempts: number;
  saveStatus: SaveStatus | undefined;
  /** The user has chosen a value where both changed a field. */
  onChosen: () => void;
  /** The user has said whether what was warned of is meant so. */
  onConfirm: (isConfirmed: boolean) => void;
  draft: RecordDraft;
  isGone: boolean;
  /** The deletion came by itself, while the form was open. */
  isGoneByItself: boolean;
  /** The version that the user edits; undefined for a new record. */
  base: WireRecord | undefined;
  /** Makes a version the base that was stored from within the form, as by a file. What is typed stays. */
  take: (stored: WireRecord) => void;
}

export function useSave(parts: UseSaveOptions): UseSaveResult {
  const { collection } = parts;
  const formState = useRecordFormState(collection, parts.record, parts.kept);
  const { form, base, now, typed } = formState;
  const { isDirty, isSubmitting } = form.formState;
  const shown = useShownResult(parts, formState);
  const { saveStatus, setSaveStatus, isGone, isGoneByItself, isTyped } = shown;
  const draft = useDraft({ form, typed, base: now, drafts: parts.drafts, merge: (...all) => shown.mergeTheirs(...all, true) });
  const lostReply = useLostReply<Texts>(applyResult, saveStatus !== undefined && "unknown" in saveStatus);
  const warnings = useWarnings(collection);
  const [attempts, trySave, isBusy] = useTrySave(form, submit, () => askWarnings(collection, warnings, formState, shown));
  const retrySave = useRetrySave(form.getValues, trySave);
  const isOpen = saveStatus !== undefined && ("unknown" in saveStatus || "wait" in saveStatus);
  const { record, isNews = () => false } = parts;
  useFollowStored(formState, { record, isSaving: isSubmitting || isOpen, isBusy, isNews, announce: shown.announce });
  useReportDirty(parts, isDirty, draft.isKept);

  async function submit(fields: Fields, then: AfterSave, isAgain: boolean): Promise<void> {
    if (showUnseen(shown, !isAgain && parts.isGoneInSight?.() === true)) return retrySave.end();
    if (!isAgain) setSaveStatus(undefined);
    // They are taken now: what is typed during the look-up is not in `fields`.
    const validated = { fields, touched: new Set(Object.keys(typed())), sent: { ...form.getValues() } };
    const found = await lostReply.lookUp(then);
    const mayGoOn = !found || "unsaved" in found || ("saved" in found && isTyped());
    if (mayGoOn) await send(validated, then);
  }

  async function send(validated: ValidatedForm, then: AfterSave): Promise<void> {
    const request = requestFor(now.current, isGone, validated, Object.keys(typed()));
    if (!request) return applyUnchanged(validated.sent, then);
    const warned = await warnings.ask(request);
    if (warned.length > 0) return void applyResult({ warned }, { sent: validated.sent, then });
    const saving = parts.save({ ...request, acknowledge: warnings.acknowledged() });
    draft.writeNow(); // with the request under way, so that a tab that dies now can look it up later
    const answer = await saving;
    await applyResult(answer, { sent: validated.sent, then });
    // An earlier attempt had been stored after all, so send what changed since.
    if ("saved" in answer && answer.earlier && isTyped()) await send(validated, then);
  }

  async function applyUnchanged(sent: Texts, then: AfterSave): Promise<void> {
    if (now.current) formState.show(now.current, shown.typedSince(sent));
    if (then === "stay" && !parts.box?.files?.areWaiting()) setSaveStatus({ unchanged: true });
    else await finishSave(parts, { record: now.current, saved: undefined, then, isTyped });
  }

  function applyResult(answer: SaveResult, attempt: Attempt<Texts>): Promise<void> | undefined {
    lostReply.track("find" in answer && answer.find ? { find: answer.find, attempt } : undefined);
    if ("wait" in answer) return void setSaveStatus(retrySave.schedule(answer, attempt.then));
    if ("unsaved" in answer && retrySave.isScheduled()) return undefined; // it is sent again at once
    retrySave.end();
    return "saved" in answer ? applySaved(answer, attempt) : void shown.showFailure(answer);
  }

  function applySaved(
    { saved, earlier }: { saved: WireRecord; earlier?: Fields },
    { sent, then }: Attempt<Texts>,
  ): Promise<void> | undefined {
    shown.showSaved(saved, earlier ? textsOf(collection, earlier) : sent);
    draft.saved();
    return earlier && isTyped() ? undefined : finishSave(parts, { record: saved, saved, then, isTyped });
  }

  const answers = answersTo(saveStatus, setSaveStatus, warnings);
  const take = (next: WireRecord) => formState.show(next, typed());
  return { form, trySave, tryAgain: retrySave.retryNow, attempts, saveStatus, ...answers, draft, isGone, isGoneByItself, base, take };
}

function useReportDirty({ onDirty, box }: UseSaveOptions, isDirty: boolean, isKept: boolean): void {
  const hasFiles = box?.files?.areWaiting() === true;
  useEffect(() => onDirty?.(isDirty, isKept, hasFiles), [isDirty, isKept, hasFiles, onDirty]);
}

interface Finished {
  /** Is the record as it is stored. */
  record: WireRecord | undefined;
  saved: WireRecord | undefined;
  then: AfterSave;
  isTyped: () => boolean;
}

/** Sends the files that are chosen, if there are any, before whoever opened the form hears that it is saved. */
async function finishSave({ onSaved, box }: UseSaveOptions, { record, saved, then, isTyped }: Finished): Promise<void> {
  if (!record || !box?.files?.areWaiting()) return onSaved(saved, then, isTyped());
  const left = await box.files.sendAll(record);
  if (left.files.size === 0) onSaved(left.record, then, isTyped());
  else onSaved(saved, then, true, isTyped() ? undefined : left);
}

/** Asks what rules warn of beside what is wrong, so that nobody corrects that and is asked only then. Rules need values that are right by themselves. */
async function askWarnings(
  collection: Collection,
  warnings: Warnings,
  { form, now: { current: base } }: FormState,
  { saveStatus, setSaveStatus }: ReturnType<typeof useShownResult>,
): Promise<void> {
  if (saveStatus && !("warned" in saveStatus)) return;
  const { record: fields } = validateTexts(collection, form.getValues(), base).validated;
  const warned = fields ? await warnings.ask(base ? { kind: "update", base, fields } : { kind: "create", fields }) : [];
  setSaveStatus(warned.length > 0 ? { warned, isConfirmed: false } : undefined);
}

/** Keeps what the user answers to the result of a save. */
function answersTo(
  status: SaveStatus | undefined,
  show: (status: SaveStatus) => void,
  warnings: Warnings,
): Pick<UseSaveResult, "onChosen" | "onConfirm"> {
  return {
    onChosen() {
      if (status && "meanwhile" in status) show({ ...status, isSeen: true });
    },
    onConfirm(isConfirmed) {
      if (!status || !("warned" in status)) return;
      warnings.confirm(status.warned, isConfirmed);
      show({ ...status, isConfirmed });
    },
  };
}

/** Keeps what the form shows of the last save: another version as the base, problems at fields, or a status. */
function useShownResult({ collection, isGone = false }: UseSaveOptions, { form, now, typed, show }: FormState) {
  const [saveStatus, setSaveStatus] = useState<SaveStatus>();
  const [isFoundGone, setFoundGone] = useState(isGone); // by the page that was opened, or by a save
  const isTyped = () => Object.keys(typed()).length > 0;
  useEffect(() => {
    if (!isGone) setFoundGone(false); // somebody has brought it back
  }, [isGone]);

  function typedSince(sent: Readonly<Texts>): Texts {
    const since = Object.entries(form.getValues()).filter(([name, text]) => text !== sent[name] && name !== collection.key.name);
    return Object.fromEntries(since);
  }

  /** Makes the saved record the base. Text typed during the request stays. */
  function showSaved(saved: WireRecord, sent: Texts): void {
    setFoundGone(false);
    setSaveStatus(undefined);
    show(saved, typedSince(sent));
  }

  /** Makes their version the base. What the user typed stays. */
  function mergeTheirs(was: WireRecord, theirs: WireRecord, texts: Texts, isRefused: boolean): void {
    const mine = { ...was, ...valuesOf(collection, texts) };
    const meanwhile = changedMeanwhile(collection, was, theirs, mine);
    setFoundGone(false);
    show(theirs, unitedTexts(meanwhile, texts));
    setSaveStatus(isTyped() ? { meanwhile, was, theirs, isRefused, isSeen: isRefused } : { same: true });
  }

  /** Nobody has pressed Save. Of several changes that came since, all are shown together. */
  function announce(before: WireRecord, theirs: WireRecord): void {
    const was = saveStatus && "was" in saveStatus ? saveStatus.was : before;
    if (isTyped()) {
      mergeTheirs(was, theirs, typed(), false);
      return;
    }
    setFoundGone(false);
    show(theirs, {});
    setSaveStatus({ changed: changedMeanwhile(collection, was, theirs, {}), was, theirs });
  }

  function showFailure(answer: Exclude<SaveResult, { saved: unknown } | { wait: unknown }>): void {
    if ("conflict" in answer) mergeTheirs(now.current ?? answer.conflict, answer.conflict, typed(), true);
    else if ("gone" in answer) setFoundGone(true);
    else if ("refused" in answer) showProblems(answer);
    else if ("warned" in answer) setSaveStatus({ warned: inOwnWords(collection, answer.warned), isConfirmed: false });
    else setSaveStatus(answer);
  }

  function showProblems({ refused, problems }: { refused: string; problems: Problem[] }): void {
    const warned = inOwnWords(
      collection,
      problems.filter(({ code }) => code === "WARNING"),
    );
    const placed = problems.filter(({ field, code }) => code !== "WARNING" && collection.byName.has(field));
    for (const { field, code, message } of placed) {
      const sentence = tCode(code, message, { field: titleOfProblem(collection, { code, field }) });
      form.setError(field, { type: code, message: ruleMessage(collection, sentence) });
    }
    if (placed.length === 0) setSaveStatus({ wrong: refused });
    else if (warned.length > 0) setSaveStatus({ warned, isConfirmed: false });
  }

  const gone = { isGone: isGone || isFoundGone, isGoneByItself: isGone && !isFoundGone, setFoundGone };
  return { saveStatus, setSaveStatus, ...gone, isTyped, typedSince, showSaved, mergeTheirs, announce, showFailure };
}

/** Shows what came by itself and may not have been noticed. Then nothing is sent. */
function showUnseen(shown: ReturnType<typeof useShownResult>, isGoneInSight: boolean): boolean {
  const { saveStatus, setSaveStatus, isGoneByItself, setFoundGone } = shown;
  if (saveStatus && isUnseenClash(saveStatus)) {
    setSaveStatus({ ...saveStatus, isRefused: true, isSeen: true });
    return true;
  }
  if (!isGoneByItself || isGoneInSight) return false;
  setFoundGone(true);
  setSaveStatus(undefined);
  return true;
}

/** Another's value came by itself into a field that the user changed: they may not have noticed, so the first save asks. */
function isUnseenClash(status: SaveStatus): status is Extract<SaveStatus, { meanwhile: unknown }> {
  return "meanwhile" in status && !status.isSeen && status.meanwhile.some(({ clash }) => clash);
}

/** Returns undefined when nothing would change. `typed`: the names of the fields that differ from `known` by now. */
function requestFor(
  known: WireRecord | undefined,
  isGone: boolean,
  { fields, touched }: ValidatedForm,
  typed: readonly string[],
): SaveRequest | undefined {
  if (!known) return { kind: "create", fields };
  const names = typed.filter((name) => touched.has(name));
  const changes = isGone ? fields : changedFields(known, fields, names);
  if (Object.keys(changes).length === 0) return undefined;
  return { kind: isGone ? "restore" : "update", base: known, fields: changes };
}

/** Validates, then submits. Ignores calls while one is running. */
function useTrySave(
  form: UseSaveResult["form"],
  submit: (fields: Fields, then: AfterSave, isAgain: boolean) => Promise<void>,
  onWrong: () => Promise<void>,
): [attempts: number, trySave: (then: AfterSave, isAgain?: boolean) => Promise<void>, isBusy: RefObject<boolean>] {
  const isBusy = useRef(false);
  const [attempts, setPresses] = useState(0);
  async function trySave(then: AfterSave, isAgain = false): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await form.handleSubmit((fields) => submit(fields, then, isAgain), onWrong)();
    } finally {
      isBusy.current = false;
      if (!isAgain) setPresses((n) => n + 1); // an automatic retry must not move the focus
    }
  }
  return [attempts, trySave, isBusy];
}
