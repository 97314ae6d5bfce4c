// Tests which runs of a folder a person is shown: the latest, and each that waits to be continued.

import { afterAll, expect, test } from "vitest";
import { readArguments } from "../console/arguments.ts";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import { openRuns, type StoredRun } from "../runs/run-registry.ts";
import { makeFolder } from "../testing/process.ts";
import { listRuns } from "./status.ts";

const temporary = makeFolder();
afterAll(temporary.remove);

const ENDED: StoredRun = {
  id: "",
  collection: "customers",
  fileName: "old.csv",
  path: "/in/old.csv",
  startedAt: 0,
  plan: { dialect: { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 }, columns: ["lastName"], mode: "create" },
  dictionary: null,
  rowsTotal: 2,
  rejected: 0,
  leftOut: 0,
  limit: 0,
  notes: [],
  problems: [],
  fingerprint: { size: 67, blocks: new Uint8Array(32) },
};

test("of many runs the latest 20 are listed, and each that has not ended; --json lists all", async () => {
  const state = `${temporary.path}/state`;
  const runs = openRuns(state);
  const [open, unreported] = [3, 5];
  for (let i = 0; i < 30; i++) {
    const how = i === open ? {} : { endedAt: i + 1, ...(i === unreported && { isUnreported: true }) };
    await runs.put({ ...ENDED, id: `run-${i}`, startedAt: i, ...how });
  }
  const nobody = () => Promise.reject(new CommandError(EXIT.unreached, "The service is away."));
  const listed = async (...more: string[]) => {
    const { options } = readArguments(["status", "--state", state, ...more]);
    const answer = await listRuns(undefined, options, nobody);
    return answer.listed.map(({ run }) => Number(run.id.slice(4)));
  };
  const latest = Array.from({ length: 20 }, (_, i) => 29 - i);
  expect(await listed()).toEqual([...latest, unreported, open]);
  expect(await listed("--json")).toHaveLength(30);
});
