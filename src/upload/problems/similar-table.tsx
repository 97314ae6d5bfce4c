// Rows beside the stored records that they look like, in words why, and what becomes of each. A choice counts at once.

import { useEffect, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { comparedFields } from "../../../core/dictionary/match.ts";
import { reasonWords } from "../../../core/dictionary/reason-words.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { FoundSimilar, SimilarRow } from "../../../pipeline/correction/similar-state.ts";
import type { SimilarChoice } from "../../../pipeline/model/corrections.ts";
import { Link } from "../../app/router/link.tsx";
import { useServices } from "../../app/services/services.ts";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { displayText, textOf } from "../../values/field-text.ts";
import { formatNumber } from "../../values/format.ts";
import { nameOf, nounsOf } from "../../values/record-name.ts";
import * as styles from "./problems.module.css";
import * as similarStyles from "./similar.module.css";

export interface SimilarTableProps {
  collection: Collection;
  /** Changes whenever the rows may have changed. */
  revision: string;
  mayUpdate: boolean;
}

const FIRST = 25;

export function SimilarTable({ collection, revision, mayUpdate }: SimilarTableProps) {
  const [shown, setShown] = useState(FIRST);
  const { rows, total } = useSimilarRows(shown, revision);
  const nouns = nounsOf(collection);
  const title = t("Rows that look like stored {nouns}", nouns);
  if (rows.length === 0) return null;
  return (
    <div className={`${styles.values} ${similarStyles.similar}`}>
      <ScrollArea label={title}>
        <table aria-label={title}>
          <thead>
            <tr>
              <th className={tableStyles.number}>{t("Row")}</th>
              <th>{t("In the file")}</th>
              <th>{t("Stored")}</th>
              <th>{t("Becomes")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.row}>
                <td className={tableStyles.number}>{formatNumber(one.row)}</td>
                <td className={`${tableStyles.wrap} ${similarStyles.values}`}>
                  <Values collection={collection} record={one.record} />
                </td>
                <td className={`${tableStyles.wrap} ${similarStyles.values}`}>
                  {one.found.map((found) => (
                    <Stored key={found.id} collection={collection} found={found} />
                  ))}
                </td>
                <td className={tableStyles.wrap}>
                  <Choice collection={collection} row={one} mayUpdate={mayUpdate} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {total > rows.length && (
        <div className={styles.apply}>
          <button type="button" onClick={() => setShown(shown * 4)}>
            {t("Show more rows")}
          </button>
          <span className={textStyles.note}>{t("{n} more", { n: formatNumber(total - rows.length) })}</span>
        </div>
      )}
    </div>
  );
}

function useSimilarRows(shown: number, revision: string): { rows: readonly SimilarRow[]; total: number } {
  const { uploadManager } = useServices();
  const [found, setFound] = useState<{ rows: readonly SimilarRow[]; total: number }>({ rows: [], total: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision has other rows
  useEffect(() => {
    let isWanted = true;
    uploadManager.query({ for: "similar", from: 0, to: shown }).then((answer) => isWanted && setFound(answer));
    return () => {
      isWanted = false;
    };
  }, [shown, revision, uploadManager]);
  return found;
}

/** Shows the name, and below it what else is compared. */
function Values({ collection, record }: { collection: Collection; record: Fields }) {
  return (
    <>
      <bdi>{nameOf(collection, record)}</bdi>
      <bdi className={textStyles.dim}>{otherValues(collection, record)}</bdi>
    </>
  );
}

function otherValues({ match, label, byName }: Collection, record: Fields): string {
  const names = match ? comparedFields(match).filter((name) => !label.some((field) => field.name === name)) : [];
  return names
    .flatMap((name) => {
      const [field, value] = [byName.get(name), record[name] ?? null];
      return field && value !== null ? [displayText(field, textOf(field, value))] : [];
    })
    .join(" · ");
}

function Stored({ collection, found: { id, record, level, reasons } }: { collection: Collection; found: FoundSimilar }) {
  const why = reasons.map((reason) => reasonWords(collection, reason)).join(" · ");
  return (
    <>
      <Link to="/$collection/$id" params={{ collection: collection.name, id: String(id) }}>
        <bdi>{nameOf(collection, { ...record, [collection.key.name]: id })}</bdi>
      </Link>
      <bdi className={textStyles.dim}>{otherValues(collection, record)}</bdi>
      <span className={textStyles.note}>
        <b>{level === "same" ? t("The same") : t("Perhaps the same")}</b>
        {` — ${why}`}
      </span>
    </>
  );
}

/** Returns the value of the option that changes this record. */
const changing = (id: number) => `to ${id}`;

function Choice({ collection, row: one, mayUpdate }: { collection: Collection; row: SimilarRow; mayUpdate: boolean }) {
  const { uploadManager } = useServices();
  const { row, found, to, isOutdated, taken } = one;
  const picked = to === undefined ? "open" : to === null ? "out" : to === "new" ? "new" : changing(to.id);
  const isKnown = typeof to !== "object" || to === null || found.some(({ id }) => id === to.id);
  function pick(next: string): void {
    const target = found.find(({ id }) => changing(id) === next);
    const choices: Record<string, SimilarChoice | undefined> = { open: undefined, new: "new", out: null };
    const choice = target ? { id: target.id, version: target.version } : choices[next];
    if (target || next in choices) uploadManager.act({ do: "similar", choices: [{ row, to: choice }] });
  }
  const nouns = nounsOf(collection);
  const nameIn = ({ id, record }: FoundSimilar) => ({ name: nameOf(collection, { ...record, [collection.key.name]: id }), id: String(id) });
  return (
    <span className={styles.becomes}>
      <select
        aria-label={t("What row {row} becomes", { row: formatNumber(row) })}
        value={picked}
        data-proposed={to !== undefined || undefined}
        onChange={({ target }) => pick(target.value)}
      >
        <option value="open">{t("is not decided: a new {noun}", nouns)}</option>
        {mayUpdate &&
          found.map((each) => (
            <option key={each.id} value={changing(each.id)} disabled={each.id in taken}>
              {each.id in taken
                ? t("changes {name} ({id}), as row {row} does", { ...nameIn(each), row: formatNumber(taken[each.id] ?? 0) })
                : t("changes {name} ({id})", nameIn(each))}
            </option>
          ))}
        {!isKnown && typeof to === "object" && to !== null && (
          <option value={picked}>{t("changes {noun} {id}", { ...nouns, id: String(to.id) })}</option>
        )}
        <option value="new">{t("is a new {noun} all the same", nouns)}</option>
        <option value="out">{t("is left out")}</option>
      </select>
      {isOutdated && <span className={textStyles.note}>{t("The stored {noun} was changed since you chose. Choose again.", nouns)}</span>}
    </span>
  );
}
