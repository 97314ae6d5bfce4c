import { useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { countNotStored } from "../../../pipeline/model/outcomes.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import { count } from "../../values/format.ts";
import type { ListedUpload } from "../manager/upload-history.ts";
import { useCanUndo } from "../steps/undo-step.tsx";

interface RemoveUploadsProps {
  uploads: readonly ListedUpload[];
  label: string;
  question: string;
  className?: string | undefined;
  onRemove: () => void;
}

/** Draws a button that asks first when more than the report is lost. */
export function RemoveUploads({ uploads, label, question, className = "", onRemove }: RemoveUploadsProps) {
  const canUndo = useCanUndo();
  const [isConfirming, setConfirming] = useState(false);
  const rows = uploads.reduce((sum, { report, hasRows }) => sum + (report && hasRows ? countNotStored(report.counts) : 0), 0);
  const undoable = uploads.filter(({ collection, report, undo }) => report && canUndo(collection, report.counts, undo)).length;
  const losses = [
    rows > 0 &&
      count(
        rows,
        "{n} row that was not stored can then no longer be downloaded.",
        "{n} rows that were not stored can then no longer be downloaded.",
      ),
    undoable > 0 &&
      count(undoable, "{n} upload can then be undone only under Activity.", "{n} uploads can then be undone only under Activity."),
  ].filter(Boolean);
  return (
    <>
      <button
        type="button"
        className={`${buttonStyles.quiet} ${className}`}
        onClick={() => (losses.length > 0 ? setConfirming(true) : onRemove())}
      >
        {label}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={question}
          confirmLabel={label}
          onConfirm={() => {
            setConfirming(false);
            onRemove();
          }}
          onCancel={() => setConfirming(false)}
        >
          {losses.join(" ")}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Removes one upload. */
export function RemoveUpload({ upload, onRemove }: { upload: ListedUpload; onRemove: () => void }) {
  const question = t("Remove {name} from the list?", { name: upload.fileName });
  return <RemoveUploads uploads={[upload]} label={t("Remove")} question={question} onRemove={onRemove} />;
}
