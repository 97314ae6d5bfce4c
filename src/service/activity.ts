// Notes when somebody last acted in any tab of this app: without it a person's session ends.

const INPUTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"];
const NOTED_EVERY_MS = 1_000;

export interface Activity {
  /** Returns epoch milliseconds: as long as nobody has done anything, those when this page was opened. */
  lastAt(): number;
  /** Says whether somebody has done something in the last `ms` milliseconds. To open a page is not enough: a page may reload by itself. */
  wasWithin(ms: number): boolean;
  /** Somebody does something now. Input notes it by itself; a running upload does it for whoever has begun it. */
  note(): void;
  /** Calls `listener` before something is noted, at most once a second. */
  subscribe(listener: () => void): void;
}

/** `service`: the address of the service; other apps of this host have their own. `target`: the window. */
export function createActivity(service: string, target: EventTarget, storage: Pick<Storage, "getItem" | "setItem">): Activity {
  const key = `intake.active ${service}`;
  const openedAt = Date.now();
  const listeners: (() => void)[] = [];
  let own = 0;
  /** A clock that was set back must not keep a session open. */
  const ofAllTabs = () => Math.min(Date.now(), Math.max(own, Number(storage.getItem(key)) || 0));
  function note(): void {
    if (Date.now() - own < NOTED_EVERY_MS) return;
    for (const listener of listeners) listener();
    own = Date.now();
    try {
      storage.setItem(key, String(own));
    } catch {
      // The storage is full: the other tabs do not know of it.
    }
  }
  for (const type of INPUTS) target.addEventListener(type, note, { capture: true, passive: true });
  return {
    lastAt: () => Math.max(openedAt, ofAllTabs()),
    wasWithin: (ms) => Date.now() - ofAllTabs() < ms,
    note,
    subscribe: (listener) => void listeners.push(listener),
  };
}

/**
 * Says for how many ms something that somebody did still explains a request, and how often the service is told of it: it counts the time
 * without use by what it is told.
 */
export function reportEvery(idleMs = Number.POSITIVE_INFINITY): number {
  return Math.min(60_000, idleMs / 10);
}
