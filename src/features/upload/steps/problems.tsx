// The problems in groups, each with what would mend it in one click; and what was chosen so far, which can be taken back.

import { Children, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import { say, sayCount, toSay, within } from "../../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../../pipeline/checking/findings.ts";
import type { ProblemGroup } from "../../../../pipeline/checking/problem-groups.ts";
import { REFUSED_GROUP } from "../../../../pipeline/checking/problem-groups.ts";
import { groupKey } from "../../../../pipeline/checking/validate-row.ts";
import type { Act, MendingState } from "../../../../pipeline/correction/correction-state.ts";
import { useDeps } from "../../../context/services.ts";
import { count, formatNumber } from "../../../fields/format.ts";
import { REMEDY_WORDS } from "./fix-labels.ts";

interface ProblemGroupsProps {
  collection: Collection;
  check: CheckSummary;
  mending: MendingState;
  /** The group whose rows are shown; undefined: all. */
  group: string | undefined;
  onGroup: (group: string | undefined) => void;
}

export function ProblemGroups({ collection, check, mending, group, onGroup }: ProblemGroupsProps) {
  const { groups, leftOutGroups, remedies, refusedOut, repeats } = check;
  const { preview } = mending;
  const section = useKeptFocus();
  const refused = preview.is === "done" || preview.is === "stopped" ? preview.counts.failed : 0;
  if (groups.length + leftOutGroups.length + remedies.length + refusedOut + repeats + refused === 0) return null;
  const toggle = (key: string) => onGroup(group === key ? undefined : key);
  return (
    <section aria-label={say("Problems")} aria-busy={mending.recheck !== null} ref={section} tabIndex={-1}>
      {mending.recheck !== null && (
        <p className="rechecking small dim" role="status">
          {say("Checking the file again")} <progress value={mending.recheck} max={100} aria-label={say("Checking the file again")} />
        </p>
      )}
      <ul className="groups">
        {groups.map((one) => (
          <Group key={groupKey(one)} group={one} isShown={group === groupKey(one)} onShow={() => toggle(groupKey(one))} />
        ))}
        {refused > 0 && (
          <Line rows={refused}>
            <span>
              {sayCount(refused, "The service would refuse this row", "The service would refuse these rows")}{" "}
              <span className="dim">{say("— each with its reason in the list")}</span>
            </span>
            <ActButton label={say("Leave out")} what={say(WOULD_REFUSE)} act={{ do: "leaveOutRefused", isOut: true }} />
            <Show what={say(WOULD_REFUSE)} isShown={group === REFUSED_GROUP} onShow={() => toggle(REFUSED_GROUP)} />
          </Line>
        )}
        {repeats > 0 && (
          <Line>
            <span>
              {count(repeats, "{n} row repeats an earlier {key}", "{n} rows repeat an earlier {key}", { key: collection.key.title })}{" "}
              <span className="dim">{say("— applied in the order of the file; the last one wins")}</span>
            </span>
          </Line>
        )}
        <Chosen check={check} />
      </ul>
    </section>
  );
}

const WOULD_REFUSE = toSay("Rows that the service would refuse");

/** What it is about, how many rows, and what can be done. */
function Line({ rows, isChosen = false, children }: { rows?: number; isChosen?: boolean; children: ReactNode }) {
  const [what, ...acts] = Children.toArray(children);
  return (
    <li className={isChosen ? "group chosen" : "group"}>
      {what}
      {rows !== undefined && <b>{formatNumber(rows)}</b>}
      {acts.length > 0 && <span className="acts">{acts}</span>}
    </li>
  );
}

function ActButton({ label, what, act }: { label: string; what: string; act: Act }) {
  const { desk } = useDeps();
  return (
    <button type="button" className="button quiet" aria-label={`${label}: ${what}`} onClick={() => desk.act(act)}>
      {label}
    </button>
  );
}

/** A button that goes with its group leaves the focus in the list, and not nowhere. */
function useKeptFocus(): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const isInside = useRef(false);
  useEffect(() => {
    const { current } = section;
    if (isInside.current && document.activeElement === document.body) current?.focus({ preventScroll: true });
    isInside.current = current?.contains(document.activeElement) ?? false;
  });
  useEffect(() => {
    const note = () => {
      isInside.current = section.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  return section;
}

function Group({ group, isShown, onShow }: { group: ProblemGroup; isShown: boolean; onShow: () => void }) {
  const { desk } = useDeps();
  const { field, code, message, offers } = group;
  return (
    <Line rows={group.count}>
      <span>
        {message} <span className="dim">{sayCount(group.count, "— row {list}", "— rows {list}", { list: rangesInWords(group) })}</span>
        {offers.length > 0 && (
          <span className="offers">
            {offers.map(({ name, rows }) => (
              <button key={name} type="button" className="button" onClick={() => desk.act({ do: "remedy", field, name, isOn: true })}>
                {say(REMEDY_WORDS[name])}{" "}
                <span className="dim">{rows === group.count ? say("in all") : count(rows, "in {n} row", "in {n} rows")}</span>
              </button>
            ))}
          </span>
        )}
      </span>
      <ActButton label={say("Leave out")} what={message} act={{ do: "leaveOutGroup", field, code, isOut: true }} />
      <Show what={message} isShown={isShown} onShow={onShow} />
    </Line>
  );
}

const SHOWN_RANGES = 6;

function rangesInWords({ ranges, count }: ProblemGroup): string {
  const shown = ranges.slice(0, SHOWN_RANGES);
  const more = count - shown.reduce((rows, [from, to]) => rows + to - from + 1, 0);
  const words = shown.map(([from, to]) => (from === to ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(to)}`)).join(", ");
  return more > 0 ? say("{list} and {n} more", { list: words, n: formatNumber(more) }) : words;
}

function Show({ what, isShown, onShow }: { what: string; isShown: boolean; onShow: () => void }) {
  return (
    <button type="button" className="button quiet" aria-label={say("Show: {what}", { what })} aria-pressed={isShown} onClick={onShow}>
      {say("Show")}
    </button>
  );
}

/** What was mended or left out by groups stays on the page, with the way back. */
function Chosen({ check: { remedies, leftOutGroups, refusedOut } }: { check: CheckSummary }) {
  return (
    <>
      {remedies.map(({ field, title, name, rows }) => (
        <Line key={`${field} ${name}`} rows={rows} isChosen>
          <span>
            <i aria-hidden="true">✓</i> {title}: {within(say(REMEDY_WORDS[name]))}{" "}
            <span className="dim">{count(rows, "— mended in {n} row", "— mended in {n} rows")}</span>
          </span>
          <ActButton
            label={say("Take back")}
            what={`${title}, ${say(REMEDY_WORDS[name])}`}
            act={{ do: "remedy", field, name, isOn: false }}
          />
        </Line>
      ))}
      {leftOutGroups.map(({ field, code, message, rows }) => (
        <LeftOut key={`${field} ${code}`} what={message} rows={rows} act={{ do: "leaveOutGroup", field, code, isOut: false }} />
      ))}
      {refusedOut > 0 && <LeftOut what={say(WOULD_REFUSE)} rows={refusedOut} act={{ do: "leaveOutRefused", isOut: false }} />}
    </>
  );
}

function LeftOut({ what, rows, act }: { what: string; rows: number; act: Act }) {
  return (
    <Line rows={rows} isChosen>
      <span>
        <i aria-hidden="true">–</i> {say("Left out: {what}", { what })}
      </span>
      <ActButton label={say("Take back")} what={what} act={act} />
    </Line>
  );
}
