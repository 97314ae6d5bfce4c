// Finds the rows of a preview whose unique value an earlier request has taken.

import type { ProblemBody } from "../../core/contract/problems.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { titlesOf, type Unique, uniquesOf, uniqueValue } from "../../core/dictionary/unique-keys.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { hashOf, KeySet } from "../model/key-set.ts";
import type { PostBatch } from "../sending/responses.ts";

/**
 * `post`, with a refusal where the upload would get one. Within a request the service finds them itself; as that stores nothing, it
 * finds none in the next one.
 */
export function refusingRepeats(collection: Collection, post: PostBatch): PostBatch {
  const unique = uniquesOf(collection); // repeated keys are counted by themselves
  if (unique.length === 0) return post;
  const taken = new KeySet(true);
  const isRepeated = (one: Unique, record: Fields) => {
    const value = uniqueValue(one, record);
    return value !== null && !taken.add(hashOf(`${one.name} ${value}`));
  };
  return async (...given) => {
    const answer = await post(...given);
    if (answer.kind !== "answered") return answer;
    const results = answer.results.map((result): BatchResult => {
      const { index, outcome } = result;
      const repeated = outcome === "failed" ? undefined : unique.find((one) => isRepeated(one, given[0][index] ?? {}));
      return repeated ? { index, outcome: "failed", status: 422, problem: repeatedValue(repeated, index) } : result;
    });
    return { ...answer, results };
  };
}

/** Makes the problem as the service words it. */
function repeatedValue({ fields }: Unique, index: number): ProblemBody {
  const detail =
    fields.length > 1
      ? `${titlesOf(fields)} must be unique together; another record has these values.`
      : `${fields[0]?.title} must be unique; another record has this value.`;
  const errors = [{ code: "UNIQUE" as const, detail, pointer: `/${index}/${fields[0]?.name}` }];
  return { type: "about:blank", title: "Invalid", status: 422, detail, code: "VALIDATION", errors };
}
