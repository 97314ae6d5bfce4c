// Names the scripts of each subject, which both engines run.

import { FILE_UPLOAD_SCRIPTS } from "../content/store/file-uploads.ts";
import { COMPUTATION_SCRIPTS } from "../dictionary/store/computations.ts";
import { CONVERSION_SCRIPTS } from "../dictionary/store/conversions.ts";
import { DRAFT_SCRIPTS } from "../dictionary/store/drafts.ts";
import { EMPTYING_SCRIPTS } from "../dictionary/store/emptyings.ts";
import { FORMER_NAME_SCRIPTS } from "../dictionary/store/former-name-uses.ts";
import { EXPORT_SCRIPTS } from "../history/store/export-log.ts";
import { IMPORT_SCRIPTS } from "../imports/store/imports.ts";
import { KEY_SCRIPTS, PEOPLE_SCRIPTS } from "../people/store/people.ts";
import { RUN_SCRIPTS } from "../runs/store/runs.ts";
import { ORGANISATION_SCRIPTS } from "../saved/store/organisation.ts";
import { SAVED_SCRIPTS } from "../saved/store/saved.ts";
import { DELIVERY_READS, DELIVERY_WRITES } from "../webhooks/store/deliveries.ts";
import { WEBHOOK_READS, WEBHOOK_WRITES } from "../webhooks/store/webhooks.ts";
import { CONTENT_NAME_SCRIPTS } from "./content-names.ts";
import { DUPLICATE_SCRIPTS } from "./duplicate-pairs.ts";
import { EXCEPTION_SCRIPTS } from "./exceptions.ts";
import { countFormulaChanges } from "./formulas.ts";
import { MERGE_SCRIPTS } from "./merges.ts";
import { type Runnable, runnable, type Script, type Scripts, scriptNamed } from "./script/script.ts";
import { VERSION_SCRIPTS } from "./versions.ts";
import { COUNT_SCRIPTS } from "./violation-counts.ts";

const SCRIPTS = {
  people: PEOPLE_SCRIPTS,
  keys: KEY_SCRIPTS,
  exportLog: EXPORT_SCRIPTS,
  webhooks: { reads: { ...WEBHOOK_READS, ...DELIVERY_READS }, writes: { ...WEBHOOK_WRITES, ...DELIVERY_WRITES } },
  saved: SAVED_SCRIPTS,
  runs: RUN_SCRIPTS,
  imports: IMPORT_SCRIPTS,
  organisation: ORGANISATION_SCRIPTS,
  versions: VERSION_SCRIPTS,
  drafts: DRAFT_SCRIPTS,
  formerNames: FORMER_NAME_SCRIPTS,
  conversions: CONVERSION_SCRIPTS,
  computations: { ...COMPUTATION_SCRIPTS, reads: { ...COMPUTATION_SCRIPTS.reads, countFormulaChanges } },
  emptyings: EMPTYING_SCRIPTS,
  exceptions: EXCEPTION_SCRIPTS,
  violationCounts: COUNT_SCRIPTS,
  merges: MERGE_SCRIPTS,
  duplicates: DUPLICATE_SCRIPTS,
  contentNames: CONTENT_NAME_SCRIPTS,
  fileUploads: FILE_UPLOAD_SCRIPTS,
} satisfies Record<string, { reads: Scripts; writes: Scripts }>;

export type Subject = keyof typeof SCRIPTS;
type Offered<Of extends Subject> = Runnable<(typeof SCRIPTS)[Of]["reads"]> & Runnable<(typeof SCRIPTS)[Of]["writes"]>;

export type ScriptStores = { [Of in Exclude<Subject, "people" | "keys">]: Offered<Of> };

/** Tells a write to the thread or the connection that runs it, in one transaction: `scriptNamed(writesOf(of), name, args)`. */
export type RunWrite = (of: Subject, name: string, args: readonly unknown[]) => Promise<unknown>;
type RunRead = (script: Script<unknown>) => Promise<unknown>;

export function writesOf(of: Subject): Scripts {
  return SCRIPTS[of].writes;
}

/** Holds all but people and keys: there an engine has more to do about a write. */
export function scriptStores(read: RunRead, write: RunWrite): ScriptStores {
  const offer = <Of extends Subject>(of: Of) => offerScripts(of, read, write);
  return {
    ...{ exportLog: offer("exportLog"), webhooks: offer("webhooks"), saved: offer("saved"), runs: offer("runs") },
    ...{ organisation: offer("organisation"), versions: offer("versions"), drafts: offer("drafts"), conversions: offer("conversions") },
    ...{ computations: offer("computations"), emptyings: offer("emptyings") },
    ...{ formerNames: offer("formerNames"), exceptions: offer("exceptions") },
    ...{ violationCounts: offer("violationCounts"), merges: offer("merges"), duplicates: offer("duplicates") },
    ...{ contentNames: offer("contentNames"), imports: offer("imports"), fileUploads: offer("fileUploads") },
  };
}

export function offerScripts<Of extends Subject>(of: Of, read: RunRead, write: RunWrite): Offered<Of> {
  const { reads, writes }: { reads: Scripts; writes: Scripts } = SCRIPTS[of];
  const readable = runnable(reads, (name, args) => read(scriptNamed(reads, name, args)));
  return { ...readable, ...runnable(writes, (name, args) => write(of, name, args)) } as Offered<Of>;
}
