// Values that were checked on their way into the store, which alone knows whether one that breaks a rule is stored already.

import type { Problem } from "../../../core/contract/problems.ts";
import type { Fields, Validation } from "../../../core/dictionary/validate.ts";
import type { Batch, Store, Written } from "../../store/store.ts";

/** The part of a `WriteOp` that holds the values. */
export interface CheckedValues {
  given: Fields;
  problems?: Problem[];
  refused?: Fields;
}

export function toValues(validated: Validation): CheckedValues {
  if (validated.record) return { given: validated.record };
  const { valid: given, problems, refused } = validated;
  return { given, problems, refused };
}

/**
 * Writes the batch. A request that is refused for its values can be corrected under its idempotency key, so what may be refused is tried
 * first, and the refusal is not stored.
 */
export async function writeCorrectable(store: Store, batch: Batch): Promise<Written> {
  if (batch.idempotency && batch.atomic && batch.ops.some(({ problems }) => problems)) {
    const tried = await store.write({ ...batch, dryRun: true });
    if (!("answer" in tried) || tried.replayed || tried.answer.status >= 400) return tried;
  }
  return store.write(batch);
}
