// A watched folder for tests.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface TestInbox {
  path: string;
  /** Returns the path of the file. */
  write(file: string, text: string): string;
  /** Writes the file and its marker, so that it is taken at once. */
  put(file: string, text: string): string;
  within(place: string): string[];
  /** Without rejects and reports. */
  filesWithin(place: string): string[];
}

export function makeInbox(folder: string, name: string): TestInbox {
  const path = join(folder, name);
  mkdirSync(path);
  const write = (file: string, text: string) => {
    writeFileSync(join(path, file), text);
    return join(path, file);
  };
  const within = (place: string) => readdirSync(join(path, place)).sort();
  return {
    path,
    write,
    put(file, text) {
      write(file, text);
      write(`${file}.done`, "");
      return join(path, file);
    },
    within,
    filesWithin: (place) => within(place).filter((file) => !/\.(report|rejects)\b/.test(file)),
  };
}
