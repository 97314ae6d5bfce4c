import { useEffect, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";

/** `loses`: there are corrections that the browser does not keep. Then it asks first, and so does closing the tab. */
export function ChooseAnotherFile({ loses }: { loses: boolean }) {
  const { uploadManager } = useServices();
  const [isConfirming, setConfirming] = useState(false);
  useEffect(() => {
    if (!loses) return;
    const preventClose = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventClose);
    return () => window.removeEventListener("beforeunload", preventClose);
  }, [loses]);
  return (
    <>
      <button type="button" className={buttonStyles.quiet} onClick={() => (loses ? setConfirming(true) : uploadManager.close())}>
        {t("Choose another file")}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t("Choose another file?")}
          confirmLabel={t("Choose another")}
          onConfirm={uploadManager.close}
          onCancel={() => setConfirming(false)}
        >
          {t("Your corrections in this file will be lost. Nothing is stored yet.")}
        </ConfirmDialog>
      )}
    </>
  );
}
