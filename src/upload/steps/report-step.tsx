// Step 5: the outcome of every row, and the rows that were not stored with their reasons.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { UndoCounts } from "../../../core/contract/history.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { countNotStored, type NotStoredRow, type Outcomes, type Report } from "../../../pipeline/model/outcomes.ts";
import { Link } from "../../app/router/link.tsx";
import { useServices } from "../../app/services/services.ts";
import { meQuery } from "../../service/me.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatSeconds } from "../../values/bytes-and-seconds.ts";
import { count, formatNumber } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { OutcomeBar, type OutcomePart } from "../../values/outcome-bar.tsx";
import { storedRows } from "../manager/stored-rows.ts";
import { ErrorsFileButtons } from "./errors-file-buttons.tsx";
import { MissingRecords } from "./lazy-missing-records.tsx";
import { ReportedParents } from "./lazy-reported-parents.tsx";
import { beforeAndNow, OUTCOME_LABELS, outcomeParts, partsAfterUndo } from "./outcome-labels.ts";
import * as styles from "./report-step.module.css";
import { FileLine } from "./running-progress.tsx";
import { UndoButton } from "./undo-step.tsx";

interface ReportStepProps {
  collection: Collection;
  report: Report;
  /** It was stopped and can be continued. */
  canContinue: boolean;
  /** The service has the report; undefined: nobody has asked it. */
  isOnService?: boolean | undefined;
}

export function ReportStep({ collection, report, canContinue, isOnService }: ReportStepProps) {
  const { client, uploadManager } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const { counts } = report;
  const missing = countNotStored(counts);
  const { again, id } = uploadManager.current();
  return (
    <>
      <FileLine text={t("The upload of {name}")} fileName={uploadManager.current().fileName} />
      <ReportBody report={report} by={me?.principal.name} collection={collection}>
        {canContinue && (
          <div className={noticeStyles.actions}>
            <button
              type="button"
              className={buttonStyles.primary}
              onClick={() => uploadManager.continueUpload(uploadManager.current(), collection, [])}
            >
              {t("Continue")}
            </button>
          </div>
        )}
      </ReportBody>
      {storedRows(counts) > 0 && (
        <p data-screen="">
          <Link to="/activity" search={{ run: again?.run ?? id } as Record<string, string>}>
            {t("Show what it changed")}
          </Link>
        </p>
      )}
      {!again && report.ended === "done" && counts.updated + counts.unchanged > 0 && <MissingRecords collection={collection} />}
      {isOnService === false && (
        <p className={textStyles.note}>{t("The service has not taken this report. It is stored on this computer only.")}</p>
      )}
      {isOnService && missing > 0 && (
        <p className={textStyles.note}>
          {t("Whoever reads this collection sees the report under Uploads, and can correct the rows not stored and send them again.")}
        </p>
      )}
      <div className={formStyles.savebar} data-savebar="">
        <Link className={canContinue ? "button" : buttonStyles.primary} to="/$collection" params={{ collection: collection.name }}>
          {t("Open the list")}
        </Link>
        {missing > 0 && <ErrorsFileButtons load={uploadManager.errorsFile} />}
        {again ? (
          <Link className="button" to="/uploads/$upload" params={{ upload: again.run }}>
            {t("The whole run")}
          </Link>
        ) : (
          <UndoButton upload={uploadManager.current()} collection={collection} report={report} />
        )}
        <button type="button" className={buttonStyles.quiet} onClick={uploadManager.close}>
          {t("Choose another file")}
        </button>
      </div>
    </>
  );
}

interface ReportBodyProps {
  report: Report;
  /** Names who signed in, where the service says so. */
  by?: string | undefined;
  /** Says whose rows they are, for their names and values. */
  collection?: Collection | undefined;
  /** Is shown from the history: the rows may have changed since. */
  isPast?: boolean;
  /** There is no file of the rows that were not stored. */
  isPart?: boolean;
  /** The counts of a later undo. */
  undo?: UndoCounts | undefined;
  /** Is shown in the notice of an upload that did not finish. */
  children?: ReactNode;
}

/** Shows the report without its actions. */
export function ReportBody({ report, by, collection, isPast = false, isPart = false, undo, children }: ReportBodyProps) {
  const { counts, rowsRead, ended, why, notStored } = report;
  const missing = countNotStored(counts);
  return (
    <>
      <div className={outcomeStyles.figure}>
        <div className={outcomeStyles.headline}>
          {undo ? <AfterUndo report={report} undo={undo} /> : <AfterUpload report={report} by={by} isPast={isPast} />}
        </div>
        <OutcomeBar parts={undo ? partsAfterUndo(counts, undo) : outcomeParts(counts)} whole={rowsRead} />
      </div>
      {ended !== "done" && (
        <Notice tone="doubt">
          <b>
            {ended === "cancelled"
              ? isPast
                ? t("This upload was cancelled.")
                : t("You cancelled this upload.")
              : t("The upload stopped early.")}
          </b>{" "}
          {why} {t("Rows already stored are kept.")}
          {ended === "stopped" && counts.notSent > 0 && ` ${t("The rest can be sent later.")}`}
          {counts.inDoubt > 0 && ` ${t("It is not known whether rows in doubt are stored: the service did not reply.")}`}
          {children}
        </Notice>
      )}
      {report.parents && <ReportedParents parents={report.parents} />}
      <OutcomeTable counts={counts} rowsRead={rowsRead} undo={undo} />
      {missing > 0 && notStored.length > 0 && <NotStored rows={notStored} total={missing} collection={collection} isPart={isPart} />}
    </>
  );
}

function AfterUpload({ report, by, isPast }: Required<Pick<ReportBodyProps, "report" | "isPast">> & Pick<ReportBodyProps, "by">) {
  const { counts, rowsRead, seconds, hasPaused } = report;
  const time = formatSeconds(seconds);
  const stored = formatNumber(storedRows(counts));
  return (
    <>
      {isPast
        ? count(rowsRead, "{stored} of {n} row was stored", "{stored} of {n} rows were stored", { stored })
        : count(rowsRead, "{stored} of {n} row is stored", "{stored} of {n} rows are stored", { stored })}{" "}
      <small>
        {hasPaused ? t("in {time}, pauses not counted", { time }) : t("in {time}", { time })}
        {by && (
          <>
            {" · "}
            <NameInSentence name={by} text={t("by {name}")} />
          </>
        )}
      </small>
    </>
  );
}

function AfterUndo({ report: { counts, rowsRead }, undo: { reversed, kept, failed } }: { report: Report; undo: UndoCounts }) {
  const stored = storedRows(counts);
  const facts = [
    count(stored, "{n} was stored", "{n} were stored"),
    count(reversed, "{n} was undone", "{n} were undone"),
    kept > 0 && count(kept, "{n} stays because someone had changed it", "{n} stay because someone had changed them"),
    failed > 0 && t("{n} could not be undone", { n: formatNumber(failed) }),
  ];
  return (
    <>
      {count(rowsRead, "{left} of {n} row is left", "{left} of {n} rows are left", { left: formatNumber(stored - reversed) })}{" "}
      <small>{facts.filter(Boolean).join(" · ")}</small>
    </>
  );
}

function OutcomeTable({ counts, rowsRead, undo }: { counts: Outcomes; rowsRead: number; undo: UndoCounts | undefined }) {
  const all: (OutcomePart & { before?: number })[] = undo ? beforeAndNow(counts, undo) : outcomeParts(counts);
  const parts = all.filter((part) => part.count > 0 || part.before); // without the zeros they still add up
  return (
    <table className={styles.counts} aria-label={t("Outcomes")}>
      {undo && (
        <thead>
          <tr>
            <th>{t("Outcome")}</th>
            <th className={tableStyles.number}>{t("Before the undo")}</th>
            <th className={tableStyles.number}>{t("After the undo")}</th>
          </tr>
        </thead>
      )}
      <tbody>
        {parts.map((part) => (
          <tr key={part.outcome}>
            <th scope="row" className={tableStyles.rowHead}>
              <span className={outcomeStyles.legend}>
                <span>
                  <i data-outcome={part.outcome} aria-hidden="true" />
                  {part.label}
                </span>
              </span>
            </th>
            {part.before !== undefined && <td className={`${tableStyles.number} ${textStyles.dim}`}>{formatNumber(part.before)}</td>}
            <td className={tableStyles.number}>{formatNumber(part.count)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" className={tableStyles.rowHead}>
            {t("Rows read")}
          </th>
          {undo && <td className={`${tableStyles.number} ${textStyles.dim}`}>{formatNumber(rowsRead)}</td>}
          <td className={tableStyles.number}>{formatNumber(rowsRead)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

const SHOWN_AS_RANGE = 5; // consecutive rows with the same outcome and reason

/** Merges five or more consecutive rows with the same outcome and reason into [first, last]. */
function mergeEqualRows(rows: readonly NotStoredRow[]): [first: NotStoredRow, last: NotStoredRow][] {
  const runs: NotStoredRow[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const isAboutFields = (row.fields?.length ?? 0) > 0; // each of them has a value of its own
    if (!isAboutFields && before?.row === row.row - 1 && before.outcome === row.outcome && before.reason === row.reason) run?.push(row);
    else runs.push([row]);
  }
  return runs.flatMap((run): [NotStoredRow, NotStoredRow][] => {
    const [first, last] = [run[0], run.at(-1)];
    return run.length < SHOWN_AS_RANGE || !first || !last ? run.map((row) => [row, row]) : [[first, last]];
  });
}

function range(first: number, last: number): string {
  return first === last ? formatNumber(first) : `${formatNumber(first)}–${formatNumber(last)}`;
}

/** Returns the cells of the fields that name a record. */
function nameIn({ values = {} }: NotStoredRow, { label }: Collection): string {
  return label.flatMap(({ name }) => values[name] || []).join(" ");
}

/** Shows the cells that the reason is about. */
function ValuesOf({ row: { values = {}, fields = [] }, collection }: { row: NotStoredRow; collection: Collection }) {
  const found = fields.filter((name) => values[name]);
  if (found.length === 0) return null;
  return (
    <ul className={styles.values}>
      {found.map((name) => (
        <li key={name}>
          {collection.byName.get(name)?.title ?? name}: <bdi>{values[name]}</bdi>
        </li>
      ))}
    </ul>
  );
}

interface NotStoredProps {
  rows: NotStoredRow[];
  total: number;
  collection: Collection | undefined;
  /** No file has the others. */
  isPart: boolean;
}

function NotStored({ rows, total, collection, isPart }: NotStoredProps) {
  const shown = { n: formatNumber(rows.length), whole: formatNumber(total) };
  const hasNames = collection !== undefined && rows.some(({ values }) => values);
  return (
    <section>
      <h2>{t("Rows not stored")}</h2>
      <ScrollArea label={t("Rows that were not stored")}>
        <table className={styles.notStored} aria-label={t("Rows not stored")}>
          <thead>
            <tr>
              <th className={tableStyles.number}>{t("Row")}</th>
              <th className={tableStyles.number}>{t("Line")}</th>
              <th>{t("Outcome")}</th>
              <th>{t("Reason")}</th>
              {hasNames && <th>{t("Name")}</th>}
            </tr>
          </thead>
          <tbody>
            {mergeEqualRows(rows).map(([first, last]) => (
              <tr key={first.row}>
                <th scope="row" className={`${tableStyles.rowHead} ${tableStyles.number} ${textStyles.dim}`}>
                  {range(first.row, last.row)}
                </th>
                <td className={`${tableStyles.number} ${textStyles.dim}`}>{range(first.line, last.line)}</td>
                <td>{t(OUTCOME_LABELS[first.outcome])}</td>
                <td className={tableStyles.wrap}>
                  {first.reason}
                  {first === last && collection && <ValuesOf row={first} collection={collection} />}
                </td>
                {hasNames && <td dir="auto">{first === last ? nameIn(first, collection) : ""}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {total > rows.length && (
        <p className={textStyles.note}>
          {isPart
            ? t("These are the first {n} of {whole}.", shown)
            : t("These are the first {n} of {whole}; the file has them all.", shown)}
        </p>
      )}
    </section>
  );
}
