import { afterEach, expect, test, vi } from "vitest";
import type { Client } from "../../../client/http-client.ts";
import { beginView, endView } from "./view-as.ts";

afterEach(() => vi.unstubAllGlobals());

/** A tab in which an administrator looks at the app as Lena, and that stays signed in for itself. */
function tab(request: Client["request"]) {
  const entries = new Map([
    ["intake.token", "of the view"],
    ["intake.token.owner", "view lena"],
    ["intake.refresh.own", "of the administrator"],
  ]);
  const storage = {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  };
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("localStorage", {});
  const startOver = vi.fn();
  const uploadManager = { stop: async () => {}, uploads: async () => [], drop: async () => {}, clear: async () => {} };
  const client = { baseUrl: "http://127.0.0.1:1/v1", request } as Client;
  const session = { owner: () => "view lena", token: () => undefined } as Parameters<typeof endView>[0]["session"];
  return { entries, startOver, parts: { client, session, uploadManager, startOver } };
}

test("a view that has ended by itself is left all the same", async () => {
  // A request with the session waits for a sign-in that nobody will do.
  const { entries, startOver, parts } = tab(async (_method, _path, options) =>
    options?.open ? Promise.reject(new Error("401")) : new Promise(() => {}),
  );
  await endView(parts);
  expect(startOver).toHaveBeenCalledOnce();
  expect([...entries]).toEqual([["intake.refresh", "of the administrator"]]);
});

test("a view never ends as somebody else, whose own view in this tab was not ended", async () => {
  // The first administrator signed out in another tab. The next one signs in here for this page alone, and looks at the app as Max.
  const { entries, parts } = tab(async () => ({ json: { access_token: "of Max" } }) as Awaited<ReturnType<Client["request"]>>);
  const session = { ...parts.session, begin: () => undefined } as typeof parts.session;
  await beginView({ client: parts.client, session }, "max");
  await endView({ ...parts, session });
  expect([...entries.keys()]).not.toContain("intake.refresh");
  expect([...entries.values()]).not.toContain("of the administrator");
});
