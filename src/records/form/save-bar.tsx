// The bar at the end of a form: one button that saves, how many fields are changed, and the ways out.

import { ChevronDown } from "lucide";
import type { ReactNode } from "react";
import { type Control, useFormState, useWatch } from "react-hook-form";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import { KEY_MAP } from "../../ui/keyboard/key-map.ts";
import { MenuButton } from "../../ui/menu-button.tsx";
import { PanelButton } from "../../ui/panel.tsx";
import { Icon } from "../../ui/primitives.tsx";
import type { Texts } from "../../values/field-text.ts";
import { typedTexts } from "./diff.ts";
import type { ReviewChangesProps } from "./review-changes.tsx";
import * as styles from "./save-bar.module.css";
import type { AfterSave } from "./save-result.ts";

const ReviewChanges = lazyPart<"ReviewChanges", ReviewChangesProps>(() => import("./review-changes.tsx"), "ReviewChanges");

interface SaveBarProps {
  collection: Collection;
  /** The version that the user edits; undefined for a new record. */
  base: WireRecord | undefined;
  control: Control<Texts, unknown, Fields>;
  trySave: (then: AfterSave) => Promise<void>;
  mayAdd: boolean;
  isDialog: boolean;
  /** A link that leaves without saving. */
  cancel: ReactNode;
  onDelete: (() => void) | undefined;
  /** Stands on a line of its own above the buttons. */
  notice: ReactNode;
  /** Is shown above the buttons, and reached by Tab after them. */
  children: ReactNode;
}

export function SaveBar({ collection, base, control, trySave, mayAdd, isDialog, cancel, onDelete, notice, children }: SaveBarProps) {
  const { isSubmitting, isDirty } = useFormState({ control });
  const ways = [
    { label: t("Save and close"), chord: KEY_MAP.saveAndClose.keys[0], run: () => void trySave("close") },
    ...(mayAdd
      ? [
          { label: t("Save and add another"), chord: KEY_MAP.saveAndAnother.keys[0], run: () => void trySave("another") },
          { label: t("Save and begin a copy"), run: () => void trySave("copy") },
        ]
      : []),
  ];
  return (
    <div className={styles.bar} data-savebar="" data-dirty={isDirty || undefined}>
      {notice}
      <span className={styles.split}>
        <button type="submit" className={buttonStyles.primary} aria-disabled={isSubmitting} aria-keyshortcuts="Control+S Meta+S">
          {t("Save")}
        </button>
        {!isDialog && (
          <MenuButton title={t("More ways to save")} className={buttonStyles.primary} items={ways}>
            <Icon of={ChevronDown} />
          </MenuButton>
        )}
      </span>
      {base && <Changes collection={collection} base={base} control={control} />}
      {cancel}
      {onDelete && (
        <button type="button" className={`${buttonStyles.quietEnd} ${buttonStyles.danger} ${styles.delete}`} onClick={onDelete}>
          {t("Delete")}
        </button>
      )}
      {children}
    </div>
  );
}

/** Names what will be saved; a press on it shows the stored and the typed value of each field. */
function Changes({ collection, base, control }: ReviewChangesProps) {
  const typed = typedTexts(collection, base, useWatch({ control }) as Texts);
  const fields = collection.form.filter(({ name }) => typed[name] !== undefined);
  if (fields.length === 0) return null;
  return (
    <span className={styles.changes}>
      <PanelButton
        className={buttonStyles.bare}
        title={t("Unsaved changes")}
        onNear={ReviewChanges.preload}
        label={
          <>
            {tCount(fields.length, "{n} change", "{n} changes")}
            <span className={styles.names}> · {fields.map(({ title }) => title).join(", ")}</span>
          </>
        }
      >
        {() => <ReviewChanges collection={collection} base={base} control={control} />}
      </PanelButton>
    </span>
  );
}
