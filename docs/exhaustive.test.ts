// A new kind, operator or outcome fails to compile at exactly the places that CONTRIBUTING.md lists.

import { afterAll, expect, test } from "vitest";
import { ADDITIONS, filesWithErrors, listed, removeCopy } from "./compile-additions.ts";

afterAll(removeCopy);

// One run of the compiler finds the places of all three; exhaustive.deep.test.ts tells apart whose they are.
test("a new kind, a new operator and a new outcome fail to compile wherever they must be known", async () => {
  const lists = ADDITIONS.map(({ name }) => listed(name));
  for (const list of lists) expect(list).not.toEqual([]);
  expect(await filesWithErrors(ADDITIONS)).toEqual([...new Set(lists.flat())].sort());
}, 300_000);
