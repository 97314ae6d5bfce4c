import { cleanup, screen, waitFor, within } from "@testing-library/react";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import type { ProblemGroup, WrongValue } from "../../../pipeline/checking/problem-groups.ts";
import { type Preview, type PreviewCounts, UNCORRECTED } from "../../../pipeline/correction/correction-state.ts";
import { Link } from "../../app/router/link.tsx";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { CheckedStep } from "./check-step.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const CHECK: CheckSummary = {
  ...{
    rowsRead: 0,
    ready: 0,
    leftOut: 0,
    warned: 0,
    repeats: 0,
    refusedOut: 0,
    listed: 0,
    unlisted: 0,
    seconds: 1,
    matchedBy: "Object ID",
    repeated: { ranges: [], more: 0 },
    twins: { ranges: [], more: 0, rows: 0 },
    repeatsOut: undefined,
  },
  correctable: { rows: 0, isLeast: false },
  ...{ groups: [], leftOutGroups: [], accepted: [], autoFixes: [], valueFixes: [], damage: [], notes: [], strayQuotes: undefined },
};

const some = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(400));
const PREVIEWED = ["created", "updated", "unchanged", "failed", "repeats"] as const;

/** A check, and how far the preview of its ready rows has come. */
const states = fc
  .record({
    ...{ counts: fc.record({ created: some, updated: some, unchanged: some, failed: some, repeats: some }), later: some },
    ...{ unknown: some, leftOut: some, correctable: some, wrong: some, warned: some, asked: some, isLeast: fc.boolean() },
    is: fc.constantFrom("none", "unavailable", "counting", "stopped", "done"),
  })
  .map(({ counts, later, unknown, leftOut, correctable, wrong, warned, asked, isLeast, is }): { check: CheckSummary; preview: Preview } => {
    const done = PREVIEWED.reduce((sum, name) => sum + counts[name], 0);
    const hasUnknown = is === "counting";
    const rowsDone = done + (hasUnknown ? unknown : 0);
    const ready = rowsDone + (is === "done" ? 0 : later);
    const all: PreviewCounts = {
      ...counts,
      awaiting: 0,
      unknown: hasUnknown ? unknown : 0,
      existing: 0,
      absent: 0,
      warned: Math.min(asked, counts.failed),
    };
    const figures = { counts: all, rowsDone, rowsTotal: ready, rowsPerSecond: 0, changes: [], warned: [], left: new Map(), rejections: [] };
    const stopped = { why: "It stopped.", isSignedOut: false };
    const preview: Preview =
      is === "none"
        ? { is }
        : is === "unavailable"
          ? { is, ...stopped }
          : is === "stopped"
            ? { is, ...figures, ...stopped }
            : { is: is === "done" ? "done" : "counting", ...figures };
    const rowsRead = ready + leftOut + correctable + wrong + warned;
    return { check: { ...CHECK, rowsRead, ready, leftOut, warned, correctable: { rows: correctable, isLeast } }, preview };
  });

const numberIn = (text: string | null | undefined) => Number(/[\d,]+/.exec(text ?? "")?.[0].replaceAll(",", ""));
const NOT_READY = ["Left out", "Can be corrected at once", "Others with problems", "With problems", "Would be refused", "To be confirmed"];

describe("the result of a check", () => {
  test("says one number of ready rows in headline, legend and button, whatever check and preview have found", async () => {
    const drawn = fc.sample(states, { seed: 39, numRuns: 60 });
    await drawPart(
      app,
      <div>
        {drawn.map(({ check, preview }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the examples have no other name
          <section key={i} aria-label={`state ${i}`}>
            <CheckedStep
              collection={app.collection}
              state={{ collection: app.collection, choices: {} }}
              checked={{ step: "checked", check, corrections: { ...UNCORRECTED, preview } }}
            />
          </section>
        ))}
      </div>,
    );
    for (const [i, { check, preview }] of drawn.entries()) {
      const state = within(screen.getByRole("region", { name: `state ${i}` }));
      const example = JSON.stringify({ check, preview });
      const parts = state
        .queryAllByRole("listitem")
        .map(({ textContent }) => ({ label: textContent.replace(/ [\d,]+$/, ""), rows: numberIn(/[\d,]+$/.exec(textContent)?.[0]) }));
      const legend = parts.filter(({ rows }) => !Number.isNaN(rows));
      const sum = (isWanted: (label: string) => boolean) =>
        legend.filter(({ label }) => isWanted(label)).reduce((rows, part) => rows + part.rows, 0);
      const ready = sum((label) => !NOT_READY.includes(label));
      expect(
        sum(() => true),
        example,
      ).toBe(check.rowsRead);
      const headline = /^([\d,]+) rows? (?:is|are) ready/.exec(state.queryByText(/ready/, { selector: "div" })?.textContent ?? "");
      const upload = state.queryByRole("button", { name: /^Upload / });
      if (/^Upload \d/.test(upload?.textContent ?? "")) {
        expect([numberIn(headline?.[1]), numberIn(upload?.textContent)], example).toEqual([ready, ready]);
        const refused = sum((label) => label === "Would be refused");
        if (refused > 0) expect(state.getByText(new RegExp(`${refused.toLocaleString("en")} would be refused`)), example).toBeTruthy();
      } else expect(headline, example).toBeNull();
    }
    expect(screen.getAllByRole("button", { name: /^Upload \d/ }).length).toBeGreaterThan(20);
  });
});

describe("values that are chosen and not applied", () => {
  const group: ProblemGroup = {
    ...{ field: "lastName", title: "Last name", code: "REQUIRED", message: "Last name is wrong.", count: 71, more: 0, offers: [] },
    ranges: [[1, 71]],
    values: { distinct: 1, corrected: 0, unlisted: 0, proposed: 0, proposedRows: 0, proposals: [] },
  };
  const value: WrongValue = { text: "??", rows: 71, proposal: undefined };

  /** Draws the step with one wrong value, whose table is open and whose rows are to be left out, and the values of `proposed`. */
  async function choose(proposed: WrongValue[] = [], choice = "leave its rows out") {
    const check = { ...CHECK, rowsRead: 100, ready: 29, groups: [group] };
    const drawn = await drawPart(
      app,
      <>
        <Link to="/uploads">Away</Link>
        <CheckedStep
          collection={app.collection}
          state={{ collection: app.collection, choices: {} }}
          checked={{ step: "checked", check, corrections: UNCORRECTED }}
        />
      </>,
    );
    const { user, worker, services } = drawn;
    services.uploadManager.inspect(new File(["a"], "a.csv"), app.collection);
    await user.click(await screen.findByRole("button", { name: /^Values/ }));
    await waitFor(() => expect(worker.commands.at(-1)).toMatchObject({ type: "query", query: { for: "values" } }));
    const asked = worker.commands.at(-1);
    if (asked?.type === "query")
      worker.post({ type: "answer", id: asked.id, answer: { for: "values", values: [value, ...proposed], total: 1 } });
    const box = await screen.findByRole("combobox", { name: /What “\?\?” becomes/ });
    if (choice) await user.selectOptions(box, choice);
    return { user, acts: () => worker.commands.filter(({ type }) => type === "act") };
  }

  const question = () => screen.findByRole("dialog", { name: "Apply the chosen values first?" });

  test.each(["Upload 29 rows", "Back to columns"])("are asked about at “%s”", async (button) => {
    const { user, acts } = await choose();
    await user.click(screen.getByRole("button", { name: button }));
    const dialog = await question();
    expect(dialog.textContent).toContain("Values are chosen for 71 rows and not applied yet.");
    await user.click(within(dialog).getByRole("button", { name: "Apply them" }));
    await waitFor(() =>
      expect(acts()).toEqual([{ type: "act", act: { do: "values", field: "lastName", values: [{ from: "??", to: null }] } }]),
    );
  });

  const PROPOSED: WrongValue = { text: "Smth", rows: 5, proposal: { to: "Smith", why: "similar" } };

  test("are none where nobody has chosen anything, or has chosen that it stays, whatever is proposed", async () => {
    for (const choice of ["", "stays as it is"]) {
      const { user } = await choose([PROPOSED], choice);
      await user.click(screen.getByRole("button", { name: "Upload 29 rows" }));
      expect(screen.queryByRole("dialog")).toBeNull();
      cleanup();
    }
  });

  test("are applied without the proposals beside them, which nobody has chosen", async () => {
    const { user, acts } = await choose([PROPOSED]);
    await user.click(screen.getByRole("button", { name: "Upload 29 rows" }));
    const dialog = await question();
    expect(dialog.textContent).toContain("71 rows");
    await user.click(within(dialog).getByRole("button", { name: "Apply them" }));
    await waitFor(() =>
      expect(acts()).toEqual([{ type: "act", act: { do: "values", field: "lastName", values: [{ from: "??", to: null }] } }]),
    );
  });

  test("are not forgotten when their table is closed", async () => {
    const { user } = await choose();
    await user.click(screen.getByRole("button", { name: /^Values/ }));
    await user.click(screen.getByRole("button", { name: "Upload 29 rows" }));
    expect((await question()).textContent).toContain("71 rows");
  });

  test("are asked about no more once they are applied", async () => {
    const { user } = await choose();
    await user.click(screen.getByRole("button", { name: /^Apply 1 value/ }));
    await user.click(screen.getByRole("button", { name: "Upload 29 rows" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test.each([
    ["Apply them", true, 1],
    ["Go on without them", true, 0],
    ["Escape", false, 0],
  ])("are asked about when a link leaves the page: %s", async (answer, isLeft, applied) => {
    const { user, acts } = await choose();
    const away = screen.getByRole("link", { name: "Away" });
    const before = location.pathname;
    await user.click(away);
    const dialog = await question();
    expect(location.pathname).toBe(before);
    if (answer === "Escape") dialog.dispatchEvent(new Event("close"));
    else await user.click(within(dialog).getByRole("button", { name: answer }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(location.pathname).toBe(isLeft ? "/uploads" : before));
    expect(acts()).toHaveLength(applied);
    if (isLeft) return;
    await user.click(away); // the second time as well
    await question();
  });
});
