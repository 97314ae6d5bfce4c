// Tests what each command says when it is asked to stop: whether anything is stored, and what goes on later.

import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { customersLayout } from "../../layouts/testing/layouts.ts";
import { runCommand } from "../command.ts";
import { customersCsv, KEY, startBatch } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, plain, service, stopMidway, stored, write } = testService;

/** Makes it as if the signal had come before the first step. */
async function stoppedAtOnce(...args: string[]): Promise<string> {
  let stderr = "";
  const code = await runCommand(args, {
    env: { INTAKE_URL: service.url, INTAKE_KEY: KEY },
    out: { write: () => undefined },
    error: { write: (text) => (stderr += String(text)) },
    signal: AbortSignal.abort(),
  });
  return `${code} ${plain(stderr).trimEnd()}`;
}

describe("before anything is sent", () => {
  test.each(["run", "validate"])("%s stores nothing", async (command) => {
    const path = write(`${command}.csv`, customersCsv(3, "early"));
    expect(await stoppedAtOnce(command, path)).toBe(`1 Stopped before anything of ${command}.csv was sent. Nothing is stored.`);
    expect(await stored("early")).toEqual([]);
  });

  test("an export leaves no file", async () => {
    const [layout, file] = [write("layout.json", JSON.stringify(customersLayout())), join(folder, "out.dat")];
    expect(await stoppedAtOnce("export", file, "--layout", layout)).toBe("1 Stopped: nothing was written to /in/out.dat.");
    expect(existsSync(file)).toBe(false);
  });

  test("a watch takes no file", async () => {
    const { path, put } = makeInbox(folder, "inbox");
    const file = put("a.csv", customersCsv(1, "watched"));
    expect(await stoppedAtOnce("watch", path)).toBe("0 No longer watching /in/inbox. What is in processing goes on with the next watch.");
    expect(existsSync(file)).toBe(true);
  });
});

test("a rehearsal that is stopped midway has stored nothing", async () => {
  const path = write("dry.csv", customersCsv(10_000, "dry"));
  const { code, stderr } = await stopMidway(["run", path, "--dry-run"]);
  expect([code, stderr, await stored("dry")]).toEqual([1, "Nothing of dry.csv was stored. The command was asked to stop.", []]);
}, 180_000);

test("a watcher whose folder is taken away ends, and says how it goes on", async () => {
  const { path, put } = makeInbox(folder, "gone");
  put("a.csv", customersCsv(1, "gone"));
  const watcher = startBatch(service.url, ["watch", path]);
  await watcher.untilOutput("now archive/a.csv"); // from now on it only looks for more
  renameSync(path, join(folder, "elsewhere"));
  const { code, stderr } = await watcher.ended;
  expect([code, plain(stderr)]).toEqual([
    3,
    "Stopped: /in/gone cannot be used: it does not exist. Watch the folder again: what is in processing goes on.",
  ]);
}, 180_000);
