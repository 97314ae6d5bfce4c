// Finds the rows of a preview whose unique value an earlier request has taken.

import type { ProblemBody } from "../../core/contract/problems.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { uniqueValue } from "../../core/dictionary/unique-value.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { hashOf, KeySet } from "../model/key-set.ts";
import type { PostBatch } from "../sending/responses.ts";

/**
 * `post`, with a refusal where the upload would get one. Within a request the service finds them itself; as that stores nothing, it
 * finds none in the next one.
 */
export function refusingRepeats({ fields, key }: Collection, post: PostBatch): PostBatch {
  const unique = fields.filter((field) => field.unique && field !== key); // repeated keys are counted by themselves
  if (unique.length === 0) return post;
  const taken = new KeySet();
  const isRepeated = (field: Field, { [field.name]: value }: Fields) =>
    value !== undefined && value !== null && !taken.add(hashOf(`${field.name} ${uniqueValue(field, value)}`));
  return async (...given) => {
    const answer = await post(...given);
    if (answer.kind !== "answered") return answer;
    const results = answer.results.map((result): BatchResult => {
      const { index, outcome } = result;
      const field = outcome === "failed" ? undefined : unique.find((one) => isRepeated(one, given[0][index] ?? {}));
      return field ? { index, outcome: "failed", status: 422, problem: repeatedValue(field, index) } : result;
    });
    return { ...answer, results };
  };
}

/** Makes the problem as the service words it. */
function repeatedValue({ name, title }: Field, index: number): ProblemBody {
  const detail = `${title} must be unique; another record has this value.`;
  const errors = [{ code: "UNIQUE" as const, detail, pointer: `/${index}/${name}` }];
  return { type: "about:blank", title: "Invalid", status: 422, detail, code: "VALIDATION", errors };
}
