// The result, or the preview, of a bulk change: the outcome bar, some of the changes, and the reasons of failures.

import { useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatNumber } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { Legend, OutcomeBar, type OutcomePart } from "../../values/outcome-bar.tsx";
import { nameOf } from "../../values/record-name.ts";
import { ReferenceName } from "../../values/references/lazy-reference-name.tsx";
import * as styles from "./bulk-dialog.module.css";
import type { RecordOutcome } from "./bulk-requests.ts";

interface BulkOutcomesProps {
  collection: Collection;
  records: readonly WireRecord[];
  outcomes: readonly RecordOutcome[];
  isPreview?: boolean;
}

const SHOWN = 5; // examples of changes, and names for each reason

/** Returns the records whose names are shown. */
export function namedIn(outcomes: readonly RecordOutcome[]): number[] {
  const shown = new Map<string, number[]>();
  for (const { id, outcome, why = "" } of outcomes) {
    const kind = `${outcome} ${why}`;
    const known = shown.get(kind) ?? [];
    if (known.length < SHOWN && (outcome === "updated" || outcome === "deleted" || outcome === "failed")) shown.set(kind, [...known, id]);
  }
  return [...shown.values()].flat();
}

export function BulkOutcomes({ collection, records, outcomes, isPreview = false }: BulkOutcomesProps) {
  const byId = new Map(records.map((record) => [idOf(collection, record), record]));
  const name = (id: number) => nameOf(collection, byId.get(id) ?? ({ [collection.key.name]: id } as WireRecord));
  const deleted = outcomes.filter(({ outcome }) => outcome === "deleted");
  const reasons = new Map<string, RecordOutcome[]>();
  for (const outcome of outcomes.filter((one) => one.outcome === "failed")) {
    const same = reasons.get(outcome.why ?? "");
    if (same) same.push(outcome);
    else reasons.set(outcome.why ?? "", [outcome]);
  }
  const parts = partsOf(outcomes, isPreview);
  return (
    <div className={formStyles.form}>
      <div className={outcomeStyles.figure} role="status">
        <OutcomeBar parts={parts} whole={outcomes.length} />
        <Legend parts={parts} />
      </div>
      <ChangeList collection={collection} outcomes={outcomes} name={name} isKnown={(id) => byId.has(id)} />
      {isPreview && deleted.length > 0 && <Names collection={collection} ids={deleted.map(({ id }) => id)} name={name} />}
      {[...reasons].map(([why, failed]) => (
        <div key={why} className={styles.reason}>
          <b>{why}</b>
          <Names collection={collection} ids={failed.map(({ id }) => id)} name={name} />
        </div>
      ))}
    </div>
  );
}

interface ChangeListProps extends Pick<BulkOutcomesProps, "collection" | "outcomes"> {
  name: (id: number) => string;
  isKnown: (id: number) => boolean;
}

/** Shows the first changes, and the others at a press, where the names of all records are known. */
function ChangeList({ collection, outcomes, name, isKnown }: ChangeListProps) {
  const [isWhole, setWhole] = useState(false);
  const changed = outcomes.filter(({ changes }) => changes);
  if (changed.length === 0) return null;
  const rest = changed.length - SHOWN;
  return (
    <ul className={styles.changes}>
      {changed.slice(0, isWhole ? undefined : SHOWN).map(({ id, changes }) => (
        <li key={id}>
          <bdi>{name(id)}</bdi>
          {Object.entries(changes ?? {}).map(([field, [old, now]]) => {
            const known = collection.byName.get(field);
            const words = (value: typeof old) => {
              if (known?.reference && value !== null) return <ReferenceName field={known} text={String(value)} />;
              return <bdi>{(known && formatValue(known, value)) || t("empty")}</bdi>;
            };
            return (
              <span key={field}>
                <s>{words(old)}</s> <span aria-hidden="true">→</span> {words(now)}
              </span>
            );
          })}
        </li>
      ))}
      {rest > 0 && !isWhole && changed.every(({ id }) => isKnown(id)) ? (
        <li>
          <button type="button" className={buttonStyles.link} onClick={() => setWhole(true)}>
            {t("and {n} more", { n: formatNumber(rest) })}
          </button>
        </li>
      ) : (
        <More rest={isWhole ? 0 : rest} />
      )}
    </ul>
  );
}

interface NamesProps {
  collection: Collection;
  ids: readonly number[];
  name: (id: number) => string;
}

function Names({ collection, ids, name }: NamesProps) {
  return (
    <ul className={styles.changes}>
      {ids.slice(0, SHOWN).map((id) => (
        <li key={id}>
          <Link to="/$collection/$id" params={{ collection: collection.name, id: String(id) }}>
            <bdi>{name(id)}</bdi>
          </Link>
        </li>
      ))}
      <More rest={ids.length - SHOWN} />
    </ul>
  );
}

function More({ rest }: { rest: number }) {
  return rest > 0 ? <li className={textStyles.dim}>{t("and {n} more", { n: formatNumber(rest) })}</li> : null;
}

function partsOf(outcomes: readonly RecordOutcome[], isPreview: boolean): OutcomePart[] {
  const of = (...kinds: RecordOutcome["outcome"][]) => outcomes.filter(({ outcome }) => kinds.includes(outcome)).length;
  return [
    { outcome: "updated", label: isPreview ? t("Will change") : t("Changed"), count: of("updated") },
    { outcome: "ready", label: isPreview ? t("Will be deleted") : t("Deleted"), count: of("deleted") },
    { outcome: "unchanged", label: t("Unchanged"), count: of("unchanged", "created") },
    { outcome: "failed", label: isPreview ? t("Not possible") : t("Failed"), count: of("failed") },
    { outcome: "inDoubt", label: t("In doubt"), count: of("inDoubt") },
    { outcome: "notSent", label: t("Not sent"), count: of("notSent") },
  ];
}
