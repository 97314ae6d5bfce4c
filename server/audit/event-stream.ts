// Sends the security events of the log to a receiver, in their order, and keeps those that it does not take yet.

import type { ServiceLog } from "../people/auth/security-events.ts";
import { type OcsfEvent, readSecurityLine } from "./ocsf.ts";

/** Resolves when the receiver has the events. Rejects when it does not, or perhaps does not: they are sent again then. */
export type SendEvents = (events: readonly OcsfEvent[], signal: AbortSignal) => Promise<void>;

export interface EventStream {
  /** Takes each line of the log, as it is written. */
  hear(line: string): void;
  /** Tells there that the receiver is away, is there again, or has missed events. */
  logTo(log: ServiceLog): void;
  /** Sends what waits, for so many ms, and ends. */
  close(within: number): Promise<void>;
}

const AT_ONCE = 100; // events of a message
const MOST_WAITING = 10_000; // events in memory, some 10 MB; the log on standard output has all
const LONGEST_PAUSE = 60_000; // ms

/** `pause`: ms after the first failure; each further one doubles it. */
export function createEventStream(send: SendEvents, { pause = 1_000, most = MOST_WAITING } = {}): EventStream {
  const waiting: OcsfEvent[] = [];
  const stop = new AbortController();
  let log: ServiceLog | undefined;
  let [failures, missed]: [number, number] = [0, 0];
  let sending: Promise<void> | undefined;
  let wake: () => void = () => undefined;

  async function sendAll(): Promise<void> {
    while (waiting.length > 0 && !stop.signal.aborted) {
      const events = waiting.splice(0, AT_ONCE);
      try {
        await send(events, stop.signal);
        if (failures > 0) log?.warn({ missed }, "the receiver of AUDIT_STREAM takes security events again");
        [failures, missed] = [0, 0];
      } catch (error) {
        waiting.unshift(...events);
        forgetOldest();
        if (stop.signal.aborted) return;
        if (failures++ === 0) log?.error({ err: error }, "the receiver of AUDIT_STREAM does not take security events: they wait");
        await rest(Math.min(LONGEST_PAUSE, pause * 2 ** (failures - 1)));
      }
    }
  }

  /** Ends early with the stream, whose last try then comes at once. */
  async function rest(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function forgetOldest(): void {
    const tooMany = waiting.length - most;
    if (tooMany <= 0) return;
    waiting.splice(0, tooMany);
    if (missed === 0) log?.error({ most }, "too many security events wait for the receiver of AUDIT_STREAM: it misses the oldest");
    missed += tooMany;
  }

  return {
    hear(line) {
      const event = readSecurityLine(line);
      if (!event || stop.signal.aborted) return;
      waiting.push(event);
      forgetOldest();
      sending ??= sendAll().finally(() => {
        sending = undefined;
      });
    },
    logTo(to) {
      log = to;
    },
    async close(within) {
      wake();
      const timer = setTimeout(() => {
        stop.abort();
        wake();
      }, within);
      await sending;
      clearTimeout(timer);
      stop.abort();
      if (waiting.length > 0) log?.error({ missed: waiting.length }, "the receiver of AUDIT_STREAM misses security events");
    },
  };
}
