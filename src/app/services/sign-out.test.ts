import { afterEach, expect, test } from "vitest";
import { createSession } from "../../service/session.ts";
import type { TabChannel } from "../../service/tab-channel.ts";
import { createSignOut } from "./sign-out.ts";

afterEach(() => void Reflect.deleteProperty(globalThis, "indexedDB"));

/** A tab in which someone is signed in. Node has no IndexedDB: `drafts` says how reading and deleting them ends. */
function tab({
  stop = async () => {},
  drafts = "gone",
  owner = "anna",
}: {
  stop?: () => Promise<void>;
  drafts?: "gone" | "forbidden" | "broken";
  owner?: string;
} = {}) {
  const done: string[] = [];
  const record = (what: string) => () => void done.push(what);
  let signedOutElsewhere = (_: string | undefined) => {};
  const tabs: TabChannel = {
    postSignedOut: record("told"),
    onSignedOut: (listener) => {
      signedOutElsewhere = listener;
    },
    signedOutAt: () => 0,
    postToken: () => {},
    onToken: () => {},
    hasCookie: () => false,
    setCookie: () => {},
  };
  Object.assign(globalThis, { indexedDB: { open: () => opening(drafts), deleteDatabase: () => deletion(drafts) } });
  const entries = new Map([
    ["intake.token", "t"],
    ["intake.token.owner", owner],
  ]);
  const storage = {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  };
  const session = createSession("http://127.0.0.1:1/v1", storage);
  const signOut = createSignOut({
    session,
    service: "http://127.0.0.1:1/v1",
    uploadManager: { stop },
    queries: { clear: record("queries") },
    selections: { clear: record("selections") },
    toasts: { clear: record("toasts") },
    tabs,
    startOver: record("start over"),
  });
  return { session, signOut, done, elsewhere: (owner?: string) => signedOutElsewhere(owner) };
}

function opening(outcome: "gone" | "forbidden" | "broken"): object {
  if (outcome === "forbidden") throw Object.assign(new Error("no"), { name: "SecurityError" });
  const request = { onupgradeneeded: () => {}, onerror: () => {}, error: new Error("disk") };
  queueMicrotask(() => {
    if (outcome === "gone") request.onupgradeneeded();
    request.onerror();
  });
  return request;
}

function deletion(outcome: "gone" | "forbidden" | "broken"): object {
  const request = { onsuccess: () => {}, onerror: () => {}, error: new Error("disk") };
  queueMicrotask(() => (outcome === "gone" ? request.onsuccess() : request.onerror()));
  return request;
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
};

test("signing out tells the other tabs and clears all data in memory", async () => {
  const { session, signOut, done } = tab();
  await signOut.leave();
  expect([session.token(), done]).toEqual([undefined, ["told", "queries", "selections", "toasts"]]);
  expect(signOut.status()).toEqual({ is: "done", isElsewhere: false });
});

test("a tab that hears of a sign-out clears its data, says so, and does not announce it again", async () => {
  const { session, signOut, done, elsewhere } = tab();
  elsewhere();
  await until(() => signOut.status()?.is !== "running");
  expect([session.state(), done]).toEqual(["signedOut", ["queries", "selections", "toasts"]]);
  expect(signOut.status()).toEqual({ is: "done", isElsewhere: true });
});

test("a tab of somebody else, who has not signed out, starts over and leaves what is theirs", async () => {
  let stopped = 0;
  const { session, signOut, done, elsewhere } = tab({ stop: async () => void stopped++ });
  elsewhere("ben");
  await until(() => done.length > 0);
  expect([session.state(), session.token(), done, stopped, signOut.status()]).toEqual([
    "signedOut",
    undefined,
    ["start over"],
    0,
    undefined,
  ]);
});

test("signing out drops the token at once, and ends when the upload has stopped", async () => {
  let ended = () => {};
  const { session, signOut, elsewhere } = tab({ stop: () => new Promise((resolve) => (ended = resolve)) });
  elsewhere();
  expect([session.token(), signOut.status()?.is]).toEqual([undefined, "running"]);
  ended();
  await until(() => signOut.status()?.is === "done");
});

test("a signed-out tab ignores a sign-out elsewhere", () => {
  const { session, signOut, done, elsewhere } = tab();
  session.signOut();
  elsewhere();
  expect([signOut.status(), done]).toEqual([undefined, []]);
});

for (const [what, parts] of [
  ["a draft", { drafts: "broken" }],
  ["an upload", { stop: () => Promise.reject(new Error("disk")) }],
] as const) {
  test(`${what} that cannot be deleted is reported, and everything else is deleted`, async () => {
    const { session, signOut, done } = tab(parts);
    await signOut.leave();
    expect([session.token(), done]).toEqual([undefined, ["told", "queries", "selections", "toasts"]]);
    expect(signOut.status()?.is).toBe("incomplete");
  });
}

test("signing out succeeds in a browser without IndexedDB", async () => {
  const { signOut } = tab({ drafts: "forbidden" });
  await signOut.leave();
  expect(signOut.status()?.is).toBe("done");
});

test("signing out of a view on a page that does not say so leaves the administrator's other tabs alone", async () => {
  const { session, signOut, done } = tab({ owner: "view lena" });
  await signOut.leave();
  expect([session.token(), done]).toEqual([undefined, ["start over"]]);
});
