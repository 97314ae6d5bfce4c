import { describe, expect, test } from "vitest";
import type { Dialect } from "../model/dialect.ts";
import { createService, customers, fileOf, planFor } from "../testing/fake-service.ts";
import { type FakeSession, findingsOf, HEADER, openFakeSession } from "../testing/fake-session.ts";
import { carryOver } from "./carry-over.ts";
import { CorrectionSession } from "./correction-session.ts";

const carry = (session: FakeSession, text: string, change: Partial<Dialect>) => {
  const { corrected } = session.corrections;
  return carryOver(corrected, { file: fileOf(text), dialect: { ...corrected.dialect, ...change } });
};

describe("what was mended, when the file is read in another way", () => {
  test("stays with its row, also where other rows appear above it", async () => {
    const text = `${HEADER}1,,"Ace,A\n2,,Bob",B\n3,,,C\n4,,Dan,D\n5,,,E\n`;
    const session = await openFakeSession(text, { mode: "create" });
    await session.act({ do: "edit", row: 2, column: 2, text: "Cy" });
    await session.act({ do: "leaveOut", row: 4, isOut: true });
    const { history, loss } = await carry(session, text, { quote: "lines" });
    expect(loss).toEqual({ cells: 0, rows: 0 });
    expect(history.fixes).toMatchObject({ edits: { 3: { 2: "Cy" } }, leftOut: [5] });
    expect(history.past).toHaveLength(2);
    expect(history.past[1]).toMatchObject({ row: 5, fixes: { edits: { 3: { 2: "Cy" } }, leftOut: [] } });
  });

  test("is told as lost where its row is cut in another way, and rules stay", async () => {
    const text = `${HEADER}1,,"Ace,A\n2,,Bob",B\n3,,,C\n`;
    const session = await openFakeSession(text);
    await session.act({ do: "confirm", row: 1 });
    await session.act({ do: "leaveOut", row: 1, isOut: true });
    await session.act({ do: "leaveOutGroup", field: "lastName", code: "REQUIRED", isOut: true });
    const { history, loss } = await carry(session, text, { quote: "lines" });
    expect(loss).toEqual({ cells: 4, rows: 1 });
    expect(history.fixes).toMatchObject({ edits: {}, leftOut: [], leftOutGroups: [{ code: "REQUIRED" }] });
  });

  test("stays in another encoding, and goes with another separator", async () => {
    const text = `${HEADER}1,,Jörg,\n2,M,,B\n`;
    const session = await openFakeSession(text);
    await session.act({ do: "edit", row: 1, column: 3, text: "A" });
    await session.act({ do: "edit", row: 2, column: 2, text: "Bob" });
    expect((await carry(session, text, { encoding: "windows-1252" })).loss).toEqual({ cells: 0, rows: 0 });
    expect((await carry(session, text, { delimiter: ";" })).loss).toEqual({ cells: 2, rows: 0 });
  });

  test("keeps rows that the service would refuse left out in another encoding, and tells them as lost otherwise", async () => {
    const text = `${HEADER}1,,Jörg,A\n2,,Bob,B\n`;
    const session = await openFakeSession(text);
    session.corrections.preview(createService({ reject: () => "No." }).dryPost);
    await session.quiet();
    await session.act({ do: "leaveOutRefused", isOut: true });
    const kept = await carry(session, text, { encoding: "windows-1252" });
    expect([kept.loss.rows, kept.history.fixes.refused]).toEqual([0, session.corrections.plan.fixes?.refused]);
    expect((await carry(session, text, { quote: "lines" })).loss.rows).toBe(2);
    expect((await carry(session, text, { encoding: "Shift_JIS" })).loss.rows).toBe(2);
  });

  test("is there again when the file is read as before", async () => {
    const session = await openFakeSession("1,,,A\n2,,,B\n");
    await session.act({ do: "edit", row: 1, column: 2, text: "Ann" });
    const { history } = await carry(session, `${HEADER}1,,,A\n2,,,B\n`, {});
    const file = fileOf(`${HEADER}1,,,A\n2,,,B\n`);
    const plan = { ...planFor("create"), fixes: history.fixes };
    const findings = await findingsOf(file, customers, plan);
    const again = new CorrectionSession({ file, collection: customers, plan, findings, history, post: () => {}, fail: () => {} });
    expect(again.check.ready).toBe(1);
    again.act({ do: "undo" });
    expect(again.check.ready).toBe(0);
  });
});
