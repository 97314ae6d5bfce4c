import { ApiError, NoReply } from "../../client/http-client.ts";
import { Countdown, type WaitReason, waitAfter } from "../components/countdown.tsx";
import { Failure } from "../components/primitives.tsx";

interface ErrorRetryProps {
  error: Error;
  /** How often it has failed; each time without a word from the service the wait doubles. */
  failures: number;
  isTrying: boolean;
  /** The same function at every drawing. */
  retry: () => unknown;
}

export function ErrorRetry({ error, failures, isTrying, retry }: ErrorRetryProps) {
  const why = waitReason(error);
  if (!why) return <Failure error={error} retry={() => void retry()} />;
  const retryAfter = error instanceof ApiError ? error.retryAfter : null;
  // A new failure begins a new countdown.
  return <Countdown key={failures} why={why} seconds={waitAfter(retryAfter, failures)} isTrying={isTrying} retry={retry} />;
}

function waitReason(error: Error): WaitReason | undefined {
  if (error instanceof NoReply) return "noReply";
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429) return "tooMany";
  return error.status >= 500 ? "busy" : undefined;
}
