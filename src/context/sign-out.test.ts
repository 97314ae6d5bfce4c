import { afterEach, expect, test } from "vitest";
import { createSession } from "../api/session.ts";
import type { TabChannel } from "../api/tab-channel.ts";
import { createSignOut } from "./sign-out.ts";

afterEach(() => void Reflect.deleteProperty(globalThis, "indexedDB"));

/** A tab in which someone is signed in. Node has no IndexedDB: `drafts` says what becomes of deleting one. */
function tab({ stop = async () => {}, drafts = "gone" }: { stop?: () => Promise<void>; drafts?: "gone" | "forbidden" | "broken" } = {}) {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  let signedOutElsewhere = () => {};
  const tabs: TabChannel = {
    postSignedOut: note("told"),
    onSignedOut: (listener) => {
      signedOutElsewhere = listener;
    },
    signedOutAt: () => 0,
  };
  Object.assign(globalThis, { indexedDB: { deleteDatabase: () => deletion(drafts) } });
  const kept = new Map([["intake.token", "t"]]);
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  const session = createSession("http://127.0.0.1:1/v1", storage);
  const signOut = createSignOut({
    session,
    uploadManager: { stop },
    queries: { clear: note("queries") },
    selections: { clear: note("selections") },
    toasts: { dismiss: note("toasts") },
    tabs,
  });
  return { session, signOut, done, elsewhere: () => signedOutElsewhere() };
}

function deletion(became: "gone" | "forbidden" | "broken"): object {
  if (became === "forbidden") throw Object.assign(new Error("no"), { name: "SecurityError" });
  const request = { onsuccess: () => {}, onerror: () => {}, error: new Error("disk") };
  queueMicrotask(() => (became === "gone" ? request.onsuccess() : request.onerror()));
  return request;
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
};

test("signing out tells the other tabs and leaves nothing of the work in memory", async () => {
  const { session, signOut, done } = tab();
  await signOut.leave();
  expect([session.token(), done]).toEqual([undefined, ["told", "queries", "selections", "toasts"]]);
  expect(signOut.signingOut()).toEqual({ is: "gone", isElsewhere: false });
});

test("a tab that hears of it forgets as much, says so, and does not tell it on", async () => {
  const { session, signOut, done, elsewhere } = tab();
  elsewhere();
  await until(() => signOut.signingOut()?.is !== "going");
  expect([session.state(), done]).toEqual(["out", ["queries", "selections", "toasts"]]);
  expect(signOut.signingOut()).toEqual({ is: "gone", isElsewhere: true });
});

test("an upload is stopped first: until then the tab is still going, and its token is forgotten already", async () => {
  let ended = () => {};
  const { session, signOut, elsewhere } = tab({ stop: () => new Promise((resolve) => (ended = resolve)) });
  elsewhere();
  expect([session.token(), signOut.signingOut()?.is]).toEqual([undefined, "going"]);
  ended();
  await until(() => signOut.signingOut()?.is === "gone");
});

test("a tab in which nobody is signed in hears nothing", () => {
  const { session, signOut, done, elsewhere } = tab();
  session.signOut();
  elsewhere();
  expect([signOut.signingOut(), done]).toEqual([undefined, []]);
});

for (const [what, parts] of [
  ["a draft", { drafts: "broken" }],
  ["an upload", { stop: () => Promise.reject(new Error("disk")) }],
] as const) {
  test(`${what} that could not be forgotten is told, and everything else is forgotten all the same`, async () => {
    const { session, signOut, done } = tab(parts);
    await signOut.leave();
    expect([session.token(), done]).toEqual([undefined, ["told", "queries", "selections", "toasts"]]);
    expect(signOut.signingOut()?.is).toBe("kept");
  });
}

test("where the browser keeps nothing at all, nothing is left behind", async () => {
  const { signOut } = tab({ drafts: "forbidden" });
  await signOut.leave();
  expect(signOut.signingOut()?.is).toBe("gone");
});
