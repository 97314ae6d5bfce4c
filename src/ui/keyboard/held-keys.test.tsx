// Keys are held while what they are meant for opens, and are given up when it does not.

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { holdKeys, listenForHeldKeys } from "./held-keys.ts";

let seen: string[] = [];
const target = document.createElement("input");

/** Notes a made key; the keys that the page gets directly are those that somebody pressed. */
function note(event: KeyboardEvent): void {
  seen.push([event.isTrusted && "at once", event.key, event.repeat && "again"].filter(Boolean).join(" "));
  event.preventDefault();
}

beforeAll(() => {
  listenForHeldKeys();
});
beforeEach(() => {
  seen = [];
  document.body.append(target);
  target.focus();
  target.addEventListener("keydown", note);
});
afterEach(() => {
  dispatchEvent(new Event("pointerdown")); // nothing is held for the next test
  target.remove();
  vi.useRealTimers();
});

/** Presses keys as a person does: the browser trusts these events alone. */
function press(...keys: string[]): void {
  for (const key of keys) {
    const [name = "", repeat] = key.split(" ");
    const event = new KeyboardEvent("keydown", { key: name, repeat: repeat !== undefined, bubbles: true, cancelable: true });
    Object.defineProperty(event, "isTrusted", { value: true });
    target.dispatchEvent(event);
  }
}

/** Resolves when what was opened before has the focus, and the first key has been typed if it may be. */
async function untilDrawn(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  await import("./type-key.ts");
  await new Promise((resolve) => setTimeout(resolve));
}

const untilTyped = (...keys: string[]) => vi.waitFor(() => expect(seen).toEqual(keys), { timeout: 20_000 });

test("keys wait for all that opens one within the other, and none is typed before", async () => {
  const outer = holdKeys();
  const inner = holdKeys();
  press("a", "b", "Tab", "c");
  outer(true);
  await untilDrawn();
  expect(seen).toEqual([]);
  inner(true);
  await untilTyped("a", "b", "Tab", "c");
  press("d");
  await untilTyped("a", "b", "Tab", "c", "at once d");
});

test("a key that is held down stays one, so that it saves once", async () => {
  const release = holdKeys();
  press("s", "s repeat");
  release(true);
  await untilTyped("s", "s again");
});

test("what will not open drops the keys, and so does Escape, which then closes what opens", async () => {
  const failed = holdKeys();
  press("a");
  failed(false);
  await untilDrawn();
  const release = holdKeys();
  press("b", "Escape");
  release(true);
  await untilTyped("Escape");
});

test("keys are the page's again after 10 s without an answer, and what comes later drops none that were held since", async () => {
  vi.useFakeTimers();
  const hung = holdKeys();
  press("a");
  vi.advanceTimersByTime(9_999);
  press("b");
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(1);
  press("c");
  expect(seen).toEqual(["at once c"]);
  vi.useRealTimers();
  const next = holdKeys();
  press("d");
  hung(false);
  await untilDrawn();
  next(true);
  await untilTyped("at once c", "d");
});
