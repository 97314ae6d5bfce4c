// GnuCOBOL writes the very bytes that the quick tests read.

import { endianness } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../batch/testing/process.ts";
import { COBOL_FILES, type CobolFileName, cobolFile, writeAnew } from "../testing/gnucobol.ts";

const isDeep = process.env.DEEP === "1" && endianness() === "LE";

test.runIf(isDeep).each(Object.keys(COBOL_FILES) as CobolFileName[])(
  "%s is written again, byte for byte",
  (name) => {
    const folder = makeFolder();
    onTestFinished(folder.remove);
    const bytes = writeAnew(name, join(folder.path, "cobol"));
    expect(Buffer.from(bytes).toString("hex")).toBe(Buffer.from(cobolFile(name)).toString("hex"));
  },
  600_000,
);
