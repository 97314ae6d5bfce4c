// The exit codes, and the errors that end the command with one of them.

import { dirname } from "node:path";

export const EXIT = {
  /** Every record is stored, or there is nothing left to do. */
  stored: 0,
  /** Nothing was stored: usage, layout, records, totals. */
  nothing: 1,
  /** All is stored, except rejects within the limit. */
  rejects: 2,
  /** Stopped midway; `resume` continues. */
  stopped: 3,
  /** The service cannot be reached or rejects the key. */
  unreached: 4,
  /** Nothing was done, and nothing need be: the file was loaded before, is being loaded, or has no run to resume. */
  notNeeded: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Exit {
  code: ExitCode;
  /** Says what happened and what to do, for standard error. */
  sentence: string;
  /** Says what to type next, where a watcher says something else: it tries again by itself. Follows the sentence. */
  next?: string;
  /** They stand as lines below the sentence, such as a list of mistakes. */
  details?: readonly string[];
  /** The file itself is the reason: another try would end the same way. */
  isOfFile?: boolean;
}

/** Ends the command with an exit code. Any other error is a bug or comes from the system. */
export class CommandError extends Error implements Exit {
  override name = "Ended";
  readonly code: ExitCode;
  readonly details: readonly string[];
  readonly next: string;
  readonly isOfFile: boolean = false;

  constructor(code: ExitCode, sentence: string, details: readonly string[] = [], next = "") {
    super(sentence);
    this.code = code;
    this.details = details;
    this.next = next;
  }

  get sentence(): string {
    return this.message;
  }
}

/** The file as a whole cannot be loaded. A report beside it says why. */
export class InvalidFile extends CommandError {
  override readonly isOfFile = true;

  constructor(sentence: string, next = "") {
    super(EXIT.nothing, sentence, [], next);
  }
}

/** There is a run of these bytes already, finished or not, or the header says that the file is of another day or turn. */
export class AlreadyLoaded extends CommandError {
  override readonly isOfFile = true;
}

/** Something fails that is needed for sending. The message says what and why. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** Converts an error after which some records may be stored. `nextStep`: a sentence with the command that continues. */
export function stoppedBy(error: unknown, nextStep: string): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof Interrupted) return new CommandError(EXIT.stopped, `Stopped: ${error.message}`, [], nextStep);
  const { sentence, details } = describeError(error);
  return new CommandError(EXIT.stopped, `Stopped: ${sentence}`, details, nextStep);
}

/** Returns the lines for standard error. */
export function exitLines({ sentence, next = "", details = [] }: Exit): string[] {
  return [next === "" ? sentence : `${sentence} ${next}`, ...details];
}

/** Puts an unexpected error in words; for a bug with its stack. */
export function describeError(error: unknown): Required<Pick<Exit, "sentence" | "details">> {
  const why = systemError(error);
  if (why !== undefined) return { sentence: `${(error as NodeJS.ErrnoException).path ?? "A file"} cannot be used: ${why}.`, details: [] };
  const [first, ...details] = String(error instanceof Error ? error.stack : error).split("\n");
  return { sentence: `The program failed unexpectedly, which is a fault of it: please report the lines below. ${first}`, details };
}

/** Puts an error of the operating system in words; undefined for any other error. */
export function systemError(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code === undefined ? undefined : (SYSTEM_ERRORS[code] ?? (/^E[A-Z0-9]+$/.test(code) ? `the system says ${code}` : undefined));
}

/** Does what `systemError` does for a new file at `path`: what does not exist is its folder. */
export function writeError(error: unknown, path: string): string | undefined {
  const isWithoutFolder = error instanceof Error && "code" in error && error.code === "ENOENT";
  return isWithoutFolder ? `there is no folder ${dirname(path)}` : systemError(error);
}

const SYSTEM_ERRORS: Record<string, string> = {
  ENOENT: "it does not exist",
  EACCES: "this account has no permission",
  EPERM: "this account has no permission",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would exceed the file size limit of this account",
  EROFS: "the file system is read-only",
  ELOOP: "it is a symbolic link",
  EIO: "the disk cannot be read or written",
};
