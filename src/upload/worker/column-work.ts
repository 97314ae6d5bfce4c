// Does what the columns step asks of a worker of its own: what stands in the columns, and what a rule would change.

import { type Profiled, previewRule, profileColumns, type RulePreview } from "../../../pipeline/inspection/column-profile.ts";
import { realClock } from "../../../pipeline/model/clock.ts";
import type { ColumnRule } from "../../../pipeline/model/column-rules.ts";
import { FileError } from "../../../pipeline/model/file-error.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";

/** `rule`: what it would change, after the plan's own rules. Without one: what stands in the columns. */
export interface ColumnWork {
  file: File;
  plan: Pick<Plan, "dialect" | "rules">;
  rule?: ColumnRule | undefined;
}

/** undefined: the file cannot be read; its check says why. */
export type ColumnFound = { is: "profile"; profile: Profiled } | { is: "preview"; preview: RulePreview } | undefined;

/** Posts what was found until the file is read. The page ends the worker when it wants no more. */
export async function findInColumns({ file, plan, rule }: ColumnWork, post: (found: ColumnFound) => void): Promise<void> {
  try {
    if (rule) for await (const preview of previewRule({ file, plan }, rule, realClock)) post({ is: "preview", preview });
    else for await (const profile of profileColumns({ file, plan }, realClock)) post({ is: "profile", profile });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    post(undefined);
  }
}
