import { describe, expect, test } from "vitest";
import type { Dialect } from "../model/dialect.ts";
import { createService, customers, fileOf, planFor } from "../testing/fake-service.ts";
import { type FakeSession, findingsOf, HEADER, openFakeSession } from "../testing/fake-session.ts";
import { carryOver } from "./carry-over.ts";
import { CorrectionSession } from "./correction-session.ts";

const carryTo = (session: FakeSession, text: string, change: Partial<Dialect>) => {
  const { corrected } = session.corrections;
  return carryOver(corrected, { file: fileOf(text), dialect: { ...corrected.dialect, ...change } });
};

describe("corrections, when the file is read in another way", () => {
  test("stay with their row, also where other rows appear above it", async () => {
    const text = `${HEADER}1,,"Ace,A\n2,,Bob",B\n3,,,C\n4,,Dan,D\n5,,,E\n`;
    const session = await openFakeSession(text, { mode: "create" });
    await session.act({ do: "edit", row: 2, column: 2, text: "Cy" });
    await session.act({ do: "leaveOut", rows: [4], isOut: true });
    const { history, loss } = await carryTo(session, text, { quote: "lines" });
    expect(loss).toEqual({ cells: 0, rows: 0 });
    expect(history.fixes).toMatchObject({ edits: { 3: { 2: "Cy" } }, leftOut: [5] });
    expect(history.past).toHaveLength(2);
    expect(history.past[1]).toMatchObject({ rows: [5], fixes: { edits: { 3: { 2: "Cy" } }, leftOut: [] } });
  });

  test("are reported as lost where their row is split in another way, and rules stay", async () => {
    const text = `${HEADER}1,,"Ace,A\n2,,Bob",B\n3,,,C\n`;
    const session = await openFakeSession(text);
    await session.act({ do: "confirm", row: 1 });
    await session.act({ do: "leaveOut", rows: [1], isOut: true });
    await session.act({ do: "leaveOutGroup", field: "lastName", code: "REQUIRED", isOut: true });
    const { history, loss } = await carryTo(session, text, { quote: "lines" });
    expect(loss).toEqual({ cells: 4, rows: 1 });
    expect(history.fixes).toMatchObject({ edits: {}, leftOut: [], leftOutGroups: [{ code: "REQUIRED" }] });
  });

  test("stay in another encoding, and are lost with another delimiter", async () => {
    const text = `${HEADER}1,,Jörg,\n2,M,,B\n`;
    const session = await openFakeSession(text);
    await session.act({ do: "edit", row: 1, column: 3, text: "A" });
    await session.act({ do: "edit", row: 2, column: 2, text: "Bob" });
    expect((await carryTo(session, text, { encoding: "windows-1252" })).loss).toEqual({ cells: 0, rows: 0 });
    expect((await carryTo(session, text, { delimiter: ";" })).loss).toEqual({ cells: 2, rows: 0 });
  });

  test("leave out rows that the service would refuse in another encoding too, and lose them otherwise", async () => {
    const text = `${HEADER}1,,Jörg,A\n2,,Bob,B\n`;
    const session = await openFakeSession(text);
    session.corrections.preview(createService({ reject: () => "No." }).dryPost);
    await session.quiet();
    await session.act({ do: "leaveOutRefused", isOut: true });
    const result = await carryTo(session, text, { encoding: "windows-1252" });
    expect([result.loss.rows, result.history.fixes.refused]).toEqual([0, session.corrections.plan.fixes?.refused]);
    expect((await carryTo(session, text, { quote: "lines" })).loss.rows).toBe(2);
    expect((await carryTo(session, text, { encoding: "Shift_JIS" })).loss.rows).toBe(2);
  });

  test("are there again when the file is read as before", async () => {
    const session = await openFakeSession("1,,,A\n2,,,B\n");
    await session.act({ do: "edit", row: 1, column: 2, text: "Ann" });
    const { history } = await carryTo(session, `${HEADER}1,,,A\n2,,,B\n`, {});
    const file = fileOf(`${HEADER}1,,,A\n2,,,B\n`);
    const plan = { ...planFor("create"), fixes: history.fixes };
    const findings = await findingsOf(file, customers, plan);
    const again = new CorrectionSession({ file, collection: customers, plan, findings, history, post: () => {}, fail: () => {} });
    expect(again.check.ready).toBe(1);
    again.act({ do: "undo" });
    expect(again.check.ready).toBe(0);
  });
});
