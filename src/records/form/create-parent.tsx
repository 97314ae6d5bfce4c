// A new record of another collection, made over a form that is to refer to it. What is typed in the form below stays.

import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type KeyboardEvent, useContext, useEffect, useId } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useCollection, useServices } from "../../app/services/services.ts";
import { idOf } from "../../service/records.ts";
import { parentQuery } from "../../service/references.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useRestoreFocus } from "../../ui/focus/restore-focus.ts";
import * as formStyles from "../../ui/form.module.css";
import { Modal } from "../../ui/modal.tsx";
import { FieldIdContext } from "../../values/field-id.ts";
import type { Texts } from "../../values/field-text.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nameOf } from "../../values/record-name.ts";
import { useFormParts } from "../../values/references/lazy-reference-inputs.tsx";
import type { RecordFormProps } from "./record-form.tsx";
import type { UseSaveOptions } from "./use-save.ts";
import { useSaveRecord } from "./use-save-record.ts";

export interface CreateParentProps {
  /** The form of a record, which opens this dialog. */
  Form: ComponentType<RecordFormProps>;
  /** The field that is to refer to the new record. */
  field: Field;
  /** Holds what was typed into it. */
  typed: string;
  /** Holds what it must have as the form has it. */
  held?: Texts;
  /** `key`: of the new record; undefined when none was made. */
  onDone: (key?: string) => void;
}

export function CreateParent({ field, ...props }: CreateParentProps) {
  const parent = useCollection(field.reference?.collection);
  const isReady = useFormParts(parent ?? NONE);
  return parent && isReady ? <ParentDialog parent={parent} {...props} /> : null;
}

const NONE = { references: [] } as unknown as Collection;

function ParentDialog({ Form, parent, typed, held, onDone }: Omit<CreateParentProps, "field"> & { parent: Collection }) {
  const { client, toasts, keys } = useServices();
  const queries = useQueryClient();
  const { save, drafts } = useSaveRecord(parent, undefined);
  const heading = useId();
  const prefix = `parent-${useContext(FieldIdContext)}`;
  useRestoreFocus();
  useEffect(() => {
    const inputs = [...document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(`[id^="${prefix}"][name]`)];
    inputs.find(({ value }) => value === "")?.focus();
  }, [prefix]);

  const onSaved: UseSaveOptions["onSaved"] = (saved, _, isDirty) => {
    if (!saved || isDirty) return;
    queries.setQueryData(parentQuery(client, parent, idOf(parent, saved)).queryKey, saved);
    toasts.show({ message: <NameInSentence name={nameOf(parent, saved)} text={t("{name} is saved.")} /> });
    onDone(String(idOf(parent, saved)));
  };

  return (
    <Modal labelledBy={heading} className={formStyles.dialog} onClose={() => onDone()}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of every form; the app hears none of its own below a dialog */}
      <div className={formStyles.form} onKeyDown={saveByKey}>
        <h2 id={heading}>{t("New {noun}", { noun: parent.noun })}</h2>
        <FieldIdContext value={prefix}>
          <Form
            collection={parent}
            save={save}
            drafts={drafts}
            onSaved={onSaved}
            kept={{ ...nameTexts(parent, typed), ...held }}
            isDialog
            keys={keys}
            cancel={
              <button type="button" className={buttonStyles.quiet} onClick={() => onDone()}>
                {t("Cancel")}
              </button>
            }
          />
        </FieldIdContext>
      </div>
    </Modal>
  );
}

function saveByKey(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.ctrlKey || event.metaKey) || (event.key !== "s" && event.key !== "Enter")) return;
  event.preventDefault();
  event.currentTarget.querySelector("form")?.requestSubmit();
}

/** What was searched for is the name of the new record: of several parts of a name, the last word is the last part. */
export function nameTexts({ label }: Pick<Collection, "label">, typed: string): Texts {
  const parts = label.filter(({ kind, enum: list, reference }) => KIND_TRAITS[kind].isText && !list && !reference);
  const words = typed.split(/\s+/).filter(Boolean);
  const last = words.length > 1 && parts.length > 1 ? words.pop() : words.splice(0).join(" ");
  const texts: Texts = { [parts[0]?.name ?? ""]: words.join(" "), [parts.at(-1)?.name ?? ""]: last ?? "" };
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => name !== "" && text !== ""));
}
