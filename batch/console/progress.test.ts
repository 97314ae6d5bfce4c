// Progress on a terminal, in a log file, and as JSON lines.

import { expect, test } from "vitest";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import { createProgressWriter } from "./progress.ts";

const COUNTS = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 };
const SPEED = { rowsTotal: 9, rowsDone: 3, rowsPerSecond: 2, secondsLeft: null, waiting: { why: "Busy.", until: 5 }, isPaused: false };
const UNDONE = { reversed: 1, kept: 2, failed: 3 };

function sending(rowsDone: number, failed = 0): UploadState {
  const speed = { rowsPerSecond: 20_000, secondsLeft: 40 };
  return { step: "sending", counts: { ...COUNTS, failed }, rowsTotal: 1_000_000, rowsDone, waiting: null, isPaused: false, ...speed };
}

/** A state every second for a minute, then the end. */
function show(isTTY: boolean, isJson: boolean): { out: string[]; error: string } {
  const out: string[] = [];
  let error = "";
  let now = 0;
  const screen = { isTTY, columns: 70, write: (text: string | Uint8Array) => out.push(String(text)) };
  const progress = createProgressWriter(screen, { write: (text) => (error += text) }, isJson, () => now);
  progress.state({ step: "checking", rowsRead: 500, bytesRead: 50, bytesTotal: 200 });
  for (; now < 60_000; now += 1_000) progress.state(sending(now * 10, 3));
  progress.line("a.csv: taken", { step: "taken", file: "a.csv" });
  progress.ended({ code: 2, sentence: "All is well." }, { reportFile: "r" });
  return { out, error };
}

test("on a terminal one line is redrawn, no wider than the screen, and cleared before other output", () => {
  const { out, error } = show(true, false);
  expect(out[0]).toBe("\rChecking: 500 records, 25% of the file.\u001b[K");
  const lines = out.slice(0, -2).map((text) => text.replace("\u001b[K", ""));
  expect(lines.every((line) => line.startsWith("\r") && !line.includes("\n") && line.length <= 70)).toBe(true);
  expect(lines).toHaveLength(61);
  expect(out.slice(-2)).toEqual(["\r\u001b[K", "a.csv: taken\n"]);
  expect(error).toBe("All is well.\n");
});

test("an undo is not written before the size of its run is known", () => {
  const out: string[] = [];
  const screen = { write: (text: string | Uint8Array) => out.push(String(text)) };
  const progress = createProgressWriter(screen, screen, false, () => 0);
  const unknown: UploadState = { step: "undoing", counts: UNDONE, ...SPEED, rowsTotal: 0, rowsDone: 0, waiting: null };
  progress.state(unknown);
  progress.state({ ...unknown, rowsTotal: 2_000, rowsDone: 1_000 });
  expect(out).toEqual([expect.stringMatching(/^Taking back: 1,000 of 2,000 records \(50%\)/)]);
});

test("in a log file a step is written when it begins, and then every ten seconds", () => {
  const { out } = show(false, false);
  expect(out).toHaveLength(1 + 6 + 1);
  expect(out[2]).toBe("Sending: 100,000 of 1,000,000 records (10%), 20,000 a second, 40 s left. 3 refused.\n");
});

test.each<[state: UploadState, line: string]>([
  [{ step: "checking", rowsRead: 1, bytesRead: 0, bytesTotal: 0 }, "Checking: 1 record, 100% of the file."],
  [{ step: "sending", counts: COUNTS, ...SPEED, rowsTotal: 1, rowsDone: 0 }, "Sending: 0 of 1 record (0%). Waiting: Busy."],
  [{ step: "undoing", counts: UNDONE, ...SPEED, waiting: null }, "Taking back: 3 of 9 records (33%), 2 a second."],
])("what a step says in a log: $step", (state, line) => {
  const out: string[] = [];
  const screen = { write: (text: string | Uint8Array) => out.push(String(text)) };
  createProgressWriter(screen, screen, false, () => 0).state(state);
  expect(out).toEqual([`${line}\n`]);
});

test("with --json every line is one JSON object, and the last has the exit code", () => {
  const { out, error } = show(false, true);
  const lines = out.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toHaveLength(1 + 60 + 2);
  expect(lines[1]).toMatchObject({ step: "sending", rowsDone: 0, rowsTotal: 1_000_000, counts: { failed: 3 } });
  expect(lines.at(-1)).toMatchObject({ step: "ended", exitCode: 2, sentence: "All is well." });
  expect(error).toBe("All is well.\n");
});

test.each<[state: UploadState, line: object]>([
  [
    { step: "refused", title: "T.", detail: "D.", autoFix: { label: "L", choices: { quote: "none" } } },
    JSON.parse('{"step":"refused","title":"T.","detail":"D.","remedy":{"label":"L","choices":{"quote":"none"}}}') as object,
  ],
  [
    { step: "checking", rowsRead: 1, bytesRead: 2, bytesTotal: 3 },
    { step: "checking", rowsRead: 1, bytesRead: 2, bytesTotal: 3 },
  ],
  [
    { step: "sending", counts: COUNTS, ...SPEED },
    { step: "sending", counts: COUNTS, ...SPEED },
  ],
  [
    { step: "undoing", counts: UNDONE, ...SPEED },
    { step: "undoing", counts: UNDONE, ...SPEED },
  ],
  [
    { step: "undone", counts: UNDONE, already: 0, obstacles: [], rowsTotal: 9, ended: "stopped", why: "Gone." },
    { step: "undone", counts: UNDONE, already: 0, obstacles: [], rowsTotal: 9, ended: "stopped", why: "Gone." },
  ],
])("the JSON line of a step has the property names that programs know: $step", (state, line) => {
  const out: string[] = [];
  const screen = { write: (text: string | Uint8Array) => out.push(String(text)) };
  createProgressWriter(screen, screen, true, () => 0).state(state);
  expect(out.map((text) => JSON.parse(text))).toEqual([{ at: "1970-01-01T00:00:00.000Z", ...line }]);
});

test.each([
  [false, false],
  [true, false],
  [false, true],
])("a name commands no terminal and forges no line (terminal %s, JSON %s)", (isTTY, isJson) => {
  let [out, error] = ["", ""];
  const screen = { isTTY, write: (text: string | Uint8Array) => (out += text) };
  const progress = createProgressWriter(screen, { write: (text) => (error += text) }, isJson);
  const name = "a\n2026-01-01 All is well.\u001b[2J\u202e.csv";
  progress.line(`${name}: taken`, { step: "taken", file: name });
  progress.ended({ code: 1, sentence: `${name} cannot be read.`, details: ["/kind: wrong", name] });
  for (const text of [out, error]) expect(text).not.toMatch(/[^\n -~]|^2026/m);
  expect([out.split("\n").length, error.split("\n").length]).toEqual([isJson ? 3 : 2, 4]);
  if (isJson) expect(JSON.parse(out.split("\n")[0] as string).file).toBe(name);
});
