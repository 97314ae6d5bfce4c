// What stands out in a file: stray quotation marks, cells that a spreadsheet changed, columns as last time. Says it and offers the way on; mends nothing.

import { formatNumber } from "../ui/format.ts";
import { Notice } from "../ui/pieces.tsx";
import type { Plan } from "../upload/judge.ts";
import type { FileLook } from "../upload/look.ts";
import { STRAY_AS_TEXT, type Stray } from "../upload/stray.ts";
import { useDeps } from "./deps.ts";

export function StrayNote({ stray }: { stray: Stray }) {
  const { desk } = useDeps();
  const { line, through, rows } = stray;
  const others = rows > 1 ? ` ${formatNumber(rows - 1)} more ${rows === 2 ? "row looks" : "rows look"} like that.` : "";
  return (
    <Notice tone="doubt">
      {through > line ? (
        <>
          <b>
            Lines {formatNumber(line)} to {formatNumber(through)} were read as one row,
          </b>{" "}
          because of a quotation mark on line {formatNumber(line)}.{others}
        </>
      ) : (
        <>
          <b>Line {formatNumber(line)} has a quotation mark that does not pair.</b>
          {others}
        </>
      )}{" "}
      If it is part of the text, such as inches or a nickname, treat it so; marks that pair within a line still hold a cell together.
      <div className="actions">
        <button type="button" className="button" onClick={() => desk.lookAgain({ ...desk.state().choices, ...STRAY_AS_TEXT.choices })}>
          {STRAY_AS_TEXT.label}
        </button>
      </div>
    </Notice>
  );
}

export function DamageNote({ damage }: { damage: readonly string[] }) {
  if (damage.length === 0) return null;
  return (
    <Notice tone="doubt">
      <b>A spreadsheet has changed this file.</b> Nothing is guessed: what is uploaded is what stands in the cells.
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
  return (
    <Notice>
      {added.length + gone.length === 0 ? <b>Columns as last time.</b> : <b>Columns as last time, as far as they are the same: </b>}
      {drift(added, "new")}
      {added.length > 0 && gone.length > 0 && ", "}
      {drift(gone, "gone")}
      {added.length + gone.length > 0 && "."}
      {String(byName) !== String(plan.columns) && (
        <>
          {" "}
          <button type="button" className="link" onClick={() => desk.choose({ ...plan, columns: byName })}>
            Match them by name instead
          </button>
        </>
      )}
    </Notice>
  );
}

/** "“Mobile” is new", "“Fax” and “Telex” are gone". */
function drift(headings: readonly string[], word: string): string {
  if (headings.length === 0) return "";
  const names = headings.slice(0, 5).map((heading) => `“${heading.trim() || "a column without heading"}”`);
  const more = headings.length - names.length;
  const list =
    more > 0
      ? `${names.join(", ")} and ${more} more`
      : names.length > 1
        ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
        : names[0];
  return `${list} ${headings.length === 1 ? "is" : "are"} ${word}`;
}
