// Logs the end of each view of an administrator that nobody has ended: it has expired, or its session or a right has.

import { setTimeout as sleep } from "node:timers/promises";
import { type ReportWork, unattended } from "../../engine/background.ts";
import type { People } from "../store/people.ts";
import { logServiceEvent, type ServiceLog } from "./security-events.ts";
import type { SessionSettings } from "./sessions.ts";

const EVERY = 60_000; // ms

/** Goes on until the signal is aborted. Several processes may look at one store. */
export function createViewEnder(
  people: Pick<People, "takeEndedViews">,
  { idleMinutes }: Pick<SessionSettings, "idleMinutes">,
  log: ServiceLog,
  report: ReportWork,
  every = EVERY,
) {
  return async (signal: AbortSignal): Promise<void> => {
    // The sleep is only aborted.
    while (await sleep(every, true, { signal, ref: false }).catch(() => false)) {
      const ended = await unattended("views", report, () => people.takeEndedViews(Date.now(), idleMinutes * 60_000));
      for (const { viewer, viewed, reason } of ended ?? [])
        logServiceEvent(log, "view ended", { ...(viewer && { by: `user ${viewer}` }), target: viewed, reason });
    }
  };
}
