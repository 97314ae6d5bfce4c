// Asks to which record each value belongs that was changed after a merge.

import { useState } from "react";
import { type ChangedField, NOBODY } from "../../../core/contract/merges.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useRestoreFocus } from "../../ui/focus/restore-focus.ts";
import * as formStyles from "../../ui/form.module.css";
import { Modal } from "../../ui/modal.tsx";
import * as pageStyles from "../../ui/page.module.css";
import * as textStyles from "../../ui/text.module.css";
import { textOf } from "../../values/field-text.ts";
import { ShownText } from "../../values/references/shown-text.tsx";
import * as styles from "./merged-line.module.css";

export interface ApartDialogProps {
  collection: Collection;
  survivor: number;
  fields: readonly ChangedField[];
  onClose: () => void;
  /** Field → the key of the record to which its value of now belongs, or "none". */
  onChosen: (owners: Readonly<Record<string, string>>) => void;
}

export function ApartDialog({ collection, survivor, fields, onClose, onChosen }: ApartDialogProps) {
  useRestoreFocus();
  const [owners, setOwners] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(({ field }) => [field, String(survivor)])),
  );
  return (
    <Modal labelledBy="apart" onClose={onClose}>
      <div className={formStyles.form}>
        <h2 id="apart">{t("What belongs to whom?")}</h2>
        <p className={textStyles.note}>
          {t("These values were changed after the merge. Say to which record each belongs; the others get back what they had.")}
        </p>
        {fields.map((changed) => (
          <Question
            key={changed.field}
            {...{ collection, changed }}
            field={collection.byName.get(changed.field)}
            owner={owners[changed.field]}
            onPick={(owner) => setOwners({ ...owners, [changed.field]: owner })}
          />
        ))}
        <div className={pageStyles.tools}>
          <button type="button" className={buttonStyles.primary} onClick={() => onChosen(owners)}>
            {t("Take apart")}
          </button>
          <button type="button" className={buttonStyles.quiet} onClick={onClose}>
            {t("Cancel")}
          </button>
        </div>
      </div>
    </Modal>
  );
}

interface QuestionProps {
  collection: Collection;
  changed: ChangedField;
  field: Field | undefined;
  owner: string | undefined;
  onPick: (owner: string) => void;
}

function Question({ collection, changed, field, owner, onPick }: QuestionProps) {
  if (!field) return null;
  const textFor = (value: unknown) => textOf(field, (value ?? null) as Value | null);
  return (
    <fieldset className={styles.question}>
      <legend>
        {field.title}: <ShownText field={field} text={textFor(changed.now)} />
      </legend>
      {[...Object.keys(changed.before), NOBODY].map((id) => (
        <label key={id}>
          <input type="radio" name={`owner-${field.name}`} checked={owner === id} onChange={() => onPick(id)} />
          <span>
            {id === NOBODY ? t("To none of them") : `${collection.key.title} ${id}`}{" "}
            {id !== NOBODY && (
              <small>
                {t("had")} <ShownText field={field} text={textFor(changed.before[id])} />
              </small>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
