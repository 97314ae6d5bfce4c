// Which field and code stand behind a sentence of the service, so that the list of rejects can name them. A sentence that is not known has none.

import type { BatchResult } from "../dictionary/wire.ts";
import type { PostBatch } from "../src/upload/answers.ts";

interface Meaning {
  field: string;
  code: string;
}

const MOST = 10_000; // sentences; the dictionary's are few, and those that name values are not worth the memory
const UNKNOWN: Meaning = { field: "", code: "REFUSED" };

/** The book keeps of a refusal only its words; the same words always stand for the same field and code. */
export class RefusalWords {
  readonly #meanings = new Map<string, Meaning>();

  of(sentence: string): Meaning {
    return this.#meanings.get(sentence) ?? UNKNOWN;
  }

  /** Sends as `post` does, and learns from what comes back. */
  hearing(post: PostBatch): PostBatch {
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
    const [first] = details;
    this.#meanings.set(sentence, { field: first?.pointer?.split("/").at(-1) ?? "", code: first?.code ?? problem.code });
  }
}
