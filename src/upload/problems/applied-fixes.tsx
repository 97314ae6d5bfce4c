// The fixes that were applied and the groups left out, each with a button that reverts it.

import { type ReactNode, useState } from "react";
import { ruleMessage } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { inSentence, message, t } from "../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import type { Act } from "../../../pipeline/correction/correction-state.ts";
import { isWarning, type KeptRepeat } from "../../../pipeline/model/corrections.ts";
import type { SuspectCode, WarningCode } from "../../../pipeline/model/plan.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { labelOfFix } from "./fix-labels.ts";
import { ActionButton, GroupLine, REFUSED_ROWS } from "./group-line.tsx";

const SHOWN_FIRST = 5;

/** A long list is folded: what is still wrong stands above it, and the rows below. */
export function AppliedFixes({ collection, check }: { collection: Collection; check: CheckSummary }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = linesOf(collection, check);
  const isLong = lines.length > SHOWN_FIRST + 1;
  return (
    <>
      {isLong && !isWhole ? lines.slice(0, SHOWN_FIRST) : lines}
      {isLong && (
        <li>
          <button type="button" className={buttonStyles.quiet} aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? t("Show fewer") : t("Show all {n}", { n: formatNumber(lines.length) })}
          </button>
        </li>
      )}
    </>
  );
}

function linesOf(
  collection: Collection,
  { autoFixes, valueFixes, leftOutGroups, accepted, refusedOut, repeatsOut, matchedBy }: CheckSummary,
): ReactNode[] {
  return [
    ...autoFixes.map(({ field, title, name, rows }) => (
      <FixLine
        key={`fix ${field} ${name}`}
        title={title}
        what={labelOfFix(name)}
        rows={rows}
        act={{ do: "autoFix", field, name, isOn: false }}
      />
    )),
    ...valueFixes.map(({ field, title, rules, rows }) => (
      <FixLine
        key={`values ${field}`}
        title={title}
        what={count(rules, "{n} value replaced", "{n} values replaced")}
        rows={rows}
        act={{ do: "revertValues", field }}
      />
    )),
    ...leftOutGroups.map(({ field, code, message, rows }) => (
      <LeftOutLine key={`out ${field} ${code}`} what={message} rows={rows} act={{ do: "leaveOutGroup", field, code, isOut: false }} />
    )),
    ...accepted.map((code) => {
      const what = isWarning(code) ? warningIn(collection, code) : t(SUSPECTS[code]);
      return (
        <GroupLine key={code} isChosen>
          <span>
            <i aria-hidden="true">✓</i> {isWarning(code) ? t("Sent anyway: {what}", { what }) : t("Read as rows: {what}", { what })}
          </span>
          <ActionButton label={t("Revert")} what={what} act={{ do: "accept", code, isOn: false }} />
        </GroupLine>
      );
    }),
    ...(repeatsOut
      ? [
          <LeftOutLine
            key="repeats"
            what={t(KEPT[repeatsOut.keep], { key: matchedBy })}
            rows={repeatsOut.rows}
            act={{ do: "repeats", keep: undefined }}
          />,
        ]
      : []),
    ...(refusedOut > 0
      ? [<LeftOutLine key="refused" what={t(REFUSED_ROWS)} rows={refusedOut} act={{ do: "leaveOutRefused", isOut: false }} />]
      : []),
  ];
}

const KEPT: Record<KeptRepeat, string> = {
  first: message("rows that repeat {key} or are the same; the first one stays"),
  last: message("rows that repeat {key} or are the same; the last one stays"),
  none: message("all rows with a repeated {key}, and all that are the same"),
};

/** A recipe may name a rule that is gone. */
function warningIn({ rules = [] }: Collection, code: WarningCode): string {
  const name = code.slice("WARNING.".length);
  if (name === "all") return t("all that rules warn of");
  return ruleMessage({ rules }, rules.find((one) => one.name === name)?.message ?? name);
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
