// A save that got no answer is looked for by itself: when the network is back, and after longer and longer whiles.

import { useEffect, useRef } from "react";
import type { SaveAnswer, Then } from "./save-result.ts";

const WAITS_S = [2, 3, 5, 10, 20]; // and then as often as the last one says

/** What was sent, to compare with what is typed by the time an answer comes. */
export interface Attempt<Sent> {
  sent: Sent;
  then: Then;
}

interface Open<Sent> {
  find: () => Promise<SaveAnswer>;
  attempt: Attempt<Sent>;
}

export interface LostReply<Sent> {
  /** There is something to look for, or not any more. */
  become(open: Open<Sent> | undefined): void;
  /** Looks now, once for all who ask meanwhile; undefined when there is nothing to look for. */
  findOut(then: Then): Promise<SaveAnswer | undefined>;
}

export function useLostReply<Sent>(answered: (answer: SaveAnswer, attempt: Attempt<Sent>) => void, isWaiting: boolean): LostReply<Sent> {
  const open = useRef<Open<Sent>>(undefined);
  const finding = useRef<Promise<SaveAnswer | undefined>>(undefined);

  const wanted = useRef<Then>("stay"); // what was pressed last, also while it is being looked

  async function inspection(): Promise<SaveAnswer | undefined> {
    const held = open.current;
    if (!held) return undefined;
    const answer = await held.find();
    const then = wanted.current;
    answered(answer, { ...held.attempt, then });
    return answer;
  }

  function findOut(then: Then): Promise<SaveAnswer | undefined> {
    if (!finding.current || then !== "stay") wanted.current = then;
    finding.current ??= inspection().finally(() => {
      finding.current = undefined;
    });
    return finding.current;
  }

  useAgain(isWaiting, () => findOut("stay"));
  return {
    become(next) {
      open.current = next;
    },
    findOut,
  };
}

function useAgain(isOn: boolean, again: () => Promise<unknown>): void {
  const latest = useRef(again);
  latest.current = again;
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
