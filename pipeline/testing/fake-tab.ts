// For tests: a tab that dies in the middle of an upload.

import { runUpload, type UploadJob } from "../runs/run-upload.ts";
import type { BatchLog } from "../sending/journal.ts";
import type { PostBatch } from "../sending/responses.ts";
import type { FakeService } from "./fake-service.ts";

/** A tab that dies with its `at`-th request in flight: what it would still write or receive is lost. */
export function dyingTab(
  service: FakeService,
  log: BatchLog,
  at: number,
  arrives: boolean,
): Pick<UploadJob, "postBatch" | "log"> & { died: Promise<void> } {
  let die = (): void => undefined;
  let isDead = false;
  let calls = 0;
  const died = new Promise<void>((resolve) => (die = resolve));
  const postBatch: PostBatch = async (...batch) => {
    const isLast = calls++ === at;
    if (isDead) return new Promise(() => undefined);
    const answer = isLast && !arrives ? undefined : await service.postBatch(...batch);
    if (isLast) {
      isDead = true;
      die();
    }
    return answer && !isDead ? answer : new Promise(() => undefined);
  };
  const keep: BatchLog["keep"] = (...entry) => (isDead ? new Promise(() => undefined) : log.keep(...entry));
  return { postBatch, log: { from: log.from, keep }, died };
}

export async function runUntil(died: Promise<void>, job: UploadJob): Promise<void> {
  const states = runUpload(job);
  const run = (async () => {
    for await (const _ of states);
  })();
  await Promise.race([died, run]);
  void states.return(undefined);
}
