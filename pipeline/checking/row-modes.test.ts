// Files that say of each row what it means: rows go in their order, each as it says, also after a stop in the middle.

import { describe, expect, test } from "vitest";
import type { RowMode } from "../model/plan.ts";
import type { RowBlock } from "../reading/csv-rows.ts";
import { memoryLog } from "../sending/journal.ts";
import {
  counted,
  createService,
  customers,
  customersFile,
  type FakeService,
  type Fault,
  planFor,
  upload,
} from "../testing/fake-service.ts";
import { checkFile } from "./check-file.ts";
import { Findings } from "./findings.ts";

type Row = [mode: RowMode, id: string, lastName: string];

/** Rows in blocks of three. */
function openRows(rows: readonly Row[]) {
  const header = ["objectId", "lastName", "accountID"];
  return async function* (): AsyncGenerator<RowBlock> {
    for (let at = 0; at < rows.length; at += 3) {
      const part = rows.slice(at, at + 3);
      yield {
        header,
        rows: part.map(([mode, id, name]) => [id, name, mode === "create" ? "A1" : ""]),
        modes: part.map(([mode]) => mode),
        first: at + 1,
        lines: part.map((_, i) => at + i + 1),
        malformed: new Map(),
        strayQuotes: undefined,
        bytesRead: at,
      };
    }
  };
}

const PLAN = planFor("create", ["objectId", "lastName", "accountID"]);
const FILE = customersFile(0);

function send(rows: readonly Row[], service: FakeService, more: Partial<Parameters<typeof upload>[2]> = {}) {
  return upload(FILE, service, { openRows: openRows(rows), plan: PLAN, rowsTotal: rows.length, ...more });
}

describe("files that say for each row what to do with it", () => {
  test("a row needs what its own mode needs, and a key may come again", async () => {
    const rows: Row[] = [
      ["create", "1", "Ek"],
      ["update", "1", ""],
      ["delete", "1", "whatever\u0007"],
      ["create", "1", "Al"],
      ["create", "2", ""],
      ["update", "", "Bo"],
      ["delete", "", ""],
    ];
    const findings = new Findings(customers, PLAN);
    for await (const _ of checkFile(FILE, customers, PLAN, findings, openRows(rows)));
    const { rowsRead, ready, groups } = findings.summary();
    expect([rowsRead, ready]).toEqual([7, 4]);
    expect(groups.map(({ field, code, count, ranges }) => [field, code, count, ranges])).toEqual([
      ["objectId", "REQUIRED", 2, [[6, 7]]],
      ["lastName", "REQUIRED", 1, [[5, 5]]],
    ]);
  });

  test("rows with one key are carried out in their order by one request: added, changed, deleted, added again", async () => {
    const service = createService();
    const rows: Row[] = [
      ["create", "1", "Ek"],
      ["create", "2", "Al"],
      ["update", "1", "Bo"],
      ["delete", "1", ""],
      ["create", "1", "Lo"],
      ["delete", "2", ""],
    ];
    const { report } = await send(rows, service);
    expect(counted(report)).toEqual({ created: 3, updated: 3 });
    expect([...service.records.values()]).toEqual([{ objectId: 1, lastName: "Lo", accountID: "A1" }]);
    expect(service.calls.map(({ records }) => records.length)).toEqual([6]);
  });

  test("an add of what is there, a change and a delete of what is not are each refused by themselves", async () => {
    const service = createService();
    await send([["create", "1", "Ek"]], service);
    const rows: Row[] = [
      ["create", "1", "Ek"],
      ["update", "7", "Al"],
      ["delete", "8", ""],
      ["update", "1", "Lo"],
    ];
    const { report } = await send(rows, service, { uploadId: "u2" });
    expect(counted(report)).toEqual({ failed: 3, updated: 1 });
    expect(report.notStored.map(({ row }) => row)).toEqual([1, 2, 3]);
  });

  const FAULTS: [what: string, ignoresKeys: boolean, fault: Fault][] = [
    ["was lost", false, "lost"],
    ["was done without an answer", false, "silent"],
    ["was done without an answer, by a service that keeps no keys", true, "silent"],
  ];
  test.each(FAULTS)("stopped where any request %s, the next run comes to the same end", async (_, ignoresKeys, fault) => {
    const KEYS = 300;
    const rows: Row[] = Array.from({ length: 10 * KEYS }, (_, i): Row => {
      const [phase, id] = [Math.floor(i / KEYS) % 3, String(1 + (i % KEYS))];
      return phase === 0 ? ["create", id, `L${i}`] : phase === 1 ? ["update", id, "Al"] : ["delete", id, ""];
    });
    const last = Array.from({ length: KEYS }, (_, i) => ({ objectId: 1 + i, lastName: `L${9 * KEYS + i}`, accountID: "A1" }));
    for (let failing = 0; failing < 3; failing++) {
      const stop = new AbortController();
      const service = createService({
        ignoresKeys,
        fault(call) {
          if (call === failing) stop.abort();
          return call === failing ? fault : undefined;
        },
      });
      const log = memoryLog();
      await send(rows, service, { log, signal: stop.signal });
      expect(service.calls).toHaveLength(failing + 1);
      const { report } = await send(rows, service, { log });
      const { created, updated, inDoubt } = report.counts;
      expect(created + updated + inDoubt).toBe(rows.length);
      // If a batch names a record several times, what is stored does not say how far it came.
      expect(inDoubt).toBe(ignoresKeys ? service.calls[failing]?.records.length : 0);
      expect([...service.records.values()].toSorted((a, b) => Number(a.objectId) - Number(b.objectId))).toEqual(last);
    }
  });

  test("of a batch in doubt each row is looked up by its own mode", async () => {
    const rows: Row[] = [
      ["create", "1", "Ek"],
      ["update", "2", "Al"],
      ["delete", "3", ""],
    ];
    for (const fault of ["silent", "lost"] as const) {
      const service = createService({ ignoresKeys: true, fault: (call) => (call === 0 ? fault : undefined) });
      service.records.set(2, { objectId: 2, lastName: "Old", accountID: "1" });
      service.records.set(3, { objectId: 3, lastName: "Old", accountID: "1" });
      const { report } = await send(rows, service);
      expect(counted(report)).toEqual({ created: 1, updated: 2 });
      expect([...service.records.values()].map(({ lastName }) => lastName).toSorted()).toEqual(["Al", "Ek"]);
    }
  });
});
