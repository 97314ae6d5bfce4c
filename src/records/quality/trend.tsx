// Shows how many records broke rules on each day: as bars, and the same as a table.

import { useQuery } from "@tanstack/react-query";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { violationDaysQuery } from "../../service/broken-records.ts";
import * as tableStyles from "../../ui/table.module.css";
import { formatDate, formatNumber } from "../../values/format.ts";
import * as styles from "./trend.module.css";

const HEIGHT = 72; // of the highest bar, in the units of the drawing
const STEP = 14; // from day to day
const WIDTH = 10;
const LEAST = 2; // of a day with few, so that it is seen
const DAY = 86_400_000; // ms

/** Nobody has asked for it, so a failure is not shown. */
export function Trend({ collection }: { collection: Collection }) {
  const { client } = useServices();
  const { data = [] } = useQuery(violationDaysQuery(client, collection));
  const days = data.map(({ day, rules }) => ({ day, records: rules.reduce((sum, { count }) => sum + count, 0) }));
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || first === last) return null;
  const most = Math.max(1, ...days.map(({ records }) => records));
  const heightOf = (records: number) => (records === 0 ? 0 : Math.max(LEAST, (HEIGHT * records) / most));
  const placeOf = (day: string) => ((Date.parse(day) - Date.parse(first.day)) / DAY) * STEP;
  const words = {
    before: formatNumber(first.records),
    now: formatNumber(last.records),
    from: formatDate(first.day),
    to: formatDate(last.day),
  };
  return (
    <figure className={styles.chart}>
      <figcaption>{t("Values that broke rules: {before} on {from}, {now} on {to}", words)}</figcaption>
      <svg viewBox={`0 0 ${placeOf(last.day) + STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day, records }) => (
          <rect key={day} x={placeOf(day) + (STEP - WIDTH) / 2} y={HEIGHT - heightOf(records)} width={WIDTH} height={heightOf(records)}>
            <title>{`${formatDate(day)}: ${formatNumber(records)}`}</title>
          </rect>
        ))}
      </svg>
      <div className={styles.axis} aria-hidden="true">
        <span>{formatDate(first.day)}</span>
        <span>{formatDate(last.day)}</span>
      </div>
      <details>
        <summary>{t("Each day as a table")}</summary>
        <table aria-label={t("Values that broke rules")}>
          <thead>
            <tr>
              <th>{t("Day")}</th>
              <th className={tableStyles.number}>{t("Values")}</th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ day, records }) => (
              <tr key={day}>
                <th scope="row" className={tableStyles.rowHead}>
                  {formatDate(day)}
                </th>
                <td className={tableStyles.number}>{formatNumber(records)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
