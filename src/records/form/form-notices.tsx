// Notices above or below the fields of a form: problems, the result of saving, a draft that was found.

import { type ReactNode, type RefObject, useEffect, useMemo } from "react";
import type { UseFormReturn } from "react-hook-form";
import { MAX_SEARCH } from "../../../core/contract/limits.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { type Fields, validateRecord } from "../../../core/dictionary/validate.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { lazyPart, nothing } from "../../app/code/lazy-page.tsx";
import { Link } from "../../app/router/link.tsx";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Countdown } from "../../ui/countdown.tsx";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import type { Tone } from "../../ui/primitives.tsx";
import { goToInput, useFieldId } from "../../values/field-id.ts";
import type { Texts } from "../../values/field-text.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nounsOf } from "../../values/record-name.ts";
import type { ConfirmWarningsProps } from "./confirm-warnings.tsx";
import type { FoundDraftProps } from "./found-draft.tsx";
import type { OldValueListProps } from "./old-value-list.tsx";
import type { RecordDraft } from "./use-draft.ts";
import type { SaveStatus } from "./use-save.ts";

interface ProblemSummaryProps {
  focus: RefObject<HTMLDivElement | null>;
  wrong: Field[];
  messageOf: (field: Field) => string;
}

/** Gets the focus after a failed save, and links to each field. */
export function ProblemSummary({ focus, wrong, messageOf }: ProblemSummaryProps) {
  const idOf = useFieldId();
  // A rule says the same at each of its fields, and is one problem.
  const once = [...new Map(wrong.toReversed().map((field) => [messageOf(field), field])).values()].reverse();
  return (
    <FocusNotice focus={focus}>
      <b>{tCount(once.length, "There is a problem.", "There are {n} problems.")}</b>
      <ul>
        {once.map((field) => (
          <li key={field.name}>
            <button type="button" className={buttonStyles.link} onClick={() => goToInput(document.getElementById(idOf(field.name)))}>
              {messageOf(field)}
            </button>
          </li>
        ))}
      </ul>
    </FocusNotice>
  );
}

/** `by`: the name of who deleted it, if it is known. */
export function GoneNotice({ noun, by, focus }: { noun: string; by?: string | undefined; focus: RefObject<HTMLDivElement | null> }) {
  return (
    <FocusNotice focus={focus}>
      <b>
        {by ? (
          <NameInSentence name={by} text={t("{name} has deleted this {noun}.", { noun })} />
        ) : (
          t("Someone else has deleted this {noun}.", { noun })
        )}
      </b>{" "}
      {t("What you typed is still here; Save creates it again.")}
    </FocusNotice>
  );
}

/** Most forms have no draft. */
const FoundDraft = lazyPart<"FoundDraft", FoundDraftProps>(
  () => import("./found-draft.tsx"),
  "FoundDraft",
  () => null,
);
const OldValueList = lazyPart<"OldValueList", OldValueListProps>(
  () => import("./old-value-list.tsx"),
  "OldValueList",
  () => null,
);
const ConfirmWarnings = lazyPart<"ConfirmWarnings", ConfirmWarningsProps>(
  () => import("./confirm-warnings.tsx"),
  "ConfirmWarnings",
  () => null,
);
const EditConflict = lazyPart(() => import("./edit-conflict.tsx"), "EditConflict", nothing);
const ChangedNotice = lazyPart(() => import("./changed-notice.tsx"), "ChangedNotice", nothing);

interface SaveNoticeProps {
  saveStatus: SaveStatus;
  collection: Collection;
  form: UseFormReturn<Texts, unknown, Fields>;
  /** Is undefined where another notice gets the focus. */
  focus: RefObject<HTMLDivElement | null> | undefined;
  /** Retries the save while the service asks to wait. */
  tryAgain: () => void;
  /** The user has chosen a value where both changed a field. */
  onChosen: () => void;
  /** The user has said whether what was warned of is meant so. */
  onConfirm: (isConfirmed: boolean) => void;
}

export function SaveNotice({ saveStatus, collection, form, focus, tryAgain, onChosen, onConfirm }: SaveNoticeProps) {
  const { isSubmitting } = form.formState;
  if ("wait" in saveStatus) {
    return <Countdown key={saveStatus.tries} why={saveStatus.wait} seconds={saveStatus.seconds} isTrying={isSubmitting} retry={tryAgain} />;
  }
  if ("meanwhile" in saveStatus) {
    const { meanwhile, ...conflict } = saveStatus;
    return <EditConflict noun={collection.noun} changes={meanwhile} {...conflict} {...{ form, focus, onChosen }} />;
  }
  if ("changed" in saveStatus) return <ChangedNotice noun={collection.noun} changes={saveStatus.changed} theirs={saveStatus.theirs} />;
  if ("unchanged" in saveStatus) return <NothingToSave focus={focus}>{t("There are no changes to save.")}</NothingToSave>;
  if ("same" in saveStatus) return <NothingToSave focus={focus}>{t("Someone else has already saved the same change.")}</NothingToSave>;
  if ("warned" in saveStatus)
    return (
      <FocusNotice focus={focus} tone="doubt">
        <ConfirmWarnings warnings={saveStatus.warned} isConfirmed={saveStatus.isConfirmed} onConfirm={onConfirm} />
      </FocusNotice>
    );
  const isDoubt = "unknown" in saveStatus || "perhapsSaved" in saveStatus;
  const [whether, why, what] = sentencesOf(saveStatus);
  return (
    <FocusNotice focus={focus} tone={isDoubt ? "doubt" : "wrong"}>
      <b>{whether}</b> {why} {what}
      {"perhapsSaved" in saveStatus && <SearchLink collection={collection} texts={form.getValues()} />}
    </FocusNotice>
  );
}

/** Searches by the texts of its name: numbers and dates are found in another form than they are typed. */
function SearchLink({ collection, texts }: { collection: Collection; texts: Texts }) {
  const words = collection.label.filter(({ kind }) => KIND_TRAITS[kind].isText).map(({ name }) => texts[name]);
  const q = words.join(" ").trim().slice(0, MAX_SEARCH);
  return (
    <>
      {" "}
      <Link to="/$collection" params={{ collection: collection.name }} search={{ q: q || undefined }}>
        {t("Search {nouns} for it", nounsOf(collection))}
      </Link>
    </>
  );
}

/** Says whether it was saved, why not, and what becomes of what was typed. */
function sentencesOf(
  status: Extract<SaveStatus, { wrong: string } | { unsaved: string } | { unknown: string } | { perhapsSaved: string }>,
) {
  if ("wrong" in status) return [t("This is not saved."), status.wrong, t("What you typed is still here.")];
  if ("unsaved" in status) return [t("This is not saved."), status.unsaved, t("What you typed is still here; Save tries again.")];
  const unclear = t("It is not clear yet whether this was saved.");
  if ("perhapsSaved" in status) return [unclear, status.perhapsSaved, t("Look for the record before you save it again.")];
  return [unclear, status.unknown, t("This page checks as soon as the service answers. Save checks at once; nothing is stored twice.")];
}

interface FocusNoticeProps {
  focus: RefObject<HTMLDivElement | null> | undefined;
  tone?: Tone;
  children: ReactNode;
}

/** A "Saved." that is still shown would seem to be the answer to this save. What can be undone stays. */
function NothingToSave(props: FocusNoticeProps) {
  const { toasts } = useServices();
  useEffect(() => {
    if (!toasts.current()?.action) toasts.dismiss();
  }, [toasts]);
  return <FocusNotice tone="plain" {...props} />;
}

function FocusNotice({ focus, tone = "wrong", children }: FocusNoticeProps) {
  useFocusFallback();
  return (
    <div className={noticeStyles.notice} data-tone={tone} role={tone === "plain" ? "status" : "alert"} tabIndex={-1} ref={focus}>
      {children}
    </div>
  );
}

export function DraftOffer({ draft, noun }: { draft: RecordDraft; noun: string }) {
  return draft.offered && <FoundDraft draft={draft} offered={draft.offered} noun={noun} />;
}

/** Leads to each value of the record that breaks a rule of today. They are in nobody's way (decision 0209). */
export function OldValues({ collection, record, inputs }: Omit<OldValueListProps, "problems">) {
  const { problems } = useMemo(() => validateRecord(collection, record, { from: "json", partial: true }), [collection, record]);
  const broken = problems?.filter(({ code }) => code !== "READ_ONLY") ?? [];
  return broken.length > 0 && <OldValueList {...{ collection, record, inputs, problems: broken }} />;
}
