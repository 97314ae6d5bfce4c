// The form of a collection: inputs from the dictionary, problems at their fields, notices above or below them.

import { useEffect, useReducer, useRef, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import { openedPart } from "../../app/code/lazy-page.tsx";
import { Announce } from "../../ui/announce.tsx";
import * as formStyles from "../../ui/form.module.css";
import { type Shortcuts, useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import * as textStyles from "../../ui/text.module.css";
import { useFieldId } from "../../values/field-id.ts";
import { FieldInput } from "../../values/field-input.tsx";
import type { Texts } from "../../values/field-text.ts";
import { formatNumber } from "../../values/format.ts";
import type { FileBox } from "../../values/record-files/chosen-files.ts";
import { FormFile, FormList, FormPerson, FormReference, OpenReference } from "../../values/references/lazy-reference-inputs.tsx";
import { isTyped } from "../../values/typed-values.ts";
import { Understood } from "../../values/understood.tsx";
import { bringIntoSight } from "./bring-into-sight.ts";
import { ComputedField, useComputed } from "./computed-field.tsx";
import type { CreateParentProps } from "./create-parent.tsx";
import { DraftOffer, GoneNotice, OldValues, ProblemSummary, SaveNotice } from "./form-notices.tsx";
import { FormFields } from "./form-sections.tsx";
import { ContactLink } from "./lazy-contact-link.tsx";
import { LeftBehind } from "./left-behind.tsx";
import { SaveBar } from "./save-bar.tsx";
import { describeOutside, type FieldInForm, isOutside, useConditions } from "./use-conditions.ts";
import { useGoToField } from "./use-go-to-field.tsx";
import { useGoneTexts } from "./use-gone-texts.tsx";
import { type UseSaveOptions, useSave } from "./use-save.ts";

const CreateParent = openedPart<"CreateParent", CreateParentProps>(
  () => import("./create-parent.tsx"),
  "CreateParent",
  () => null,
);

export interface RecordFormProps extends UseSaveOptions {
  /** A link that leaves without saving. */
  cancel: React.ReactNode;
  /** Is called with the version that the user sees. */
  onDelete?: ((seen: WireRecord) => void) | undefined;
  /** Says whether another record may be entered after this one. */
  mayAdd?: boolean;
  /** It stands in a dialog over another form: it is saved, and nothing else. */
  isDialog?: boolean;
  /** The name of who deleted the record, if it is known. */
  deletedBy?: string | undefined;
  /** Is called with the inputs' texts on every change. */
  onTexts?: (texts: Texts) => void;
  /** Fields whose values the next record begins with, and how one is added or removed. */
  keeping?: { names: ReadonlySet<string>; onToggle: (name: string) => void } | undefined;
  keys: Shortcuts;
  /** Is shown above the buttons, and reached by Tab after them. */
  children?: React.ReactNode;
}

export function RecordForm(props: RecordFormProps) {
  const { cancel, onDelete, isDialog = false, mayAdd = !isDialog, deletedBy, onTexts, keeping, keys, children, ...parts } = props;
  const { collection } = parts;
  const notice = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const [box] = useState<FileBox>({ redraw });
  const saving = useSave({ ...parts, box, isGoneInSight: () => isInSight(notice.current) });
  const { form, trySave, tryAgain, attempts, saveStatus, onChosen, onConfirm, draft, isGone, isGoneByItself, base, take } = saving;
  const goneTexts = useGoneTexts(collection, base, form.getValues);
  const conditions = useConditions(collection, saving);
  const { errors, submitCount } = form.formState;
  const computed = useComputed(collection, base, form.control);
  const [creating, setCreating] = useState<Pick<CreateParentProps, "field" | "typed" | "held">>();
  const wrong = collection.form.filter((field) => errors[field.name]);
  const isWrong = wrong.length > 0 && submitCount > 0;

  const saveNotice = saveStatus && (!isWrong || "warned" in saveStatus) && (
    <SaveNotice {...{ saveStatus, collection, form, tryAgain, onChosen, onConfirm }} focus={isWrong ? undefined : notice} />
  );
  const goneNotice = isGone && <GoneNotice noun={collection.noun} by={deletedBy} focus={notice} />;
  const isByItself = saveStatus && "was" in saveStatus && !("isRefused" in saveStatus && saveStatus.isRefused);

  // Each attempt to save moves the focus to its notice.
  useEffect(() => {
    if (attempts > 0) bringIntoSight(notice.current);
  }, [attempts]);
  useEffect(
    () => onTexts && form.subscribe({ formState: { values: true }, callback: ({ values }) => onTexts({ ...values }) }),
    [form, onTexts],
  );
  useShortcuts(keys, {
    save: () => void trySave("stay"),
    saveAndClose: isDialog ? undefined : () => void trySave("close"),
    saveAndAnother: mayAdd ? () => void trySave("another") : undefined,
    keepValue: keeping && ((event) => keepFocused(event, keeping.onToggle)),
    delete: onDelete && base && !isGone ? () => onDelete(base) : undefined,
  });

  const goToField = useGoToField(isDialog ? [] : collection.form.filter((field) => field.computed === undefined), keys);

  const draw = (field: Field) => {
    const given = conditions.of(field);
    if (field.computed !== undefined)
      return (given?.isVisible ?? true) || errors[field.name] ? (
        <ComputedField
          key={field.name}
          field={field}
          record={computed}
          problem={errors[field.name]?.message}
          wide={!isNarrow(collection, field)}
        />
      ) : null;
    const register = form.register(field.name);
    if (given && !given.isVisible && !errors[field.name])
      return (
        <div key={field.name} data-sometimes="">
          {conditions.leftBehind.includes(field) && <LeftBehind field={field} conditions={conditions} />}
        </div>
      );
    return (
      <FieldInput
        key={field.name}
        field={field}
        wide={!isNarrow(collection, field)}
        register={register}
        given={given}
        stored={form.formState.defaultValues?.[field.name]}
        problem={errors[field.name]?.message}
        readOnly={
          field.readOnly ||
          field.autoNumber !== undefined ||
          (base !== undefined && (field === collection.key || field.isUnseenReference === true))
        }
        keep={field.file ? undefined : keeping && { isKept: keeping.names.has(field.name), onToggle: () => keeping.onToggle(field.name) }}
        hintEnd={hintEndOf(field, form.control, given, errors[field.name] !== undefined)}
        labelEnd={(field.format || field.reference || isTyped(field)) && <LabelEnd field={field} form={form} />}
        input={
          field.reference
            ? (input) => (
                <FormReference
                  {...input}
                  field={field}
                  control={form.control}
                  onCreate={(typed) => setCreating({ field, typed, held: heldTexts(field, form.getValues()) })}
                />
              )
            : field.file
              ? (input) => (
                  <FormFile {...ofFile(input)} {...{ field, collection, box }} record={isGone ? undefined : base} onStored={take} />
                )
              : field.item
                ? (input) => <FormList {...input} field={field} control={form.control} />
                : field.isPerson
                  ? (input) => <FormPerson {...input} field={field} control={form.control} />
                  : undefined
        }
      />
    );
  };

  return (
    <>
      <form
        className={formStyles.form}
        data-many={collection.form.length > FEW_FIELDS || undefined}
        noValidate
        onSubmit={prevented(() => trySave("stay"))}
        onMouseDown={keepFocusInField}
      >
        {isWrong && <ProblemSummary focus={notice} wrong={wrong} messageOf={(field) => errors[field.name]?.message ?? ""} />}
        <DraftOffer draft={draft} noun={collection.noun} />
        {goneTexts}
        {!isGoneByItself && goneNotice}
        {!isByItself && saveNotice}
        {base && <OldValues collection={collection} record={base} inputs={collection.form} />}
        {collection.hasRules && <Announce text={conditions.news} />}
        <FormFields {...{ collection, form, conditions, keys, draw }} />
        {/* What came by itself must not move the fields. */}
        {isByItself && saveNotice}
        <SaveBar
          {...{ collection, trySave, mayAdd, isDialog, cancel }}
          base={isGone ? undefined : base}
          control={form.control}
          notice={isGoneByItself && goneNotice}
          onDelete={onDelete && base && !isGone ? () => onDelete(base) : undefined}
        >
          {children}
        </SaveBar>
      </form>
      {goToField}
      {creating && (
        <CreateParent
          {...creating}
          Form={RecordForm}
          onDone={(key) => {
            setCreating(undefined);
            if (key) form.setValue(creating.field.name, key, { shouldDirty: true, shouldValidate: true });
          }}
        />
      )}
    </>
  );
}

const FEW_FIELDS = 6; // with more the form has two columns where there is room

/** Says whether nothing covers its first and its last line, also not the bar of buttons. */
function isInSight(notice: HTMLElement | null): boolean {
  if (!notice) return false;
  const { left, top, bottom } = notice.getBoundingClientRect();
  return [top + 1, bottom - 1].every((y) => notice.contains(document.elementFromPoint(left + 9, y)));
}

/** Says that the value is to be kept, or no more, of the field in which the cursor is. */
function keepFocused(event: KeyboardEvent | undefined, onToggle: (name: string) => void): boolean {
  const name = event?.target instanceof HTMLElement ? event.target.getAttribute("name") : null;
  if (name !== null) onToggle(name);
  return name !== null;
}

/** Returns what a new record to which the field is to refer must have as this one has it. */
function heldTexts({ reference }: Field, texts: Texts): Texts {
  return Object.fromEntries((reference?.where ?? []).map(({ parent, own }) => [parent, texts[own] ?? ""]));
}

/** Follows what is typed. */
function LabelEnd({ field, form }: { field: Field; form: UseFormReturn<Texts, unknown, Fields> }) {
  const text = useWatch({ control: form.control, name: field.name }) ?? "";
  const id = useFieldId()(field.name);
  if (field.reference) return <OpenReference field={field} text={text} />;
  return (
    <>
      {field.format && <ContactLink field={field} text={text} />}
      <Understood field={field} text={text} id={id} stored={form.formState.defaultValues?.[field.name]} />
    </>
  );
}

/** Returns the part of an input's properties that a file's needs: no text of the form is typed there. */
function ofFile({
  id,
  readOnly,
  "aria-describedby": describedBy,
}: { id: string } & Pick<React.ComponentProps<"input">, "readOnly" | "aria-describedby">) {
  return { id, readOnly, "aria-describedby": describedBy };
}

/** Says how much room is left, or that a value that was chosen before does not fit any more. */
function hintEndOf(field: Field, control: RoomLeftProps["control"], given: FieldInForm | undefined, isWrong: boolean): React.ReactNode {
  if (given && isOutside(given) && !isWrong) return <span className={textStyles.error}>{describeOutside(field, given)}</span>;
  return field.maxLength !== undefined && !field.item && <RoomLeft field={field} most={field.maxLength} control={control} />;
}

interface RoomLeftProps {
  field: Field;
  most: number;
  control: UseFormReturn<Texts, unknown, Fields>["control"];
}

/** Is shown from four fifths of the characters on: before that nobody needs to know how many there may be. */
function RoomLeft({ field, most, control }: RoomLeftProps) {
  const text = useWatch({ control, name: field.name }) ?? "";
  if (text.length < most * 0.8) return null; // there are never more characters than UTF-16 units
  const n = [...text].length;
  if (n < most * 0.8) return null;
  return <span className={textStyles.hint}>{t("{n} of {most} characters.", { n: formatNumber(n), most: formatNumber(most) })}</span>;
}

function prevented(then: () => void): (event: React.FormEvent) => void {
  return (event) => {
    event.preventDefault();
    then();
  };
}

/** Parts of a name, dates, numbers, choices, e-mail and phone can share a line. Free text and the key have their own. */
function isNarrow(collection: Collection, field: Field): boolean {
  if (field === collection.key || field.file) return false;
  if (field.format === "email" || field.format === "phone") return true;
  return (collection.label.length > 1 && collection.label.includes(field)) || !KIND_TRAITS[field.kind].isText || field.enum !== undefined;
}

/**
 * Pressing a button must not blur the field first: validation on blur can add a line, and the button would move away from
 * under the pointer before it is released.
 */
function keepFocusInField(event: React.MouseEvent): void {
  if (event.target instanceof Element && event.target.closest("[data-savebar]")) event.preventDefault();
}
