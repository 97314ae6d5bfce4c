// The dialog that changes or deletes many records: form, preview, progress, report and undo.

import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useBlocker } from "../../app/router/use-blocker.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useRestoreFocus } from "../../ui/focus/restore-focus.ts";
import * as formStyles from "../../ui/form.module.css";
import { useTypedGuard } from "../../ui/form-dialog.tsx";
import * as noticeStyles from "../../ui/notice.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Notice, Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { nounsOf } from "../../values/record-name.ts";
import { wordsForChildren } from "../../values/references/deletion-words.ts";
import { countLeft, ValuesLeft } from "../../values/values-left.tsx";
import { type Selection, select, unselect } from "../query/selection.ts";
import * as styles from "./bulk-dialog.module.css";
import { BulkForm } from "./bulk-form.tsx";
import { BulkOutcomes } from "./bulk-outcomes.tsx";
import type { Job, RecordOutcome } from "./bulk-requests.ts";
import type { ChosenByFilter } from "./bulk-transport.ts";
import { type BulkWork, useBulkWork } from "./use-bulk-work.ts";

interface BulkDialogProps {
  collection: Collection;
  verb: "change" | "delete";
  selection: Selection;
  /** Stands in place of the selection: all that a list has, so many. */
  chosen?: (ChosenByFilter & { total: number }) | undefined;
  onSelect: (selection: Selection) => void;
  onClose: () => void;
  /** Says what shall be changed, where nobody is asked for it. */
  given?: GivenChange;
  /** The field that is proposed for the change. */
  field?: Field;
}

/** A change of `selection` that was made elsewhere, such as by pasting cells. */
export interface GivenChange {
  values: Extract<Job, { verb: "change" }>["values"];
  /** Stands above the preview. */
  note: ReactNode;
}

export function BulkDialog({ collection, verb, selection, chosen, onSelect, onClose, given, field }: BulkDialogProps) {
  const { toasts, selections } = useServices();
  const begun = useRef({ records: chosen ? [] : [...selection.values()], total: chosen?.total ?? selection.size }).current; // when it opened
  const work = useBulkWork(collection, begun.records, chosen);
  const dialog = useRef<HTMLDialogElement>(null);
  const { step } = work;
  const isSending = step.at === "sending";
  // Leaving while requests run would lose the report.
  useBlocker(() => isSending);
  useRestoreFocus();
  const start = useRef(() => {
    if (given) void work.preview({ verb: "change", values: given.values });
    else if (verb === "delete") void work.preview({ verb });
  });
  useEffect(() => {
    dialog.current?.showModal();
    start.current();
  }, []);
  // Each step removes the button that had the focus. Enter confirms a change, which can be undone; a deletion is looked at first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step is when to look
  useEffect(() => {
    const focused = document.activeElement;
    const isLost = focused === document.body || focused === dialog.current;
    const find = (selector: string) => dialog.current?.querySelector<HTMLElement>(selector);
    const confirm = step.at === "preview" && work.isConfirmed ? find("[data-confirm]") : undefined;
    const go = confirm ?? (verb === "change" && step.at === "preview" ? find("[data-go]") : undefined);
    if (go || isLost) (go ?? find("h2"))?.focus();
  }, [step.at]);
  const isDone = step.at === "report" && step.outcomes.every(({ outcome }) => isFinished(outcome));

  const isUndoing = useRef(false);
  async function undo(): Promise<void> {
    if (isUndoing.current) return;
    isUndoing.current = true;
    try {
      const { reversed, kept, failed, open, records } = await work.undo(selections.of(collection));
      const selected = selections.of(collection); // now: somebody may have unselected some meanwhile
      const still = records.filter((record) => selected.has(idOf(collection, record)));
      selections.put(collection, select(collection, selected, still));
      const announcement = [
        count(reversed, "{n} {noun} is restored.", "{n} {nouns} are restored.", nounsOf(collection)),
        kept > 0 && t("{n} could not be restored: someone has changed them since.", { n: formatNumber(kept) }),
        failed > 0 && t("{n} could not be restored: a rule or another record is in the way.", { n: formatNumber(failed) }),
        open > 0 && t("{n} are not restored yet: the service did not reply.", { n: formatNumber(open) }),
      ];
      const message = announcement.filter(Boolean).join(" ");
      toasts.show({ message, ...(open > 0 && { action: { label: t("Undo"), isUndo: true, undoes: message, run: undo } }) });
    } catch (error) {
      toasts.show({ message: `${t("Not restored.")} ${(error as Error).message}` });
    } finally {
      isUndoing.current = false;
    }
  }

  function leave(): void {
    work.stop();
    if (step.at === "report") {
      onSelect(selectionAfter(collection, selection, step.outcomes));
      const done = step.outcomes.filter(({ outcome }) => outcome === "updated" || outcome === "deleted").length;
      const nouns = nounsOf(collection);
      const message =
        verb === "delete"
          ? count(done, "{n} {noun} is deleted.", "{n} {nouns} are deleted.", nouns)
          : count(done, "{n} {noun} is changed.", "{n} {nouns} are changed.", nouns);
      toasts.show({ message, ...(done > 0 && { action: { label: t("Undo"), isUndo: true, undoes: message, run: undo } }) });
    }
    onClose();
  }
  const leaveNow = useRef(leave);
  leaveNow.current = leave;
  useEffect(() => {
    if (isDone) leaveNow.current();
  }, [isDone]);

  const { onInput, mayClose, warning } = useTypedGuard();
  function cancel(event: SyntheticEvent): void {
    if (!isSending && (step.at !== "asking" || mayClose())) return;
    event.preventDefault();
    if (isSending) work.stop();
  }

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="bulk-title"
      onCancel={cancel}
      onClose={isSending ? () => dialog.current?.showModal() : leave}
    >
      <div className={formStyles.form} onInput={onInput}>
        <h2 id="bulk-title" tabIndex={-1}>
          {titleOf(collection, verb, begun.total)}
        </h2>
        <Content
          collection={collection}
          verb={verb}
          work={work}
          given={given}
          field={field}
          onLeave={leave}
          onUndo={() => undo().then(onClose)}
        />
        {step.at === "asking" && warning}
      </div>
    </dialog>
  );
}

interface ContentProps {
  collection: Collection;
  verb: "change" | "delete";
  work: BulkWork;
  given: GivenChange | undefined;
  field: Field | undefined;
  onLeave: () => void;
  onUndo: () => void;
}

function Content({ collection, verb, work, given, field, onLeave, onUndo }: ContentProps) {
  const { step, records } = work;
  const [kept, setKept] = useState<readonly string[]>([]); // fields whose values stay, also in the next preview
  const isDelete = verb === "delete";
  const cancel = (
    <button type="button" className={isDelete ? buttonStyles.primary : undefined} onClick={onLeave}>
      {t("Cancel")}
    </button>
  );
  switch (step.at) {
    case "asking":
      return verb === "change" && !given ? (
        <BulkForm collection={collection} field={field} onSubmit={(job) => work.preview(job)} cancel={cancel} />
      ) : null;
    case "previewing":
      return (
        <div role="status" className={formStyles.form}>
          <span className={textStyles.note}>{t("Checking what would change…")}</span>
          <Skeleton width="100%" />
        </div>
      );
    case "preview": {
      const some = step.outcomes.filter(({ outcome }) => outcome === "updated" || outcome === "deleted").length;
      return (
        <>
          {given && <div id="bulk-note">{given.note}</div>}
          {step.outcomes.length > 0 && <BulkOutcomes collection={collection} records={records} outcomes={step.outcomes} isPreview />}
          {step.outcomes.some(({ warnings }) => warnings) && (
            <label className={formStyles.choice}>
              <input type="checkbox" data-confirm="" checked={work.isConfirmed} onChange={({ target }) => work.confirm(target.checked)} />
              {t("Save anyway what rules warn of: it is meant so.")}
            </label>
          )}
          <LeftBehind {...{ collection, work, kept }} outcomes={step.outcomes} onKeep={(name) => setKept([...kept, name])} />
          {isDelete && some > 0 && <DeletedAlong collection={collection} />}
          <div className={`${pageStyles.tools} ${styles.buttons}`}>
            {isDelete && cancel}
            {some > 0 && (
              <button
                type="button"
                className={isDelete ? buttonStyles.danger : buttonStyles.primary}
                data-go=""
                aria-describedby={given && "bulk-note"}
                onKeyDown={(event) => event.repeat && event.preventDefault()} // the key that asked for the preview is still held
                onClick={() => work.send()}
              >
                {titleOf(collection, verb, some)}
              </button>
            )}
            {!isDelete && cancel}
          </div>
        </>
      );
    }
    case "sending":
      return (
        <>
          <progress value={step.done} max={step.whole} aria-label={t("Progress")} />
          <div className={`${pageStyles.tools} ${styles.buttons}`}>
            <span className={textStyles.note}>
              {t("{done} of {whole}", { done: formatNumber(step.done), whole: formatNumber(step.whole) })}
            </span>
            <button type="button" className={pageStyles.end} onClick={work.stop}>
              {t("Stop")}
            </button>
          </div>
        </>
      );
    case "report":
      return (
        <>
          <BulkOutcomes collection={collection} records={records} outcomes={step.outcomes} />
          <div className={`${pageStyles.tools} ${styles.buttons}`}>
            <button type="button" className={buttonStyles.primary} onClick={() => work.retryRest()}>
              {t("Try the rest again")}
            </button>
            <button type="button" onClick={onUndo}>
              {t("Undo")}
            </button>
            <button type="button" className={buttonStyles.quietEnd} onClick={onLeave}>
              {t("Close")}
            </button>
          </div>
        </>
      );
    case "failed":
      return (
        <>
          <Notice tone="wrong">{step.why}</Notice>
          <div className={`${pageStyles.tools} ${styles.buttons}`}>{cancel}</div>
        </>
      );
  }
}

interface LeftBehindProps {
  collection: Collection;
  work: BulkWork;
  outcomes: readonly RecordOutcome[];
  /** The fields of which somebody has said that their values stay. */
  kept: readonly string[];
  onKeep: (field: string) => void;
}

/** Asks what becomes of values whose fields the change hides. They stay until somebody clears them. */
function LeftBehind({ collection, work, outcomes, kept, onKeep }: LeftBehindProps) {
  const left = [...countLeft(outcomes)].filter(([name]) => !kept.includes(name));
  const actions = (name: string) => (
    <span className={noticeStyles.actions}>
      <button type="button" onClick={() => onKeep(name)}>
        {t("Keep the value")}
      </button>
      {!collection.byName.get(name)?.readOnly && (
        <button type="button" onClick={() => work.clear(name)}>
          {t("Clear the value")}
        </button>
      )}
    </span>
  );
  return <ValuesLeft collection={collection} counts={new Map(left)} actions={actions} />;
}

/** Says what becomes of the records that refer to those that are deleted. The preview names those that are in the way. */
function DeletedAlong({ collection }: { collection: Collection }) {
  const words = wordsForChildren(useDictionary().collections, collection);
  if (words.length === 0) return null;
  words.push(t("Undo brings back the {nouns} alone.", nounsOf(collection)));
  return <p className={textStyles.note}>{words.join(" ")}</p>;
}

function titleOf(collection: Collection, verb: "change" | "delete", rows: number): string {
  const nouns = nounsOf(collection);
  return verb === "delete"
    ? count(rows, "Delete {n} {noun}", "Delete {n} {nouns}", nouns)
    : count(rows, "Change {n} {noun}", "Change {n} {nouns}", nouns);
}

function isFinished(outcome: RecordOutcome["outcome"]): boolean {
  return outcome === "updated" || outcome === "deleted" || outcome === "unchanged" || outcome === "created";
}

/** Deleted records are no longer selected. Changed ones stay selected, in their new version. */
function selectionAfter(collection: Collection, selection: Selection, outcomes: readonly RecordOutcome[]): Selection {
  const gone = outcomes.filter(({ outcome }) => outcome === "deleted").map(({ id }) => id);
  return gone.length === outcomes.length ? new Map() : withNewVersions(collection, unselect(selection, gone), outcomes);
}

/** Replaces the changed records of a selection by their new versions. */
function withNewVersions(collection: Collection, selection: Selection, outcomes: readonly RecordOutcome[]): Selection {
  const changed = outcomes.flatMap(({ id, version, changes = {} }) => {
    const record = selection.get(id);
    if (!record || version === undefined) return [];
    const now = Object.fromEntries(Object.entries(changes).map(([name, [, value]]) => [name, value]));
    return [{ ...record, ...now, version } as WireRecord];
  });
  return select(collection, selection, changed);
}
