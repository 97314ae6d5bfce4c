// Problems in groups, each with its one-click fixes; below them the fixes that were applied and can be reverted.

import { type RefObject, useEffect, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import type { ProblemGroup } from "../../../pipeline/checking/problem-groups.ts";
import { groupKey } from "../../../pipeline/checking/validate-row.ts";
import type { CorrectionState, RejectionGroup } from "../../../pipeline/correction/correction-state.ts";
import { matchChoices } from "../../../pipeline/mapping/match-records.ts";
import { isWarning } from "../../../pipeline/model/corrections.ts";
import { type Plan, SUSPECT_CODES, type SuspectCode } from "../../../pipeline/model/plan.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { displayText, textOf } from "../../values/field-text.ts";
import { formatNumber } from "../../values/format.ts";
import { useModes } from "../columns/upload-modes.ts";
import { AppliedFixes } from "./applied-fixes.tsx";
import { ActionButton, GroupLine } from "./group-line.tsx";
import { AllProposals, hasProposals, Offers } from "./offers.tsx";
import { ParentLine } from "./parent-line.tsx";
import * as styles from "./problems.module.css";
import { rangesInWords } from "./ranges-in-words.ts";
import { SimilarLine } from "./similar-line.tsx";
import type { OnPending } from "./use-pending-values.tsx";
import { ValuesTable } from "./values-table.tsx";

interface ProblemGroupsProps {
  collection: Collection;
  check: CheckSummary;
  corrections: CorrectionState;
  /** The problem group whose rows are shown; undefined: all rows. */
  group: string | undefined;
  onGroup: (group: string | undefined) => void;
  onPending: OnPending;
  plan: Plan | undefined;
  /** Runs what leaves the check. */
  leave: (goOn: () => void) => void;
}

export function ProblemGroups({ collection, check, corrections, group, onGroup, onPending, plan, leave }: ProblemGroupsProps) {
  const { groups, leftOutGroups, autoFixes, valueFixes, accepted, refusedOut, repeats, twins, repeatsOut } = check;
  const { preview, parents, similar } = corrections;
  const section = useRestoredFocus();
  const { warned = [], rejections: all = [] } = preview.is === "done" || preview.is === "stopped" ? preview : {};
  // Rows without their parent stand in its own line.
  const isOfParents = ({ field, code }: RejectionGroup) =>
    code === "REFERENCE_NOT_FOUND" && parents.some((one) => one.field === field && one.more === 0);
  const rejections = all.filter((one) => !isOfParents(one));
  const lines = [parents, groups, leftOutGroups, autoFixes, valueFixes, accepted, warned, rejections].reduce(
    (sum, { length }) => sum + length,
    0,
  );
  const similarRows = similar ? similar.rows + similar.updated + similar.added + similar.leftOut + similar.outdated : 0;
  if (lines + similarRows + refusedOut + repeats + twins.rows + (repeatsOut?.rows ?? 0) === 0) return null;
  const hasMany = groups.filter(hasProposals).length > 1;
  const wrong = check.rowsRead - check.ready - check.leftOut - check.warned;
  const shareOf = (rows: number) => (groups.length > 1 && wrong > 0 ? rows / wrong : undefined);
  const toggle = (key: string) => onGroup(group === key ? undefined : key);
  return (
    <section className={styles.problems} aria-label={t("Problems")} aria-busy={corrections.recheck !== null} ref={section} tabIndex={-1}>
      {corrections.recheck !== null && (
        <p className={`${textStyles.note} ${styles.rechecking}`} role="status">
          {t("Checking the file again")} <progress value={corrections.recheck} max={100} aria-label={t("Checking the file again")} />
        </p>
      )}
      {hasMany && <AllProposals groups={groups} />}
      <ul>
        {groups.map((one) => (
          <ProblemGroupLine
            key={groupKey(one)}
            collection={collection}
            group={one}
            revision={corrections.revision}
            isShown={group === groupKey(one)}
            onShow={() => toggle(groupKey(one))}
            hasMany={hasMany}
            share={shareOf(one.count)}
            onPending={onPending}
          />
        ))}
        {parents.map((one) => {
          const { key } = all.find((its) => isOfParents(its) && its.field === one.field) ?? {};
          return (
            <ParentLine
              key={one.field}
              collection={collection}
              group={one}
              revision={corrections.revision}
              isShown={key !== undefined && group === key}
              onShow={key === undefined ? undefined : () => toggle(key)}
            />
          );
        })}
        {similar && <SimilarLine collection={collection} similar={similar} revision={corrections.revision} />}
        {warned.map(({ code, message, rows }) => (
          <GroupLine key={code} rows={rows}>
            <span>
              <Warns /> {message}
            </span>
            <ActionButton label={t("Send anyway")} what={message} act={{ do: "accept", code, isOn: true }} />
            <ShowRowsButton what={message} isShown={group === code} onShow={() => toggle(code)} />
          </GroupLine>
        ))}
        {rejections.map((one) => (
          <RejectionLine
            key={one.key}
            collection={collection}
            group={one}
            plan={plan}
            isShown={group === one.key}
            onShow={() => toggle(one.key)}
            leave={leave}
          />
        ))}
        {repeats > 0 && (
          <GroupLine rows={repeats}>
            <span>
              {tCount(repeats, "This row repeats an earlier {key}", "These rows repeat an earlier {key}", { key: check.matchedBy })}{" "}
              <span className={textStyles.dim}>
                {t("— rows {list}; applied in the order of the file, the last one wins", {
                  list: rangesInWords({ ...check.repeated, count: repeats }),
                })}
              </span>
            </span>
            <KeepOne what={check.matchedBy} />
          </GroupLine>
        )}
        {twins.rows > 0 && (
          <GroupLine rows={twins.rows}>
            <span>
              {tCount(twins.rows, "This row is the same as an earlier row", "These rows are the same as an earlier row")}{" "}
              <span className={textStyles.dim}>
                {t("— rows {list}; each becomes a record of its own", { list: rangesInWords({ ...twins, count: twins.rows }) })}
              </span>
            </span>
            <KeepOne what={t("The same rows")} />
          </GroupLine>
        )}
        <AppliedFixes collection={collection} check={check} />
      </ul>
    </section>
  );
}

/** When a focused button disappears with its group, moves the focus to the section. */
function useRestoredFocus(): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const isInside = useRef(false);
  useEffect(() => {
    const { current } = section;
    if (isInside.current && document.activeElement === document.body) current?.focus({ preventScroll: true });
    isInside.current = current?.contains(document.activeElement) ?? false;
  });
  useEffect(() => {
    const onFocusIn = () => {
      isInside.current = section.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener("focusin", onFocusIn);
    return () => document.removeEventListener("focusin", onFocusIn);
  }, []);
  return section;
}

interface ProblemGroupLineProps {
  collection: Collection;
  group: ProblemGroup;
  revision: number;
  isShown: boolean;
  onShow: () => void;
  /** Other groups have proposals, too. */
  hasMany: boolean;
  /** Is its part of all rows with problems; undefined where there is nothing to compare it with. */
  share: number | undefined;
  onPending: OnPending;
}

function ProblemGroupLine({ collection, group, revision, isShown, onShow, hasMany, share, onPending }: ProblemGroupLineProps) {
  const { field, code, message, values } = group;
  const known = collection.byName.get(field);
  const [isOpen, setOpen] = useState<boolean>(); // undefined: it never was
  const hasValues = known !== undefined && (values?.distinct ?? 0) > 0;
  return (
    <GroupLine
      rows={group.count}
      share={share}
      detail={
        isOpen !== undefined &&
        hasValues && (
          <div hidden={!isOpen}>
            <ValuesTable field={known} group={group} revision={revision} onPending={onPending} />
          </div>
        )
      }
    >
      <span>
        {isWarning(code) && <Warns />} {message}{" "}
        <span className={textStyles.dim}>{tCount(group.count, "— row {list}", "— rows {list}", { list: rangesInWords(group) })}</span>
        <Offers group={group} field={known} isFirst={!hasMany} />
      </span>
      {hasValues && (
        <button
          type="button"
          className={buttonStyles.quiet}
          aria-label={t("Values: {what}", { what: message })}
          aria-expanded={isOpen === true}
          onClick={() => setOpen(!isOpen)}
        >
          {t("Values")}
        </button>
      )}
      {code === "DUPLICATE" ? (
        <KeepOne what={message} />
      ) : (
        <ActionButton label={t("Leave out")} what={message} act={{ do: "leaveOutGroup", field, code, isOut: true }} />
      )}
      {isWarning(code) && <ActionButton label={t("Send anyway")} what={message} act={{ do: "accept", code, isOn: true }} />}
      {isSuspect(code) && <ActionButton label={t("Keep as rows")} what={message} act={{ do: "accept", code, isOn: true }} />}
      <ShowRowsButton what={message} isShown={isShown} onShow={onShow} />
    </GroupLine>
  );
}

/** Asks which of the rows that mean one record stays. */
function KeepOne({ what }: { what: string }) {
  return (
    <>
      <ActionButton label={t("Keep the first")} what={what} act={{ do: "repeats", keep: "first" }} />
      <ActionButton label={t("Keep the last")} what={what} act={{ do: "repeats", keep: "last" }} />
      <ActionButton label={t("Keep none")} what={what} act={{ do: "repeats", keep: "none" }} />
    </>
  );
}

interface RejectionLineProps extends Pick<ProblemGroupsProps, "collection" | "plan" | "leave"> {
  group: RejectionGroup;
  isShown: boolean;
  onShow: () => void;
}

/** Rows that the service would refuse for one reason, with the values that are in the way. */
function RejectionLine({ collection, group, plan, isShown, onShow, leave }: RejectionLineProps) {
  const { key, field: name, code, message, rows, values, others } = group;
  const field = collection.byName.get(name);
  const shown = values.map(({ value, rows: n }) => {
    const text = field ? displayText(field, textOf(field, value)) : String(value);
    return n > 1 ? `${text} (${formatNumber(n)})` : text;
  });
  if (values.length > 0 && others > 0) shown.push(t("{n} more", { n: formatNumber(others) }));
  return (
    <GroupLine rows={rows}>
      <span>
        {tCount(rows, "The service would refuse this row", "The service would refuse these rows")}: {message}{" "}
        <span className={textStyles.dim}>
          {tCount(rows, "— row {list}", "— rows {list}", { list: rangesInWords({ ...group, count: rows }) })}
        </span>
        {shown.length > 0 && <bdi className={styles.refusedValues}>{shown.join(" · ")}</bdi>}
      </span>
      {code === "UNIQUE" && plan && <UpdateTwins collection={collection} plan={plan} field={name} what={message} leave={leave} />}
      <ActionButton label={t("Leave out")} what={message} act={{ do: "leaveOutRefused", isOut: true, group: key }} />
      <ShowRowsButton what={message} isShown={isShown} onShow={onShow} />
    </GroupLine>
  );
}

interface UpdateTwinsProps extends Pick<ProblemGroupsProps, "collection" | "leave"> {
  plan: Plan;
  field: string;
  what: string;
}

/** The stored records that have these values are changed instead: rows are matched by them from then on. */
function UpdateTwins({ collection, plan, field, what, leave }: UpdateTwinsProps) {
  const { uploadManager } = useServices();
  const modes = useModes(collection);
  const match = matchChoices(collection, plan.columns).find(({ fields: [first] }) => first?.name === field);
  if (!match || !modes.includes("upsert") || match.name === plan.matchBy) return null;
  return (
    <button
      type="button"
      className={buttonStyles.quiet}
      aria-label={t("Update them: {what}", { what })}
      onClick={() =>
        leave(() => {
          uploadManager.choose({ ...plan, matchBy: match.name, mode: "upsert" });
          uploadManager.check();
        })
      }
    >
      {t("Update them")}
    </button>
  );
}

/** Stands before the sentence of a rule that only warns. */
function Warns() {
  return <b>{t("Please look once more:")}</b>;
}

function isSuspect(code: string): code is SuspectCode {
  return (SUSPECT_CODES as readonly string[]).includes(code);
}

function ShowRowsButton({ what, isShown, onShow }: { what: string; isShown: boolean; onShow: () => void }) {
  return (
    <button type="button" className={buttonStyles.quiet} aria-label={t("Show: {what}", { what })} aria-pressed={isShown} onClick={onShow}>
      {t("Show")}
    </button>
  );
}
