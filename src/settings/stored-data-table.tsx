// Lists what this computer stores, with sizes; each kind can be deleted after a confirmation.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { message, t } from "../../core/i18n/translate.ts";
import { ConfirmDialog } from "../app/navigation/confirm-dialog.tsx";
import { useDictionary, useServices } from "../app/services/services.ts";
import * as buttonStyles from "../ui/button.module.css";
import { Failure } from "../ui/primitives.tsx";
import * as tableStyles from "../ui/table.module.css";
import * as textStyles from "../ui/text.module.css";
import { formatBytes } from "../values/bytes-and-seconds.ts";
import { formatNumber } from "../values/format.ts";
import { deleteStored, readStored, type StoredKind } from "./stored-data.ts";
import * as styles from "./stored-data-table.module.css";

const KINDS: Record<StoredKind, { title: string; what: string; question: string; consequence: string }> = {
  drafts: {
    title: message("Drafts"),
    what: message("Unsaved text, stored for a week"),
    question: message("Delete all drafts?"),
    consequence: message("Unsaved text will be lost."),
  },
  uploads: {
    title: message("Uploads"),
    what: message("Reports, and for a week what unfinished ones need to continue"),
    question: message("Delete all finished uploads?"),
    consequence: message("Their reports will be deleted. Stored rows are kept."),
  },
  columns: {
    title: message("Columns of files"),
    what: message("Which columns were matched with which fields"),
    question: message("Delete the columns of earlier files?"),
    consequence: message("The next file will be matched by its headings only."),
  },
  views: {
    title: message("Columns of lists"),
    what: message("Which are shown, how wide they are, and with which view a list opens"),
    question: message("Delete the columns of lists?"),
    consequence: message("Lists will open with all records and their default columns."),
  },
};

export function StoredDataTable() {
  const { uploadManager, views } = useServices();
  const { collections } = useDictionary();
  const { data, error, refetch } = useQuery({
    queryKey: ["stored data"],
    queryFn: () => readStored(uploadManager.person(), collections, views),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const [confirming, setConfirming] = useState<StoredKind>();
  const [wrong, setWrong] = useState<Error>();
  async function deleteKind(kind: StoredKind): Promise<void> {
    setConfirming(undefined);
    setWrong(undefined);
    await deleteStored(kind, uploadManager, collections, views).catch(setWrong);
    await refetch();
  }
  if (error) return <Failure error={error} retry={() => refetch()} />;
  return (
    <>
      {wrong && <Failure error={wrong} />}
      <table className={styles.stored} aria-label={t("Data on this computer")}>
        <thead>
          <tr>
            <th>{t("Data")}</th>
            <th className={tableStyles.number}>{t("Count")}</th>
            <th className={tableStyles.number}>{t("Size")}</th>
            <th>
              <span className={textStyles.hidden}>{t("Delete")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {(Object.keys(KINDS) as StoredKind[]).map((kind) => {
            const amount = data?.[kind];
            return (
              <tr key={kind}>
                <th scope="row">
                  {t(KINDS[kind].title)}
                  <span className={textStyles.hint}>{t(KINDS[kind].what)}</span>
                </th>
                <td className={tableStyles.number}>{amount && formatNumber(amount.count)}</td>
                <td className={tableStyles.number}>{amount && formatBytes(amount.bytes)}</td>
                <td className={tableStyles.number}>
                  <button
                    type="button"
                    className={buttonStyles.quiet}
                    aria-label={t("Delete: {title}", { title: t(KINDS[kind].title) })}
                    aria-disabled={!amount?.count}
                    onClick={() => amount?.count && setConfirming(kind)}
                  >
                    {t("Delete")}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={textStyles.note}>{t("Signing out deletes drafts, and all data of uploads except counts and file names.")}</p>
      {confirming && (
        <ConfirmDialog
          title={t(KINDS[confirming].question)}
          confirmLabel={t("Delete")}
          onConfirm={() => void deleteKind(confirming)}
          onCancel={() => setConfirming(undefined)}
        >
          {t(KINDS[confirming].consequence)}
        </ConfirmDialog>
      )}
    </>
  );
}
