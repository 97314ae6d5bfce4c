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

export interface Exit {
  code: ExitCode;
  /** What happened and what to do, for standard error. */
  sentence: string;
  /** The file itself is why: tried again it would end so again. */
  isOfFile?: boolean;
}

/** Ends the command from wherever it is. Anything else that is thrown is an error of this program. */
export class CommandError extends Error implements Exit {
  override name = "Ended";
  readonly code: ExitCode;
  readonly isOfFile: boolean = false;

  constructor(code: ExitCode, sentence: string) {
    super(sentence);
    this.code = code;
  }

  get sentence(): string {
    return this.message;
  }
}

/** The file as a whole cannot be loaded: beside it a report says why. */
export class InvalidFile extends CommandError {
  override readonly isOfFile = true;

  constructor(sentence: string) {
    super(EXIT.nothing, sentence);
  }
}

/** A run has these bytes already, ended or not. */
export class AlreadyLoaded extends CommandError {
  override readonly isOfFile = true;
}

/** Something that must work while records are sent does not. The message says what and why. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** What was thrown while records may have left already; `goOn` says how it goes on. */
export function stoppedBy(error: unknown, goOn: string): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof Interrupted) return new CommandError(EXIT.stopped, `Stopped: ${error.message} ${goOn}`);
  const [first, ...more] = exitOf(error).split("\n");
  return new CommandError(EXIT.stopped, [`Stopped: ${first} ${goOn}`, ...more].join("\n"));
}

/** A sentence about an error that nobody expected; of one of this program, where it happened, too. */
export function exitOf(error: unknown): string {
  const why = systemError(error);
  if (why === undefined) return `An error of this program stopped it. ${error instanceof Error ? error.stack : String(error)}`;
  return `${(error as NodeJS.ErrnoException).path ?? "A file"} cannot be used: ${why}.`;
}

/** 1 record · 1,200 records */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

/** What the system has against a file, in words; undefined when the error is none of the system's. */
export function systemError(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code === undefined ? undefined : (SYSTEM_ERRORS[code] ?? (/^E[A-Z0-9]+$/.test(code) ? `the system says ${code}` : undefined));
}

const SYSTEM_ERRORS: Record<string, string> = {
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
