// What this computer keeps, as a table with its sizes; each kind is deleted after a question.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { message, t } from "../../../core/i18n/translate.ts";
import { Failure } from "../../components/primitives.tsx";
import { useDictionary, useServices } from "../../context/services.ts";
import { formatBytes } from "../../fields/amounts.ts";
import { formatNumber } from "../../fields/format.ts";
import { LeaveDialog } from "../../navigation/leave-dialog.tsx";
import { forgetStored, readStored, type StoredKind } from "./stored-data.ts";

const KINDS: Record<StoredKind, { title: string; what: string; ask: string; loss: string }> = {
  drafts: {
    title: message("Drafts"),
    what: message("Typed and not saved; for a week"),
    ask: message("Delete all drafts?"),
    loss: message("What was typed and not saved is gone then."),
  },
  uploads: {
    title: message("Uploads"),
    what: message("Reports; and for a week what an undo needs"),
    ask: message("Delete all uploads that have ended?"),
    loss: message("Their reports are gone then, and they cannot be undone any more. What they stored stays stored."),
  },
  columns: {
    title: message("Columns of files"),
    what: message("Which columns were matched with which fields"),
    ask: message("Delete the columns of earlier files?"),
    loss: message("The next file is matched by its headings alone."),
  },
  views: {
    title: message("Views and columns of lists"),
    what: message("Until you delete them"),
    ask: message("Delete all views?"),
    loss: message("Saved views are gone then, and lists open with their usual columns."),
  },
};

export function StoredDataTable() {
  const { uploadManager, views } = useServices();
  const { collections } = useDictionary();
  const { data, error, refetch } = useQuery({
    queryKey: ["kept here"],
    queryFn: () => readStored(collections, views),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const [asked, setAsked] = useState<StoredKind>();
  const [wrong, setWrong] = useState<Error>();
  async function forget(kind: StoredKind): Promise<void> {
    setAsked(undefined);
    setWrong(undefined);
    await forgetStored(kind, uploadManager, collections, views).catch(setWrong);
    await refetch();
  }
  if (error) return <Failure error={error} retry={() => refetch()} />;
  return (
    <>
      {wrong && <Failure error={wrong} />}
      <table className="kept" aria-label={t("What this computer keeps")}>
        <thead>
          <tr>
            <th>{t("What")}</th>
            <th className="num">{t("How many")}</th>
            <th className="num">{t("Size")}</th>
            <th>
              <span className="hidden">{t("Delete")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {(Object.keys(KINDS) as StoredKind[]).map((kind) => {
            const kept = data?.[kind];
            return (
              <tr key={kind}>
                <th scope="row">
                  {t(KINDS[kind].title)}
                  <span className="hint">{t(KINDS[kind].what)}</span>
                </th>
                <td className="num">{kept && formatNumber(kept.count)}</td>
                <td className="num">{kept && formatBytes(kept.bytes)}</td>
                <td className="num">
                  <button
                    type="button"
                    className="button quiet"
                    aria-label={t("Delete: {title}", { title: t(KINDS[kind].title) })}
                    aria-disabled={!kept?.count}
                    onClick={() => kept?.count && setAsked(kind)}
                  >
                    {t("Delete")}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="small dim">{t("Signing out deletes the drafts, and of uploads everything but their counts and names.")}</p>
      {asked && (
        <LeaveDialog title={t(KINDS[asked].ask)} leave={t("Delete")} onLeave={() => void forget(asked)} onStay={() => setAsked(undefined)}>
          {t(KINDS[asked].loss)}
        </LeaveDialog>
      )}
    </>
  );
}
