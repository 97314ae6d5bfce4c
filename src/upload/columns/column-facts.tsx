// Shows what stands in one column: how full it is, how many values it has, and a small drawing of how they are spread.

import { t } from "../../../core/i18n/translate.ts";
import type { ColumnProfile } from "../../../pipeline/inspection/column-profile.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { count, formatNumber } from "../../values/format.ts";
import * as styles from "./columns.module.css";
import type { Changing } from "./rule-dialog.tsx";

interface ColumnFactsProps {
  name: string;
  profile: ColumnProfile | undefined;
  rows: number;
  /** The fields for the two parts of its names, where it should be split. */
  split: string | undefined;
  onChange: (what?: Omit<Changing, "column">) => void;
}

const FEW = 8; // values of which each has its bar

export function ColumnFacts({ name, profile, rows, split, onChange }: ColumnFactsProps) {
  return (
    <>
      <button
        type="button"
        className={`${buttonStyles.quiet} ${styles.change}`}
        aria-label={t("Change {column}", { column: name })}
        onClick={() => onChange()}
      >
        {t("Change")}
      </button>
      {profile && <Facts profile={profile} rows={rows} />}
      {split !== undefined && (
        <button
          type="button"
          className={`${buttonStyles.quiet} ${styles.offer}`}
          onClick={() => onChange({ choice: "split", into: split })}
        >
          {t("Split into {list}", { list: split })}
        </button>
      )}
      {profile && profile.spellings.length > 0 && (
        <button type="button" className={`${buttonStyles.quiet} ${styles.offer}`} onClick={() => onChange({ choice: "unite" })}>
          {count(profile.spellings.length, "{n} value in several spellings", "{n} values in several spellings")}
        </button>
      )}
    </>
  );
}

function Facts({ profile, rows }: { profile: ColumnProfile; rows: number }) {
  const { filled, distinct, hasMore, commonest, shortest, longest } = profile;
  if (filled === 0) return <span className={styles.facts}>{t("empty")}</span>;
  const share = formatNumber(filled === rows ? 100 : Math.min(99, Math.floor((100 * filled) / rows)));
  const values = hasMore ? t("more than {n} values", { n: formatNumber(distinct) }) : count(distinct, "{n} value", "{n} values");
  const lengths =
    shortest === longest
      ? count(longest, "{n} character", "{n} characters")
      : t("{from} to {to} characters", { from: formatNumber(shortest), to: formatNumber(longest) });
  return (
    <details className={styles.facts}>
      <summary>
        <Distribution profile={profile} />
        <span>
          {t("{n} % filled", { n: share })} · {values}
        </span>
      </summary>
      <p>{lengths}</p>
      <ol aria-label={t("The commonest values")}>
        {commonest.map(({ text, rows }) => (
          <li key={text}>
            <bdi>{text.slice(0, 60)}</bdi> <span>{formatNumber(rows)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

const HEIGHT = 16; // of the highest bar, in the units of the drawing
const STEP = 5; // from bar to bar
const BINS = 12; // the most bars

/** Bars of the values where they are few, else of the lengths of the cells. */
function Distribution({ profile }: { profile: ColumnProfile }) {
  const { commonest, distinct, hasMore, lengths } = profile;
  const areFew = !hasMore && distinct <= FEW;
  const last = lengths.reduce((found, rows, i) => (rows > 0 ? i : found), 0);
  const bars = areFew ? commonest.map(({ rows }) => rows) : inBins(lengths.slice(lengths.findIndex(Boolean), last + 1));
  const most = Math.max(1, ...bars);
  const common = lengths.indexOf(Math.max(...lengths)) + 1;
  const label = areFew
    ? t("Distribution: {list}", { list: commonest.map(({ text, rows }) => `${text.slice(0, 30)} ${formatNumber(rows)}`).join(", ") })
    : t("Distribution of lengths; most cells have {n} characters", { n: formatNumber(common) });
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`} width={bars.length * STEP} height={HEIGHT}>
      {bars.map((rows, i) => {
        const height = rows === 0 ? 0 : Math.max(1, (HEIGHT * rows) / most);
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        return <rect key={i} x={i * STEP} y={HEIGHT - height} width={STEP - 1} height={height} />;
      })}
    </svg>
  );
}

function inBins(lengths: readonly number[]): number[] {
  const size = Math.ceil(lengths.length / BINS);
  return Array.from({ length: Math.ceil(lengths.length / size) }, (_, i) =>
    lengths.slice(i * size, (i + 1) * size).reduce((sum, rows) => sum + rows, 0),
  );
}
