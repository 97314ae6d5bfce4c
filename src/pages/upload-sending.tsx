// Step 4: rows on their way: how many, how fast, how long still, and why it waits when it waits.

import { useEffect, useState } from "react";
import { formatNumber, formatSeconds } from "../ui/format.ts";
import { Legend, OutcomeBar } from "../ui/outcome-bar.tsx";
import { Notice } from "../ui/pieces.tsx";
import type { UploadState } from "../upload/run.ts";
import { useDeps } from "./deps.ts";
import { outcomeParts } from "./upload-outcomes.ts";

export function SendingStep({ state }: { state: Extract<UploadState, { step: "sending" }> }) {
  const { desk } = useDeps();
  const { counts, rowsTotal, rowsDone, rowsPerSecond, secondsLeft, waiting } = state;
  const parts = outcomeParts(counts);
  const facts = [
    `of ${formatNumber(rowsTotal)} rows`,
    rowsPerSecond > 0 && `${formatNumber(Math.round(rowsPerSecond))} rows/s`,
    secondsLeft !== null && `${formatSeconds(secondsLeft)} left`,
  ].filter(Boolean);
  return (
    <>
      <div className="figure">
        <div className="big">
          {formatNumber(rowsDone)} <small>{facts.join(" · ")}</small>
        </div>
        <OutcomeBar parts={parts} whole={rowsTotal} />
        <Legend parts={parts} />
        <Milestones done={rowsDone} whole={rowsTotal} verb="uploaded" />
      </div>
      {waiting && (
        <Notice tone="doubt">
          <b>{waiting.why}</b> Nothing is lost; it goes on by itself <Countdown until={waiting.until} />.
        </Notice>
      )}
      <div className="savebar">
        <button type="button" className="button" onClick={desk.cancel}>
          Cancel
        </button>
        <span className="dim small">You may go on working on other pages meanwhile; keep this tab open.</span>
      </div>
    </>
  );
}

/** Tells a screen reader at every tenth, and no oftener. */
export function Milestones({ done, whole, verb }: { done: number; whole: number; verb: string }) {
  const tenths = Math.floor((10 * done) / Math.max(1, whole));
  return (
    <span className="hidden" role="status">
      {tenths > 0 ? `${tenths * 10} % ${verb}` : ""}
    </span>
  );
}

function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  return <span aria-hidden="true">{seconds > 0 ? `in ${seconds} s` : "now"}</span>;
}
