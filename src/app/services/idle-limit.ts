// Ends a person's session when nobody has used it for too long, and tells the service of use.

import type { Client } from "../../../client/http-client.ts";
import { ME_PATH } from "../../../core/contract/paths.ts";
import { type Activity, reportEvery } from "../../service/activity.ts";
import type { TabSession } from "../../service/session.ts";

const LONGEST_TIMER_MS = 3_600_000;

/** Asks for a sign-in over the page once the time is over, also when the computer slept meanwhile. `page`: the document. */
export function watchIdleLimit(session: TabSession, activity: Activity, client: Pick<Client, "request">, page: EventTarget): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reportedAt = Date.now();
  function check(): void {
    clearTimeout(timer);
    const idleMs = session.idleMs();
    if (idleMs === undefined || session.state() !== "signedIn") return;
    const left = activity.lastAt() + idleMs - Date.now();
    if (left <= 0) session.expire();
    else timer = setTimeout(check, Math.min(left, LONGEST_TIMER_MS));
  }
  /** Whoever types for long, or reads a long page, causes no request. */
  function report(): void {
    const idleMs = session.idleMs();
    if (idleMs === undefined || session.state() !== "signedIn" || Date.now() - reportedAt < reportEvery(idleMs)) return;
    reportedAt = Date.now();
    client.request("HEAD", ME_PATH).catch(() => {
      reportedAt = 0; // what is done next tells it
    });
  }
  session.subscribe(check);
  page.addEventListener("visibilitychange", check);
  activity.subscribe(() => {
    check(); // what comes after the limit is not use of the session any more
    queueMicrotask(report); // once it is noted, so that it counts
  });
  check();
}
