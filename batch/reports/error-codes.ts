// Remembers which field and code belong to a message of the service, for the list of rejects.

import type { BatchResult } from "../../core/contract/records.ts";
import type { PostBatch } from "../../pipeline/sending/responses.ts";

export interface ErrorCode {
  field: string;
  code: string;
}

const MOST = 10_000; // messages; there are few, unless they contain values, which are not worth the memory
const UNKNOWN: ErrorCode = { field: "", code: "REFUSED" };

/** The log of outcomes stores only the message of a refused record. The same message always has the same field and code. */
export class ErrorCodes {
  readonly #meanings = new Map<string, ErrorCode>();
  readonly #store: (sentence: string, meaning: ErrorCode) => void;

  /** `store` is called with each new message before the response that contains it is handled. */
  constructor(store: (sentence: string, meaning: ErrorCode) => void = () => undefined) {
    this.#store = store;
  }

  /** Adds a message that an earlier run stored. */
  set(sentence: string, meaning: ErrorCode): void {
    this.#meanings.set(sentence, meaning);
  }

  of(sentence: string): ErrorCode {
    return this.#meanings.get(sentence) ?? UNKNOWN;
  }

  /** Wraps `post`, so that the messages in its responses are remembered. */
  recording(post: PostBatch): PostBatch {
    return async (...batch) => {
      const response = await post(...batch);
      if (response.kind === "answered") for (const result of response.results) if (result.outcome === "failed") this.#learn(result);
      return response;
    };
  }

  #learn({ problem }: BatchResult): void {
    if (!problem || this.#meanings.size >= MOST) return;
    const details = problem.errors ?? [];
    const sentence = details.map(({ detail }) => detail).join(" ") || problem.detail;
    if (this.#meanings.has(sentence)) return;
    const [first] = details;
    const meaning = { field: first?.pointer?.split("/").at(-1) ?? "", code: first?.code ?? problem.code };
    this.set(sentence, meaning);
    this.#store(sentence, meaning);
  }
}
