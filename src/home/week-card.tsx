// The changes of seven days by how they came in: as bars, or as a table.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type DayCount, SOURCE_TYPES, type SourceType } from "../../core/contract/history.ts";
import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { Loading } from "../app/services/loading.tsx";
import { useDictionary, useServices } from "../app/services/services.ts";
import { daysQuery } from "../service/history.ts";
import * as buttonStyles from "../ui/button.module.css";
import { ScrollArea } from "../ui/scroll-area.tsx";
import * as tableStyles from "../ui/table.module.css";
import * as textStyles from "../ui/text.module.css";
import { SOURCE_NAMES } from "../values/change-words.ts";
import { count, formatDate, formatNumber, formatWeekday } from "../values/format.ts";
import { describeUncounted } from "../values/uncounted.ts";
import { Card } from "./card.tsx";
import * as styles from "./week-card.module.css";

const DAYS = 7;

export function WeekCard() {
  const { client } = useServices();
  const [isTable, setTable] = useState(false);
  const query = useQuery(daysQuery(client, { from: dayBefore(2 * DAYS - 1) }));
  const days = query.data?.days.slice(-DAYS);
  const uncounted = describeUncounted(useDictionary().collections, query.data?.uncounted);
  const total = sum(days ?? []);
  const before = sum(query.data?.days.slice(0, -DAYS) ?? []);
  const ways = SOURCE_TYPES.filter((way) => days?.some(({ bySource }) => bySource[way]));
  return (
    <Card title={t("This week")} note={days && total > 0 && <Compared total={total} before={before} />}>
      {uncounted && <p className={textStyles.note}>{uncounted}</p>}
      {days && total === 0 && !uncounted && <p className={styles.nothing}>{t("Nothing was changed in the last seven days.")}</p>}
      {days && total > 0 && (
        <>
          {isTable ? <Table days={days} ways={ways} /> : <Bars days={days} ways={ways} />}
          <div className={styles.foot}>
            <ul className={styles.legend}>
              {ways.map((way) => (
                <li key={way} data-way={way}>
                  {t(SOURCE_NAMES[way])}
                </li>
              ))}
            </ul>
            <button type="button" className={buttonStyles.link} aria-pressed={isTable} onClick={() => setTable(!isTable)}>
              {t("As a table")}
            </button>
          </div>
        </>
      )}
      {!days && <div className={styles.waiting}>{query.error && <Loading query={query} />}</div>}
    </Card>
  );
}

/** Writes "1,204 changes · 18 % more than the week before". A week before without changes is compared with nothing. */
function Compared({ total, before }: { total: number; before: number }) {
  const percent = Math.round((100 * Math.abs(total - before)) / before);
  const n = formatNumber(percent);
  const words =
    percent === 0
      ? t("as many as the week before")
      : total > before
        ? t("{n} % more than the week before", { n })
        : t("{n} % fewer than the week before", { n });
  const changes = count(total, "{n} change", "{n} changes");
  return before === 0 ? changes : `${changes} · ${words}`;
}

interface WeekProps {
  days: readonly DayCount[];
  /** Names those in which there were changes. */
  ways: readonly SourceType[];
}

/** Each bar leads to what was changed on its day. */
function Bars({ days, ways }: WeekProps) {
  const most = Math.max(...days.map(({ changes }) => changes));
  return (
    <ol className={styles.bars}>
      {days.map(({ day, changes, bySource }, i) => (
        <li key={day} aria-current={i === DAYS - 1 ? "date" : undefined}>
          <Link to="/activity" search={{ from: day, to: day }} title={`${formatDate(day)}: ${count(changes, "{n} change", "{n} changes")}`}>
            <span className={styles.bar} style={{ height: `${(100 * changes) / most}%` }}>
              {ways.map((way) => {
                const size = bySource[way];
                return size ? <i key={way} data-way={way} style={{ flexGrow: size }} /> : null;
              })}
            </span>
            <span className={styles.dayName}>{i === DAYS - 1 ? t("Today") : formatWeekday(day)}</span>
            <span className={textStyles.hidden}>{`, ${formatDate(day)}: ${count(changes, "{n} change", "{n} changes")}`}</span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

function Table({ days, ways }: WeekProps) {
  return (
    <ScrollArea label={t("Changes of each day")}>
      <table aria-label={t("Changes of each day")}>
        <thead>
          <tr>
            <th>{t("Day")}</th>
            {ways.map((way) => (
              <th key={way} className={tableStyles.number}>
                {t(SOURCE_NAMES[way])}
              </th>
            ))}
            <th className={tableStyles.number}>{t("Changes")}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, changes, bySource }) => (
            <tr key={day}>
              <th scope="row" className={tableStyles.rowHead}>
                {formatDate(day)}
              </th>
              {ways.map((way) => (
                <td key={way} className={tableStyles.number}>
                  {formatNumber(bySource[way] ?? 0)}
                </td>
              ))}
              <td className={tableStyles.number}>{formatNumber(changes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

const sum = (days: readonly DayCount[]) => days.reduce((all, { changes }) => all + changes, 0);

/** Returns the day so many days before today as clocks show it here, YYYY-MM-DD. */
function dayBefore(days: number, now = new Date()): string {
  const day = new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() - days));
  return day.toISOString().slice(0, 10);
}
