// Decides for one upload when to send, to wait, to retry and to give up.

import { message, t } from "../../core/i18n/translate.ts";
import type { Clock } from "../model/clock.ts";
import { Concurrency } from "./concurrency.ts";
import { type PauseReason, Pauses } from "./pauses.ts";

export interface Waiting {
  /** A sentence. */
  why: string;
  /** Epoch ms; null when it depends on someone: a pause, a lost connection. */
  until: number | null;
}

/** The failed attempts of one batch since its last success. */
export interface FailureStreak {
  since: number | undefined; // epoch ms
  tries: number;
}

const FIRST_WAIT = 500; // ms; doubled with every try
const LONGEST_WAIT = 30_000; // ms
const GIVE_UP = 300_000; // ms of errors without a success
const LAST_WORDS = 10_000; // ms that requests in flight get after the end

export class Scheduler {
  /** Says in a sentence why the upload was stopped; undefined while it is not. A cancel is no stop. */
  why: string | undefined;
  /** It was stopped because nobody signed in again. */
  isSignedOut = false;
  readonly concurrency: Concurrency;
  readonly #clock: Clock;
  readonly #pauses: Pauses;
  readonly #changed: () => void;
  readonly #over = new AbortController(); // nothing more is sent
  readonly #cut = new AbortController(); // requests in flight are aborted
  readonly #closed = new AbortController();
  readonly #asleep = new Map<object, { why: string; until: number }>();
  #waitUntil = 0; // epoch ms; set by the service's Retry-After, for all batches
  #inFlight = 0;
  #lastAnswer = Number.NEGATIVE_INFINITY;
  #wellSince = Number.NEGATIVE_INFINITY; // end of the last pause: time before it does not count towards giving up

  constructor(clock: Clock, cancel: AbortSignal, changed: () => void, pauses = new Pauses(), concurrency = new Concurrency()) {
    this.concurrency = concurrency;
    this.#clock = clock;
    this.#changed = changed;
    this.#pauses = pauses;
    pauses.listen(changed, this.#closed.signal);
    if (cancel.aborted) this.#end();
    else cancel.addEventListener("abort", () => this.#end(), { signal: this.#closed.signal });
  }

  /** Returns epoch ms. */
  now(): number {
    return this.#clock.now();
  }

  /** Aborts when nothing more may be sent: cancelled or stopped. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Some batch has got its results. */
  get hasAnswer(): boolean {
    return this.#lastAnswer !== Number.NEGATIVE_INFINITY;
  }

  /** Is set when no request is in flight because all are waiting. */
  get waiting(): Waiting | null {
    if (this.#inFlight > 0) return null;
    const pause = this.#pauses.why;
    if (pause) return { why: t(PAUSED[pause]), until: null };
    return [...this.#asleep.values()].sort((a, b) => a.until - b.until)[0] ?? null;
  }

  /** Runs a request as soon as user, network and service allow it. Undefined, without running it, when the upload is over. */
  async run<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    while (!this.over.aborted) {
      if (this.#waitUntil - this.#clock.now() > GIVE_UP) this.#waitUntil = 0; // the clock was set back: nobody asks for so long a pause
      if (this.#pauses.why) await this.#untilLifted();
      else if (this.#waitUntil > this.#clock.now()) await this.#sleep({ why: t(WAITING), until: this.#waitUntil });
      else break;
    }
    if (this.over.aborted) return undefined;
    this.#inFlight++;
    try {
      return await request(this.#cut.signal);
    } finally {
      this.#inFlight--;
    }
  }

  answered(): void {
    this.#lastAnswer = this.#clock.now();
    this.concurrency.answered();
  }

  /**
   * Waits before another attempt: exponential backoff with full jitter, and never less than `retryAfter` (seconds), which then
   * holds for the whole upload. False when there is no other attempt; if no other batch succeeds either, that stops the upload.
   */
  async backOff(streak: FailureStreak, why: string, retryAfter: number | null): Promise<boolean> {
    const now = this.#clock.now();
    streak.since = Math.max(streak.since ?? now, this.#wellSince);
    const wanted = (retryAfter ?? 0) * 1000;
    if (wanted > GIVE_UP) {
      this.stop(t("The service asked us to wait {n} minutes.", { n: Math.ceil(wanted / 60_000) }));
      return false;
    }
    this.#waitUntil = Math.max(this.#waitUntil, now + wanted);
    const wait = Math.max(this.#clock.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** streak.tries), this.#waitUntil - now);
    streak.tries++;
    if (now + wait - streak.since > GIVE_UP) {
      if (this.#lastAnswer <= streak.since) this.stop(`${why} ${t("This lasted {n} minutes.", { n: GIVE_UP / 60_000 })}`);
      return false;
    }
    await this.#sleep({ why: this.#waitUntil >= now + wait ? t(WAITING) : why, until: now + wait });
    return !this.over.aborted;
  }

  /** Ends the upload for a reason. The first reason stays. */
  stop(why: string, isSignedOut = false): void {
    if (this.over.aborted) return;
    this.why = why;
    this.isSignedOut = isSignedOut;
    this.#end();
  }

  /** Ends everything that still waits. */
  close(): void {
    this.#closed.abort();
    this.#over.abort();
    this.#cut.abort();
  }

  #end(): void {
    this.#over.abort();
    this.#clock.sleep(LAST_WORDS, this.#closed.signal).then(() => this.#cut.abort());
  }

  async #untilLifted(): Promise<void> {
    this.#changed();
    await new Promise<void>((resolve) => {
      const lifted = new AbortController();
      const inspection = (): void => {
        if (this.#pauses.why && !this.over.aborted) return;
        lifted.abort();
        resolve();
      };
      this.#pauses.listen(inspection, lifted.signal);
      this.over.addEventListener("abort", inspection, { signal: lifted.signal });
      inspection();
    });
    this.#wellSince = this.#clock.now();
  }

  async #sleep(waiting: { why: string; until: number }): Promise<void> {
    const me = {};
    this.#asleep.set(me, waiting);
    this.#changed();
    await this.#clock.sleep(waiting.until - this.#clock.now(), this.over);
    this.#asleep.delete(me);
    this.#changed();
  }
}

const PAUSED: Record<PauseReason, string> = {
  paused: message("You paused this upload."),
  offline: message("This computer is offline."),
};
const WAITING = message("The service asked us to wait.");
