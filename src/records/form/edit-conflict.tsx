// Shown when someone else saved the record first. Where both changed a field, the user picks one of the two values.

import { useEffect } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import * as textStyles from "../../ui/text.module.css";
import { type Texts, textOf } from "../../values/field-text.ts";
import { formatDatetime, formatRelativeTime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { ShownText } from "../../values/references/shown-text.tsx";
import { bringIntoSight } from "./bring-into-sight.ts";
import type { MeanwhileChange } from "./diff.ts";
import * as styles from "./merge-table.module.css";

interface EditConflictProps {
  noun: string;
  changes: MeanwhileChange[];
  theirs: WireRecord;
  form: UseFormReturn<Texts, unknown, Fields>;
  /** Otherwise it came by itself, and a screen reader waits for a pause. */
  isRefused: boolean;
  focus: React.RefObject<HTMLDivElement | null> | undefined;
  onChosen: () => void;
}

export function EditConflict({ noun, changes, theirs, form, isRefused, focus, onChosen }: EditConflictProps) {
  const clashes = changes.filter((change) => change.clash).length;
  useFocusFallback();
  // The form has moved the focus already, unless this code had to be loaded first.
  useEffect(() => {
    if (isRefused) bringIntoSight(focus?.current ?? null);
  }, [isRefused, focus]);
  return (
    <div className={noticeStyles.notice} data-tone="doubt" role={isRefused ? "alert" : "status"} tabIndex={-1} ref={focus}>
      <b>
        <WhoChanged noun={noun} theirs={theirs} />
      </b>{" "}
      <span title={formatDatetime(theirs.updatedAt)}>
        {t("Version {version} was saved {when}.", { version: theirs.version, when: formatRelativeTime(theirs.updatedAt) })}
      </span>{" "}
      {t("Your changes are not saved yet.")} {whatToDo(changes.length, clashes)}
      {changes.length > 0 && (
        <table className={styles.merge} aria-label={t("Changes by someone else")}>
          <thead>
            <tr>
              <th>{t("Field")}</th>
              <th>{t("Before")}</th>
              <th>{t("Their value")}</th>
              <th>{t("Your value")}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <MergeRow key={change.field.name} change={change} form={form} onChosen={onChosen} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function WhoChanged({ noun, theirs: { updatedBy } }: Pick<EditConflictProps, "noun" | "theirs">) {
  const { session } = useServices();
  if (!updatedBy) return t("Someone else changed this {noun} while you were editing.", { noun });
  if (updatedBy.id === session.owner()) return t("You changed this {noun} elsewhere while you were editing.", { noun });
  return <NameInSentence name={updatedBy.name} text={t("{name} changed this {noun} while you were editing.", { noun })} />;
}

function whatToDo(changes: number, clashes: number): string {
  if (changes === 0) return t("No field differs from before; Save stores your changes.");
  if (clashes === 0) return t("Their change is included below and does not affect yours. Save to keep both.");
  const both = tCount(
    clashes,
    "You both changed one field. Choose which value to keep, then save.",
    "You both changed {n} fields. Choose which values to keep, then save.",
  );
  return clashes < changes ? `${both} ${t("The other changes are included already.")}` : both;
}

/** The user's value is picked at first, and again when the user types into the field. */
function MergeRow({ change, form, onChosen }: { change: MeanwhileChange } & Pick<EditConflictProps, "form" | "onChosen">) {
  const { field, was, theirs, mine, clash, united } = change;
  const now = useWatch({ control: form.control, name: field.name }) ?? "";
  const isTheirs = now === textOf(field, theirs);
  const typed = isTheirs ? textOf(field, mine) : now;
  const put = (text: string) => {
    form.setValue(field.name, text, { shouldDirty: true, shouldValidate: true });
    onChosen();
  };
  const choice = { field: field.name, title: field.title };
  return (
    <tr>
      <th scope="row">{field.title}</th>
      <td data-label={t("Before")}>
        <ShownText field={field} text={textOf(field, was)} />
      </td>
      <td data-label={t("Their value")} className={isTheirs || !clash ? styles.picked : undefined}>
        {clash ? (
          <Choice {...choice} which={t("Take theirs")} checked={isTheirs} onPick={() => put(textOf(field, theirs))}>
            <ShownText field={field} text={textOf(field, theirs)} />
          </Choice>
        ) : (
          <ShownText field={field} text={textOf(field, theirs)} />
        )}
      </td>
      <td data-label={t("Your value")} className={clash && !isTheirs ? styles.picked : undefined}>
        {clash ? (
          <Choice {...choice} which={t("Keep mine")} checked={!isTheirs} onPick={() => put(typed)}>
            <ShownText field={field} text={typed} />
          </Choice>
        ) : united ? (
          <>
            <small>{t("Both changes")}</small> <ShownText field={field} text={now} />
          </>
        ) : (
          <span className={textStyles.dim}>{t("not changed")}</span>
        )}
      </td>
    </tr>
  );
}

interface ChoiceProps {
  field: string;
  title: string;
  which: string;
  checked: boolean;
  onPick: () => void;
  children: React.ReactNode;
}

function Choice({ field, title, which, checked, onPick, children }: ChoiceProps) {
  return (
    <label>
      <input type="radio" name={`merge-${field}`} checked={checked} onChange={onPick} />
      <span>
        <small>
          {which}
          <span className={textStyles.hidden}> {t("of {title}:", { title })}</span>
        </small>{" "}
        {children}
      </span>
    </label>
  );
}
