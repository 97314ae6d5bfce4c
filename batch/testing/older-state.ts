// A state folder as the version before wrote it; only paths and dates differ.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import dictionary from "../../core/dictionary/datapackage.json" with { type: "json" };

/** 67 bytes with the fingerprint below. */
export const OLDER_CSV = "First name,Last name,Account ID\nMärta,Ångström,old0\nOla,Ek,old1\n";

/** Header, three customers, trailer; the second customer's record is too short. 321 bytes. */
export const OLDER_FIXED = [
  "HHOST1   CUST    000042                                         ",
  "D0000100482Märta              Ångström          00071-A      ",
  "D0000000007                    O'Neill             00072    ",
  "D9000000001José               Núñez             A            ",
  "T0000000039000100490                                            ",
  "",
].join("\n");

const LAYOUT =
  '{"kind":"fixed","collection":"customers","encoding":"utf-8","recordLength":64,"lineEnd":"lf","recordType":{"start":1,"length":1},"header":{"type":"H","sender":{"start":2,"length":8,"constant":"HOST1"},"fileId":{"start":10,"length":8},"sequence":{"start":18,"length":6}},"detail":{"type":"D","fields":[{"name":"objectId","start":2,"length":10,"null":"0000000000"},{"name":"firstName","start":12,"length":20},{"name":"lastName","start":32,"length":20},{"name":"accountID","start":52,"length":10}]},"trailer":{"type":"T","count":{"start":2,"length":9},"totals":[{"of":"objectId","start":11,"length":10}]}}';

const DIALECT = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 };

export interface OlderRun {
  id: string;
  path: string;
  startedAt: number;
  [property: string]: unknown;
}

/** A run of OLDER_CSV that ended well. */
export function olderEnded(path: string): OlderRun {
  return {
    id: "20261120-214928-685e15263957",
    collection: "customers",
    fileName: "old.csv",
    path,
    startedAt: 1_795_211_368_725,
    plan: { dialect: DIALECT, columns: ["firstName", "lastName", "accountID"], mode: "create" },
    dictionary,
    rowsTotal: 2,
    rejected: 0,
    limit: 0,
    notes: ["Read as UTF-8, because its characters are written that way.", "No column is matched with Object ID."],
    problems: [],
    report: {
      seconds: 0.075,
      ended: "done",
      rowsRead: 2,
      counts: { notSent: 0, created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0 },
      notStored: [],
    },
    endedAt: 1_795_211_368_864,
    ending: { code: 0, sentence: "All 2 records of old.csv are in customers: 2 created." },
    fingerprint: { size: 67, blocks: "abiRsU4C2l4SB/dGlwY8hNx6SerCjL/JBlq3NTF1yjE=" },
  };
}

/** A run of OLDER_FIXED that was killed before its first batch left. */
export function olderUnfinished(path: string): OlderRun {
  return {
    id: "20261120-214928-149ede340901",
    collection: "customers",
    fileName: "old.txt",
    path,
    startedAt: 1_795_211_368_494,
    plan: { dialect: DIALECT, columns: ["objectId", "firstName", "lastName", "accountID"], torn: "RECORD", mode: "create" },
    layout: LAYOUT,
    dictionary,
    rowsTotal: 3,
    rejected: 1,
    limit: null,
    notes: ["Read by the layout that was given: fixed, utf-8.", "Its header says: sender HOST1, file CUST, sequence 42."],
    problems: [{ field: "", code: "RECORD", message: "The record is not as its layout says.", records: 1 }],
    fingerprint: { size: 321, blocks: "Qs3XMD9GqsO4eGxIxfpgSJiTAjaDtkmq+S2cP7e3/lI=" },
  };
}

export function writeOlderState(folder: string, run: OlderRun, batches: readonly object[] = []): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${run.id}.json`), `${JSON.stringify(run)}\n`);
  writeFileSync(join(folder, `${run.id}.batches`), batches.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
