// Reads files that are hard to read: the corpus, or a folder of other people's files with what they say.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { customers, fileOf } from "../../pipeline/testing/fake-service.ts";
import { CLASSES, CORPUS, type Truth } from "../../pipeline/testing/reading/corpus.ts";
import { scoreFile, VERDICTS, type Verdict } from "../../pipeline/testing/reading/score.ts";
import { printTable } from "../support/table.ts";

export interface ReadingFigures {
  of: string;
  counts: Record<Verdict, number>;
  /** The files that were not read right or refused rightly, with what differs. */
  wrong: { name: string; verdict: Verdict; why: string }[];
}

interface Case {
  of: string;
  name: string;
  file: File;
  truth: Truth;
}

/** `folder`: files, each with NAME.truth.json beside it, see docs/reading.md. Undefined: the corpus. */
export async function measureReading(folder?: string): Promise<ReadingFigures[]> {
  const figures = new Map<string, ReadingFigures>();
  const cases = folder === undefined ? CORPUS.map((one) => ({ ...one, file: fileOf(one.content), truth: one })) : foreignCases(folder);
  for await (const { of, name, file, truth } of cases) {
    const { verdict, why } = await scoreFile(file, truth, customers);
    const group = figures.get(of) ?? { of, counts: { ...NONE }, wrong: [] };
    figures.set(of, group);
    group.counts[verdict]++;
    if (verdict !== "right" && verdict !== "refused rightly") group.wrong.push({ name, verdict, why: why.slice(0, 160) });
  }
  return [...figures.values()].sort((a, b) => rankOf(a) - rankOf(b));
}

export function printReading(figures: readonly ReadingFigures[]): void {
  const count = (group: ReadingFigures) => VERDICTS.map((verdict) => group.counts[verdict]);
  const sums = VERDICTS.map((verdict) => figures.reduce((sum, { counts }) => sum + counts[verdict], 0));
  printTable(
    "Files, and how they are read",
    ["class", ...VERDICTS],
    [...figures.map((group) => [group.of, ...count(group)]), ["all", ...sums]],
  );
  for (const { of, wrong } of figures) for (const { name, verdict, why } of wrong) console.log(`  ${verdict}: ${of}, ${name}. ${why}`);
}

const NONE: Record<Verdict, number> = { right: 0, "refused rightly": 0, "refused wrongly": 0, warned: 0, silent: 0 };

function rankOf({ of }: ReadingFigures): number {
  return (CLASSES as readonly string[]).indexOf(of);
}

async function* foreignCases(folder: string): AsyncGenerator<Case> {
  for (const path of (await readdir(folder, { recursive: true })).sort()) {
    if (!path.endsWith(SUFFIX)) continue;
    const truth = JSON.parse(await readFile(join(folder, path), "utf8")) as Truth & { of?: string };
    const name = path.slice(0, -SUFFIX.length);
    yield { of: truth.of ?? "files", name, file: fileOf(new Uint8Array(await readFile(join(folder, name))), name), truth };
  }
}

const SUFFIX = ".truth.json";
