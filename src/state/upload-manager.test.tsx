import { expect, test, vi } from "vitest";
import { createSession } from "../api/session.ts";
import { openWorkerPort } from "../testing/worker-port.ts";
import { createUploadManager } from "./upload-manager.ts";

test("an upload that waits for a sign-in goes on for the same person, and pauses when it is somebody else", async () => {
  const session = createSession("http://127.0.0.1:1/v1", { getItem: () => null, setItem() {}, removeItem() {} });
  session.begin({ token: "first", owner: "dora", name: "Dora" }, false);
  const worker = openWorkerPort();
  const manager = createUploadManager(worker.start, session, "http://127.0.0.1:1/v1");
  const heard = async (count: number) => {
    await vi.waitFor(() => expect(worker.commands.filter(({ type }) => type === "token")).toHaveLength(count));
    return worker.commands.filter(({ type }) => type === "token" || type === "pause");
  };
  const endSession = async () => {
    worker.post({ type: "signInNeeded" });
    await vi.waitFor(() => expect(session.state()).toBe("expired"));
  };
  manager.cancel(); // starts the worker
  await endSession();
  session.begin({ token: "second", owner: "dora", name: "Dora" }, false);
  expect(await heard(1)).toEqual([{ type: "token", token: "second" }]);
  await endSession();
  session.begin({ token: "third", owner: "carla", name: "Carla" }, false);
  expect((await heard(2)).slice(1)).toEqual([
    { type: "pause", why: "paused" },
    { type: "token", token: "third" },
  ]);
  expect(manager.state().pausedFor).toContain("Carla is signed in now.");
  manager.resume();
  expect(manager.state().pausedFor).toBeUndefined();
  manager.close();
});
