import { expect, test, vi } from "vitest";
import { createSession } from "../../service/session.ts";
import { collectionOf } from "../../testing/fields.ts";
import { openWorkerPort } from "../../testing/worker-port.ts";
import type { Command } from "../worker/messages.ts";
import { createUploadManager } from "./upload-manager.ts";

const THINGS = collectionOf([]);

test("an upload that was asked for before the token was renewed does not begin with another file", async () => {
  const session = createSession("http://127.0.0.1:1/v1", { getItem: () => null, setItem() {}, removeItem() {} });
  session.begin({ token: "first", owner: "dora" }, false);
  vi.spyOn(session, "isOld").mockReturnValue(true);
  const renewals: ((token: string) => void)[] = [];
  vi.spyOn(session, "renew").mockImplementation(() => new Promise((resolve) => renewals.push(resolve)));
  const worker = openWorkerPort();
  const manager = createUploadManager(worker.start, session, "http://127.0.0.1:1/v1");
  const undone = () => worker.commands.filter(({ type }) => type === "undo");
  manager.inspect(new File(["a"], "a.csv"), THINGS);
  manager.undo({ id: "1-2-3-4-5", fileName: "old.csv" }, THINGS, [THINGS]);
  manager.inspect(new File(["b"], "b.csv"), THINGS);
  renewals[0]?.("second");
  await Promise.resolve();
  expect([manager.state().fileName, undone()]).toEqual(["b.csv", []]);
  manager.undo({ id: "1-2-3-4-5", fileName: "old.csv" }, THINGS, [THINGS]);
  renewals[1]?.("third");
  await vi.waitFor(() => expect(undone()).toHaveLength(1), { timeout: 20_000 });
  manager.close();
});

test("an upload that waits for a sign-in goes on for the same person", async () => {
  const session = createSession("http://127.0.0.1:1/v1", { getItem: () => null, setItem() {}, removeItem() {} });
  session.begin({ token: "first", owner: "dora" }, false);
  const worker = openWorkerPort();
  const manager = createUploadManager(worker.start, session, "http://127.0.0.1:1/v1");
  manager.cancel(); // starts the worker
  worker.post({ type: "signInNeeded" });
  await vi.waitFor(() => expect(session.state()).toBe("expired"), { timeout: 30_000 });
  session.begin({ token: "second", owner: "dora" }, false);
  const tokens = () => worker.commands.filter(({ type }) => type === "token");
  await vi.waitFor(() => expect(tokens()).toEqual([{ type: "token", token: "second" }]), { timeout: 30_000 });
  manager.close();
});

test("an upload that is continued beside another file is continued with its own", async () => {
  const session = createSession("http://127.0.0.1:1/v1", { getItem: () => null, setItem() {}, removeItem() {} });
  session.begin({ token: "first", owner: "dora" }, false);
  const worker = openWorkerPort();
  const manager = createUploadManager(worker.start, session, "http://127.0.0.1:1/v1");
  const job = { fingerprint: { size: 1, digest: "" }, plan: {}, rowsTotal: 1 } as never;
  const continued = async (fileName: string, chosen?: File) => {
    manager.continueUpload({ id: "1-2-3-4-5", fileName, job }, THINGS, [], chosen);
    return (await heard("continue")).file?.name;
  };
  /** The next command of this type. */
  async function heard<T extends Command["type"]>(type: T): Promise<Extract<Command, { type: T }>> {
    const isIt = (command: Command): command is Extract<Command, { type: T }> => command.type === type;
    const command = await vi.waitUntil(() => worker.commands.find(isIt));
    worker.commands.length = 0;
    return command;
  }
  manager.inspect(new File(["a"], "a.csv"), THINGS);
  await heard("inspect");
  expect(await continued("b.csv")).toBeUndefined();
  expect(await continued("b.csv", new File(["b"], "b.csv"))).toBe("b.csv");
  manager.inspect(new File(["a"], "a.csv"), THINGS);
  await heard("inspect");
  expect(await continued("a.csv")).toBe("a.csv");
  manager.close();
});
