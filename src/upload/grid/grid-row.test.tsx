import { screen } from "@testing-library/react";
import { useState } from "react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GridRow, shownFields } from "../../../pipeline/correction/correction-state.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { GridLine } from "./grid-row.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const wrong = { is: "wrong" as const, inFile: [undefined], becomes: [undefined], isOfOtherShape: false, isLeftOutAlone: false };
const BEFORE: GridRow = {
  ...wrong,
  row: 7,
  line: 8,
  cells: [""],
  problems: [{ field: "lastName", code: "REQUIRED", message: "Enter the last name." }],
};
const CORRECTED: GridRow = { ...BEFORE, is: "corrected", cells: ["Bell"], problems: [] };
const OTHER: GridRow = { ...BEFORE, row: 9, line: 10 };

/** The first place of the grid, with one cell that is edited. The button brings what the worker answers. */
function FirstPlace({ answer }: { answer: GridRow }) {
  const [revision, setRevision] = useState(1);
  const [isEdited, setIsEdited] = useState(true);
  const [noop, stop] = [() => {}, () => setIsEdited(false)];
  return (
    <>
      <table>
        <tbody>
          <GridLine
            measure={noop}
            gap={null}
            index={0}
            row={revision === 1 ? BEFORE : answer}
            shown={shownFields(app.collection, ["lastName"])}
            keyName="objectId"
            at={0}
            selected={{ rows: [0, 0], fields: [0, 0] }}
            editing={isEdited ? {} : undefined}
            revision={revision}
            onCommand={stop}
            onPlace={noop}
            onLeave={stop}
            onWrite={noop}
            fill={{ target: undefined, begin: noop, reach: noop, toEnd: noop }}
          />
        </tbody>
      </table>
      <button type="button" onClick={() => setRevision(2)}>
        Answer
      </button>
    </>
  );
}

test.each([
  ["the row itself", CORRECTED, "Row 7 is ready."],
  ["another row in its place, about which nothing is sentence", OTHER, ""],
])("after an edit comes %s", async (_, answer, sentence) => {
  const { user } = await drawPart(app, <FirstPlace answer={answer} />);
  await user.type(screen.getByRole("textbox", { name: "Last name, row 7" }), "Bell{Enter}");
  expect(screen.getByText("Bell")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Answer" }));
  const [status] = screen.getAllByRole("status");
  expect([status?.textContent, status?.closest("th")?.textContent?.startsWith(String(answer.row))]).toEqual([sentence, true]);
});

test.each([
  [
    "the check of the file",
    { ...CORRECTED, problems: [{ field: "lastName", code: "WARNING.shortName" as const, message: "This is short." }] },
  ],
  [
    "the service",
    {
      ...CORRECTED,
      rejection: {
        field: "lastName",
        reason: "This is short.",
        code: "WARNING",
        warnings: [{ rule: "shortName", detail: "This is short." }],
      },
    },
  ],
])("a cell of which a rule only warns is no mistake, and begins with words of its own, as %s says", async (_, row) => {
  const { user } = await drawPart(app, <FirstPlace answer={row} />);
  const cell = screen.getByRole("textbox").closest("td");
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Answer" }));
  expect([cell?.dataset.warned, cell?.getAttribute("aria-invalid")]).toEqual(["true", null]);
  const sentence = "Please look once more: This is short.";
  expect(document.getElementById(cell?.getAttribute("aria-describedby") ?? "")?.textContent).toBe(sentence);
  expect(screen.getByRole("rowheader").getAttribute("aria-description")).toBe(sentence);
});
