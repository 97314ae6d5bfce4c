// Says that somebody else has an unfinished upload in this browser, and offers to remove it.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { Failure, Notice } from "../../ui/primitives.tsx";

export function OthersUploads() {
  const { uploadManager } = useServices();
  const { data: hasOthers, refetch } = useQuery({
    queryKey: ["uploads", "of others"],
    queryFn: uploadManager.hasOthers,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const [isConfirming, setConfirming] = useState(false);
  const [wrong, setWrong] = useState<Error>();
  async function remove(): Promise<void> {
    setConfirming(false);
    await uploadManager.dropOthers().then(() => setWrong(undefined), setWrong);
    await refetch();
  }
  if (!hasOthers) return null;
  return (
    <Notice>
      {t("Somebody else has an unfinished upload in this browser.")}
      {wrong && <Failure error={wrong} />}
      <div className={noticeStyles.actions}>
        <button type="button" className={buttonStyles.quiet} onClick={() => setConfirming(true)}>
          {t("Remove it")}
        </button>
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={t("Remove what others have not finished here?")}
          confirmLabel={t("Remove it")}
          onConfirm={() => void remove()}
          onCancel={() => setConfirming(false)}
        >
          {t("Their corrections and unsaved text in this browser will be lost. Stored rows are kept.")}
        </ConfirmDialog>
      )}
    </Notice>
  );
}
