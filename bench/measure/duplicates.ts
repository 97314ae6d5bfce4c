// Measures how well duplicates are found among people of whom it is known who is stored twice.

import { type ComparedRecord, compareRecords, toCompared } from "../../core/dictionary/compare-records.ts";
import type { Match } from "../../core/dictionary/match.ts";
import { keysOf, MOST_SHARING } from "../../core/dictionary/match-keys.ts";
import { KINDS, labelledPeople, PEOPLE_MATCH } from "../support/labelled-people.ts";
import { REGISTER_MATCH, registeredPeople, SLIPS } from "../support/registered-people.ts";
import { printTable } from "../support/table.ts";

export interface DuplicateFigures {
  records: number;
  twins: number;
  /** Pairs that were called the same, or maybe the same. */
  same: number;
  maybe: number;
  /** The part of those that were called the same which are. */
  precision: number;
  /** The part of the twins that were called at least maybe the same. */
  recall: number;
  /** The part of the twins of each kind that were called so. */
  byKind: Record<string, number>;
  seconds: number;
}

export function measureDuplicates(records: number, seed = 1): DuplicateFigures {
  return measurePairs(labelledPeople(records, Math.round(records / 10), seed), PEOPLE_MATCH);
}

/** As above, among people of an Australian register, in the shape of the sets that Febrl makes: up to five records of one person, each with up to four slips. */
export function measureRegister(originals: number, seed = 1): DuplicateFigures {
  return measurePairs(registeredPeople(originals, seed), REGISTER_MATCH, SLIPS);
}

interface LabelledRecords {
  people: readonly { id: number }[];
  twins: readonly { one: number; other: number; kind: string }[];
}

export function measurePairs({ people, twins }: LabelledRecords, match: Match, kinds: readonly string[] = KINDS): DuplicateFigures {
  const began = performance.now();
  const pairs = findPairs(people, match);
  const seconds = Math.round(performance.now() - began) / 1_000;
  const isTwin = new Set(twins.map(({ one, other }) => `${one} ${other}`));
  const same = [...pairs].filter(([, level]) => level === "same").map(([pair]) => pair);
  const found = twins.filter(({ one, other }) => pairs.has(`${one} ${other}`));
  const partOf = (kind: string) => share(found.filter((one) => one.kind === kind).length, twins.filter((one) => one.kind === kind).length);
  return {
    records: people.length,
    twins: twins.length,
    same: same.length,
    maybe: pairs.size - same.length,
    precision: share(same.filter((pair) => isTwin.has(pair)).length, same.length),
    recall: share(found.length, twins.length),
    byKind: Object.fromEntries(kinds.map((kind) => [kind, partOf(kind)])),
    seconds,
  };
}

function findPairs(people: LabelledRecords["people"], match: Match): Map<string, "same" | "maybe"> {
  const compared = new Map<number, ComparedRecord>();
  const byKey = new Map<number, number[]>();
  for (const person of people) {
    const record = toCompared(match, { ...person });
    compared.set(person.id, record);
    for (const key of keysOf(match, record)) {
      const ids = byKey.get(key) ?? [];
      byKey.set(key, ids);
      ids.push(person.id);
    }
  }
  const pairs = new Map<string, "same" | "maybe">();
  for (const ids of byKey.values()) {
    if (ids.length > MOST_SHARING) continue;
    for (const [i, one] of ids.entries())
      for (const other of ids.slice(i + 1)) {
        const { level } = compareRecords(match, compared.get(one) as ComparedRecord, compared.get(other) as ComparedRecord);
        if (level) pairs.set(`${one} ${other}`, level);
      }
  }
  return pairs;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000;
}

export function printRegister(figures: DuplicateFigures): void {
  printDuplicates(figures, "people of a register");
}

export function printDuplicates(
  { records, twins, same, maybe, precision, recall, byKind, seconds }: DuplicateFigures,
  who = "people",
): void {
  printTable(
    `Duplicates among ${records.toLocaleString("en")} ${who}, in which ${twins.toLocaleString("en")} pairs are the same person`,
    ["what", "figure"],
    [
      ["pairs that are the same", same],
      ["pairs that may be", maybe],
      ["precision of the first", precision],
      ["recall of both", recall],
      ...Object.entries(byKind).map(([kind, part]): [string, number] => [`  recall of: ${kind}`, part]),
      ["seconds, in one thread", seconds],
    ],
  );
}
