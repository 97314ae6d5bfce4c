// Step 4: rows on their way: how many, how fast, how long still, and why it waits when it waits.

import { type ReactNode, useEffect, useState } from "react";
import { formatNumber, formatSeconds } from "../ui/format.ts";
import { type BarPart, Legend, OutcomeBar } from "../ui/outcome-bar.tsx";
import { Notice } from "../ui/pieces.tsx";
import type { Progress, UploadState } from "../upload/run.ts";
import { useDeps } from "./deps.ts";
import { outcomeParts } from "./upload-outcomes.ts";

export function PreparingStep() {
  return (
    <div className="figure">
      <div className="big">
        Making ready <small>a copy is kept in this browser, so that the upload can go on after a crash</small>
      </div>
    </div>
  );
}

export function SendingStep({ state, fileName }: { state: Extract<UploadState, { step: "sending" }>; fileName: string }) {
  return (
    <>
      <FileLine verb="Uploading" fileName={fileName} />
      <AtWork progress={state} parts={outcomeParts(state.counts)} verb="uploaded">
        <span className="dim small">You may go on working on other pages meanwhile; keep this tab open.</span>
      </AtWork>
    </>
  );
}

/** Which file it is about. */
export function FileLine({ verb, fileName }: { verb: string; fileName: string }) {
  return (
    <p className="dim file-line">
      {verb} <bdi>{fileName}</bdi>
    </p>
  );
}

/** Rows that are under way, whichever way: figures, why it waits, and how to stop it. `children` stand beside the buttons. */
export function AtWork({ progress, parts, verb, children }: { progress: Progress; parts: BarPart[]; verb: string; children?: ReactNode }) {
  const { desk } = useDeps();
  const { isPaused, rowsDone, rowsTotal } = progress;
  return (
    <>
      <div className="figure">
        <Figure progress={progress} />
        <OutcomeBar parts={parts} whole={rowsTotal} />
        <Legend parts={parts} />
        <Milestones done={rowsDone} whole={rowsTotal} verb={verb} />
      </div>
      <Wait progress={progress} />
      <div className="savebar">
        <button type="button" className={isPaused ? "button primary" : "button"} onClick={isPaused ? desk.resume : desk.pause}>
          {isPaused ? "Continue" : "Pause"}
        </button>
        <button type="button" className="button" onClick={desk.cancel}>
          Cancel
        </button>
        {children}
      </div>
    </>
  );
}

function Figure({ progress }: { progress: Progress }) {
  const { rowsDone, rowsTotal, rowsPerSecond, secondsLeft } = progress;
  const isHeld = progress.isPaused || progress.waiting !== null;
  const facts = [
    `of ${formatNumber(rowsTotal)} rows`,
    rowsPerSecond > 0 && !isHeld && `${formatNumber(Math.round(rowsPerSecond))} rows/s`,
    secondsLeft !== null && !isHeld && `${formatSeconds(secondsLeft)} left`,
  ].filter(Boolean);
  return (
    <div className="big">
      {formatNumber(rowsDone)} <small>{facts.join(" · ")}</small>
    </div>
  );
}

/** Why nothing goes on just now. */
function Wait({ progress: { waiting, isPaused } }: { progress: Progress }) {
  if (isPaused) {
    return (
      <Notice>
        <b>Paused.</b> {waiting ? "Nothing is under way." : "What is under way comes to its end."} Continue whenever you like.
      </Notice>
    );
  }
  if (!waiting) return null;
  return (
    <Notice tone="doubt">
      <b>{waiting.why}</b> Nothing is lost; it goes on by itself{" "}
      {waiting.until === null ? "as soon as it can" : <Countdown until={waiting.until} />}.
    </Notice>
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
