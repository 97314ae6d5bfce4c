// The preview: what the service would do with the ready rows, as parts of the bar, in words, and as old and new values.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import type { CorrectionState, Preview, PreviewFigures } from "../../../pipeline/correction/correction-state.ts";
import type { Twins } from "../../../pipeline/correction/stored-twins.ts";
import { Link } from "../../app/router/link.tsx";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { LiveRegion } from "../../ui/live-region.tsx";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as textStyles from "../../ui/text.module.css";
import { displayText, textOf } from "../../values/field-text.ts";
import { count, formatNumber } from "../../values/format.ts";
import type { OutcomePart } from "../../values/outcome-bar.tsx";
import { countOf, nameOf } from "../../values/record-name.ts";
import { ValuesLeft } from "../../values/values-left.tsx";
import * as styles from "./preview.module.css";
import { tally } from "./tally.ts";

/** The parts always add up to the rows read. */
export function previewParts(check: CheckSummary, preview: Preview, keyTitle: string): OutcomePart[] {
  const { ready, leftOut, correctable } = check;
  const { refused, wrong: all, warned } = tally(check, preview);
  const wrong = all - correctable.rows;
  const rest: OutcomePart[] = [
    { outcome: "notSent", label: t("Left out"), count: leftOut },
    { outcome: "warned", label: t("To be confirmed"), count: warned },
    { outcome: "correctable", label: t("Can be corrected at once"), count: correctable.rows },
    {
      outcome: "failed",
      label: correctable.rows > 0 ? t("Others with problems") : tCount(wrong, "With problems", "With problems"),
      count: wrong,
    },
  ];
  if (preview.is === "none" || preview.is === "unavailable") return [{ outcome: "ready", label: t("Ready"), count: ready }, ...rest];
  const { created, updated, unchanged, repeats, awaiting, unknown } = preview.counts;
  return [
    { outcome: "created", label: t("Would be created"), count: created },
    { outcome: "awaiting", label: t("Stored after what they refer to is created"), count: awaiting },
    { outcome: "updated", label: t("Would be updated"), count: updated },
    { outcome: "unchanged", label: t("Unchanged"), count: unchanged },
    { outcome: "skipped", label: t("Repeat an earlier {key}", { key: keyTitle }), count: repeats },
    { outcome: "refused", label: t("Would be refused"), count: refused },
    { outcome: "inDoubt", label: t("No reply"), count: unknown },
    {
      outcome: "ready",
      label: preview.is === "stopped" ? t("Not previewed") : t("Not previewed yet"),
      count: Math.max(0, ready - preview.rowsDone),
    },
    ...rest,
  ];
}

interface PreviewDetailProps {
  collection: Collection;
  corrections: CorrectionState;
  check: Pick<CheckSummary, "ready" | "matchedBy">;
}

export function PreviewDetail({ collection, corrections, check: { ready, matchedBy } }: PreviewDetailProps) {
  const { preview } = corrections;
  switch (preview.is) {
    case "none":
      return ready > 0 && <p className={`${textStyles.note} ${styles.previewed}`}>{t("Nothing is stored yet.")}</p>;
    case "unavailable":
      return (
        <p className={`${textStyles.note} ${styles.previewed}`}>
          {t("No preview is available: {why} You can upload anyway.", { why: preview.why })} <CountAgainButton />
        </p>
      );
    case "counting":
    case "stopped":
    case "done":
      return (
        <>
          <p className={`${textStyles.note} ${styles.previewed}`}>
            {describePreview(preview)}
            {preview.is === "stopped" && (
              <>
                {" "}
                <CountAgainButton />
              </>
            )}
            {preview.counts.repeats > 0 &&
              ` ${t("Rows that repeat an earlier {key} have no preview: they change what that row wrote, or nothing.", { key: matchedBy })}`}
          </p>
          <LiveRegion>{announcementOf(preview)}</LiveRegion>
          {preview.twins && <StoredTwins collection={collection} twins={preview.twins} />}
          <ValuesLeft collection={collection} counts={preview.left} />
          {preview.changes.length > 0 && <Changes collection={collection} preview={preview} />}
        </>
      );
  }
}

/** A file without keys can be uploaded twice without anything being refused. */
function StoredTwins({ collection, twins: { asked, found, example } }: { collection: Collection; twins: Twins }) {
  return (
    <Notice tone="doubt">
      <b>
        {t("{found} of {asked} rows that were looked up are stored already, with all their values.", {
          found: formatNumber(found),
          asked: formatNumber(asked),
        })}
      </b>{" "}
      {t("If this file was uploaded before, here or on another computer, its rows would be stored a second time.")}
      <div className={noticeStyles.actions}>
        <Link className="button" to="/$collection/$id" params={{ collection: collection.name, id: String(example) }}>
          {t("Show one of them")}
        </Link>
        <Link className="button" to="/activity" search={{ collection: collection.name, source: "upload" }}>
          {t("Show all uploads")}
        </Link>
      </div>
    </Notice>
  );
}

type Figures = Extract<Preview, PreviewFigures>;

function describePreview(preview: Figures): string {
  const [done, total] = [formatNumber(preview.rowsDone), count(preview.rowsTotal, "{n} row", "{n} rows")];
  switch (preview.is) {
    case "counting":
      return t("Preview: {done} of {total}. Nothing is stored yet; you do not have to wait.", { done, total });
    case "stopped":
      return t("This is the preview of the first {done} of {total}; then it stopped: {why} Nothing is stored yet. You can upload anyway.", {
        done,
        total,
        why: preview.why,
      });
    case "done":
      return t("This is a preview by the service. Nothing is stored yet.");
  }
}

function CountAgainButton() {
  const { uploadManager } = useServices();
  return (
    <button type="button" className={buttonStyles.link} onClick={uploadManager.preview}>
      {t("Preview again")}
    </button>
  );
}

function announcementOf({ is, counts, rowsDone, rowsTotal }: Figures): string {
  if (is === "counting") return rowsDone > 0 ? t("{n} % previewed", { n: Math.floor((10 * rowsDone) / Math.max(1, rowsTotal)) * 10 }) : "";
  const { created, updated, unchanged, failed } = counts;
  const figures = {
    created: formatNumber(created),
    updated: formatNumber(updated),
    unchanged: formatNumber(unchanged),
    failed: formatNumber(failed),
  };
  if (is === "done") return t("{created} would be created, {updated} updated, {unchanged} unchanged, {failed} refused", figures);
  const whole = count(rowsTotal, "{n} row", "{n} rows");
  const of = { ...figures, done: formatNumber(rowsDone), whole };
  return t("Of the first {done} of {whole}, {created} would be created, {updated} updated, {unchanged} unchanged, {failed} refused", of);
}

function Changes({ collection, preview }: { collection: Collection; preview: PreviewFigures }) {
  const { changes, counts } = preview;
  return (
    <details className={styles.changes}>
      <summary>
        {t("What would change")} <span className={textStyles.dim}>{`— ${countOf(collection, counts.updated)}`}</span>
      </summary>
      <ScrollArea label={t("What would change")}>
        <table aria-label={t("What would change")}>
          <thead>
            <tr>
              <th>{collection.key.title}</th>
              <th>{t("Field")}</th>
              <th>{t("Now")}</th>
              <th>{t("After")}</th>
            </tr>
          </thead>
          <tbody>
            {changes.flatMap(({ key, label, fields }) =>
              fields.map(({ field, old, now }, i) => (
                <tr key={`${key} ${field}`}>
                  <td>
                    {i === 0 && (
                      <>
                        <span className={textStyles.code}>{String(key)}</span>{" "}
                        {Object.keys(label).length > 0 && <bdi>{nameOf(collection, label)}</bdi>}
                      </>
                    )}
                  </td>
                  <td>{collection.byName.get(field)?.title ?? field}</td>
                  <td className={textStyles.dim}>
                    {old === undefined ? t("You may not see it.") : <Written field={collection.byName.get(field)} value={old} />}
                  </td>
                  <td>
                    <Written field={collection.byName.get(field)} value={now} />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </ScrollArea>
      {changes.length < counts.updated && (
        <p className={textStyles.note}>
          {t("These are the first {n} of {whole}.", { n: formatNumber(changes.length), whole: formatNumber(counts.updated) })}
        </p>
      )}
    </details>
  );
}

/** Shows a value as lists and histories write it. */
function Written({ field, value }: { field: Field | undefined; value: Value | null }) {
  if (value === null) return <span className={textStyles.dim}>{t("empty")}</span>;
  return <bdi>{field ? displayText(field, textOf(field, value)) : String(value)}</bdi>;
}
