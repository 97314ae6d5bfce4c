import { expect, test } from "vitest";
import { readAgain } from "../checking/reread-rows.ts";
import { FileError } from "../model/file-error.ts";
import { OutcomeLog } from "../model/outcomes.ts";
import type { RowBlock } from "../reading/csv-rows.ts";
import { makeErrorsFile } from "../runs/errors-file.ts";
import { counted, createService, customers, fileOf, planFor, upload } from "../testing/fake-service.ts";
import type { OpenRows } from "./row-source.ts";

const header = ["objectId", "firstName", "lastName", "accountID"];
const ignored = fileOf("this is not a table, and nobody reads it");

/** Two blocks of rows that stand in no file, told with the places they would have had there. */
function twoBlocks(opened: { times: number } = { times: 0 }): OpenRows {
  return async function* open(): AsyncGenerator<RowBlock> {
    opened.times++;
    const rest = { header, malformed: new Map<number, string>(), strayQuotes: undefined, bytesRead: 0 };
    yield {
      ...rest,
      first: 1,
      lines: [2, 3],
      rows: [
        ["1", "Märta", "Ångström", "A"],
        ["2", "", "", "B"],
      ],
    };
    yield { ...rest, first: 3, lines: [5, 6], rows: [["3", "", "Nagy", "C"], [""]], malformed: new Map([[1, "Record 6 is cut."]]) };
  };
}

test("rows from another source are checked, sent and reported like those of a CSV file", async () => {
  const service = createService();
  const opened = { times: 0 };
  const { report } = await upload(ignored, service, { openRows: twoBlocks(opened) });
  expect(counted(report)).toEqual({ created: 2, notSent: 2 });
  expect([...service.records.keys()]).toEqual([1, 3]);
  expect(report.notStored.map(({ row, line }) => [row, line])).toEqual([
    [2, 3],
    [4, 6],
  ]);
  expect(opened.times).toBe(2);
});

test("the errors file of rows from another source has the rows that were not stored, and why", async () => {
  const outcomeLog = new OutcomeLog();
  await upload(ignored, createService(), { openRows: twoBlocks(), outcomeLog });
  const text = await (await makeErrorsFile(ignored, customers, planFor("create"), outcomeLog, twoBlocks())).text();
  expect(text.split("\r\n").slice(1)).toEqual(["Enter the last name.,2,2,,,B", "Record 6 is cut.,4,", ""]);
});

test("single rows from another source are found again by their numbers", async () => {
  const [found] = await readAgain(
    { file: ignored, plan: planFor("create"), openRows: twoBlocks() },
    new Set([3]),
    new AbortController().signal,
  );
  expect(found).toMatchObject({ row: 3, line: 5, cells: ["3", "", "Nagy", "C"] });
});

test("an error of another source is shown like that of a file that cannot be used", async () => {
  async function* openRows(): AsyncGenerator<RowBlock> {
    yield* twoBlocks()();
    throw new FileError("The trailer is missing.", "Ask for the file again.");
  }
  const service = createService();
  await expect(upload(ignored, service, { openRows })).rejects.toThrow("ended with refused");
  expect(service.calls).toEqual([]);
});
