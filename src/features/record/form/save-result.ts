// What a form asks to save, and what can result from it.

import type { Problem } from "../../../../core/contract/problems.ts";
import type { WireRecord } from "../../../../core/contract/records.ts";
import type { Fields } from "../../../../core/dictionary/validate.ts";

export type SaveRequest =
  | { kind: "create"; fields: Fields }
  /** Only what changed against `base`. */
  | { kind: "update"; base: WireRecord; fields: Fields }
  /** Someone else deleted it: the whole record once more. */
  | { kind: "restore"; base: WireRecord; fields: Fields };

export type SaveResult =
  /** `earlier`: what was sent before and has come to be; what stands in the form now may differ from it. */
  | { saved: WireRecord; earlier?: Fields }
  /** Refused: problems belong to fields, the message to the whole. */
  | { refused: string; problems: Problem[] }
  /** Someone else saved this version meanwhile. */
  | { conflict: WireRecord }
  | { gone: true }
  /** Looked for after silence or a fault, and not found: nothing was stored, for this reason. */
  | { unsaved: string }
  /** The service asks to wait, for so many seconds if it says. `find`, where it may be stored all the same, is as below. */
  | { wait: "tooMany" | "busy"; seconds: number | null; find?: () => Promise<SaveResult> }
  /** No answer came: it may be stored or not. `find` looks, and may be asked as often as it takes. */
  | { unknown: string; find: () => Promise<SaveResult> };

/** Where the user wants to be after saving. */
export type AfterSave = "stay" | "another" | "close";
