// For tests: a checked file that is corrected, with what the page would see of it.

import type { Collection } from "../../core/dictionary/collections.ts";
import { checkFile } from "../checking/check-file.ts";
import { type CheckSummary, Findings } from "../checking/findings.ts";
import { CorrectionSession } from "../correction/correction-session.ts";
import type { Act, CorrectionState, GridRow } from "../correction/correction-state.ts";
import { createValueCounts } from "../correction/wrong-values.ts";
import type { ValueRule } from "../model/corrections.ts";
import type { Plan, UploadMode } from "../model/plan.ts";
import { createClock, customers, fileOf, planFor } from "./fake-service.ts";

export const HEADER = "objectId,firstName,lastName,accountID\n";

export interface FakeSession {
  corrections: CorrectionSession;
  check(): CheckSummary;
  state(): CorrectionState;
  rows(group?: string): GridRow[];
  /** Resolves when nothing is running any more. */
  quiet(): Promise<void>;
  act(act: Act): Promise<void>;
}

export async function findingsOf(file: File, collection: Collection, plan: Plan, remembered?: readonly ValueRule[]): Promise<Findings> {
  const findings = new Findings(collection, plan, createValueCounts(remembered, plan.dialect.is1904));
  for await (const _ of checkFile(file, collection, plan, findings));
  return findings;
}

/** A correction session for a file of customers. Of a text the heading may be left out. */
export async function openFakeSession(
  content: string | Uint8Array,
  {
    collection = customers,
    mode = "create" as UploadMode,
    columns = planFor("create").columns,
    remembered = undefined as readonly ValueRule[] | undefined,
  } = {},
): Promise<FakeSession> {
  const isWhole = typeof content !== "string" || content.startsWith("objectId") || collection !== customers;
  const file = fileOf(isWhole ? content : HEADER + content);
  const plan = planFor(mode, columns);
  const findings = await findingsOf(file, collection, plan, remembered);
  let latest: { check: CheckSummary; state: CorrectionState } | undefined;
  const corrections = new CorrectionSession({
    file,
    collection,
    plan,
    findings,
    remembered,
    clock: createClock(),
    post: (check, state) => {
      latest = { check, state };
    },
    fail: (error) => {
      throw error;
    },
  });
  const session: FakeSession = {
    corrections,
    check: () => latest?.check as CheckSummary,
    state: () => latest?.state as CorrectionState,
    rows(group) {
      const answer = corrections.answer({ for: "rows", filter: { group }, from: 0, to: 100_000 });
      if (answer.for !== "rows") throw new Error(answer.for);
      return answer.rows;
    },
    async quiet() {
      // Without a limit of its own: on a busy machine files are read slowly, and what never rests meets the limit of the test.
      while (corrections.isBusy) await new Promise((resolve) => setImmediate(resolve));
    },
    async act(act) {
      corrections.act(act);
      await session.quiet();
    },
  };
  return session;
}
