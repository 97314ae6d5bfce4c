// What a page says while the service cannot be reached or asks to wait; it tries again by itself and counts down to it.

import { useEffect, useState } from "react";
import { ApiError, NoReply } from "../api/client.ts";
import { useFocusReturn } from "../ui/focus-return.ts";
import { Failure, Notice } from "../ui/pieces.tsx";

const LONGEST_WAIT = 30; // seconds

interface TroubleProps {
  error: Error;
  /** How often it has failed; each time without a word from the service the wait doubles. */
  failures: number;
  isTrying: boolean;
  /** The same function at every drawing. */
  retry: () => unknown;
}

export function Trouble({ error, failures, isTrying, retry }: TroubleProps) {
  if (!isPassing(error)) return <Failure error={error} retry={() => void retry()} />;
  // A new failure begins a new countdown.
  return <Countdown key={failures} error={error} seconds={waitAfter(error, failures)} isTrying={isTrying} retry={retry} />;
}

function Countdown({ error, seconds, isTrying, retry }: Omit<TroubleProps, "failures"> & { seconds: number }) {
  useFocusReturn();
  const isOffline = useOffline(retry);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (isTrying || isOffline) return;
    const timer = setTimeout(() => (left > 1 ? setLeft(left - 1) : retry()), 1_000);
    return () => clearTimeout(timer);
  }, [left, isTrying, isOffline, retry]);
  return (
    <Notice tone="doubt">
      <b>{isOffline ? "You are offline." : headline(error)}</b> {isOffline ? "It goes on when the connection is back." : detail(error)}
      <div className="actions">
        <button type="button" className="button" aria-disabled={isTrying} onClick={() => !isTrying && retry()}>
          Try now
        </button>
        {/* Second by second for the eye only: a screen reader would say nothing else. */}
        <span className="dim" aria-hidden="true">
          {isTrying ? "Trying…" : isOffline ? "" : `Trying again in ${left} s`}
        </span>
      </div>
    </Notice>
  );
}

function headline(error: Error): string {
  if (error instanceof NoReply) return "The service cannot be reached.";
  return error instanceof ApiError && error.status === 429 ? "Too many requests at once." : "The service is busy.";
}

function detail(error: Error): string {
  return error instanceof NoReply
    ? "What is shown may be old. It is tried again by itself."
    : "Nothing is lost. It is tried again by itself.";
}

function isPassing(error: Error): boolean {
  return error instanceof NoReply || (error instanceof ApiError && (error.status === 429 || error.status >= 500));
}

/** Seconds: as the service says, else 2, 4, 8, … */
function waitAfter(error: Error, failures: number): number {
  const asked = error instanceof ApiError ? error.retryAfter : null;
  return asked ?? Math.min(LONGEST_WAIT, 2 ** Math.max(1, failures));
}

/** Calls `onBack` when the connection is there again. */
function useOffline(onBack: () => unknown): boolean {
  const [isOffline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const follow = () => {
      setOffline(!navigator.onLine);
      if (navigator.onLine) onBack();
    };
    window.addEventListener("online", follow);
    window.addEventListener("offline", follow);
    return () => {
      window.removeEventListener("online", follow);
      window.removeEventListener("offline", follow);
    };
  }, [onBack]);
  return isOffline;
}
