import { useEffect, useState } from "react";
import { t } from "../../../../core/i18n/translate.ts";
import { useServices } from "../../../context/services.ts";
import { LeaveDialog } from "../../../navigation/leave-dialog.tsx";

/** What was mended is asked for before it goes: with another file, and with the tab. */
export function OtherFile({ hasCorrections }: { hasCorrections: boolean }) {
  const { uploadManager } = useServices();
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (!hasCorrections) return;
    const query = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", query);
    return () => window.removeEventListener("beforeunload", query);
  }, [hasCorrections]);
  return (
    <>
      <button type="button" className="button quiet" onClick={() => (hasCorrections ? setAsking(true) : uploadManager.close())}>
        {t("Choose another file")}
      </button>
      {isAsking && (
        <LeaveDialog
          title={t("Choose another file?")}
          leave={t("Choose another")}
          onLeave={uploadManager.close}
          onStay={() => setAsking(false)}
        >
          {t("What you mended or left out in this file is forgotten. Nothing of it is stored yet.")}
        </LeaveDialog>
      )}
    </>
  );
}
