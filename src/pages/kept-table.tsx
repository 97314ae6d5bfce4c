// What this computer keeps, as a table with its sizes; each kind is deleted after a question.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatBytes, formatNumber } from "../ui/format.ts";
import { Failure } from "../ui/pieces.tsx";
import { useDeps, useDictionary } from "./deps.ts";
import { forgetKept, type KeptKind, readKept } from "./kept-here.ts";
import { LeaveDialog } from "./leave-dialog.tsx";

const KINDS: Record<KeptKind, { title: string; what: string; ask: string; loss: string }> = {
  drafts: {
    title: "Drafts",
    what: "Typed and not saved; for a week",
    ask: "Delete all drafts?",
    loss: "What was typed and not saved is gone then.",
  },
  uploads: {
    title: "Uploads",
    what: "Reports; and for a week what an undo needs",
    ask: "Delete all uploads that have ended?",
    loss: "Their reports are gone then, and they cannot be undone any more. What they stored stays stored.",
  },
  columns: {
    title: "Columns of files",
    what: "Which columns were matched with which fields",
    ask: "Delete the columns of earlier files?",
    loss: "The next file is matched by its headings alone.",
  },
  views: {
    title: "Views and columns of lists",
    what: "Until you delete them",
    ask: "Delete all views?",
    loss: "Saved views are gone then, and lists open with their usual columns.",
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
      <table className="kept" aria-label="What this computer keeps">
        <thead>
          <tr>
            <th>What</th>
            <th className="num">Number</th>
            <th className="num">Size</th>
            <th>
              <span className="hidden">Delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {(Object.keys(KINDS) as KeptKind[]).map((kind) => {
            const kept = data?.[kind];
            return (
              <tr key={kind}>
                <th scope="row">
                  {KINDS[kind].title}
                  <span className="hint">{KINDS[kind].what}</span>
                </th>
                <td className="num">{kept && formatNumber(kept.count)}</td>
                <td className="num">{kept && formatBytes(kept.bytes)}</td>
                <td className="num">
                  <button
                    type="button"
                    className="button quiet"
                    aria-label={`Delete: ${KINDS[kind].title}`}
                    aria-disabled={!kept?.count}
                    onClick={() => kept?.count && setAsked(kind)}
                  >
                    Delete
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="small dim">Signing out deletes the drafts, and of uploads everything but their counts and names.</p>
      {asked && (
        <LeaveDialog title={KINDS[asked].ask} leave="Delete" onLeave={() => void forget(asked)} onStay={() => setAsked(undefined)}>
          {KINDS[asked].loss}
        </LeaveDialog>
      )}
    </>
  );
}
