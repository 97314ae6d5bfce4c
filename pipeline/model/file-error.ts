import { t } from "../../core/i18n/translate.ts";
import type { Choices } from "./dialect.ts";

/** Another way to read the file, offered as a button. */
export interface ReadingFix {
  label: string;
  choices: Choices;
}

/** The file as a whole cannot be used. `title` says what is wrong, `detail` what to do; both are shown. */
export class FileError extends Error {
  override name = "FileRefused";
  readonly title: string;
  readonly detail: string;
  readonly autoFix: ReadingFix | undefined;

  constructor(title: string, detail: string, autoFix?: ReadingFix) {
    super(`${title} ${detail}`);
    this.title = title;
    this.detail = detail;
    this.autoFix = autoFix;
  }
}

/** Throws FileError: a script that is loaded late could not be fetched. */
export function loadFailed(): never {
  throw new FileError(
    t("A part of the app could not be loaded."),
    t("It is needed to read this kind of file. Reload the page and choose the file again."),
  );
}
