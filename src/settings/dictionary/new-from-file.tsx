// A new collection from a file: the file is chosen, and what is proposed for it is looked at and changed.

import { FileUp } from "lucide";
import { useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import { isRedcapDictionary } from "../../../pipeline/proposal/redcap-heading.ts";
import { openedPart } from "../../app/code/lazy-page.tsx";
import * as noticeStyles from "../../ui/notice.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Icon, Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { ACCEPTED_FILES } from "../../upload/queue/accepted-files.ts";
import * as fileStyles from "../../upload/steps/file-step.module.css";
import { count } from "../../values/format.ts";
import type { DescriptionProps } from "./drafted-collections.tsx";
import { ProposedTable } from "./proposed-table.tsx";
import type { EditedDraft } from "./use-draft.ts";
import { useProposal } from "./use-proposal.ts";

/** Few files are copybooks or REDCap's data dictionaries, so their code is loaded only with one. */
const FromCopybook = openedPart<"FromCopybook", DescriptionProps>(() => import("./from-copybook.tsx"), "FromCopybook");
const FromRedcap = openedPart<"FromRedcap", DescriptionProps>(() => import("./from-redcap.tsx"), "FromRedcap");
const COPYBOOK = /\.(?:cpy|cbl|cob|copy)$/i;

export function NewFromFile({ edited }: { edited: EditedDraft }) {
  const [chosen, setChosen] = useState<{ file: File; From: (props: DescriptionProps) => React.ReactNode }>();
  if (!chosen) return <ChooseFile onChoose={async (file) => setChosen({ file, From: await readerOf(file) })} />;
  const { file, From } = chosen;
  return (
    <>
      <div className={pageStyles.tools}>
        <bdi>
          <b>{file.name}</b>
        </bdi>
        <button type="button" onClick={() => setChosen(undefined)}>
          {t("Choose another file")}
        </button>
      </div>
      <From file={file} edited={edited} />
    </>
  );
}

/** A file that cannot be read is told of where it is read whole. */
async function readerOf(file: File): Promise<(props: DescriptionProps) => React.ReactNode> {
  if (COPYBOOK.test(file.name)) return FromCopybook;
  const begin = await file
    .slice(0, 200)
    .text()
    .catch(() => "");
  return isRedcapDictionary(begin) ? FromRedcap : FromTable;
}

function ChooseFile({ onChoose }: { onChoose: (file: File) => void }) {
  const [isDragOver, setDragOver] = useState(false);
  return (
    <>
      <p>{t("Every row is read here, on this computer. You see what is proposed and why before anything is changed.")}</p>
      <div className={fileStyles.drop} data-over={isDragOver || undefined}>
        <Icon of={FileUp} isLarge />
        <b>{t("Choose the file of which the collection is made")}</b>
        <span className={textStyles.dim}>
          {t("CSV, Excel (.xlsx), OpenDocument (.ods) or JSON Lines, a COBOL copybook (.cpy), or a REDCap data dictionary (.csv).")}
        </span>
        <input
          type="file"
          aria-label={t("File for the new collection")}
          accept={`${ACCEPTED_FILES},.cpy,.cbl,.cob`}
          onDragEnter={() => setDragOver(true)}
          onDragLeave={() => setDragOver(false)}
          onDrop={() => setDragOver(false)}
          onChange={({ target }) => target.files?.[0] && onChoose(target.files[0])}
        />
      </div>
    </>
  );
}

function FromTable({ file, edited }: DescriptionProps) {
  const [choices, setChoices] = useState<Choices>({});
  const { proposed, broken } = useProposal(file, choices);
  if (broken !== undefined)
    return <Notice tone="wrong">{`${t("The file could not be read because of an error in the app.")} ${broken}`}</Notice>;
  if (proposed?.is === "unreadable") {
    const { title, detail, autoFix } = proposed;
    return (
      <Notice tone="wrong">
        <b>{title}</b> {detail}
        {autoFix && (
          <div className={noticeStyles.actions}>
            <button type="button" onClick={() => setChoices({ ...choices, ...autoFix.choices })}>
              {t(autoFix.label)}
            </button>
          </div>
        )}
      </Notice>
    );
  }
  const { table } = proposed?.proposal ?? {};
  if (!proposed || !table?.isDone)
    return <p role="status">{table ? count(table.rowsRead, "{n} row read", "{n} rows read") : t("Reading the file…")}</p>;
  const { inspection } = proposed.proposal;
  return (
    <ProposedTable key={JSON.stringify(inspection.dialect)} {...{ file, choices, inspection, table, edited }} onChoices={setChoices} />
  );
}
