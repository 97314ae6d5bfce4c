// Finds the rows of a preview whose unique value an earlier request has taken.

import type { ProblemBody } from "../../core/contract/problems.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { KeySet } from "../model/key-set.ts";
import type { PostBatch } from "../sending/responses.ts";

/**
 * `post`, with a refusal where the upload would get one. Within a request the service finds them itself; as that stores nothing, it
 * finds none in the next one.
 */
export function refusingRepeats({ fields, key }: Collection, post: PostBatch): PostBatch {
  const unique = fields.filter((field) => field.unique && field !== key); // repeated keys are counted by themselves
  if (unique.length === 0) return post;
  const taken = new KeySet();
  const isRepeated = ({ name }: Field, { [name]: value }: Fields) =>
    value !== undefined && value !== null && !taken.add(hash(`${name} ${value}`));
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

/** 53 bits: among a million values the chance that two share one is 1 in 18,000, and a million texts would fill the tab's memory. */
function hash(text: string): number {
  let [high, low] = [0x9e3779b9, 0x85ebca6b];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
