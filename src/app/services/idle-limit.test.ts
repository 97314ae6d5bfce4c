import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "../../../client/http-client.ts";
import { createActivity } from "../../service/activity.ts";
import { createSession } from "../../service/session.ts";
import { watchIdleLimit } from "./idle-limit.ts";

const SERVICE = "https://intake.example.org/v1";
const MINUTE = 60_000; // ms

interface Sent {
  method: string;
  path: string;
  isBackground: boolean;
}
let sent: Sent[] = [];
beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async (url: string, { method = "", headers }: { method?: string; headers: Headers }) => {
    sent.push({ method, path: new URL(url).pathname, isBackground: headers.get("Intake-Activity") === "background" });
    if (!url.endsWith("/refresh")) return new Response(null, { status: 204 });
    const reply = { access_token: "next", expires_in: 900, idle_seconds: 600, refresh_token: "again", user: { id: "anna" } };
    return new Response(JSON.stringify(reply), { status: 201, headers: { "Content-Type": "application/json" } });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function storage() {
  const entries = new Map<string, string>();
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  };
}

/** A tab in which Anna is signed in, whose session ends after 10 minutes without use. `shared`: the local storage of all tabs. */
function tab(shared = storage()) {
  const [window, page] = [new EventTarget(), new EventTarget()];
  const activity = createActivity(SERVICE, window, shared);
  const session = createSession(SERVICE, storage(), {}, { activity });
  const client = createClient({ baseUrl: SERVICE, session });
  watchIdleLimit(session, activity, client, page);
  session.begin({ token: "first", owner: "anna", refreshToken: "once", expiresIn: 900, idleSeconds: 600 }, false);
  return { session, activity, client, page, press: () => window.dispatchEvent(new Event("keydown")) };
}

test("a session ends when nobody has done anything for as long as the service says, and the service is told", async () => {
  const { session } = tab();
  await vi.advanceTimersByTimeAsync(10 * MINUTE - 1);
  expect([session.state(), session.token()]).toEqual(["signedIn", "first"]);
  await vi.advanceTimersByTimeAsync(1);
  expect([session.state(), session.token()]).toEqual(["expired", undefined]);
  expect(sent).toEqual([{ method: "DELETE", path: "/v1/sessions/current", isBackground: false }]);
});

test("input in any tab, and a running upload, keep it; an API key has no such limit", async () => {
  const shared = storage();
  const [here, there] = [tab(shared), tab(shared)];
  await vi.advanceTimersByTimeAsync(9 * MINUTE);
  there.press();
  await vi.advanceTimersByTimeAsync(9 * MINUTE);
  here.activity.note(); // as an upload does
  await vi.advanceTimersByTimeAsync(9 * MINUTE);
  expect([here.session.state(), there.session.state()]).toEqual(["signedIn", "signedIn"]);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect([here.session.state(), there.session.state()]).toEqual(["expired", "expired"]);
  const key = tab();
  key.session.begin({ token: "of a key", owner: "anna" }, false);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(key.session.state()).toBe("signedIn");
});

test("a computer that slept past the limit asks for a sign-in, whatever is pressed first", () => {
  const { session, press } = tab();
  vi.setSystemTime(Date.now() + 10 * MINUTE);
  press();
  expect(session.state()).toBe("expired");
  const other = tab();
  vi.setSystemTime(Date.now() + 10 * MINUTE);
  other.page.dispatchEvent(new Event("visibilitychange"));
  expect(other.session.state()).toBe("expired");
});

test("reads and refreshes say that nobody has asked for them, unless somebody has just done something; writes never do", async () => {
  const { client, session, press } = tab();
  const send = async () => {
    sent = [];
    await client.request("GET", "/customers");
    await client.request("PATCH", "/customers/1", { body: {} });
    await session.renew(session.token());
    return sent.filter(({ method }) => method !== "HEAD").map(({ method, isBackground }) => [method, isBackground]);
  };
  expect(await send()).toEqual([
    ["GET", false],
    ["PATCH", false],
    ["POST", false],
  ]); // the sign-in was somebody's doing
  vi.setSystemTime(Date.now() + 2 * MINUTE);
  expect(await send()).toEqual([
    ["GET", true],
    ["PATCH", false],
    ["POST", true],
  ]);
  press();
  expect(await send()).toEqual([
    ["GET", false],
    ["PATCH", false],
    ["POST", false],
  ]);
});

test("whoever only types is noticed by the service, no more than once in a while", async () => {
  const { press } = tab();
  for (let seconds = 0; seconds < 300; seconds += 5) {
    await vi.advanceTimersByTimeAsync(5_000);
    press();
  }
  await vi.advanceTimersByTimeAsync(0);
  const report = { method: "HEAD", path: "/v1/me", isBackground: false };
  expect(sent).toEqual(Array(5).fill(report)); // once a minute
});
