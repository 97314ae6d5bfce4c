// The check of a file begins at once, also while its code is still on its way.

import { expect, test, vi } from "vitest";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { collectionOf } from "../../testing/fields.ts";
import { openJournal } from "../storage/indexeddb-journal.ts";
import { openMappings } from "../storage/indexeddb-mappings.ts";
import { openCopies } from "../storage/opfs-copies.ts";
import { FileCheck } from "./file-session.ts";

const network = vi.hoisted(() => {
  let answer = () => {};
  const isThere = new Promise<void>((resolve) => {
    answer = resolve;
  });
  return { isThere, answer, requests: 0 };
});

// A slow network: this part of the app comes when the test says so.
vi.mock("../../../pipeline/correction/correction-session.ts", async (original) => {
  network.requests++;
  await network.isThere;
  return original();
});

test("it is shown and can be cancelled while its code is being fetched, which begins when the columns are known", async () => {
  const session = new FileCheck({ journal: openJournal("anna"), copies: openCopies() }, openMappings("anna"), (error) =>
    expect(error).toBeUndefined(),
  );
  const states: UploadState[] = [];
  const run = () => {
    const aborting = new AbortController();
    return { signal: aborting.signal, cancel: () => aborting.abort(), post: (state: UploadState) => void states.push(state) };
  };
  const file = new File(["id\n1\n2\n"], "things.csv");
  await session.inspect({ file, collection: collectionOf([]), choices: {}, uploadId: "1-2" }, run());
  const columns = states.at(-1);
  if (columns?.step !== "columns") throw new Error("The file was not understood.");
  await vi.waitFor(() => expect(network.requests).toBe(1), { timeout: 20_000 });

  const { dialect, columns: matched } = columns.inspection;
  const plan = { dialect, columns: matched, mode: "create" as const };
  const cancelled = run();
  const ended = session.check(plan, false, cancelled);
  expect(states.at(-1)).toEqual({ step: "checking", rowsRead: 0, bytesRead: 0, bytesTotal: file.size });
  cancelled.cancel();
  await ended;
  expect(states.at(-1)).toBe(columns);

  const again = session.check(plan, false, run());
  network.answer();
  await again;
  expect(states.at(-1)).toMatchObject({ step: "checked", check: { rowsRead: 2 } });
  session.close();
});
