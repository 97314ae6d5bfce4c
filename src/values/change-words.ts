import type { Operation, SourceType } from "../../core/contract/history.ts";
import { ERASE_COMMAND, type Principal } from "../../core/contract/principals.ts";
import { message, t } from "../../core/i18n/translate.ts";

/** The name of who made a change. */
export function nameOfPrincipal({ type, id, name }: Principal): string {
  return type === ERASE_COMMAND.type && id === ERASE_COMMAND.id ? t("intake erase (command)") : name;
}

/** How a change came in. It follows who did it. */
export const SOURCE_WORDS: Record<SourceType, string> = {
  form: message("in a form"),
  upload: message("by an upload"),
  batch: message("by a batch run"),
  api: message("by a program"),
  undo: message("by an undo"),
};

/** The same by itself, as a choice. */
export const SOURCE_NAMES: Record<SourceType, string> = {
  form: message("Form"),
  upload: message("Upload"),
  batch: message("Batch run"),
  api: message("Program"),
  undo: message("Undo"),
};

export const OPERATION_WORDS: Record<Operation, string> = {
  created: message("Created"),
  updated: message("Changed"),
  deleted: message("Deleted"),
  restored: message("Brought back"),
  erased: message("Erased"),
};
