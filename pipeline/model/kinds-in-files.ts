// Says what values of each kind suffer in files, and what helps them.

import type { Kind } from "../../core/dictionary/kinds.ts";
import type { PlainFixName } from "./value-fixes.ts";

interface KindInFiles {
  /** Names what a spreadsheet can damage: text loses zeros or turns into dates, a whole number loses digits. The check finds damage of other kinds. */
  atRisk: "text" | "digits" | "none";
  /**
   * The auto fixes that are offered, beside those for every kind and those that `forms` reads. Names that are missing here are of stored
   * plans: today the forms read what they read.
   */
  fixes: readonly PlainFixName[];
}

export const KINDS_IN_FILES: Record<Kind, KindInFiles> = {
  string: { atRisk: "text", fixes: ["enumCase", "bareAddress", "webAddress"] },
  integer: { atRisk: "digits", fixes: ["trailingZero"] },
  number: { atRisk: "none", fixes: [] },
  decimal: { atRisk: "none", fixes: [] },
  boolean: { atRisk: "none", fixes: ["yesNo"] },
  date: { atRisk: "none", fixes: [] },
  datetime: { atRisk: "none", fixes: [] },
  time: { atRisk: "none", fixes: [] },
  year: { atRisk: "none", fixes: ["trailingZero"] },
};
