// Each of a new kind, operator and outcome fails to compile at exactly the places that CONTRIBUTING.md lists for it.

import { afterAll, expect, test } from "vitest";
import { ADDITIONS, filesWithErrors, listed, removeCopy } from "./compile-additions.ts";

afterAll(removeCopy);

test.each(ADDITIONS)(
  "a new $name fails to compile wherever it must be known",
  async (addition) => {
    expect(await filesWithErrors([addition])).toEqual(listed(addition.name));
  },
  120_000,
);
