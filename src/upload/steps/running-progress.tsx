import { type ReactNode, useEffect, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import type { Progress } from "../../../pipeline/runs/upload-state.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { Notice } from "../../ui/primitives.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import * as textStyles from "../../ui/text.module.css";
import { formatSeconds } from "../../values/bytes-and-seconds.ts";
import { count, formatNumber } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import * as outcomeStyles from "../../values/outcome-bar.module.css";
import { Legend, OutcomeBar, type OutcomePart } from "../../values/outcome-bar.tsx";
import * as styles from "./running-progress.module.css";

/** `text`: a text from t() with {name}, without values. */
export function FileLine({ text, fileName }: { text: string; fileName: string }) {
  return (
    <p className={`${textStyles.dim} ${styles.fileLine}`}>
      <NameInSentence name={fileName} text={text} />
    </p>
  );
}

/** Shows the progress of an upload or undo, with pause and cancel. `children` are shown beside the buttons. */
export function RunningProgress({ progress, parts, inWords, children }: RunningProgressProps) {
  const { uploadManager } = useServices();
  const { isPaused, rowsDone, rowsTotal } = progress;
  return (
    <>
      <div className={outcomeStyles.figure}>
        <RowsDone progress={progress} />
        <OutcomeBar parts={parts} whole={rowsTotal} />
        <Legend parts={parts} />
        <Milestones done={rowsDone} whole={rowsTotal} inWords={inWords} />
      </div>
      <WaitNotice progress={progress} />
      <div className={formStyles.savebar}>
        <button
          type="button"
          className={isPaused ? buttonStyles.primary : undefined}
          onClick={isPaused ? uploadManager.resume : uploadManager.pause}
        >
          {isPaused ? t("Continue") : t("Pause")}
        </button>
        <button type="button" onClick={uploadManager.cancel}>
          {t("Cancel")}
        </button>
        {children}
      </div>
    </>
  );
}

/** Announces every tenth to screen readers. */
export function Milestones({ done, whole, inWords }: { done: number; whole: number; inWords: (percent: number) => string }) {
  const tenths = Math.floor((10 * done) / Math.max(1, whole));
  return (
    <span className={textStyles.hidden} role="status">
      {tenths > 0 ? inWords(tenths * 10) : ""}
    </span>
  );
}

interface RunningProgressProps {
  progress: Progress;
  parts: OutcomePart[];
  /** The announcement for a percentage. */
  inWords: (percent: number) => string;
  children?: ReactNode;
}

function RowsDone({ progress }: { progress: Progress }) {
  const { rowsDone, rowsTotal, rowsPerSecond, secondsLeft } = progress;
  const isWaiting = progress.isPaused || progress.waiting !== null;
  const facts = [
    count(rowsTotal, "of {n} row", "of {n} rows"),
    rowsPerSecond > 0 && !isWaiting && t("{n} rows/s", { n: formatNumber(Math.round(rowsPerSecond)) }),
    secondsLeft !== null && !isWaiting && t("{time} left", { time: formatSeconds(secondsLeft) }),
  ].filter(Boolean);
  return (
    <div className={outcomeStyles.headline}>
      {formatNumber(rowsDone)} <small>{facts.join(" · ")}</small>
    </div>
  );
}

/** Says why it is waiting. */
function WaitNotice({ progress: { waiting, isPaused } }: { progress: Progress }) {
  if (isPaused) {
    return (
      <Notice>
        <b>{t("Paused.")}</b> {waiting ? t("Nothing is being sent.") : t("Running requests will finish.")}{" "}
        {t("Continue whenever you like.")}
      </Notice>
    );
  }
  if (!waiting) return null;
  return (
    <Notice tone="doubt">
      <b>{waiting.why}</b>{" "}
      {waiting.until === null ? (
        t("Nothing is lost. It continues as soon as possible.")
      ) : (
        <RichText
          text={t("Nothing is lost. It continues {when}in a moment{/when}.")}
          parts={{ when: () => <Countdown until={waiting.until as number} /> }}
        />
      )}
    </Notice>
  );
}

function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  return <span aria-hidden="true">{seconds > 0 ? t("in {n} s", { n: seconds }) : t("now")}</span>;
}
