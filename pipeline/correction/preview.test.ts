import { describe, expect, onTestFinished, test } from "vitest";
import type { BatchResult } from "../../core/contract/records.ts";
import { setCatalogue } from "../../core/i18n/translate.ts";
import { REFUSED_GROUP } from "../checking/problem-groups.ts";
import { createService, employees, fileOf, upload } from "../testing/fake-service.ts";
import { HEADER, openFakeSession } from "../testing/fake-session.ts";

describe("the preview", () => {
  for (const mode of ["create", "update", "upsert"] as const) {
    test(`is what the upload then does: ${mode}`, async () => {
      const reject = ({ lastName }: Record<string, unknown>) => (lastName === "Nobody" ? "Not him." : undefined);
      const service = createService({ reject });
      await upload(fileOf(`${HEADER}${Array.from({ length: 40 }, (_, i) => `${i + 1},,Same,A\n`).join("")}`), service);
      const lines = Array.from({ length: 3000 }, (_, i) => {
        const name = i % 7 === 0 ? "Nobody" : i % 5 === 0 ? "Other" : "Same";
        return `${i % 11 === 0 ? "x" : i + 1},,${i % 13 === 0 && i > 0 ? "" : name},A\n`;
      });
      const session = await openFakeSession(lines.join(""), { mode });
      session.corrections.preview(service.dryPost);
      await session.quiet();
      const { preview } = session.state();
      if (preview.is !== "done") throw new Error(preview.is);
      const { report } = await upload(fileOf(HEADER + lines.join("")), service, { plan: session.corrections.plan, uploadId: "u2" });
      const { created, updated, unchanged, failed } = report.counts;
      expect(preview.counts).toMatchObject({ created, updated, unchanged, failed, repeats: 0, unknown: 0 });
      expect(report.counts.notSent).toBe(session.check().rowsRead - session.check().ready);
      const refused = report.notStored.filter(({ outcome }) => outcome === "failed").map(({ row }) => row);
      expect(
        session
          .rows("refused")
          .map(({ row }) => row)
          .slice(0, refused.length),
      ).toEqual(refused);
    });
  }

  test("counts in how many records a field keeps a value that is hidden", async () => {
    const service = createService();
    const session = await openFakeSession("1,Ida,Ek,A\n2,,Ek,A\n3,Bo,Ek,A\n");
    session.corrections.preview(async (...given) => {
      const answer = await service.dryPost(...given);
      if (answer.kind !== "answered") return answer;
      const results = answer.results.map((result) => ({
        ...result,
        ...(given[0][result.index]?.firstName && { leftBehind: ["firstName"] }),
      }));
      return { ...answer, results };
    });
    await session.quiet();
    const { preview } = session.state();
    if (preview.is !== "done") throw new Error(preview.is);
    expect([...preview.left]).toEqual([["firstName", 2]]);
  });

  test("looks some rows without a key up, and says how many are stored already", async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `,,Person ${i},A\n`).join("");
    const twinsOf = async (text: string, stored: (name: string) => number | undefined) => {
      const names: string[] = [];
      const session = await openFakeSession(text);
      session.corrections.preview(createService().dryPost, async ({ lastName }) => {
        names.push(String(lastName));
        return stored(String(lastName));
      });
      await session.quiet();
      const { preview } = session.state();
      if (preview.is !== "done") throw new Error(preview.is);
      return [preview.twins, names.length];
    };
    const isStored = (before: number) => (name: string) => (Number(name.split(" ")[1]) < before ? 7 : undefined);
    expect(await twinsOf(lines(5_000), isStored(0))).toEqual([undefined, 14]); // ten of the first batch, and one of each later one
    expect(await twinsOf(lines(5_000), isStored(1_500))).toEqual([{ asked: 14, found: 11, example: 7 }, 14]); // it was interrupted
    expect(await twinsOf(lines(5_000), isStored(2))).toEqual([undefined, 14]); // two may be equal by chance
    expect(await twinsOf(lines(2), isStored(2))).toEqual([{ asked: 2, found: 2, example: 7 }, 2]);
    const withKeys = Array.from({ length: 20 }, (_, i) => `${i + 1},,Person ${i},A\n`).join("");
    expect(await twinsOf(withKeys, isStored(20))).toEqual([undefined, 0]); // the service itself refuses a key that is taken
  });

  test("the upload is told when the service was asked, and an edit afterwards keeps the time", async () => {
    const session = await openFakeSession("1,,Same,A\n2,,,A\n");
    const times = ["2026-03-09T14:30:00.000Z", undefined];
    session.corrections.preview(createService().dryPost, undefined, async () => times.shift());
    await session.quiet();
    expect(session.corrections.plan.previewedAt).toBe("2026-03-09T14:30:00.000Z");
    session.corrections.act({ do: "edit", row: 2, column: 2, text: "Ek" });
    expect(session.corrections.plan.previewedAt).toBe("2026-03-09T14:30:00.000Z"); // what was seen is still of that time
    await session.quiet();
    expect(session.corrections.plan.previewedAt).toBe("2026-03-09T14:30:00.000Z"); // a service that says no time
  });

  test("a preview that could not be had tells no time", async () => {
    const session = await openFakeSession("1,,Same,A\n");
    session.corrections.preview(
      async () => ({ kind: "refused", status: 403, code: "", detail: "No.", problems: [], retryAfter: null }),
      undefined,
      async () => "2026-03-09T14:30:00.000Z",
    );
    await session.quiet();
    expect(session.state().preview.is).toBe("unavailable");
    expect(session.corrections.plan.previewedAt).toBeUndefined();
  });

  test("counts the rows that only another mode would store", async () => {
    const service = createService();
    await upload(fileOf(`${HEADER}1,,Ann,A\n2,,Bob,B\n`), service);
    const counted = async (mode: "create" | "update" | "upsert") => {
      const session = await openFakeSession("1,,Ann,A\n2,,Eve,B\n3,,Cid,C\n", { mode });
      session.corrections.preview(service.dryPost);
      await session.quiet();
      const { preview } = session.state();
      if (preview.is !== "done") throw new Error(preview.is);
      expect(preview.rowsDone).toBe(3);
      return [preview.counts.existing, preview.counts.absent, preview.counts.failed];
    };
    expect(await counted("create")).toEqual([2, 0, 2]);
    expect(await counted("update")).toEqual([0, 1, 1]);
    expect(await counted("upsert")).toEqual([0, 0, 0]);
  });

  test("shows old and new values of what would change, and stores nothing", async () => {
    const service = createService();
    await upload(fileOf(`${HEADER}7,,Old,A\n`), service);
    const session = await openFakeSession("7,,New,A\n", { mode: "upsert" });
    session.corrections.preview(service.dryPost);
    await session.quiet();
    expect(session.state().preview).toMatchObject({
      is: "done",
      changes: [{ key: 7, label: { lastName: "New" }, fields: [{ field: "lastName", old: "Old", now: "New" }] }],
    });
    expect(service.records.get(7)?.lastName).toBe("Old");
  });

  test("counts rows with a repeated key separately", async () => {
    const session = await openFakeSession("1,,Ann,A\n2,,Bob,B\n1,,Eve,C\n", { mode: "upsert" });
    session.corrections.preview(createService().dryPost);
    await session.quiet();
    expect(session.state().preview).toMatchObject({ is: "done", counts: { created: 2, repeats: 1 }, rowsDone: 3, rowsTotal: 3 });
  });

  test("marks the cell that the service means, under the name that people know", async () => {
    setCatalogue({ language: "de", texts: { UNIQUE: "schon vergeben: {field}" } });
    onTestFinished(() => setCatalogue());
    const session = await openFakeSession("1,,Ann,A\n2,,Bob,B\n");
    session.corrections.preview(async (records) => {
      const errors = [{ code: "UNIQUE" as const, detail: "It is taken.", pointer: "/1/record/accountID" }];
      const problem = { type: "about:blank", title: "Refused", status: 409, detail: "", code: "VALIDATION" as const, errors };
      const results = records.map((_, index): BatchResult => {
        return index === 1 ? { index, outcome: "failed", status: 409, problem } : { index, outcome: "created", status: 201 };
      });
      return { kind: "answered", results };
    });
    await session.quiet();
    const rejection = { field: "accountID", reason: "schon vergeben: Account ID" };
    expect(session.rows()).toMatchObject([{ row: 2, is: "refused", rejection }]);
    const next = session.corrections.answer({ for: "next", filter: { group: REFUSED_GROUP }, at: { index: 0, field: 0 }, by: 1 });
    expect(next).toEqual({ for: "next", at: { index: 0, field: 3 } });
  });

  test("finds a unique value that is repeated beyond one request, and counts as the upload does", async () => {
    const row = (i: number, badge: string) => `${i + 1},Ann,true,${badge}\n`;
    const badge = (i: number) => `NL-${String(i).padStart(4, "0")}`;
    const rows = Array.from({ length: 5_000 }, (_, i) => row(i, i === 4_321 || i === 2_500 ? badge(7) : i % 9 === 0 ? "" : badge(i)));
    const columns = ["id", "name", "permanent", "badge"];
    const session = await openFakeSession(`id,name,permanent,badge\n${rows.join("")}`, { collection: employees, columns });
    session.corrections.preview(createService({ collection: employees }).dryPost);
    await session.quiet();
    expect(session.state().preview).toMatchObject({ is: "done", counts: { created: 4_998, failed: 2 } });
    expect(session.rows(REFUSED_GROUP).map(({ row, rejection }) => [row, rejection?.field])).toEqual([
      [2_501, "badge"],
      [4_322, "badge"],
    ]);
  });

  test("starts again after a correction, and asks again about a row that was refused", async () => {
    const service = createService({ reject: ({ lastName }) => (lastName === "Nobody" ? "Not him." : undefined) });
    const session = await openFakeSession("1,,Ann,A\n2,,Nobody,B\n");
    session.corrections.preview(service.dryPost);
    await session.quiet();
    expect(session.rows()).toMatchObject([
      { row: 2, is: "refused", rejection: { reason: "Not him.", field: "" }, cells: ["2", "", "Nobody", "B"] },
    ]);
    session.corrections.act({ do: "edit", row: 2, column: 2, text: "Bob" });
    expect(session.state().preview.is).toBe("none");
    await session.quiet();
    expect(session.state().preview).toMatchObject({ is: "done", counts: { created: 2, failed: 0 } });
    expect(session.rows()).toMatchObject([{ row: 2, is: "corrected" }]);
  });

  test.each([
    [401, "Nobody is signed in any more."],
    [403, "The service answered 403."],
    [503, "The service is busy."],
  ])("that the service declines (%i) is a note without an alarm", async (status, words) => {
    const session = await openFakeSession("1,,Ann,A\n");
    session.corrections.preview(() =>
      Promise.resolve({ kind: "refused", status, code: "", detail: `The service answered ${status}.`, problems: [], retryAfter: null }),
    );
    await session.quiet();
    expect(session.state().preview).toEqual({ is: "unavailable", why: expect.stringContaining(words), isSignedOut: status === 401 });
  });

  test("that gets no more answers in the middle keeps the first rows, and can be repeated", async () => {
    const service = createService();
    const session = await openFakeSession(Array.from({ length: 6000 }, (_, i) => `${i + 1},,Ann,A\n`).join(""));
    let calls = 0;
    session.corrections.preview((...batch) => {
      if (++calls < 4) return service.dryPost(...batch);
      return Promise.resolve({ kind: "refused", status: 403, code: "", detail: "No more.", problems: [], retryAfter: null });
    });
    await session.quiet();
    expect(session.state().preview).toMatchObject({
      is: "stopped",
      why: "No more.",
      counts: { created: 3000, unknown: 0 },
      rowsDone: 3000,
      rowsTotal: 6000,
    });
    session.corrections.preview(service.dryPost);
    await session.quiet();
    expect(session.state().preview).toMatchObject({ is: "done", counts: { created: 6000 } });
  });

  test("leaves out all rows that the service would refuse at once, and takes them back", async () => {
    const service = createService();
    const rows = Array.from({ length: 3000 }, (_, i) => `${i + 1},,Held,H\n`).join("");
    await upload(fileOf(HEADER + rows), service);
    const text = Array.from({ length: 6000 }, (_, i) => `${i + 1},,Ann,A\n`).join("");
    const session = await openFakeSession(text);
    session.corrections.preview(service.dryPost);
    await session.quiet();
    await session.act({ do: "leaveOutRefused", isOut: true });
    expect(session.check()).toMatchObject({ ready: 3000, leftOut: 3000, refusedOut: 3000 });
    expect(session.state().preview).toMatchObject({ is: "done", counts: { created: 3000, failed: 0 } });
    const { report } = await upload(fileOf(HEADER + text), service, { plan: structuredClone(session.corrections.plan), uploadId: "u2" });
    expect(report.counts).toMatchObject({ created: 3000, notSent: 3000, failed: 0 });
    await session.act({ do: "leaveOutRefused", isOut: false });
    expect(session.check()).toMatchObject({ ready: 6000, leftOut: 0, refusedOut: 0 });
    await session.act({ do: "undo" });
    expect(session.check()).toMatchObject({ ready: 3000 });
  });
});
