// The bytes of each item are where a compiler puts them: random copybooks against GnuCOBOL with -std=ibm.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../batch/testing/process.ts";
import { randomInt } from "../../server/testing/rounds.ts";
import { findCompiler } from "../testing/gnucobol.ts";
import { readEntries } from "./data-entries.ts";
import { buildRecords, type Item } from "./record-tree.ts";
import { unsurePlaces } from "./unsure-places.ts";

const COPYBOOKS = 200;
const ENTRIES = [
  ..."X(3),X,A(7),9(5),9(9),S9(4),S9(7)V99,ZZ9.99,$$,9(3)P(2),N(4)"
    .split(",")
    .map((picture) => `PIC ${picture === "$$" ? "$$,$$9.99-" : picture}`),
  ...["PIC 9(4)", "PIC S9(4)", "PIC S9(9)", "PIC 9(2)", "PIC S9(18)", "PIC 9(5)V9(4)"].map((picture) => `${picture} COMP`),
  ...["PIC S9(7)V99 COMP-3", "PIC 9(4) PACKED-DECIMAL", "PIC S9(9) COMP-5", "COMP-1", "COMP-2", "PIC S9(5) SIGN TRAILING SEPARATE"],
  ...["PIC S9(9) COMP SYNC", "PIC S9(4) BINARY SYNC", "COMP-2 SYNC", "PIC X(5) SYNC", "PIC X(8) JUSTIFIED RIGHT"],
  ...["PIC N(3) USAGE NATIONAL", "PIC N(5) JUSTIFIED RIGHT"],
];

const pick = <One>(from: readonly One[]) => from[randomInt(from.length)] as One;

/** The entries of one record, each name once in all of them. */
function copybook(record: number): string {
  let [n, lines] = [0, [`       01  R${record}.`]];
  // Behind a table of various lengths GnuCOBOL adds up places when it runs, and wrongly counts what REDEFINES others as bytes of its own.
  const isVariable = randomInt(3) === 0;
  const add = (level: number, text: string) => {
    const [first, ...clauses] = `${text}.`.split(/ (?=OCCURS|DEPENDING|SYNC|SIGN)/); // a line ends at column 72
    lines.push(
      `${" ".repeat(7 + level / 5)}${String(level).padStart(2, "0")}  ${first}`,
      ...clauses.map((clause) => `${" ".repeat(20)}${clause}`),
    );
  };
  const fill = (level: number, depth: number, tables: number) => {
    let before: string | undefined;
    for (let left = 1 + randomInt(4); left > 0; left--) {
      const name = `R${record}-${++n}`;
      const redefines = before !== undefined && !isVariable && randomInt(4) === 0 ? ` REDEFINES ${before}` : "";
      const occurs = redefines === "" && tables < 2 && randomInt(5) === 0 ? ` OCCURS ${1 + randomInt(4)} TIMES` : "";
      if (depth < 3 && randomInt(3) === 0) {
        add(level, `${name}${redefines}${occurs}`);
        fill(level + 5, depth + 1, tables + (occurs === "" ? 0 : 1));
      } else add(level, `${name}${redefines} ${pick(ENTRIES)}${occurs}`);
      before = redefines === "" && occurs === "" ? name : undefined;
    }
  };
  fill(5, 1, 0);
  if (isVariable) addVariable();
  return lines.join("\n");

  /** A table of various lengths, with items behind it in its group or in the record. */
  function addVariable() {
    add(5, `R${record}-N ${pick(COUNTERS)}`);
    const place = randomInt(3); // within a group, within a group with items behind it, or in the record
    if (place < 2) add(5, `R${record}-GROUP`);
    const [level, occurs] = [place < 2 ? 10 : 5, `OCCURS ${randomInt(2)} TO 5 TIMES DEPENDING ON R${record}-N`];
    if (randomInt(2) === 0) add(level, `R${record}-ODO ${pick(ENTRIES)} ${occurs}`);
    else {
      add(level, `R${record}-ODO ${occurs}`);
      fill(level + 5, 3, 1);
    }
    // Behind a group whose table has items behind it GnuCOBOL forgets those, so that two items would have the same bytes.
    fill(place === 1 ? 10 : 5, 3, 2);
  }
}

const COUNTERS = ["PIC 9(2)", "PIC 9(4) COMP", "PIC S9(3) COMP-3", "PIC 9"];

/** With how many subscripts each is named. */
function itemsOf(item: Item, subscripts = 0): [item: Item, subscripts: number][] {
  const all = subscripts + (item.entry.occurs ? 1 : 0);
  return [[item, all], ...item.children.flatMap((child) => itemsOf(child, all))];
}

test.runIf(process.env.DEEP === "1")(`${COPYBOOKS} random copybooks`, { timeout: 600_000 }, () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  mkdirSync(join(folder.path, "cobol"));
  const texts = Array.from({ length: COPYBOOKS }, (_, i) => copybook(i));
  const records = texts.map((text) => {
    const read = readEntries(text);
    const { records } = buildRecords(read.entries, { isMainframe: true });
    return { items: itemsOf(records[0]?.item as Item), unsure: unsurePlaces(records, read)[0]?.byte ?? Number.POSITIVE_INFINITY };
  });
  const show = ({ items }: (typeof records)[number], i: number) =>
    items.map(([{ entry }, subscripts]) => {
      const named = subscripts > 0 ? `${entry.name}(${Array.from({ length: subscripts }, () => "1").join(" ")})` : entry.name;
      const move = [`SET A TO ADDRESS OF R${i}`, `SET B TO ADDRESS OF ${named}`, "COMPUTE N = BN - AN + 1"];
      return [...move, `DISPLAY "${entry.name} " N " " LENGTH OF ${named}`].map((line) => `           ${line}`).join("\n");
    });
  const program = [
    ...["       IDENTIFICATION DIVISION.", "       PROGRAM-ID. PLACES.", "       DATA DIVISION.", "       WORKING-STORAGE SECTION."],
    ...[
      "       01  A POINTER.",
      "       01  AN REDEFINES A PIC S9(18) COMP-5.",
      "       01  B POINTER.",
      "       01  BN REDEFINES B PIC S9(18) COMP-5.",
    ],
    ...["       01  N PIC 9(6).", ...texts, "       PROCEDURE DIVISION."],
    ...records.flatMap((_, i) => [`           ${texts[i]?.includes("-ODO") ? `MOVE 5 TO R${i}-N` : "CONTINUE"}.`]),
    ...records.flatMap(show).map((text) => `${text}.`),
    "           STOP RUN.\n",
  ].join("\n");
  const [source, run] = [join(folder.path, "cobol", "places.cob"), join(folder.path, "cobol", "places")];
  writeFileSync(source, program);
  execFileSync(findCompiler(), ["-x", "-w", "-std=ibm", "-o", run, source], {
    cwd: join(folder.path, "cobol"),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const shown = execFileSync(run, { cwd: folder.path, encoding: "utf8" }).trim().split("\n");
  const places = new Map(shown.map((line) => line.split(/\s+/)).map(([name, start, length]) => [name, [Number(start), Number(length)]]));
  let compared = 0;
  for (const [i, { items, unsure }] of records.entries()) {
    for (const [{ entry, start, length, children }] of items) {
      const end = start + length * (entry.occurs?.times ?? 1);
      if (start >= unsure || (children.length > 0 && end > unsure)) continue;
      compared++;
      expect([entry.name, start, length], texts[i]).toEqual([entry.name, ...(places.get(entry.name) ?? [])]);
    }
  }
  expect(compared).toBeGreaterThan(COPYBOOKS * 3);
});
