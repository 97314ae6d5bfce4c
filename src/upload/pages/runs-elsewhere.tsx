// Lists the uploads and batch runs of everybody, as the service keeps them, without those that this computer lists itself.

import { useInfiniteQuery } from "@tanstack/react-query";
import type { Run } from "../../../core/contract/runs.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { runsQuery } from "../../service/runs.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatRelativeTime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { Legend, OutcomeBar } from "../../values/outcome-bar.tsx";
import { outcomeParts, partsAfterUndo } from "../steps/outcome-labels.ts";
import { undoOf } from "./undo-of-run.ts";
import * as styles from "./uploads-page.module.css";

/** `here`: the ids of uploads that are listed already. */
export function RunsElsewhere({ here }: { here: ReadonlySet<string> }) {
  const { client } = useServices();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({ ...runsQuery(client), retry: false });
  const runs = data?.pages.flatMap((page) => page.runs).filter(({ id }) => !here.has(id)) ?? [];
  if (error) return <Failure error={error} retry={refetch} />;
  if (runs.length === 0 && !hasNextPage) return null;
  return (
    <section aria-labelledby="runs-elsewhere">
      <h2 id="runs-elsewhere">{t("From other computers")}</h2>
      {runs.map((run) => (
        <RunLine key={run.id} run={run} />
      ))}
      {hasNextPage && (
        <button type="button" className={buttonStyles.quiet} aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("Show earlier ones")}
        </button>
      )}
    </section>
  );
}

function RunLine({ run: { id, fileName, collection: name, by, begunAt, reportedAt, counts, rowsRead, state, takenBack } }: { run: Run }) {
  const collection = useDictionary().collections.find((one) => one.name === name);
  const undo = undoOf(counts, takenBack);
  const parts = counts && (undo ? partsAfterUndo(counts, undo) : outcomeParts(counts));
  return (
    <section className={outcomeStyles.figure} aria-label={fileName}>
      <div className={`${pageStyles.head} ${styles.uploadHead}`}>
        <h3 dir="auto">
          <Link to="/uploads/$upload" params={{ upload: id }}>
            {fileName}
          </Link>
        </h3>
        <span className={textStyles.note}>
          {collection?.title ?? name}
          {rowsRead !== null && ` · ${count(rowsRead, "{n} row", "{n} rows")}`}
          {" · "}
          <NameInSentence name={by?.name ?? t("somebody")} text={t("by {name}")} />
          {state === "running" && ` · ${t("under way")}`}
          {state === "cancelled" && ` · ${t("cancelled")}`}
          {state === "stopped" && ` · ${t("stopped early")}`}
          {` · ${formatRelativeTime(reportedAt ?? begunAt)}`}
        </span>
      </div>
      {parts && <OutcomeBar parts={parts} whole={rowsRead ?? 0} />}
      {parts && <Legend parts={parts} />}
    </section>
  );
}
