// Notices about a file: stray quotation marks, cells that a spreadsheet changed, remembered columns.

import { useMemo } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import { NAMED, noteColumns, withoutColumn } from "../../../pipeline/mapping/column-notes.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { type QuoteFix, READ_BACKSLASHES, READ_QUOTES_AS_TEXT, type StrayQuotes } from "../../../pipeline/reading/stray-quotes.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import { count, formatNumber, quoted } from "../../values/format.ts";

export function StrayQuotesNote({ strayQuotes }: { strayQuotes: StrayQuotes }) {
  const { line, through, rows, fix } = strayQuotes;
  const others = rows > 1 ? ` ${count(rows - 1, "{n} more row looks like that.", "{n} more rows look like that.")}` : "";
  const lines = { line: formatNumber(line), through: formatNumber(through) };
  return (
    <Notice tone="doubt">
      {through > line ? (
        <>
          <RichText
            text={t("{b}Lines {line} to {through} were read as one row,{/b} because of a quotation mark on line {line}.")}
            parts={{ b: (text) => <b>{text}</b> }}
            values={lines}
          />
          {others}
        </>
      ) : (
        <>
          <b>{t("Line {line} has an unpaired quotation mark.", lines)}</b>
          {others}
        </>
      )}{" "}
      {!fix && t("Correct the row here or in the file.")}
      {fix && <QuoteFixOffer fix={fix} />}
    </Notice>
  );
}

/** Says what the other reading is, and how many rows it changes. */
function QuoteFixOffer({ fix: { quote, rows, into } }: { fix: QuoteFix }) {
  const { uploadManager } = useServices();
  const { label, choices } = quote === "lines" ? READ_QUOTES_AS_TEXT : READ_BACKSLASHES;
  const when =
    quote === "lines"
      ? t("If it is part of the text, such as an inch sign, treat it as text. Pairs within a line still enclose a cell.")
      : t("In this file a backslash stands before quotation marks that are text.");
  const changes = count(
    rows,
    "That changes {n} row; {into} are read in its place.",
    "That changes {n} rows; {into} are read in their place.",
    {
      into: formatNumber(into),
    },
  );
  return (
    <>
      {when} {changes}
      <div className={noticeStyles.actions}>
        <button type="button" onClick={() => uploadManager.inspectAgain({ ...uploadManager.state().choices, ...choices })}>
          {t(label)}
        </button>
      </div>
    </>
  );
}

export function DamageNote({ damage }: { damage: readonly string[] }) {
  if (damage.length === 0) return null;
  return (
    <Notice tone="doubt">
      <b>{t("Some cells may not be as they were meant.")}</b> {t("Nothing is guessed: the cells are uploaded as they are.")}
      <ul>
        {damage.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Says that the columns were matched as in an earlier file, and what differs. */
export function RecalledNote({ inspection, byName, plan }: { inspection: FileInspection; byName: (string | null)[]; plan: Plan }) {
  const { uploadManager } = useServices();
  const { recalled } = inspection;
  const isAsRecalled = recalled && String(recalled.columns) === String(plan.columns);
  if (!isAsRecalled) return null;
  const { added, gone } = recalled;
  const changed = [
    added.length > 0 && tCount(added.length, "{list} is new", "{list} are new", { list: listOf(added) }),
    gone.length > 0 && tCount(gone.length, "{list} is missing", "{list} are missing", { list: listOf(gone) }),
  ].filter(Boolean);
  return (
    <Notice>
      <b>{changed.length === 0 ? t("Columns as last time.") : t("Columns as last time, except:")}</b>
      {changed.length > 0 && ` ${changed.join(", ")}.`}
      {recalled.meaning &&
        recalled.meaning.mode === plan.mode &&
        plan.mode !== "create" &&
        ` ${t("Rows also update records, as last time.")}`}
      {String(byName) !== String(plan.columns) && (
        <>
          {" "}
          <button type="button" className={buttonStyles.link} onClick={() => uploadManager.choose({ ...plan, columns: byName })}>
            {t("Match them by name instead")}
          </button>
        </>
      )}
    </Notice>
  );
}

/** Writes "“Mobile”", "“Fax” and “Telex”". */
function listOf(headings: readonly string[]): string {
  const names = headings.slice(0, 5).map((heading) => quoted(heading.trim() || t("a column without heading")));
  const more = headings.length - names.length;
  if (more > 0) return t("{list} and {n} more", { list: names.join(", "), n: more });
  const list = names.slice(0, -1).join(", ");
  return list ? t("{list} and {last}", { list, last: names.at(-1) }) : (names[0] ?? "");
}

interface ColumnNotesProps extends Pick<Plan, "columns" | "mode"> {
  collection: Collection;
  header: readonly string[];
}

/** Shows what is said about columns as they are matched now. The last note counts the fields that it does not name: it opens to name them. */
export function ColumnNotes({ collection, header, columns, mode }: ColumnNotesProps) {
  const notes = useMemo(() => noteColumns(collection, header, columns, mode), [collection, header, columns, mode]);
  const more = withoutColumn(collection, columns, mode).slice(NAMED).join(", ");
  if (notes.length === 0) return null;
  const shown = notes.map((note, i) =>
    more && i === notes.length - 1 ? (
      <details key={note}>
        <summary>{note}</summary>
        {more}
      </details>
    ) : (
      note
    ),
  );
  return (
    <Notice>
      {notes.length === 1 ? (
        shown
      ) : (
        <ul>
          {notes.map((note, i) => (
            <li key={note}>{shown[i]}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** Tells of hidden rows, merged cells and the like, in the columns step and, of the whole sheet, after the check. */
export function SheetNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <Notice>
      <b>{t("About this sheet:")}</b>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Notice>
  );
}
