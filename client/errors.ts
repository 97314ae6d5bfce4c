import type { ChangedField } from "../core/contract/merges.ts";
import type { CurrentVersion, Problem, ProblemBody, ProblemCode, ProblemDetail } from "../core/contract/problems.ts";

/** The texts of errors, for programs that show them in another language. */
export interface ErrorMessages {
  /** Words a problem code of the service. `detail` is the service's English sentence, `field` the name of the field it is about. */
  problem(code: string, detail: string, field?: string): string;
  /** Words a response that says no more than its status. */
  status(status: number): string;
  noReply(): string;
}

export const ENGLISH: ErrorMessages = {
  problem: (_, detail) => detail,
  status: (status) => `The service answered ${status}.`,
  noReply: () => "The service cannot be reached.",
};

/**
 * The service refused the request. The message is a sentence for people.
 *
 * @example
 * if (error instanceof ApiError && error.status === 429) await sleep((error.retryAfter ?? 1) * 1000);
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  /** The service's problem code; "UNKNOWN" when the response has no problem document, as that of a proxy. */
  readonly code: string;
  /** Everything that the service names, as it sent it. */
  readonly errors: readonly ProblemDetail[];
  /** Problems with fields of the record. */
  readonly problems: Problem[];
  /** Problems with query parameters. */
  readonly parameters: { name: string; message: string }[];
  /** Says, with status 412, who wrote the record last and when, for whoever may read it. */
  readonly current: CurrentVersion | undefined;
  /** Holds, with MERGE_CHANGED, the fields about which whoever takes a merge apart has to decide. */
  readonly fields: readonly ChangedField[];
  /** Seconds, from `Retry-After`; null when the service does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, body: Partial<ProblemBody> = {}, retryAfter: number | null = null, messages = ENGLISH) {
    const { code = "", errors = [], detail = body.title } = body;
    super(messages.problem(code, detail ?? messages.status(status)));
    this.status = status;
    this.code = code || "UNKNOWN";
    this.errors = errors;
    this.problems = errors.flatMap(({ pointer, code, detail, rule }) => {
      if (pointer === undefined) return [];
      const field = lastSegment(pointer);
      return { field, code: code as ProblemCode, message: messages.problem(code, detail, field), rule };
    });
    this.parameters = errors.flatMap(({ parameter, detail }) => (parameter === undefined ? [] : { name: parameter, message: detail }));
    this.current = body.current;
    this.fields = body.fields ?? [];
    this.retryAfter = retryAfter;
  }
}

/** No response came, or only half of one: the request may or may not have reached the service. */
export class NoReply extends Error {
  override name = "NoReply";
}

/** RFC 6901: the last segment of "/customers/3/lastName" is the field's name. */
function lastSegment(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}
