// Undo of an upload: asks first, shows it under way, and says what was reversed and what was left alone.

import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import { count, formatNumber } from "../ui/format.ts";
import { type BarPart, Legend, OutcomeBar } from "../ui/outcome-bar.tsx";
import { Notice } from "../ui/pieces.tsx";
import type { KeptUpload, UndoCounts } from "../upload/journal.ts";
import type { Report } from "../upload/report.ts";
import type { UploadState } from "../upload/run.ts";
import { useDeps } from "./deps.ts";
import { LeaveDialog } from "./leave-dialog.tsx";
import { useMayWrite } from "./may-write.ts";
import { AtWork, FileLine } from "./upload-sending.tsx";

interface UndoButtonProps {
  upload: Pick<KeptUpload, "id" | "fileName">;
  collection: Collection;
  report: Pick<Report, "counts" | "lasting">;
}

/** Nothing when nothing is stored that could be taken back, or this key may not change it. */
export function UndoButton({ upload, collection, report: { counts, lasting } }: UndoButtonProps) {
  const { desk } = useDeps();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const created = counts.created - (lasting?.created ?? 0);
  const updated = counts.updated - (lasting?.updated ?? 0);
  if (!useMayWrite(collection) || created + updated === 0) return null;
  const deeds = [
    created > 0 && `${count(created, "record")} that it created ${created === 1 ? "is" : "are"} deleted`,
    updated > 0 && `${count(updated, "record")} that it updated ${updated === 1 ? "gets its" : "get their"} old values back`,
  ].filter(Boolean);
  function undo(): void {
    setAsking(false);
    desk.undo(upload, collection);
    void navigate({ to: "/$collection/upload", params: { collection: collection.name } });
  }
  return (
    <>
      <button type="button" className="button quiet" onClick={() => setAsking(true)}>
        Undo
      </button>
      {isAsking && (
        <LeaveDialog
          title={`Undo the upload of ${upload.fileName}?`}
          leave="Undo the upload"
          onLeave={undo}
          onStay={() => setAsking(false)}
        >
          {deeds.join("; ")}. What someone changed since is left as it is. {lasting && lastingSentence(lasting.created + lasting.updated)}
        </LeaveDialog>
      )}
    </>
  );
}

function lastingSentence(records: number): string {
  const [are, them, they] = records === 1 ? ["is", "it", "it was"] : ["are", "them", "they were"];
  return `${count(records, "record")} ${are} no part of it: the service gave no answer for ${them}, so what ${they} before is not known.`;
}

function undoParts({ reversed, kept, failed }: UndoCounts): BarPart[] {
  return [
    { outcome: "updated", label: "Reversed", count: reversed },
    { outcome: "skipped", label: "Left alone: changed since", count: kept },
    { outcome: "failed", label: "Could not be undone", count: failed },
  ];
}

export function UndoingStep({ state, fileName }: { state: Extract<UploadState, { step: "undoing" }>; fileName: string }) {
  return (
    <>
      <FileLine verb="Undoing the upload of" fileName={fileName} />
      <AtWork progress={state} parts={undoParts(state.counts)} verb="undone" />
    </>
  );
}

interface UndoneStepProps {
  state: Extract<UploadState, { step: "undone" }>;
  collection: Collection;
  fileName: string;
}

export function UndoneStep({ state: { counts, rowsTotal, lasting, ended, why }, collection, fileName }: UndoneStepProps) {
  const { desk } = useDeps();
  const parts = undoParts(counts);
  const isPart = ended !== "done";
  return (
    <>
      <FileLine verb="The upload of" fileName={fileName} />
      <div className="figure">
        <div className="big">
          {`${formatNumber(counts.reversed)} of ${count(rowsTotal, "row")} ${counts.reversed === 1 ? "is" : "are"} undone`}
        </div>
        <OutcomeBar parts={parts} whole={rowsTotal} />
        <Legend parts={parts} all />
      </div>
      {isPart && (
        <Notice tone="doubt">
          <b>{ended === "cancelled" ? "You cancelled this undo." : "The undo stopped early."}</b> {why} The rest can be undone later.
          <div className="actions">
            <button type="button" className="button primary" onClick={() => desk.undo(desk.current(), collection)}>
              Continue
            </button>
          </div>
        </Notice>
      )}
      {counts.kept > 0 && (
        <p className="dim">
          {counts.kept === 1 ? "One record was" : `${formatNumber(counts.kept)} records were`} changed or deleted by someone since the
          upload; {counts.kept === 1 ? "it stays" : "they stay"} as {counts.kept === 1 ? "it is" : "they are"}.
        </p>
      )}
      {lasting > 0 && <p className="dim">{lastingSentence(lasting)}</p>}
      <div className="savebar">
        <Link className={isPart ? "button" : "button primary"} to="/$collection" params={{ collection: collection.name }}>
          Open the list
        </Link>
        <button type="button" className="button quiet" onClick={desk.close}>
          Choose another file
        </button>
      </div>
    </>
  );
}
