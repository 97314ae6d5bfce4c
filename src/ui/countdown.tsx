// Shown while the service cannot be reached or asks to wait: counts down to the next automatic retry.

import { useEffect, useState } from "react";
import { message, t } from "../../core/i18n/translate.ts";
import { useFocusFallback } from "./focus/restore-focus.ts";
import * as noticeStyles from "./notice.module.css";
import { Notice } from "./primitives.tsx";
import * as textStyles from "./text.module.css";

export type WaitReason = "noReply" | "tooMany" | "busy";

interface CountdownProps {
  why: WaitReason;
  /** Counts down to the next retry, from when the component is mounted. */
  seconds: number;
  isTrying: boolean;
  /** Must be stable between renders. */
  retry: () => unknown;
}

const HEADLINES: Record<WaitReason, string> = {
  noReply: message("The service cannot be reached."),
  tooMany: message("Too many requests at once."),
  busy: message("The service is busy."),
};

const DETAILS: Record<WaitReason, string> = {
  noReply: message("What you see may be out of date. The app keeps trying."),
  tooMany: message("Nothing is lost. The app keeps trying."),
  busy: message("Nothing is lost. The app keeps trying."),
};

export function Countdown({ why, seconds, isTrying, retry }: CountdownProps) {
  useFocusFallback();
  const isOffline = useOffline(retry);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (isTrying || isOffline) return;
    const timer = setTimeout(() => (left > 1 ? setLeft(left - 1) : retry()), 1_000);
    return () => clearTimeout(timer);
  }, [left, isTrying, isOffline, retry]);
  return (
    <Notice tone="doubt">
      <b>{isOffline ? t("You are offline.") : t(HEADLINES[why])}</b>{" "}
      {isOffline ? t("The app continues when the connection is back.") : t(DETAILS[why])}
      <div className={noticeStyles.actions}>
        <button type="button" aria-disabled={isTrying} onClick={() => !isTrying && retry()}>
          {t("Try now")}
        </button>
        {/* Hidden from screen readers, which would announce every second. */}
        <span className={textStyles.dim} aria-hidden="true">
          {isTrying ? t("Trying…") : isOffline ? "" : t("Trying again in {left} s", { left })}
        </span>
      </div>
    </Notice>
  );
}

const MAX_WAIT = 30; // seconds

/** Seconds: what the service asked for, else 2, 4, 8, … */
export function waitAfter(retryAfter: number | null, failures: number): number {
  return retryAfter ?? Math.min(MAX_WAIT, 2 ** Math.max(1, failures));
}

/** Calls `onBack` when the connection is back. */
function useOffline(onBack: () => unknown): boolean {
  const [isOffline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const onChange = () => {
      setOffline(!navigator.onLine);
      if (navigator.onLine) onBack();
    };
    window.addEventListener("online", onChange);
    window.addEventListener("offline", onChange);
    return () => {
      window.removeEventListener("online", onChange);
      window.removeEventListener("offline", onChange);
    };
  }, [onBack]);
  return isOffline;
}
