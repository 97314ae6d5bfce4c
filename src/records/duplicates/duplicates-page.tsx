// A work list of records that may be stored twice: one pair after the other, side by side.

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide";
import { useEffect, useRef, useState } from "react";
import type { DuplicatePair } from "../../../core/contract/duplicates.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { reasonWords } from "../../../core/dictionary/reason-words.ts";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { Link } from "../../app/router/link.tsx";
import type { Target } from "../../app/router/paths.ts";
import { useNavigate, useParams, useSearch } from "../../app/router/router-context.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useCollection, useLocale, useServices } from "../../app/services/services.ts";
import { duplicatesQuery, setDifferent } from "../../service/duplicates.ts";
import { idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Icon, Notice, PageTitle } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { formatNumber } from "../../values/format.ts";
import { nounsOf } from "../../values/record-name.ts";
import * as styles from "./duplicates-page.module.css";
import { PairTable } from "./pair-table.tsx";

/** Few merge by a rule, so this is fetched when somebody does. */
const BulkPage = lazyPart<"BulkPage", { collection: Collection }>(
  () => import("./bulk-page.tsx"),
  "BulkPage",
  () => null,
);

export function DuplicatesPage() {
  useLocale();
  const { collection: name } = useParams();
  const collection = useCollection(name);
  const { rule }: Record<string, string | undefined> = useSearch();
  if (!collection?.match) return <NotFound />;
  if (rule !== undefined) return <BulkPage key={collection.name} collection={collection} />;
  return <WorkList key={collection.name} collection={collection} />;
}

const nameOfPair = ({ a, b }: Pick<DuplicatePair, "a" | "b">) => `${a}-${b}`;
const NONE: ReadonlySet<string> = new Set();

function WorkList({ collection }: { collection: Collection }) {
  const { client } = useServices();
  const may = useMay(collection);
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const { at: begin }: Record<string, string | undefined> = useSearch(); // after a merge, the place of the pair that was merged
  const [set, setSet] = useState({ at: Number(begin) || 0, apart: NONE });
  const query = useQuery(duplicatesQuery(client, collection, cursors.at(-1)));
  const { pairs: all = [], records = [], next, progress = 1 } = query.data ?? {};
  const pairs = all.filter((pair) => !set.apart.has(nameOfPair(pair)));
  const at = Math.min(set.at, Math.max(0, pairs.length - 1));
  const pair = pairs[at];
  const go = (step: number) => {
    if (step > 0 && at === pairs.length - 1 && next) {
      setCursors([...cursors, next]);
      setSet({ ...set, at: 0 });
    } else setSet({ ...set, at: Math.max(0, Math.min(pairs.length - 1, at + step)) });
  };
  const byId = new Map(records.map((record) => [idOf(collection, record), record]));
  const [one, other] = [pair && byId.get(pair.a), pair && byId.get(pair.b)];
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("{title}: duplicates", { title: collection.title })}</PageTitle>
        <Link className="button" to="/$collection" params={{ collection: collection.name }}>
          {collection.title}
        </Link>
        {may("update") === true && may("delete") === true && (
          <Link className="button" to="/$collection/duplicates" params={{ collection: collection.name }} search={{ rule: "all" }}>
            {t("Merge by a rule …")}
          </Link>
        )}
      </div>
      <Loading query={query} />
      {query.data && progress < 1 && (
        <Notice>
          {t("The {nouns} are being looked through ({percent} %). More pairs may come.", {
            ...nounsOf(collection),
            percent: formatNumber(Math.round(progress * 100)),
          })}
        </Notice>
      )}
      {query.data && !pair && !next && progress === 1 && (
        <div className={pageStyles.empty}>
          <Icon of={CircleCheck} isLarge />
          <b>{t("No {nouns} seem to be stored twice", nounsOf(collection))}</b>
          <span className={textStyles.dim}>{t("What is stored or changed from now on is compared at once.")}</span>
        </div>
      )}
      {query.data && !pair && next && (
        <button type="button" onClick={() => go(1)}>
          {t("Look further")}
        </button>
      )}
      {pair && one && other && (
        <Pair
          key={nameOfPair(pair)}
          {...{ collection, pair, records: [one, other], at, go }}
          count={pairs.length}
          hasMore={next !== undefined}
          onApart={(isApart) =>
            // It takes the set of now: an undo may come after other pairs were put apart.
            setSet((now) => {
              const apart = new Set(now.apart);
              if (isApart) apart.add(nameOfPair(pair));
              else apart.delete(nameOfPair(pair));
              return { at, apart };
            })
          }
        />
      )}
    </main>
  );
}

interface PairProps {
  collection: Collection;
  pair: DuplicatePair;
  records: readonly [WireRecord, WireRecord];
  /** Its place among those that were read, from 0, and how many there are. */
  at: number;
  count: number;
  hasMore: boolean;
  go(step: number): void;
  /** Takes the pair out of the list, or puts it back. */
  onApart(isApart: boolean): void;
}

function Pair({ collection, pair, records, at, count, hasMore, go, onApart }: PairProps) {
  const { client, toasts, keys } = useServices();
  const navigate = useNavigate();
  const may = useMay(collection);
  const [error, setError] = useState<Error>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isLast = at === count - 1 && !hasMore;
  const set = async (isApart: boolean) => {
    try {
      await setDifferent(client, collection, pair, isApart);
      onApart(isApart);
      if (isApart)
        toasts.show({
          message: t("These two stay apart until one of them changes."),
          action: { label: t("Undo"), isUndo: true, undoes: t("Keep two records apart"), run: () => void set(false) },
        });
    } catch (failed) {
      if (isApart) setError(failed as Error);
      else toasts.show({ message: (failed as Error).message }); // an undo: the pair is not drawn any more
    }
  };
  const mayMerge = may("update") === true && may("delete") === true;
  const search = { ids: `${pair.a},${pair.b}`, pair: String(at) };
  const merge: Target = { to: "/$collection/merge", params: { collection: collection.name }, search };
  useShortcuts(keys, {
    nextRow: isLast ? undefined : () => go(1),
    previousRow: at === 0 ? undefined : () => go(-1),
    keepApart: may("update") === true ? () => set(true) : undefined,
    mergeRecords: mayMerge ? () => navigate(merge) : undefined,
  });
  return (
    <section className={styles.pair} aria-labelledby="pair">
      <div className={styles.head}>
        <h2 id="pair" tabIndex={-1} ref={heading}>
          {pair.level === "same" ? t("These two seem to be the same") : t("These two may be the same")}
        </h2>
        <span className={textStyles.dim}>
          {hasMore
            ? t("Pair {n} of more than {count}", { n: formatNumber(at + 1), count: formatNumber(count) })
            : t("Pair {n} of {count}", { n: formatNumber(at + 1), count: formatNumber(count) })}
        </span>
      </div>
      <ul className={styles.reasons} aria-label={t("Why they are alike")}>
        {pair.reasons.map((reason) => (
          <li key={reason.fields.join()} data-unlike={reason.found === "different" || undefined}>
            {reasonWords(collection, reason)}
          </li>
        ))}
      </ul>
      <PairTable collection={collection} records={records} />
      {error && <Failure error={error} />}
      <div className={styles.acts}>
        {mayMerge && (
          <Link className={`button ${buttonStyles.primary}`} {...merge}>
            {t("Merge …")}
          </Link>
        )}
        {may("update") === true && (
          <button type="button" onClick={() => set(true)}>
            {t("Not the same")}
          </button>
        )}
        <span className={styles.turn}>
          <button type="button" disabled={at === 0} onClick={() => go(-1)}>
            {t("Previous")}
          </button>
          <button type="button" disabled={isLast} onClick={() => go(1)}>
            {t("Next")}
          </button>
        </span>
      </div>
    </section>
  );
}
