import type { Choices } from "./dialect.ts";

/** Another way to read a file, offered as a button. */
export interface Remedy {
  label: string;
  choices: Choices;
}

/** The file as a whole cannot be used. Both texts are sentences for the screen: what is wrong, and what to do. */
export class FileRefused extends Error {
  override name = "FileRefused";
  readonly title: string;
  readonly detail: string;
  readonly remedy: Remedy | undefined;

  constructor(title: string, detail: string, remedy?: Remedy) {
    super(`${title} ${detail}`);
    this.title = title;
    this.detail = detail;
    this.remedy = remedy;
  }
}
