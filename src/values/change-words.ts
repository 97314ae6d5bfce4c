import type { Operation, SourceType } from "../../core/contract/history.ts";
import { ERASE_COMMAND, type Principal } from "../../core/contract/principals.ts";
import type { CurrentVersion } from "../../core/contract/problems.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { formatRelativeTime } from "./format.ts";

/** Returns the name of who made a change. */
export function nameOfPrincipal({ type, id, name }: Principal): string {
  return type === ERASE_COMMAND.type && id === ERASE_COMMAND.id ? t("intake erase (command)") : name;
}

/** Says why a write was refused that named an older version: who was first, and when. */
export function whoChanged(current: CurrentVersion | undefined): string {
  if (!current?.updatedBy) return t("Someone else changed it meanwhile.");
  return t("{name} changed it {when}. Nothing was done.", { name: current.updatedBy.name, when: formatRelativeTime(current.updatedAt) });
}

/** Says how a change came in. It follows who did it. */
export const SOURCE_WORDS: Record<SourceType, string> = {
  form: message("in a form"),
  upload: message("by an upload"),
  batch: message("by a batch run"),
  api: message("by a program"),
  undo: message("by an undo"),
  conversion: message("by a conversion"),
  computation: message("because values were computed anew"),
  merge: message("by a merge"),
  unmerge: message("by taking a merge apart"),
};

/** The same by itself, as a choice. */
export const SOURCE_NAMES: Record<SourceType, string> = {
  form: message("Form"),
  upload: message("Upload"),
  batch: message("Batch run"),
  api: message("Program"),
  undo: message("Undo"),
  conversion: message("Conversion"),
  computation: message("Computation"),
  merge: message("Merge"),
  unmerge: message("Taken apart"),
};

export const OPERATION_WORDS: Record<Operation, string> = {
  created: message("Created"),
  updated: message("Changed"),
  deleted: message("Deleted"),
  restored: message("Brought back"),
  erased: message("Erased"),
};
