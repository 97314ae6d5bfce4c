// Describes what a form asks to save, and what can result from it.

import type { Problem } from "../../../core/contract/problems.ts";
import type { Acknowledged, WireRecord } from "../../../core/contract/records.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import type { Warning } from "./use-warnings.ts";

export type SaveRequest = (
  | { kind: "create"; fields: Fields }
  /** `fields` has only those that differ from `base`. */
  | { kind: "update"; base: WireRecord; fields: Fields }
  /** Someone else deleted it: the whole record is created again. */
  | { kind: "restore"; base: WireRecord; fields: Fields }
) & { acknowledge?: Acknowledged };

export type SaveResult =
  /** `earlier`: the fields of an earlier attempt that had been stored. The form may differ from them by now. */
  | { saved: WireRecord; earlier?: Fields }
  /** `refused` is the message for the whole form, `problems` belong to fields. */
  | { refused: string; problems: Problem[] }
  /** Only warnings are in the way. */
  | { warned: Warning[] }
  /** Someone else saved this version first. */
  | { conflict: WireRecord }
  | { gone: true }
  /** Sent by whoever was signed in before, or too long ago, and not answered. It cannot be looked up any more. The text says why. */
  | { perhapsSaved: string }
  /** It was looked up after a missing reply, and not found: nothing was stored. The text is the reason. */
  | { unsaved: string }
  /** The service asks to wait. With `find`, it may have been stored all the same. */
  | { wait: "tooMany" | "busy"; seconds: number | null; find?: () => Promise<SaveResult> }
  /** No reply: it may be stored or not. `find` looks it up, and may be called repeatedly. */
  | { unknown: string; find: () => Promise<SaveResult> };

/** The page that follows after saving. "copy": to a new record that begins with the values of this one. */
export type AfterSave = "stay" | "another" | "close" | "copy";
