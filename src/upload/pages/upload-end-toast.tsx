import { useEffect, useRef, useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import { useLocation, useNavigate } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { count, formatNumber } from "../../values/format.ts";
import { storedRows } from "../manager/stored-rows.ts";

/** Shows a toast when an upload ends while the user is on another page. */
export function UploadEndToast(): null {
  const { uploadManager, toasts } = useServices();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { collection, fileName, upload } = useSyncExternalStore(uploadManager.subscribe, uploadManager.state);
  const report = upload?.step === "report" ? upload.report : undefined;
  const isElsewhere = !pathname.endsWith("/upload");
  const announced = useRef<Report>(undefined);
  useEffect(() => {
    if (!report || announced.current === report) return;
    announced.current = report;
    if (!isElsewhere || !collection) return;
    toasts.show({
      message: count(report.rowsRead, "{fileName}: {stored} of {n} row stored.", "{fileName}: {stored} of {n} rows stored.", {
        fileName,
        stored: formatNumber(storedRows(report.counts)),
      }),
      action: { label: t("Report"), run: () => navigate({ to: "/$collection/upload", params: { collection: collection.name } }) },
    });
  }, [report, isElsewhere, collection, fileName, toasts, navigate]);
  return null;
}
