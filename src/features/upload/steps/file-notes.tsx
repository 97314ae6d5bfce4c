// What stands out in a file: stray quotation marks, cells that a spreadsheet changed, columns as last time. Says it and offers the way on; mends nothing.

import { say, sayCount } from "../../../../core/i18n/translate.ts";
import type { FileLook } from "../../../../pipeline/inspection/inspect-file.ts";
import type { Plan } from "../../../../pipeline/model/plan.ts";
import { STRAY_AS_TEXT, type Stray } from "../../../../pipeline/reading/stray-quotes.ts";
import { Notice } from "../../../components/primitives.tsx";
import { Said } from "../../../components/rich-text.tsx";
import { useDeps } from "../../../context/services.ts";
import { count, formatNumber } from "../../../fields/format.ts";

export function StrayNote({ stray }: { stray: Stray }) {
  const { desk } = useDeps();
  const { line, through, rows } = stray;
  const others = rows > 1 ? ` ${count(rows - 1, "{n} more row looks like that.", "{n} more rows look like that.")}` : "";
  const lines = { line: formatNumber(line), through: formatNumber(through) };
  return (
    <Notice tone="doubt">
      {through > line ? (
        <>
          <Said
            text={say("{b}Lines {line} to {through} were read as one row,{/b} because of a quotation mark on line {line}.")}
            parts={{ b: (text) => <b>{text}</b> }}
            values={lines}
          />
          {others}
        </>
      ) : (
        <>
          <b>{say("Line {line} has a quotation mark that does not pair.", lines)}</b>
          {others}
        </>
      )}{" "}
      {say(
        "If it is part of the text, such as inches or a nickname, treat it so; marks that pair within a line still hold a cell together.",
      )}
      <div className="actions">
        <button type="button" className="button" onClick={() => desk.lookAgain({ ...desk.state().choices, ...STRAY_AS_TEXT.choices })}>
          {say(STRAY_AS_TEXT.label)}
        </button>
      </div>
    </Notice>
  );
}

export function DamageNote({ damage }: { damage: readonly string[] }) {
  if (damage.length === 0) return null;
  return (
    <Notice tone="doubt">
      <b>{say("A spreadsheet has changed this file.")}</b> {say("Nothing is guessed: what is uploaded is what stands in the cells.")}
      <ul>
        {damage.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** What an earlier file with these headings, or nearly these, brought with it. */
export function RecalledNote({ look, byName, plan }: { look: FileLook; byName: (string | null)[]; plan: Plan }) {
  const { desk } = useDeps();
  const { recalled } = look;
  const isAsRecalled = recalled && String(recalled.columns) === String(plan.columns);
  if (!isAsRecalled) return null;
  const { added, gone } = recalled;
  const changed = [
    added.length > 0 && sayCount(added.length, "{list} is new", "{list} are new", { list: listOf(added) }),
    gone.length > 0 && sayCount(gone.length, "{list} is gone", "{list} are gone", { list: listOf(gone) }),
  ].filter(Boolean);
  return (
    <Notice>
      <b>{changed.length === 0 ? say("Columns as last time.") : say("Columns as last time, as far as they are the same:")}</b>
      {changed.length > 0 && ` ${changed.join(", ")}.`}
      {String(byName) !== String(plan.columns) && (
        <>
          {" "}
          <button type="button" className="link" onClick={() => desk.choose({ ...plan, columns: byName })}>
            {say("Match them by name instead")}
          </button>
        </>
      )}
    </Notice>
  );
}

/** "“Mobile”", "“Fax” and “Telex”". */
function listOf(headings: readonly string[]): string {
  const names = headings.slice(0, 5).map((heading) => `“${heading.trim() || say("a column without heading")}”`);
  const more = headings.length - names.length;
  if (more > 0) return say("{list} and {n} more", { list: names.join(", "), n: more });
  const list = names.slice(0, -1).join(", ");
  return list ? say("{list} and {last}", { list, last: names.at(-1) }) : (names[0] ?? "");
}
