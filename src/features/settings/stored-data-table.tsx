// What this computer keeps, as a table with its sizes; each kind is deleted after a question.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { say, toSay } from "../../../core/i18n/translate.ts";
import { Failure } from "../../components/primitives.tsx";
import { useDeps, useDictionary } from "../../context/services.ts";
import { formatBytes } from "../../fields/amounts.ts";
import { formatNumber } from "../../fields/format.ts";
import { LeaveDialog } from "../../navigation/leave-dialog.tsx";
import { forgetKept, type KeptKind, readKept } from "./stored-data.ts";

const KINDS: Record<KeptKind, { title: string; what: string; ask: string; loss: string }> = {
  drafts: {
    title: toSay("Drafts"),
    what: toSay("Typed and not saved; for a week"),
    ask: toSay("Delete all drafts?"),
    loss: toSay("What was typed and not saved is gone then."),
  },
  uploads: {
    title: toSay("Uploads"),
    what: toSay("Reports; and for a week what an undo needs"),
    ask: toSay("Delete all uploads that have ended?"),
    loss: toSay("Their reports are gone then, and they cannot be undone any more. What they stored stays stored."),
  },
  columns: {
    title: toSay("Columns of files"),
    what: toSay("Which columns were matched with which fields"),
    ask: toSay("Delete the columns of earlier files?"),
    loss: toSay("The next file is matched by its headings alone."),
  },
  views: {
    title: toSay("Views and columns of lists"),
    what: toSay("Until you delete them"),
    ask: toSay("Delete all views?"),
    loss: toSay("Saved views are gone then, and lists open with their usual columns."),
  },
};

export function KeptHere() {
  const { desk, views } = useDeps();
  const { collections } = useDictionary();
  const { data, error, refetch } = useQuery({
    queryKey: ["kept here"],
    queryFn: () => readKept(collections, views),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const [asked, setAsked] = useState<KeptKind>();
  const [wrong, setWrong] = useState<Error>();
  async function forget(kind: KeptKind): Promise<void> {
    setAsked(undefined);
    setWrong(undefined);
    await forgetKept(kind, desk, collections, views).catch(setWrong);
    await refetch();
  }
  if (error) return <Failure error={error} retry={() => refetch()} />;
  return (
    <>
      {wrong && <Failure error={wrong} />}
      <table className="kept" aria-label={say("What this computer keeps")}>
        <thead>
          <tr>
            <th>{say("What")}</th>
            <th className="num">{say("How many")}</th>
            <th className="num">{say("Size")}</th>
            <th>
              <span className="hidden">{say("Delete")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {(Object.keys(KINDS) as KeptKind[]).map((kind) => {
            const kept = data?.[kind];
            return (
              <tr key={kind}>
                <th scope="row">
                  {say(KINDS[kind].title)}
                  <span className="hint">{say(KINDS[kind].what)}</span>
                </th>
                <td className="num">{kept && formatNumber(kept.count)}</td>
                <td className="num">{kept && formatBytes(kept.bytes)}</td>
                <td className="num">
                  <button
                    type="button"
                    className="button quiet"
                    aria-label={say("Delete: {title}", { title: say(KINDS[kind].title) })}
                    aria-disabled={!kept?.count}
                    onClick={() => kept?.count && setAsked(kind)}
                  >
                    {say("Delete")}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="small dim">{say("Signing out deletes the drafts, and of uploads everything but their counts and names.")}</p>
      {asked && (
        <LeaveDialog
          title={say(KINDS[asked].ask)}
          leave={say("Delete")}
          onLeave={() => void forget(asked)}
          onStay={() => setAsked(undefined)}
        >
          {say(KINDS[asked].loss)}
        </LeaveDialog>
      )}
    </>
  );
}
