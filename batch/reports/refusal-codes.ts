// Which field and code stand behind a sentence of the service, so that the list of rejects can name them. A sentence that is not known has none.

import type { BatchResult } from "../../core/contract/records.ts";
import type { PostBatch } from "../../pipeline/sending/responses.ts";

export interface Meaning {
  field: string;
  code: string;
}

const MOST = 10_000; // sentences; the dictionary's are few, and those that name values are not worth the memory
const UNKNOWN: Meaning = { field: "", code: "REFUSED" };

/** The book keeps of a refusal only its words; the same words always stand for the same field and code. */
export class ErrorCodes {
  readonly #meanings = new Map<string, Meaning>();
  readonly #keep: (sentence: string, meaning: Meaning) => void;

  /** `keep`: told of what is new, before the answer that it stands in. */
  constructor(keep: (sentence: string, meaning: Meaning) => void = () => undefined) {
    this.#keep = keep;
  }

  /** As it was kept by an earlier run. */
  set(sentence: string, meaning: Meaning): void {
    this.#meanings.set(sentence, meaning);
  }

  of(sentence: string): Meaning {
    return this.#meanings.get(sentence) ?? UNKNOWN;
  }

  /** Sends as `post` does, and learns from what comes back. */
  recording(post: PostBatch): PostBatch {
    return async (...batch) => {
      const answer = await post(...batch);
      if (answer.kind === "answered") for (const result of answer.results) if (result.outcome === "failed") this.#learn(result);
      return answer;
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
    this.#keep(sentence, meaning);
  }
}
