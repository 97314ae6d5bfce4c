// Measures how well duplicates are found among people of whom it is known who is stored twice.

import { type ComparedRecord, compareRecords, toCompared } from "../../core/dictionary/compare-records.ts";
import type { Match } from "../../core/dictionary/match.ts";
import { keysOf, MOST_SHARING } from "../../core/dictionary/match-keys.ts";
import { KINDS, type Labelled, labelledPeople, PEOPLE_MATCH, type TwinKind } from "../support/labelled-people.ts";
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
  byKind: Record<TwinKind, number>;
  seconds: number;
}

export function measureDuplicates(records: number, seed = 1): DuplicateFigures {
  return measurePairs(labelledPeople(records, Math.round(records / 10), seed), PEOPLE_MATCH);
}

export function measurePairs({ people, twins }: Labelled, match: Match): DuplicateFigures {
  const began = performance.now();
  const pairs = findPairs(people, match);
  const seconds = Math.round(performance.now() - began) / 1_000;
  const isTwin = new Set(twins.map(({ one, other }) => `${one} ${other}`));
  const same = [...pairs].filter(([, level]) => level === "same").map(([pair]) => pair);
  const found = twins.filter(({ one, other }) => pairs.has(`${one} ${other}`));
  const partOf = (kind: TwinKind) =>
    share(found.filter((one) => one.kind === kind).length, twins.filter((one) => one.kind === kind).length);
  return {
    records: people.length,
    twins: twins.length,
    same: same.length,
    maybe: pairs.size - same.length,
    precision: share(same.filter((pair) => isTwin.has(pair)).length, same.length),
    recall: share(found.length, twins.length),
    byKind: Object.fromEntries(KINDS.map((kind) => [kind, partOf(kind)])) as Record<TwinKind, number>,
    seconds,
  };
}

function findPairs(people: Labelled["people"], match: Match): Map<string, "same" | "maybe"> {
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

export function printDuplicates({ records, twins, same, maybe, precision, recall, byKind, seconds }: DuplicateFigures): void {
  printTable(
    `Duplicates among ${records.toLocaleString("en")} people, ${twins.toLocaleString("en")} of whom are stored twice`,
    ["what", "figure"],
    [
      ["pairs that are the same", same],
      ["pairs that may be", maybe],
      ["precision of the first", precision],
      ["recall of both", recall],
      ...KINDS.map((kind) => [`  recall of: ${kind}`, byKind[kind]]),
      ["seconds, in one thread", seconds],
    ],
  );
}
