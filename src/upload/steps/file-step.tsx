// Step 1: drop, choose or paste a file, or see why the last one cannot be read.

import { FileUp } from "lucide";
import { useEffect, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { Link } from "../../app/router/link.tsx";
import { useSearch } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { useTemplate } from "../../app/services/use-template.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { Failure, Icon, Notice } from "../../ui/primitives.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import * as textStyles from "../../ui/text.module.css";
import { ACCEPTED_FILES } from "../queue/accepted-files.ts";
import { chooseFiles } from "../queue/choose-files.ts";
import { WantedRecipe } from "../recipes/lazy-recipes.tsx";
import * as styles from "./file-step.module.css";

interface FileStepProps {
  collection: Collection;
  refused?: Extract<UploadState, { step: "refused" }>;
}

export function FileStep({ collection, refused }: FileStepProps) {
  const services = useServices();
  const [isDragOver, setDragOver] = useState(false);
  const template = useTemplate(collection);
  const { recipe }: Record<string, string | undefined> = useSearch();
  const choose = (files: readonly File[]) => void chooseFiles(services, files, collection);
  usePaste(choose);
  return (
    <>
      {refused && <RefusedFileNotice refused={refused} />}
      {recipe && <WantedRecipe collection={collection} id={recipe} />}
      {template.error && <Failure error={template.error} retry={template.download} />}
      <div className={styles.drop} data-over={isDragOver || undefined}>
        <Icon of={FileUp} isLarge />
        <b className={styles.byMouse}>{t("Drop a CSV file here, or a spreadsheet, or several")}</b>
        <b className={styles.byTouch}>{t("Choose a CSV file, or a spreadsheet, or several")}</b>
        <span className={textStyles.dim}>
          <span className={styles.byMouse}>
            <RichText text={t("or {u}choose one{/u}, or paste rows.")} parts={{ u: (text) => <u>{text}</u> }} />
          </span>{" "}
          {t("CSV, Excel (.xlsx), OpenDocument (.ods) and JSON Lines, also in ZIP or gzip.")}
        </span>
        <input
          type="file"
          multiple
          aria-label={t("CSV file or spreadsheet")}
          accept={ACCEPTED_FILES}
          onDragEnter={() => setDragOver(true)}
          onDragLeave={() => setDragOver(false)}
          onDrop={() => setDragOver(false)}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = ""; // so that the same file, corrected, can be chosen again
            choose(files);
          }}
        />
      </div>
      <PasteBox onPaste={(text) => choose([fileOf(text)])} />
      <p className={textStyles.note}>
        <RichText
          text={t(
            "New here? Start with a {workbook}workbook to fill in{/workbook}, the {template}template{/template} as CSV, and the {dictionary}data dictionary{/dictionary}.",
          )}
          parts={{
            template: (text) => (
              <button type="button" className={buttonStyles.link} onClick={() => template.download()}>
                {text}
              </button>
            ),
            workbook: (text) => (
              <button type="button" className={buttonStyles.link} onClick={() => template.download("xlsx")}>
                {text}
              </button>
            ),
            dictionary: (text) => (
              <Link to="/$collection/dictionary" params={{ collection: collection.name }}>
                {text}
              </Link>
            ),
          }}
        />
      </p>
    </>
  );
}

function RefusedFileNotice({ refused: { title, detail, autoFix } }: { refused: Extract<UploadState, { step: "refused" }> }) {
  const { uploadManager } = useServices();
  const { choices } = uploadManager.state();
  return (
    <Notice tone="wrong">
      <b>{title}</b> {detail}
      {(autoFix || Object.keys(choices).length > 0) && (
        <div className={noticeStyles.actions}>
          {autoFix && (
            <button type="button" onClick={() => uploadManager.inspectAgain({ ...choices, ...autoFix.choices })}>
              {t(autoFix.label)}
            </button>
          )}
          {Object.keys(choices).length > 0 && (
            <button type="button" onClick={() => uploadManager.inspectAgain({})}>
              {t("Use detected settings")}
            </button>
          )}
        </div>
      )}
    </Notice>
  );
}

/** Serves phones, which have no Ctrl+V, and users who want to see what they paste. */
function PasteBox({ onPaste }: { onPaste: (text: string) => void }) {
  const [text, setText] = useState("");
  return (
    <details className={styles.paste}>
      <summary>{t("Paste rows")}</summary>
      <div className={formStyles.field}>
        <label htmlFor="pasted">{t("Rows, with their headings")}</label>
        <textarea id="pasted" rows={6} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
        <span className={textStyles.hint}>{t("Copied from a spreadsheet, or lines of CSV.")}</span>
      </div>
      <button type="button" aria-disabled={text.trim() === ""} onClick={() => text.trim() !== "" && onPaste(text)}>
        {t("Use these rows")}
      </button>
    </details>
  );
}

/** Accepts a paste anywhere on the page except in an input. */
function usePaste(onFiles: (files: readonly File[]) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event;
      if (target instanceof HTMLInputElement ? target.type !== "file" : target instanceof HTMLTextAreaElement) return;
      const text = clipboardData?.getData("text/plain") ?? "";
      const files = [...(clipboardData?.files ?? [])];
      // A spreadsheet also offers a picture of the cells; a file manager also offers the file's name as text.
      const isRows = /[\t\r\n]/.test(text);
      const pasted = !isRows && files.length > 0 ? files : text.trim() !== "" ? [fileOf(text)] : [];
      if (pasted.length === 0) return;
      event.preventDefault();
      onFiles(pasted);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  });
}

function fileOf(text: string): File {
  return new File([text], t("pasted rows.tsv"), { type: "text/tab-separated-values" });
}
