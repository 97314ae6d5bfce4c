// Headline, bar, legend and button say one thing, whatever stands in the file and whatever the service says of it.

import fc from "fast-check";
import { expect, test } from "vitest";
import { checkFile } from "../../../pipeline/checking/check-file.ts";
import { Findings } from "../../../pipeline/checking/findings.ts";
import { withRepeats } from "../../../pipeline/checking/repeated-rows.ts";
import type { Preview } from "../../../pipeline/correction/correction-state.ts";
import { runPreview } from "../../../pipeline/correction/preview.ts";
import { KEPT_REPEATS, type KeptRepeat, NO_CORRECTIONS } from "../../../pipeline/model/corrections.ts";
import type { UploadMode } from "../../../pipeline/model/plan.ts";
import type { PostBatch } from "../../../pipeline/sending/responses.ts";
import { createClock, customers, fileOf, planFor } from "../../../pipeline/testing/fake-service.ts";
import { previewParts } from "./preview.tsx";
import { tally } from "./tally.ts";

const CODES = ["UNIQUE", "REFERENCE_NOT_FOUND", "WARNING"] as const;

/** Each record has the outcome that its name says. */
const dryPost: PostBatch = (records) =>
  Promise.resolve({
    kind: "answered",
    results: records.map((record, index) => {
      const name = String(record.lastName);
      const code = CODES.find((one) => name === one);
      if (name === "created" || name === "updated" || name === "unchanged") return { index, outcome: name, status: 200 };
      const errors = [{ code: code ?? "UNIQUE", detail: `It is ${name}.`, pointer: `/${index}/accountID` }];
      const problem = {
        type: "about:blank",
        title: "x",
        status: 422,
        detail: "x",
        code: code === "WARNING" ? code : ("VALIDATION" as const),
        errors,
      };
      return { index, outcome: "failed" as const, status: 422, problem };
    }),
  });

const row = fc.record({
  id: fc.oneof(fc.integer({ min: 1, max: 6 }).map(String), fc.constantFrom("", "x")),
  name: fc.constantFrom("created", "updated", "unchanged", ...CODES, ""),
  account: fc.constantFrom("A1", "B2", ""),
});
const MODES: UploadMode[] = ["create", "update", "upsert"];

test("for any file, mode and way to keep repeats the sums agree, and each refused row is in one group", async () => {
  let refusedSeen = 0;
  let repeatsSeen = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 14 }),
      fc.constantFrom(...MODES),
      fc.constantFrom<KeptRepeat | undefined>(undefined, ...KEPT_REPEATS),
      async (rows, mode, repeats) => {
        const file = fileOf(`objectId,lastName,accountID\n${rows.map(({ id, name, account }) => `${id},${name},${account}\n`).join("")}`);
        const given = { ...planFor(mode, ["objectId", "lastName", "accountID"]), fixes: { ...NO_CORRECTIONS, repeats } };
        const signal = new AbortController().signal;
        const plan = await withRepeats({ file, collection: customers, plan: given }, signal);
        const findings = new Findings(customers, plan);
        for await (const _ of checkFile(file, customers, plan, findings));
        const check = findings.summary();
        const agree = (preview: Preview): void => {
          const { ready, refused, wrong, warned } = tally(check, preview);
          const parts = previewParts(check, preview, check.matchedBy);
          expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(check.rowsRead);
          expect(parts.every(({ count }) => count >= 0)).toBe(true);
          const sent = ["created", "updated", "unchanged", "skipped", "inDoubt", "ready"];
          expect(parts.filter(({ outcome }) => sent.includes(outcome)).reduce((sum, { count }) => sum + count, 0)).toBe(ready);
          expect(ready + refused + wrong + warned + check.leftOut).toBe(check.rowsRead);
          if (!("rejections" in preview)) return;
          expect(preview.rejections.reduce((sum, group) => sum + group.rows, 0)).toBe(refused);
          for (const { rows: n, ranges, more, values, others } of preview.rejections) {
            expect(ranges.reduce((sum, [from, to]) => sum + to - from + 1, more)).toBe(n);
            expect(values.reduce((sum, { rows: count }) => sum + count, others)).toBe(n);
          }
          refusedSeen += refused;
        };
        agree({ is: "none" });
        if (repeats !== undefined) {
          expect([check.repeats, check.groups.some(({ code }) => code === "DUPLICATE")]).toEqual([0, false]);
          expect(check.repeatsOut?.rows).toBe(check.leftOut);
          expect(check.twins.rows).toBe(0);
          repeatsSeen += check.leftOut;
        }
        if (check.ready === 0) return;
        const job = { file, collection: customers, plan, rowsTotal: check.ready, dryPost, signal, clock: createClock() };
        for await (const preview of runPreview(job, () => undefined)) agree(preview);
      },
    ),
    { numRuns: 300 },
  );
  expect(refusedSeen).toBeGreaterThan(50);
  expect(repeatsSeen).toBeGreaterThan(50);
}, 60_000);
