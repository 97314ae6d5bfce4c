// How the command ends: six exit codes, each with the one sentence that says what happened and what to do. Decides nothing.

export const EXIT = {
  /** Every record is stored, or there is nothing left to do. */
  stored: 0,
  /** Nothing was stored: usage, layout, records, totals. */
  nothing: 1,
  /** Stored, but for rejects within the limit. */
  rejects: 2,
  /** Stopped midway; `resume` goes on. */
  stopped: 3,
  /** The service cannot be reached or does not let us in. */
  unreached: 4,
  /** This file was loaded before. */
  duplicate: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Ending {
  code: ExitCode;
  /** What happened and what to do, for standard error. */
  sentence: string;
  /** It stopped because too many records were refused: to go on as before would stop again. */
  isTooMany?: boolean;
}

/** Ends the command from wherever it is. Anything else that is thrown is an error of this program. */
export class Ended extends Error implements Ending {
  override name = "Ended";
  readonly code: ExitCode;

  constructor(code: ExitCode, sentence: string) {
    super(sentence);
    this.code = code;
  }

  get sentence(): string {
    return this.message;
  }
}

/** The file as a whole cannot be loaded: beside it a report says why. */
export class FileUnfit extends Ended {
  constructor(sentence: string) {
    super(EXIT.nothing, sentence);
  }
}

/** 1 record · 1,200 records */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

/** What the system has against a file, in words; undefined when the error is none of the system's. */
export function systemTrouble(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code === undefined ? undefined : (TROUBLES[code] ?? (/^E[A-Z0-9]+$/.test(code) ? `the system says ${code}` : undefined));
}

const TROUBLES: Record<string, string> = {
  ENOENT: "it is not there",
  EACCES: "this account may not use it",
  EPERM: "this account may not use it",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it is longer than this account may write",
  EROFS: "the file system is read-only",
  EIO: "the disk cannot be read or written",
};
