import { describe, expect, test } from "vitest";
import { customers, fileOf } from "../testing/fake-service.ts";
import { CLASSES, CORPUS, type CorpusClass } from "../testing/reading/corpus.ts";
import { scoreFile } from "../testing/reading/score.ts";

/** Measured by the bench, not yet held. */
const OPEN: readonly string[] = [];

/** Read with a warning that offers another reading, or refused in rows that a person could read. */
const WARNED: Partial<Record<CorpusClass, readonly string[]>> = {
  "multi-line cells": ["not: two marks that happen to pair", "not: two neighbours that happen to pair"],
  "missing separator": ["behind a quoted comma"],
};

test("each class has files that must stay as they are", () => {
  for (const of of CLASSES) expect(CORPUS.some((file) => file.of === of && file.name.startsWith("not: "))).toBe(true);
  expect(CORPUS.length).toBeGreaterThan(150);
});

describe.each(CLASSES)("no row differs silently from a file of the class %s", (of) => {
  const files = CORPUS.filter((file) => file.of === of && !OPEN.includes(file.name));
  test.each(files.map((file) => [file.name, file] as const))("%s", async (name, file) => {
    const { verdict, why } = await scoreFile(fileOf(file.content), file, customers);
    expect(verdict, why).toMatch(WARNED[of]?.includes(name) ? /^(warned|refused wrongly)$/ : /^(right|refused rightly)$/);
  });
});
