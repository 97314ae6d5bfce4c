import { useEffect, useState } from "react";
import { t } from "../../../../core/i18n/translate.ts";
import * as buttonStyles from "../../../components/button.module.css";
import { useServices } from "../../../context/services.ts";
import { ConfirmDialog } from "../../../navigation/confirm-dialog.tsx";

/** Asks first if there are corrections that would be lost; so does closing the tab. */
export function ChooseAnotherFile({ hasCorrections }: { hasCorrections: boolean }) {
  const { uploadManager } = useServices();
  const [isConfirming, setConfirming] = useState(false);
  useEffect(() => {
    if (!hasCorrections) return;
    const preventClose = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", preventClose);
    return () => window.removeEventListener("beforeunload", preventClose);
  }, [hasCorrections]);
  return (
    <>
      <button type="button" className={buttonStyles.quiet} onClick={() => (hasCorrections ? setConfirming(true) : uploadManager.close())}>
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
