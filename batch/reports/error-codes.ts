// Remembers of answers what reports need: field and code of a message, and how many records look like stored ones.

import type { BatchResult } from "../../core/contract/records.ts";
import type { PostBatch } from "../../pipeline/sending/responses.ts";

export interface ErrorCode {
  field: string;
  code: string;
}

/** Counts the records of a batch, which its key names, that look like stored ones. */
export interface SimilarInBatch {
  batch: string;
  similar: number;
}

type StoreLearned = (learned: ({ sentence: string } & ErrorCode) | SimilarInBatch) => void;

const MOST = 10_000; // messages; there are few, unless they contain values, which are not worth the memory
const UNKNOWN: ErrorCode = { field: "", code: "REFUSED" };

/** The log of outcomes stores only the message of a refused record. The same message always has the same field and code. */
export class ErrorCodes {
  readonly #meanings = new Map<string, ErrorCode>();
  readonly #similar = new Map<string, number>(); // by the key of the batch: one that is sent again has the same answer
  readonly #store: StoreLearned;

  /** `store` is called with what is new before the response that contains it is handled. */
  constructor(store: StoreLearned = () => undefined) {
    this.#store = store;
  }

  /** Counts the records that were stored and look like stored ones. */
  get similar(): number {
    return [...this.#similar.values()].reduce((sum, n) => sum + n, 0);
  }

  /** Counts those of a batch that an earlier run stored. */
  setSimilar({ batch, similar }: SimilarInBatch): void {
    this.#similar.set(batch, similar);
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
      if (response.kind !== "answered") return response;
      for (const result of response.results) if (result.outcome === "failed") this.#learn(result);
      this.#count(batch[1], response.results);
      return response;
    };
  }

  #count(batch: string, results: readonly BatchResult[]): void {
    const similar = results.filter(
      ({ outcome, warnings }) => outcome === "created" && warnings?.some(({ code }) => code === "DUPLICATE"),
    ).length;
    if (similar === 0 || this.#similar.get(batch) === similar) return;
    this.setSimilar({ batch, similar });
    this.#store({ batch, similar });
  }

  #learn({ problem }: BatchResult): void {
    if (!problem || this.#meanings.size >= MOST) return;
    const details = problem.errors ?? [];
    const sentence = details.map(({ detail }) => detail).join(" ") || problem.detail;
    if (this.#meanings.has(sentence)) return;
    const [first] = details;
    const field = first?.similar ? "" : (first?.pointer?.split("/").at(-1) ?? ""); // that a record is stored already is no fault of a field
    const meaning = { field, code: first?.code ?? problem.code };
    this.set(sentence, meaning);
    this.#store({ sentence, ...meaning });
  }
}
