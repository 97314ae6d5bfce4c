// The file of a run in the state folder. Its property names are a file format and must not change.

import type { Plan } from "../../pipeline/model/plan.ts";
import type { Exit } from "../console/exit-codes.ts";
import type { StoredRun } from "./run-registry.ts";

type Unchanged = Omit<StoredRun, "plan" | "exit" | "fingerprint">;

/** A run without its fingerprint, under the property names of its file; `status --json` shows it, too. */
export interface RunFields extends Unchanged {
  /** `torn` is `malformed` in the code. */
  plan: Omit<Plan, "malformed"> & { torn?: Plan["malformed"] };
  /** `exit` in the code. */
  ending?: Exit;
}

interface RunFile extends RunFields {
  /** `blocks` in Base64. */
  fingerprint: { size: number; blocks: string };
}

export function toRunFields({ plan, exit, fingerprint: _, ...rest }: StoredRun): RunFields {
  const { malformed, ...others } = plan;
  return { ...rest, plan: { ...others, ...(malformed && { torn: malformed }) }, ...(exit && { ending: exit }) };
}

export function formatRunFile(run: StoredRun): string {
  const { size, blocks } = run.fingerprint;
  const file: RunFile = { ...toRunFields(run), fingerprint: { size, blocks: Buffer.from(blocks).toString("base64") } };
  return `${JSON.stringify(file)}\n`;
}

/** Throws when the text is not the file of a run. */
export function parseRunFile(text: string): StoredRun {
  const { plan, ending, fingerprint, ...rest } = JSON.parse(text) as RunFile;
  const { torn, ...others } = plan;
  return {
    ...rest,
    plan: { ...others, ...(torn && { malformed: torn }) },
    ...(ending && { exit: ending }),
    fingerprint: { size: fingerprint.size, blocks: new Uint8Array(Buffer.from(fingerprint.blocks, "base64")) },
  };
}
