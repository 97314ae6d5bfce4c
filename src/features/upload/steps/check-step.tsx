// Step 3: the check while it runs, and what it found: rows that are ready, what would become of them, and the rows to mend.

import { useState } from "react";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import { say } from "../../../../core/i18n/translate.ts";
import type { UploadState } from "../../../../pipeline/runs/upload-state.ts";
import { Spoken } from "../../../components/live-region.tsx";
import { type BarPart, Legend, OutcomeBar } from "../../../components/outcome-bar.tsx";
import { Notice } from "../../../components/primitives.tsx";
import { useDeps } from "../../../context/services.ts";
import { formatBytes, formatSeconds } from "../../../fields/amounts.ts";
import { count, formatNumber } from "../../../fields/format.ts";
import type { DeskState } from "../../../state/upload-manager.ts";
import { ProblemGrid } from "../grid/lazy-grid.tsx";
import { costOf } from "./cost.ts";
import { DamageNote, StrayNote } from "./file-notes.tsx";
import { OtherFile } from "./other-file.tsx";
import { PreviewDetail, previewParts } from "./preview.tsx";
import { ProblemGroups } from "./problems.tsx";
import { Milestones } from "./progress.tsx";

export function CheckingStep({ state }: { state: Extract<UploadState, { step: "checking" }> }) {
  const { desk } = useDeps();
  const { rowsRead, bytesRead, bytesTotal } = state;
  const parts: BarPart[] = [{ outcome: "ready", label: "", count: bytesRead }];
  return (
    <div className="figure">
      <div className="big">
        {formatNumber(rowsRead)}{" "}
        <small>{say("rows checked · {done} of {whole}", { done: formatBytes(bytesRead), whole: formatBytes(bytesTotal) })}</small>
      </div>
      <OutcomeBar parts={parts} whole={bytesTotal} />
      <Milestones done={bytesRead} whole={bytesTotal} inWords={(n) => say("{n} % checked", { n })} />
      <div className="savebar">
        <button type="button" className="button" onClick={desk.cancel}>
          {say("Cancel")}
        </button>
      </div>
    </div>
  );
}

interface CheckedStepProps {
  collection: Collection;
  state: DeskState;
  checked: Extract<UploadState, { step: "checked" }>;
}

export function CheckedStep({ collection, state, checked }: CheckedStepProps) {
  const { desk } = useDeps();
  const { check, mending } = checked;
  const { rowsRead, ready, leftOut, listed } = check;
  const [group, setGroup] = useState<string>();
  const parts = previewParts(check, mending.preview, collection.key.title);
  const wrong = rowsRead - ready - leftOut;
  return (
    <>
      <div className="figure">
        <Headline check={check} />
        <Spoken>
          {mending.revision > 0
            ? count(ready, "{n} row ready, {wrong} with problems", "{n} rows ready, {wrong} with problems", { wrong: formatNumber(wrong) })
            : ""}
        </Spoken>
        <OutcomeBar parts={parts} whole={rowsRead} />
        <Legend parts={parts} />
        <PreviewDetail collection={collection} mending={mending} ready={ready} />
      </div>
      {check.stray && <StrayNote stray={check.stray} />}
      <DamageNote damage={check.damage} />
      <ProblemGroups collection={collection} check={check} mending={mending} group={group} onGroup={setGroup} />
      {(listed > 0 || mending.canUndo || mending.canRedo) && state.plan && (
        <ProblemGrid
          collection={collection}
          columns={state.plan.columns}
          check={check}
          mending={mending}
          group={group}
          onAll={() => setGroup(undefined)}
        />
      )}
      {ready === 0 && (
        <Notice tone="doubt">
          {say(
            "There is nothing to upload. Mend the rows here or in the file, or go back and look whether each column has the right field; then check again.",
          )}
        </Notice>
      )}
      <div className="savebar">
        {ready > 0 && (
          <button type="button" className="button primary" onClick={desk.upload}>
            {say("Upload")}
          </button>
        )}
        <button type="button" className="button quiet" onClick={() => desk.lookAgain(state.choices)}>
          {say("Back to columns")}
        </button>
        <OtherFile hasMended={mending.canUndo} />
        {ready > 0 && (
          <span className="dim small">
            {costOf(ready, mending.preview)}
            {wrong > 0 &&
              ` ${count(wrong, "The other one stays here; the report lists them.", "The {n} others stay here; the report lists them.")}`}
          </span>
        )}
      </div>
    </>
  );
}

function Headline({ check }: { check: CheckedStepProps["checked"]["check"] }) {
  const { rowsRead, ready, leftOut, seconds } = check;
  const wrong = rowsRead - ready - leftOut;
  const facts = [
    wrong > 0 && count(wrong, "{n} needs a look", "{n} need a look"),
    leftOut > 0 && count(leftOut, "{n} left out", "{n} left out"),
    wrong + leftOut === 0 && say("of {n}, checked in {time}", { n: formatNumber(rowsRead), time: formatSeconds(seconds) }),
  ].filter(Boolean);
  return (
    <div className="big">
      {ready === 0 ? say("No row is ready") : count(ready, "{n} row is ready", "{n} rows are ready")} <small>{facts.join(" · ")}</small>
    </div>
  );
}
