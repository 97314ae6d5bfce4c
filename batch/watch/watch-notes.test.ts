// What cannot be read or written of the notes for the next watch is said.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "../testing/process.ts";
import { readNotes, writeNotes } from "./watch-notes.ts";

const folder = makeFolder();
afterAll(folder.remove);

function listening() {
  const lines: string[] = [];
  return { lines, progress: { line: (text: string) => void lines.push(text) } };
}

const CONSEQUENCE = "So a file that grew after it was taken may stay unnoticed, and a late file may be named twice.";

test("a note that is damaged is said, and one that is not there is nothing to say", async () => {
  const { lines, progress } = listening();
  expect(await readNotes(folder.path, progress)).toMatchObject({ moved: [], late: {} });
  expect(lines).toEqual([]);
  writeFileSync(join(folder.path, "watch.notes"), '{"at":');
  expect(await readNotes(folder.path, progress)).toMatchObject({ moved: [], late: {} });
  expect(lines).toEqual([
    `The note of the watch before in ${join(folder.path, "watch.notes")} cannot be read: it is damaged. ${CONSEQUENCE}`,
  ]);
});

test("a note that cannot be written is said, and ends no watch", async () => {
  const { lines, progress } = listening();
  const state = join(folder.path, "state");
  mkdirSync(join(state, "watch.notes"), { recursive: true }); // a folder in its place
  await writeNotes(state, { at: 1, moved: [], late: {} }, progress);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`The note for the next watch cannot be written to ${join(state, "watch.notes")}: `);
  expect(lines[0]).toContain(CONSEQUENCE);
});
