// Saves again by itself after the service asked to wait, with what is typed by then.

import { useRef } from "react";
import { type WaitReason, waitAfter } from "../../ui/countdown.tsx";
import type { Texts } from "../../values/field-text.ts";
import type { AfterSave, SaveResult } from "./save-result.ts";

/** `tries`: the number of attempts; each starts a new countdown. */
export interface SaveWait {
  wait: WaitReason;
  seconds: number;
  tries: number;
}

export interface RetrySave {
  schedule(answer: Extract<SaveResult, { wait: unknown }>, then: AfterSave): SaveWait;
  end(): void;
  isScheduled(): boolean;
  /** Must be stable between renders. */
  retryNow: () => void;
}

export function useRetrySave(getTexts: () => Texts, press: (then: AfterSave, isAgain: true) => Promise<void>): RetrySave {
  const attempt = useRef<{ then: AfterSave; texts: string; tries: number }>(undefined);
  const textsNow = () => JSON.stringify(getTexts());
  const latest = useRef(() => {});
  latest.current = () => {
    const { then = "stay", texts } = attempt.current ?? {};
    // A user who has typed on stays on the page.
    void press(texts === textsNow() ? then : "stay", true);
  };
  return {
    schedule({ wait, seconds }, then) {
      const tries = (attempt.current?.tries ?? 0) + 1;
      attempt.current = { then, texts: textsNow(), tries };
      return { wait, seconds: waitAfter(seconds, tries), tries };
    },
    end() {
      attempt.current = undefined;
    },
    isScheduled: () => attempt.current !== undefined,
    retryNow: useRef(() => latest.current()).current,
  };
}
