// The report of an upload from the history, with its file of rows not stored and its undo.

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../components/button.module.css";
import * as formStyles from "../../components/form.module.css";
import * as pageStyles from "../../components/page.module.css";
import { PageTitle } from "../../components/primitives.tsx";
import * as textStyles from "../../components/text.module.css";
import { download } from "../../context/download.ts";
import { useCollection, useServices } from "../../context/services.ts";
import { formatDatetime } from "../../fields/format.ts";
import { NotFound } from "../../navigation/not-found.tsx";
import { ReportBody } from "./steps/report-step.tsx";
import { UndoButton } from "./steps/undo-step.tsx";
import { isUnfinished, useUploads } from "./unfinished-uploads.tsx";

export function PastUploadPage() {
  const { uploadManager } = useServices();
  const navigate = useNavigate();
  const { upload: id } = useParams({ strict: false });
  const { uploads } = useUploads(uploadManager);
  const upload = uploads?.find((one) => one.id === id && !isUnfinished(one));
  const collection = useCollection(upload?.collection);
  const { data: errorsFile } = useQuery({
    queryKey: ["uploads", id, "errors file"],
    queryFn: async () => (await uploadManager.storedErrorsFile(id ?? "")) ?? null,
    staleTime: 0,
    gcTime: 0,
  });
  if (!uploads) return <main id="main" />;
  if (!upload?.report) return <NotFound />;
  const { report, undo, lastRow: row, isElsewhere, fileName, startedAt } = upload;
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{fileName}</PageTitle>
        <span className={`${textStyles.note} ${pageStyles.end}`}>
          {collection?.title ?? upload.collection} · {formatDatetime(new Date(startedAt).toISOString())}
        </span>
      </div>
      <ReportBody report={report} isPast undo={undo} />
      <div className={formStyles.savebar}>
        <Link className="button" to="/uploads">
          {t("Back")}
        </Link>
        {errorsFile && (
          <button type="button" onClick={() => download(errorsFile.blob, errorsFile.name)}>
            {t("Download rows not stored")}
          </button>
        )}
        {collection && row > 0 && !isElsewhere && <UndoButton upload={upload} collection={collection} report={report} begun={undo} />}
        <button
          type="button"
          className={buttonStyles.quiet}
          onClick={() => uploadManager.drop(upload.id).then(() => navigate({ to: "/uploads" }))}
        >
          {t("Remove")}
        </button>
      </div>
    </main>
  );
}
