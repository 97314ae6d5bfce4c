// The report of a run as the service keeps it for all who read the collection, and the way to send its rows again.

import { useMutation, useQuery } from "@tanstack/react-query";
import type { Run, RunRow } from "../../../core/contract/runs.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { countNotStored, type Report } from "../../../pipeline/model/outcomes.ts";
import { rowsAsFile } from "../../../pipeline/runs/rows-as-file.ts";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useMayUpload } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { firstRowsQuery, readAllRows } from "../../service/runs.ts";
import { Failure, Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatDatetime, formatNumber } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { ReportBody } from "../steps/report-step.tsx";
import { useMayBegin } from "../steps/use-may-begin.tsx";
import { undoOf } from "./undo-of-run.ts";
import { useFileCollection } from "./use-file-collection.ts";

const SHOWN = 100; // rows, as in the report of an upload that has just ended

/** Shows the report of a run that has one. */
export function RunReport({ run, collection }: { run: Run; collection: Collection }) {
  const { client } = useServices();
  const whole = useFileCollection(collection);
  const { data: rows = [], error, refetch } = useQuery({ ...firstRowsQuery(client, run), enabled: run.keptRows > 0 });
  const report = reportOf(run, rows);
  return (
    <>
      <RunLine run={run} />
      {report ? (
        <ReportBody report={report} collection={whole} undo={undoOf(run.counts, run.takenBack)} isPast isPart />
      ) : (
        <Notice tone="doubt">
          {t("It has sent no report yet: it is under way, or its computer has not ended it. Only there it can be continued.")}
        </Notice>
      )}
      {error && <Failure error={error} retry={refetch} />}
      {report && <KeptRows run={run} missing={countNotStored(report.counts)} />}
    </>
  );
}

function RunLine({ run: { by, begunAt, round, roundBy, roundAt, recipe, state } }: { run: Run }) {
  return (
    <p className={textStyles.dim}>
      <NameInSentence name={by?.name ?? t("somebody")} text={t("Uploaded by {name}")} /> · {formatDatetime(begunAt)}
      {recipe && (
        <>
          {" · "}
          <NameInSentence name={recipe} text={t("with the recipe {name}")} />
        </>
      )}
      {round > 0 && (
        <>
          {" · "}
          <NameInSentence
            name={roundBy?.name ?? t("somebody")}
            text={state === "running" ? t("{name} is sending the rows not stored again") : t("{name} has sent the rows not stored again")}
          />{" "}
          ({formatDatetime(roundAt)})
        </>
      )}
    </p>
  );
}

/** Says how many of the rows that were not stored are here, and why the others are not. */
function KeptRows({ run: { keptRows, isForgotten }, missing }: { run: Run; missing: number }) {
  if (missing === keptRows || missing === 0) return null;
  const text = isForgotten
    ? t("The values of the rows not stored were removed, because a record was erased since.")
    : keptRows === 0
      ? t("The rows not stored are not kept here.")
      : count(missing, "{kept} of {n} row not stored is kept here.", "{kept} of {n} rows not stored are kept here.", {
          kept: formatNumber(keptRows),
        });
  return (
    <p className={textStyles.note}>
      {text} {t("All of them are in the file, and for seven days on the computer that uploaded it.")}
    </p>
  );
}

/** Returns undefined before the first report. */
function reportOf({ counts, rowsRead, seconds, why, state, round }: Run, rows: readonly RunRow[]): Report | undefined {
  if (!counts || rowsRead === null) return undefined;
  return {
    counts,
    rowsRead,
    seconds: seconds ?? 0,
    ended: state === "running" || (round > 0 && state === "cancelled") ? "done" : state,
    ...(why !== null && { why }),
    notStored: rows.slice(0, SHOWN).map((row) => ({ ...row, reason: row.reason ?? t("The reason is about what you may not see.") })),
  };
}

/** Opens the rows that were not stored in the grid, here or on another computer. */
export function SendAgain({ run, collection }: { run: Run; collection: Collection }) {
  const { client, uploadManager } = useServices();
  const navigate = useNavigate();
  const mayUpload = useMayUpload(collection);
  const whole = useFileCollection(collection);
  const { data: rows = [] } = useQuery({ ...firstRowsQuery(client, run), enabled: run.keptRows > 0 });
  const mayBegin = useMayBegin(true);
  const opening = useMutation({
    mutationFn: async () => rowsAsFile(run, await readAllRows(client, run.id), whole),
    onSuccess: (found) => {
      if (!found) return;
      uploadManager.inspectRows(found, whole);
      void navigate({ to: "/$collection/upload", params: { collection: collection.name } });
    },
  });
  // Rows with cells that one does not see would lose them.
  const isWhole = rows.every(({ reason }) => reason !== null);
  const isOffered = mayUpload && isWhole && run.state !== "running" && rows.some(({ outcome }) => outcome !== "inDoubt");
  if (!isOffered) return null;
  return (
    <>
      <button type="button" aria-disabled={opening.isPending} onClick={() => opening.isPending || (mayBegin() && opening.mutate())}>
        {t("Correct the rows not stored")}
      </button>
      {opening.error && <Failure error={opening.error} retry={() => opening.mutate()} />}
    </>
  );
}
