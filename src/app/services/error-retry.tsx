import { ApiError, NoReply } from "../../../client/errors.ts";
import { Countdown, type WaitReason, waitAfter } from "../../ui/countdown.tsx";
import { Failure } from "../../ui/primitives.tsx";

interface ErrorRetryProps {
  error: Error;
  /** The number of failures so far. Without Retry-After the wait doubles each time. */
  failures: number;
  isTrying: boolean;
  /** Must be stable between renders. */
  retry: () => unknown;
}

export function ErrorRetry({ error, failures, isTrying, retry }: ErrorRetryProps) {
  const why = waitReason(error);
  if (!why) return <Failure error={error} retry={() => void retry()} />;
  const retryAfter = error instanceof ApiError ? error.retryAfter : null;
  // Each failure starts a new countdown.
  return <Countdown key={failures} why={why} seconds={waitAfter(retryAfter, failures)} isTrying={isTrying} retry={retry} />;
}

function waitReason(error: Error): WaitReason | undefined {
  if (error instanceof NoReply) return "noReply";
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429) return "tooMany";
  return error.status >= 500 ? "busy" : undefined;
}
