// Says which stored records of a collection break rules of today: first how many of each, then which.

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide";
import type { Broken } from "../../../core/contract/violations.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { Link } from "../../app/router/link.tsx";
import { useParams, useSearch } from "../../app/router/router-context.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useCollection, useLocale, useServices } from "../../app/services/services.ts";
import { violationCountsQuery } from "../../service/violations.ts";
import { useKeptFocus } from "../../ui/focus/kept-focus.ts";
import * as pageStyles from "../../ui/page.module.css";
import { Icon, Notice, PageTitle } from "../../ui/primitives.tsx";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as stackedTableStyles from "../../ui/stacked-table.module.css";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatDate, formatNumber } from "../../values/format.ts";
import { nounsOf } from "../../values/record-name.ts";
import { describeRule, type QualitySearch, ruleIn, searchOf } from "./rule-words.ts";
import { Trend } from "./trend.tsx";
import { ViolatingRecords } from "./violating-records.tsx";

export function QualityPage() {
  useLocale();
  useKeptFocus();
  const { collection: name } = useParams();
  const search: QualitySearch = useSearch();
  const collection = useCollection(name);
  if (!collection) return <NotFound />;
  const rule = ruleIn(collection, search);
  return rule ? (
    <ViolatingRecords
      key={`${collection.name} ${rule.constraint ?? rule.rule} ${rule.field} ${search.exceptions}`}
      collection={collection}
      rule={rule}
      isExcepted={search.exceptions !== undefined}
      cursor={search.cursor}
    />
  ) : (
    <Counts key={collection.name} collection={collection} />
  );
}

function Counts({ collection }: { collection: Collection }) {
  const { client } = useServices();
  const query = useQuery(violationCountsQuery(client, collection));
  const { rules, complete } = query.data ?? {};
  const hasExceptions = rules?.some(({ exceptions = 0 }) => exceptions > 0) ?? false;
  const params = { collection: collection.name };
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("{title}: data quality", { title: collection.title })}</PageTitle>
        <Link className="button" to="/$collection/dictionary" params={params}>
          {t("Data dictionary")}
        </Link>
      </div>
      <p>{t("These {nouns} were stored under other rules. They may stay until somebody changes the value.", nounsOf(collection))}</p>
      <Loading query={query} />
      {complete === false && (
        <Notice>{t("To read all values takes longer than a page may. There may be more than is counted here.")}</Notice>
      )}
      {rules?.length === 0 && complete && (
        <div className={pageStyles.empty}>
          <Icon of={CircleCheck} isLarge />
          <b>{t("Everything keeps the rules of today")}</b>
          <span className={textStyles.dim}>{t("When a rule becomes stricter, what breaks it is listed here.")}</span>
        </div>
      )}
      {rules && rules.length > 0 && (
        <ScrollArea label={t("Broken rules")}>
          <table className={stackedTableStyles.stacked} aria-label={t("Broken rules")}>
            <thead>
              <tr>
                <th>{t("Problem")}</th>
                <th className={tableStyles.number}>{collection.title}</th>
                {hasExceptions && <th className={tableStyles.number}>{t("Left on purpose")}</th>}
              </tr>
            </thead>
            <tbody>
              {rules
                .filter(({ field }) => collection.byName.has(field))
                .map((rule) => (
                  <CountRow
                    key={`${rule.constraint ?? rule.rule} ${rule.field}`}
                    collection={collection}
                    rule={rule}
                    records={rule.count}
                    since={rule.since}
                    exceptions={hasExceptions ? (rule.exceptions ?? 0) : undefined}
                  />
                ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
      <Trend collection={collection} />
    </main>
  );
}

interface CountRowProps {
  collection: Collection;
  rule: Broken;
  records: number;
  since: string | undefined;
  /** Is undefined where no rule has any. */
  exceptions: number | undefined;
}

function CountRow({ collection, rule, records, since, exceptions }: CountRowProps) {
  const params = { collection: collection.name };
  return (
    <tr>
      <td className={tableStyles.wrap}>
        <Link to="/$collection/dictionary" params={params} search={searchOf(rule)}>
          {describeRule(collection, rule)}
        </Link>
        {since !== undefined && <span className={textStyles.note}> {t("since {when}", { when: formatDate(since) })}</span>}
      </td>
      <td className={tableStyles.number} data-title={collection.title}>
        {formatNumber(records)}
      </td>
      {exceptions !== undefined && (
        <td className={tableStyles.number} data-title={t("Left on purpose")}>
          {exceptions > 0 ? (
            <Link
              to="/$collection/dictionary"
              params={params}
              search={{ ...searchOf(rule), exceptions: "all" }}
              aria-label={t("{n} left on purpose: {what}", { n: formatNumber(exceptions), what: describeRule(collection, rule) })}
            >
              {formatNumber(exceptions)}
            </Link>
          ) : (
            formatNumber(0)
          )}
        </td>
      )}
    </tr>
  );
}
