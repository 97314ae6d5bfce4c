// Finds out whether a save without a reply was stored: when the network is back, and after growing pauses.

import { useEffect, useRef } from "react";
import type { AfterSave, SaveResult } from "./save-result.ts";

const WAITS_S = [2, 3, 5, 10, 20]; // the last one repeats

/** Holds what was sent, to compare with what is typed by the time the result arrives. */
export interface Attempt<Sent> {
  sent: Sent;
  then: AfterSave;
}

interface PendingSave<Sent> {
  find: () => Promise<SaveResult>;
  attempt: Attempt<Sent>;
}

export interface LostReply<Sent> {
  /** Sets the save to look up; undefined when there is none. */
  track(open: PendingSave<Sent> | undefined): void;
  /** Looks up now; concurrent calls share one request. Undefined when there is nothing to look up. */
  lookUp(then: AfterSave): Promise<SaveResult | undefined>;
}

export function useLostReply<Sent>(
  onResult: (answer: SaveResult, attempt: Attempt<Sent>) => Promise<void> | undefined,
  isWaiting: boolean,
): LostReply<Sent> {
  const open = useRef<PendingSave<Sent>>(undefined);
  const lookingUp = useRef<Promise<SaveResult | undefined>>(undefined);

  const pressed = useRef<AfterSave>("stay"); // the button that was pressed last, also during a look-up

  async function lookUpNow(): Promise<SaveResult | undefined> {
    const pending = open.current;
    if (!pending) return undefined;
    const answer = await pending.find();
    const then = pressed.current;
    await onResult(answer, { ...pending.attempt, then });
    return answer;
  }

  function lookUp(then: AfterSave): Promise<SaveResult | undefined> {
    if (!lookingUp.current || then !== "stay") pressed.current = then;
    lookingUp.current ??= lookUpNow().finally(() => {
      lookingUp.current = undefined;
    });
    return lookingUp.current;
  }

  useRepeat(isWaiting, () => lookUp("stay"));
  return {
    track(next) {
      open.current = next;
    },
    lookUp,
  };
}

function useRepeat(isOn: boolean, repeat: () => Promise<unknown>): void {
  const latest = useRef(repeat);
  latest.current = repeat;
  useEffect(() => {
    if (!isOn) return;
    let [tries, timer, isOver] = [0, 0, false];
    const plan = () => {
      if (!isOver) timer = window.setTimeout(() => latest.current().finally(plan), 1_000 * (WAITS_S[tries++] ?? 20));
    };
    const now = () => void latest.current();
    plan();
    window.addEventListener("online", now);
    return () => {
      isOver = true;
      clearTimeout(timer);
      window.removeEventListener("online", now);
    };
  }, [isOn]);
}
