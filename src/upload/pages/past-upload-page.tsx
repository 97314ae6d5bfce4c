// The report of an upload from the history, with its file of rows not stored and its undo.

import { useQuery } from "@tanstack/react-query";
import type { RunPart } from "../../../core/contract/history.ts";
import type { Run } from "../../../core/contract/runs.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { runSizes } from "../../../pipeline/runs/undo-progress.ts";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useParams } from "../../app/router/router-context.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useMayIn } from "../../app/services/permissions.ts";
import { useCollection, useServices } from "../../app/services/services.ts";
import { runReportQuery } from "../../service/runs.ts";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { PageTitle } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { formatDatetime } from "../../values/format.ts";
import { ErrorsFileButtons } from "../steps/errors-file-buttons.tsx";
import { ReportBody } from "../steps/report-step.tsx";
import { UndoButton } from "../steps/undo-step.tsx";
import { RemoveUpload } from "./remove-uploads.tsx";
import { RunFacts, useRun } from "./run-facts.tsx";
import { RunReport, SendAgain } from "./run-report.tsx";
import { isUnfinished, useUploads } from "./unfinished-uploads.tsx";

export function PastUploadPage() {
  const { client, uploadManager } = useServices();
  const navigate = useNavigate();
  const { upload: id } = useParams();
  const { uploads, fail } = useUploads(uploadManager);
  const upload = uploads?.find((one) => one.id === id && !isUnfinished(one));
  const collection = useCollection(upload?.collection);
  const may = useMayIn();
  // The rows that were not stored are of a file for this collection.
  const mayHaveRows = collection && (may(collection.name, "create") || may(collection.name, "update"));
  const parts = useRun(upload?.id ?? "").data?.parts;
  const { data: run } = useQuery({ ...runReportQuery(client, upload?.id ?? ""), enabled: upload !== undefined, retry: false });
  const { data: errorsFile } = useQuery({
    queryKey: ["uploads", id, "errors file"],
    queryFn: async () => (await uploadManager.storedErrorsFile(id ?? "")) ?? null,
    staleTime: 0,
    gcTime: 0,
  });
  if (!uploads) return <main id="main" />;
  if (!upload?.report || !collection) return <RunElsewhere run={id ?? ""} />;
  const { report, undo, isElsewhere, fileName, startedAt } = upload;
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{fileName}</PageTitle>
        <span className={`${textStyles.note} ${pageStyles.end}`}>
          {collection.title} · {formatDatetime(new Date(startedAt).toISOString())}
        </span>
      </div>
      {run?.counts && !undo ? <RunReport run={run} collection={collection} /> : <ReportBody report={report} isPast undo={undo} />}
      {parts && <RunFacts parts={parts} run={upload.id} />}
      <div className={formStyles.savebar} data-savebar="">
        <Link className="button" to="/uploads">
          {t("Back")}
        </Link>
        {mayHaveRows && errorsFile && <ErrorsFileButtons load={() => Promise.resolve(errorsFile)} />}
        {run && <SendAgain run={run} collection={collection} />}
        {!isElsewhere && !upload.again && (
          <UndoButton
            upload={upload}
            collection={collection}
            report={report}
            sizes={parts && runSizes(parts, collection.name)}
            begun={undo}
          />
        )}
        <RemoveUpload upload={upload} onRemove={() => uploadManager.drop(upload.id).then(() => navigate({ to: "/uploads" }), fail)} />
      </div>
    </main>
  );
}

/** Shows a run of which the service keeps the report, wherever it was made. */
function KeptRun({ run, collection, parts }: { run: Run; collection: Collection; parts: readonly RunPart[] }) {
  const isBatchRun = parts.some(({ source }) => source.type === "batch");
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{run.fileName}</PageTitle>
        <span className={`${textStyles.note} ${pageStyles.end}`}>{collection.title}</span>
      </div>
      <RunReport run={run} collection={collection} />
      <RunFacts parts={parts} run={run.id} />
      <div className={formStyles.savebar} data-savebar="">
        <Link className="button" to="/uploads">
          {t("Back")}
        </Link>
        <SendAgain run={run} collection={collection} />
        {parts.length > 0 && (
          <UndoButton
            upload={{ id: run.id, fileName: run.fileName, isBatchRun }}
            collection={collection}
            sizes={runSizes(parts, collection.name)}
          />
        )}
      </div>
    </main>
  );
}

/** Shows an upload or a batch run that was made on another computer, or whose report this browser has deleted. */
function RunElsewhere({ run }: { run: string }) {
  const { client } = useServices();
  const query = useRun(run);
  const reading = useQuery({ ...runReportQuery(client, run), retry: false });
  const kept = reading.data;
  const parts = query.data?.parts;
  const made = parts?.find(({ source }) => source.type !== "undo");
  const collection = useCollection(kept?.collection ?? made?.collection);
  if (!parts || kept === undefined) {
    return (
      <main id="main">
        {query.error && <PageTitle>{t("Uploads")}</PageTitle>}
        <Loading query={query.error ? query : reading} />
      </main>
    );
  }
  if (kept && collection) return <KeptRun run={kept} collection={collection} parts={parts} />;
  if (!made) return <NotFound />;
  const { source, to, by } = made;
  const isBatchRun = source.type === "batch"; // its name says something to whoever runs the command
  const title = collection?.title ?? made.collection;
  const name = isBatchRun ? run : [title, formatDatetime(to), by?.name].filter(Boolean).join(", ");
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{isBatchRun ? t("Batch run") : t("Upload")}</PageTitle>
        <span className={`${textStyles.note} ${pageStyles.end}`}>
          {title} · {formatDatetime(to)}
        </span>
      </div>
      <p className={textStyles.dim}>{t("Its report is on the computer on which it was made. What it changed is known here:")}</p>
      <RunFacts parts={parts} run={run} />
      <div className={formStyles.savebar} data-savebar="">
        <Link className="button" to="/activity">
          {t("Activity")}
        </Link>
        {collection && (
          <UndoButton upload={{ id: run, fileName: name, isBatchRun }} collection={collection} sizes={runSizes(parts, collection.name)} />
        )}
      </div>
    </main>
  );
}
