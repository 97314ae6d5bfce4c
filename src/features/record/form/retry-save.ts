// A save that the service asks to wait with: it goes again by itself, with what is typed by then. Counts nothing down.

import { useRef } from "react";
import { type Hindrance, waitAfter } from "../../../components/countdown.tsx";
import type { Texts } from "../../../fields/field-text.ts";
import type { SaveAnswer, Then } from "./save-result.ts";

/** `tries`: how many there were; each is counted down to anew. */
export interface Wait {
  wait: Hindrance;
  seconds: number;
  tries: number;
}

export interface RetrySave {
  begin(answer: Extract<SaveAnswer, { wait: unknown }>, then: Then): Wait;
  end(): void;
  isOn(): boolean;
  /** The same function at every drawing. */
  goAgain: () => void;
}

export function useRetrySave(getTexts: () => Texts, press: (then: Then, isAgain: true) => Promise<void>): RetrySave {
  const held = useRef<{ then: Then; texts: string; tries: number }>(undefined);
  const textsNow = () => JSON.stringify(getTexts());
  const latest = useRef(() => {});
  latest.current = () => {
    const { then = "stay", texts } = held.current ?? {};
    // Whoever has typed on since stays with what is typed.
    void press(texts === textsNow() ? then : "stay", true);
  };
  return {
    begin({ wait, seconds }, then) {
      const tries = (held.current?.tries ?? 0) + 1;
      held.current = { then, texts: textsNow(), tries };
      return { wait, seconds: waitAfter(seconds, tries), tries };
    },
    end() {
      held.current = undefined;
    },
    isOn: () => held.current !== undefined,
    goAgain: useRef(() => latest.current()).current,
  };
}
