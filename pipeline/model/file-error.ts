import type { Choices } from "./dialect.ts";

/** Another way to read a file, offered as a button. */
export interface ReadingFix {
  label: string;
  choices: Choices;
}

/** The file as a whole cannot be used. Both texts are sentences for the screen: what is wrong, and what to do. */
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
