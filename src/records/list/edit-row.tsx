// A row of the list that is edited in its place. It is saved as the record's form is, with the same merge.

import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useLeaveGuard } from "../../app/navigation/leave-guard.tsx";
import { useServices } from "../../app/services/services.ts";
import { useIsMounted } from "../../app/services/use-is-mounted.ts";
import { idOf } from "../../service/records.ts";
import { Announce } from "../../ui/announce.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import * as textStyles from "../../ui/text.module.css";
import { FieldControl } from "../../values/field-input.tsx";
import type { Texts } from "../../values/field-text.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nameOf } from "../../values/record-name.ts";
import { FormList, FormPerson, FormReference, useFormParts } from "../../values/references/lazy-reference-inputs.tsx";
import { isTyped } from "../../values/typed-values.ts";
import { Understood } from "../../values/understood.tsx";
import { useComputed } from "../form/computed-field.tsx";
import { typedTexts } from "../form/diff.ts";
import { DraftOffer, GoneNotice, OldValues, ProblemSummary, SaveNotice } from "../form/form-notices.tsx";
import { LeftBehind } from "../form/left-behind.tsx";
import { undoOf } from "../form/saved-edits.tsx";
import { type Conditions, describeOutside, type FieldInForm, isOutside, useConditions } from "../form/use-conditions.ts";
import { type UseSaveOptions, type UseSaveResult, useSave } from "../form/use-save.ts";
import { useSaveRecord } from "../form/use-save-record.ts";
import * as styles from "./edit-row.module.css";
import { Cell, classOf } from "./record-row.tsx";
import * as tableStyles from "./record-table.module.css";

/** `column`: the field in which typing begins. `texts`: what was typed before. */
export interface RowEdit {
  id: number;
  column?: string;
  texts?: Texts;
}

export interface EditRowProps {
  collection: Collection;
  columns: readonly Field[];
  record: WireRecord;
  edit: RowEdit;
  /** Says whether rows begin with a checkbox. */
  hasPick: boolean;
  /** Goes on with another row, or with none. */
  onEdit: (edit: RowEdit | undefined) => void;
  /** Is called instead of `onEdit` while text is not saved. */
  saveFirst: RefObject<((next: RowEdit | undefined) => void) | undefined>;
  /** The row as it is shown until this code is loaded. */
  children: ReactNode;
}

export function EditRow(props: EditRowProps) {
  return useFormParts(props.collection) ? <ReadyRow {...props} /> : props.children;
}

function ReadyRow({ collection, columns, record, edit, hasPick, onEdit, saveFirst }: EditRowProps) {
  const { toasts, keys } = useServices();
  const leave = useLeaveGuard();
  const isHere = useIsMounted();
  const id = idOf(collection, record);
  const { save, drafts } = useSaveRecord(collection, id);
  const goOn = useRef<RowEdit>(undefined); // after saving
  const onSaved: UseSaveOptions["onSaved"] = (saved, then, isDirty) => {
    if (saved) toasts.show({ message: <NameInSentence name={nameOf(collection, saved)} text={t("{name} is saved.")} />, ...undoOf(saved) });
    if (isDirty || then === "stay") return;
    if (isHere()) leave.allow(); // else another page may ask before it is left
    onEdit(goOn.current);
  };
  const saving = useSave({ collection, record, save, drafts, onSaved, onDirty: leave.onDirty });
  const { form, base = record } = saving;
  const shown = useComputed(collection, base, form.control) as WireRecord;
  const conditions = useConditions(collection, saving);
  const row = useRef<HTMLTableRowElement>(null);
  useFirstInput(row, edit, form);
  useFocusBack(id);

  function saveAndGoOn(next: RowEdit | undefined): void {
    goOn.current = next;
    void saving.trySave("close").then(() => row.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }

  useEffect(() => {
    saveFirst.current = saveAndGoOn;
  });

  function giveUp(): void {
    const texts = typedTexts(collection, base, form.getValues());
    const undo = { label: t("Undo"), isUndo: true, run: () => onEdit({ id, texts }) } as const;
    const name = nameOf(collection, base);
    if (Object.keys(texts).length > 0)
      toasts.show({ message: <NameInSentence name={name} text={t("What you typed for {name} is dropped.")} />, action: undo });
    form.reset(); // and with it the draft
    leave.allow();
    onEdit(undefined);
  }

  /** While nothing is typed here, the key takes back what was saved before. */
  function undoSaved(event?: Event): unknown {
    const isTyping = event?.target instanceof Element && event.target.matches("input, textarea") && !row.current?.contains(event.target);
    return !isTyping && toasts.run(toasts.latestUndo());
  }

  useShortcuts(keys, {
    save: () => void saving.trySave("stay"),
    saveAndClose: () => saveAndGoOn(undefined),
    undo: form.formState.isDirty || !toasts.latestUndo() ? undefined : undoSaved,
  });

  return (
    <>
      <tr className={styles.row} data-id={id} ref={row} onKeyDown={onKeyDownOf({ saveAndGoOn, giveUp })}>
        {hasPick && <td className={tableStyles.pick} />}
        {columns.map((field, at) =>
          isEditable(collection, field) && (conditions.of(field)?.isVisible !== false || form.formState.errors[field.name]) ? (
            <td key={field.name} className={classOf(field)} data-at={at} data-title={field.title} data-kind={field.kind}>
              <Control field={field} form={form} given={conditions.of(field)} />
            </td>
          ) : (
            <Cell key={field.name} field={field} record={shown} at={at} />
          ),
        )}
      </tr>
      <tr className={styles.below}>
        <td colSpan={columns.length + (hasPick ? 1 : 0)}>
          <div className={styles.place}>
            <div className={styles.bar}>
              <Notices collection={collection} saving={saving} />
              {collection.hasRules && <OfOthers collection={collection} conditions={conditions} />}
              <OldValues collection={collection} record={base} inputs={columns.filter((field) => isEditable(collection, field))} />
              <button type="button" className={buttonStyles.primary} onClick={() => saveAndGoOn(undefined)}>
                {t("Save")}
              </button>
              <button type="button" className={buttonStyles.quiet} onClick={giveUp}>
                {t("Cancel")}
              </button>
              <span className={textStyles.hint}>{t("Enter saves, Esc cancels, ↓ saves and goes to the next row.")}</span>
            </div>
          </div>
          {leave.dialog}
        </td>
      </tr>
    </>
  );
}

/** A key is never changed, nor what the person may only see. A file is no text, and several lines need more room than a row has. */
function isEditable(collection: Collection, field: Field): boolean {
  return (
    field !== collection.key &&
    !field.readOnly &&
    !field.isUnseenReference &&
    field.autoNumber === undefined &&
    !field.file &&
    collection.form.includes(field) &&
    field.format !== "multiline"
  );
}

/** Says what does not fit any more, and asks about values whose fields have gone, also of columns that are not shown. */
function OfOthers({ collection, conditions }: { collection: Collection; conditions: Conditions }) {
  const outside = collection.form.flatMap((field) => {
    const given = conditions.of(field);
    return given?.isVisible && isOutside(given) ? [describeOutside(field, given)] : [];
  });
  return (
    <div className={styles.notices}>
      <Announce text={conditions.news} />
      {outside.map((sentence) => (
        <p key={sentence} className={textStyles.error}>
          {sentence}
        </p>
      ))}
      {conditions.leftBehind.map((field) => (
        <LeftBehind key={field.name} field={field} conditions={conditions} />
      ))}
    </div>
  );
}

interface ControlProps {
  field: Field;
  form: UseSaveResult["form"];
  given: FieldInForm | undefined;
}

function Control({ field, form, given }: ControlProps) {
  const props = {
    ...form.register(field.name),
    id: `field-${field.name}`,
    "aria-label": field.title,
    "aria-invalid": form.formState.errors[field.name] !== undefined,
    "aria-required": (field.required || given?.isRequired === true) && !field.readOnly,
  };
  if (field.reference) return <FormReference {...props} field={field} control={form.control} />;
  if (field.item) return <FormList {...props} field={field} control={form.control} isShort />;
  if (field.isPerson) return <FormPerson {...props} field={field} control={form.control} />;
  const stored = form.formState.defaultValues?.[field.name];
  return (
    <>
      <FieldControl field={field} stored={stored} given={given} {...props} />
      {isTyped(field) && <Understood field={field} text={form.watch(field.name) ?? ""} id={props.id} stored={stored} />}
    </>
  );
}

/** Shows what is wrong, the result of saving, and a draft that was found. */
function Notices({ collection, saving }: { collection: Collection; saving: UseSaveResult }) {
  const { form, saveStatus, tryAgain, onChosen, onConfirm, draft, isGone } = saving;
  const { errors } = form.formState;
  const focus = useRef<HTMLDivElement>(null);
  const wrong = collection.form.filter((field) => errors[field.name]);
  const messageOf = (field: Field) => errors[field.name]?.message ?? "";
  return (
    <div className={styles.notices}>
      {wrong.length > 0 && <ProblemSummary focus={focus} wrong={wrong} messageOf={messageOf} />}
      <DraftOffer draft={draft} noun={collection.noun} />
      {isGone && <GoneNotice noun={collection.noun} focus={focus} />}
      {saveStatus && (wrong.length === 0 || "warned" in saveStatus) && (
        <SaveNotice {...{ saveStatus, collection, form, tryAgain, onChosen, onConfirm }} focus={wrong.length > 0 ? undefined : focus} />
      )}
    </div>
  );
}

/** Puts the cursor where typing begins, and back in place what was typed before. */
function useFirstInput(row: RefObject<HTMLTableRowElement | null>, { column, texts = {} }: RowEdit, form: UseSaveResult["form"]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each row
  useEffect(() => {
    for (const [name, text] of Object.entries(texts)) form.setValue(name, text, { shouldDirty: true });
    const inputs = [...(row.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]") ?? [])];
    const first = inputs.find(({ name }) => name === (column ?? Object.keys(texts)[0])) ?? inputs[0];
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
  }, []);
}

/** The row gets the focus back, also from the heading, which gets it when a notice of the row goes; not where another row is edited next. */
function useFocusBack(id: number): void {
  useEffect(() => {
    const focusRow = () => {
      if (document.activeElement?.matches("body, h1")) document.querySelector<HTMLElement>(`tr[data-id="${id}"] a`)?.focus();
    };
    return () => queueMicrotask(focusRow); // after the effects of what is drawn instead
  }, [id]);
}

interface RowActions {
  saveAndGoOn: (next: RowEdit | undefined) => void;
  giveUp: () => void;
}

const ROW_STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Arrow keys stay the input's own where they choose: in a list of values. */
function onKeyDownOf({ saveAndGoOn, giveUp }: RowActions): (event: KeyboardEvent<HTMLTableRowElement>) => void {
  return (event) => {
    const { key, target, currentTarget, nativeEvent } = event;
    if (nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const by = target instanceof HTMLInputElement ? ROW_STEPS[key] : undefined;
    if (key !== "Enter" && key !== "Escape" && by === undefined) return;
    event.preventDefault();
    if (key === "Escape") return giveUp();
    saveAndGoOn(by === undefined ? undefined : neighbour(currentTarget, by, (target as HTMLInputElement).name));
  };
}

function neighbour(row: HTMLTableRowElement, by: number, column: string): RowEdit | undefined {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>("tr[data-id]")];
  const id = rows[rows.indexOf(row) + by]?.dataset.id;
  return id === undefined ? undefined : { id: Number(id), column };
}
