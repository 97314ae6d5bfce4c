// Changes of each day as bars, and the same as a table.

import type { DayCount } from "../../core/contract/history.ts";
import { t } from "../../core/i18n/translate.ts";
import { useDictionary } from "../app/services/services.ts";
import * as buttonStyles from "../ui/button.module.css";
import * as tableStyles from "../ui/table.module.css";
import * as textStyles from "../ui/text.module.css";
import { count, formatDate, formatNumber } from "../values/format.ts";
import { describeUncounted } from "../values/uncounted.ts";
import * as styles from "./activity-page.module.css";

const HEIGHT = 72; // of the highest bar, in the units of the drawing
const STEP = 14; // from bar to bar
const WIDTH = 10;
const LEAST = 2; // of a day with few changes, so that it is seen

interface DayChartProps {
  /** One after the other, without gaps. */
  days: readonly DayCount[];
  /** Collections whose changes are not among them. */
  uncounted: readonly string[];
  onDay: (day: string) => void;
}

export function DayChart({ days, uncounted, onDay }: DayChartProps) {
  const words = describeUncounted(useDictionary().collections, uncounted);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || first === last) return null;
  const most = days.reduce((one, other) => (other.changes > one.changes ? other : one));
  const total = days.reduce((sum, { changes }) => sum + changes, 0);
  const note = words && <p className={textStyles.note}>{words}</p>;
  if (total === 0 && note) return note; // a chart without bars would say that nothing was changed
  const heightOf = (changes: number) => (changes === 0 ? 0 : Math.max(LEAST, (HEIGHT * changes) / most.changes));
  return (
    <figure className={styles.chart}>
      <figcaption>
        {count(total, "{n} change in {days} days", "{n} changes in {days} days", { days: formatNumber(days.length) })}
      </figcaption>
      <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day, changes }, i) => (
          <rect key={day} x={i * STEP + (STEP - WIDTH) / 2} y={HEIGHT - heightOf(changes)} width={WIDTH} height={heightOf(changes)}>
            <title>{`${formatDate(day)}: ${formatNumber(changes)}`}</title>
          </rect>
        ))}
      </svg>
      <div className={styles.axis} aria-hidden="true">
        <span>{formatDate(first.day)}</span>
        {most.changes > 0 && <span>{t("Most: {n} on {day}", { n: formatNumber(most.changes), day: formatDate(most.day) })}</span>}
        <span>{formatDate(last.day)}</span>
      </div>
      {note}
      <details>
        <summary>{t("Changes of each day as a table")}</summary>
        <table className={styles.days} aria-label={t("Changes of each day")}>
          <thead>
            <tr>
              <th>{t("Day")}</th>
              <th className={tableStyles.number}>{t("Changes")}</th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ day, changes }) => (
              <tr key={day}>
                <th scope="row" className={tableStyles.rowHead}>
                  <button type="button" className={buttonStyles.link} onClick={() => onDay(day)}>
                    {formatDate(day)}
                  </button>
                </th>
                <td className={tableStyles.number}>{formatNumber(changes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
