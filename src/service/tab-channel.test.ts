import { expect, test, vi } from "vitest";
import { openTabChannel } from "./tab-channel.ts";

const NO_BROADCAST = { BroadcastChannel: undefined };

/** The tabs of one origin: what one writes into the shared storage reaches the others as a storage event. */
function browser(count: number, more: object) {
  const entries = new Map<string, string>();
  const tabs = Array.from({ length: count }, () => Object.assign(new EventTarget(), more));
  return tabs.map((target) => ({
    target,
    storage: {
      getItem: (name: string) => entries.get(name) ?? null,
      setItem(name: string, value: string) {
        entries.set(name, value);
        for (const other of tabs) if (other !== target) other.dispatchEvent(Object.assign(new Event("storage"), { key: name }));
      },
    },
  }));
}

for (const [how, more] of [
  ["by broadcast", { BroadcastChannel }],
  ["by the storage event where there is no broadcast", NO_BROADCAST],
] as const) {
  test(`a sign-out reaches every other tab of the same service ${how}`, async () => {
    const received: string[] = [];
    const [here, there, third, elsewhere] = browser(4, more).map(({ target, storage }, i) =>
      openTabChannel(`${how} ${i === 3 ? "other" : "this"}`, target, storage),
    );
    const [one, two] = [there, third].map((tab) => new Promise<string | undefined>((resolve) => tab?.onSignedOut(resolve)));
    here?.onSignedOut(() => received.push("itself"));
    elsewhere?.onSignedOut(() => received.push("another service"));
    here?.postSignedOut("anna");
    expect(await Promise.all([one, two])).toEqual(Array(2).fill("BroadcastChannel" in more && more.BroadcastChannel ? "anna" : undefined));
    expect(received).toEqual([]);
    expect(there?.signedOutAt()).toBeGreaterThan(0);
    expect(elsewhere?.signedOutAt()).toBe(0);
  });
}

test("a sign-out is later than the one before, also when the clock was set back between them", () => {
  const [one] = browser(1, { BroadcastChannel });
  const tab = openTabChannel("set back", one?.target as EventTarget, one?.storage as Storage);
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2400, 0));
  tab.postSignedOut("anna");
  const first = tab.signedOutAt();
  clock.mockRestore();
  tab.postSignedOut("anna");
  expect(tab.signedOutAt()).toBeGreaterThan(first);
});

test("a sign-out reaches open tabs in a browser without storage", async () => {
  const refuse = () => {
    throw new Error("QuotaExceededError");
  };
  const open = () =>
    openTabChannel("keeps nothing", Object.assign(new EventTarget(), { BroadcastChannel }), { getItem: refuse, setItem: refuse });
  const [here, there] = [open(), open()];
  const received = new Promise<string | undefined>((resolve) => there.onSignedOut(resolve));
  here.postSignedOut("anna");
  await received;
  expect(here.signedOutAt()).toBe(0);
});
