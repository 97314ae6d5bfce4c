// The problems in groups, each with what would mend it in one click; and what was chosen so far, which can be taken back.

import { type RefObject, useEffect, useRef } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import { count, formatNumber } from "../ui/format.ts";
import type { CheckSummary } from "../upload/findings.ts";
import { groupKey } from "../upload/judge.ts";
import { type MendingState, REFUSED_GROUP } from "../upload/mending-state.ts";
import type { ProblemGroup } from "../upload/problem-groups.ts";
import { useDeps } from "./deps.ts";

interface ProblemGroupsProps {
  collection: Collection;
  check: CheckSummary;
  mending: MendingState;
  /** The group whose rows are shown; undefined: all. */
  group: string | undefined;
  onGroup: (group: string | undefined) => void;
}

export function ProblemGroups({ collection, check, mending, group, onGroup }: ProblemGroupsProps) {
  const { groups, leftOutGroups, remedies, repeats } = check;
  const { preview } = mending;
  const section = useKeptFocus();
  const refused = preview.is === "done" ? preview.counts.failed : 0;
  if (groups.length + leftOutGroups.length + remedies.length + repeats + refused === 0) return null;
  const toggle = (key: string) => onGroup(group === key ? undefined : key);
  return (
    <section aria-label="Problems" aria-busy={mending.recheck !== null} ref={section} tabIndex={-1}>
      {mending.recheck !== null && (
        <p className="rechecking small dim" role="status">
          Checking the file again <progress value={mending.recheck} max={100} aria-label="Checking the file again" />
        </p>
      )}
      <ul className="groups">
        {groups.map((one) => (
          <Group key={groupKey(one)} group={one} isShown={group === groupKey(one)} onShow={() => toggle(groupKey(one))} />
        ))}
        {refused > 0 && (
          <li className="group">
            <span>
              The service would refuse {refused === 1 ? "this row" : "these rows"}{" "}
              <span className="dim">— each with its reason in the list</span>
            </span>
            <b>{formatNumber(refused)}</b>
            <span className="acts">
              <Show what="Rows that the service would refuse" isShown={group === REFUSED_GROUP} onShow={() => toggle(REFUSED_GROUP)} />
            </span>
          </li>
        )}
        {repeats > 0 && (
          <li className="group">
            <span>
              {repeats === 1 ? "1 row repeats" : `${formatNumber(repeats)} rows repeat`} an earlier {collection.key.title}{" "}
              <span className="dim">— applied in the order of the file; the last one wins</span>
            </span>
          </li>
        )}
        <Chosen check={check} />
      </ul>
    </section>
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
    <li className="group">
      <span>
        {message} <span className="dim">{`— ${group.count === 1 ? "row" : "rows"} ${rangesInWords(group)}`}</span>
        {offers.length > 0 && (
          <span className="offers">
            {offers.map(({ name, does, rows }) => (
              <button key={name} type="button" className="button" onClick={() => desk.act({ do: "remedy", field, name, isOn: true })}>
                {does} <span className="dim">{rows === group.count ? "in all" : `in ${count(rows, "row")}`}</span>
              </button>
            ))}
          </span>
        )}
      </span>
      <b>{formatNumber(group.count)}</b>
      <span className="acts">
        <button
          type="button"
          className="button quiet"
          aria-label={`Leave out: ${message}`}
          onClick={() => desk.act({ do: "leaveOutGroup", field, code, isOut: true })}
        >
          Leave out
        </button>
        <Show what={message} isShown={isShown} onShow={onShow} />
      </span>
    </li>
  );
}

const SHOWN_RANGES = 6;

function rangesInWords({ ranges, count }: ProblemGroup): string {
  const shown = ranges.slice(0, SHOWN_RANGES);
  const more = count - shown.reduce((rows, [from, to]) => rows + to - from + 1, 0);
  const words = shown.map(([from, to]) => (from === to ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(to)}`)).join(", ");
  return more > 0 ? `${words} and ${formatNumber(more)} more` : words;
}

function Show({ what, isShown, onShow }: { what: string; isShown: boolean; onShow: () => void }) {
  return (
    <button type="button" className="button quiet" aria-label={`Show: ${what}`} aria-pressed={isShown} onClick={onShow}>
      Show
    </button>
  );
}

/** What was mended or left out by groups stays on the page, with the way back. */
function Chosen({ check }: { check: CheckSummary }) {
  const { desk } = useDeps();
  return (
    <>
      {check.remedies.map(({ field, title, name, does, rows }) => (
        <li className="group chosen" key={`${field} ${name}`}>
          <span>
            <i aria-hidden="true">✓</i> {title}: {does.charAt(0).toLowerCase() + does.slice(1)}{" "}
            <span className="dim">— mended in {count(rows, "row")}</span>
          </span>
          <b>{formatNumber(rows)}</b>
          <span className="acts">
            <button
              type="button"
              className="button quiet"
              aria-label={`Take back: ${title}, ${does}`}
              onClick={() => desk.act({ do: "remedy", field, name, isOn: false })}
            >
              Take back
            </button>
          </span>
        </li>
      ))}
      {check.leftOutGroups.map(({ field, code, message, rows }) => (
        <li className="group chosen" key={`${field} ${code}`}>
          <span>
            <i aria-hidden="true">–</i> Left out: {message}
          </span>
          <b>{formatNumber(rows)}</b>
          <span className="acts">
            <button
              type="button"
              className="button quiet"
              aria-label={`Take back: ${message}`}
              onClick={() => desk.act({ do: "leaveOutGroup", field, code, isOut: false })}
            >
              Take back
            </button>
          </span>
        </li>
      ))}
    </>
  );
}
