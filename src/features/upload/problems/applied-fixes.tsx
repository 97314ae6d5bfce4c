// The fixes that were applied and the groups left out, each with a button that reverts it.

import { inSentence, message, t } from "../../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../../pipeline/checking/findings.ts";
import type { Act } from "../../../../pipeline/correction/correction-state.ts";
import type { SuspectCode } from "../../../../pipeline/model/plan.ts";
import * as textStyles from "../../../components/text.module.css";
import { count } from "../../../fields/format.ts";
import { labelOfFix } from "./fix-labels.ts";
import { ActionButton, GroupLine, REFUSED_ROWS } from "./group-line.tsx";

export function AppliedFixes({ check: { autoFixes, valueFixes, leftOutGroups, accepted, refusedOut } }: { check: CheckSummary }) {
  return (
    <>
      {autoFixes.map(({ field, title, name, rows }) => (
        <FixLine
          key={`${field} ${name}`}
          title={title}
          what={labelOfFix(name)}
          rows={rows}
          act={{ do: "autoFix", field, name, isOn: false }}
        />
      ))}
      {valueFixes.map(({ field, title, rules, rows }) => (
        <FixLine
          key={field}
          title={title}
          what={count(rules, "{n} value replaced", "{n} values replaced")}
          rows={rows}
          act={{ do: "revertValues", field }}
        />
      ))}
      {leftOutGroups.map(({ field, code, message, rows }) => (
        <LeftOutLine key={`${field} ${code}`} what={message} rows={rows} act={{ do: "leaveOutGroup", field, code, isOut: false }} />
      ))}
      {accepted.map((code) => (
        <GroupLine key={code} isChosen>
          <span>
            <i aria-hidden="true">✓</i> {t("Read as rows: {what}", { what: t(SUSPECTS[code]) })}
          </span>
          <ActionButton label={t("Revert")} what={t(SUSPECTS[code])} act={{ do: "accept", code, isOn: false }} />
        </GroupLine>
      ))}
      {refusedOut > 0 && <LeftOutLine what={t(REFUSED_ROWS)} rows={refusedOut} act={{ do: "leaveOutRefused", isOut: false }} />}
    </>
  );
}

const SUSPECTS: Record<SuspectCode, string> = {
  HEADING: message("what looks like a heading"),
  UNITS: message("what looks like units"),
  TOTAL: message("what looks like a total"),
  NOTE: message("what looks like a note"),
  TABLE: message("what looks like another table"),
};

function FixLine({ title, what, rows, act }: { title: string; what: string; rows: number; act: Act }) {
  return (
    <GroupLine rows={rows} isChosen>
      <span>
        <i aria-hidden="true">✓</i> {title}: {inSentence(what)}{" "}
        <span className={textStyles.dim}>{count(rows, "— corrected in {n} row", "— corrected in {n} rows")}</span>
      </span>
      <ActionButton label={t("Revert")} what={`${title}, ${what}`} act={act} />
    </GroupLine>
  );
}

function LeftOutLine({ what, rows, act }: { what: string; rows: number; act: Act }) {
  return (
    <GroupLine rows={rows} isChosen>
      <span>
        <i aria-hidden="true">–</i> {t("Left out: {what}", { what })}
      </span>
      <ActionButton label={t("Revert")} what={what} act={act} />
    </GroupLine>
  );
}
