// Keeps what goes into a new collection once its draft is applied: the file of which it was made, or sample records.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Corrections } from "../../../pipeline/model/corrections.ts";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import { hasEnded, type UploadManager } from "../../upload/manager/upload-manager.ts";

export interface WaitingFile {
  /** The id of the draft with the collection, and the collection's name there. */
  draft: string;
  collection: string;
  file: File;
  choices: Choices;
  header: readonly string[];
  /** Names for each column of the file its field, or null. */
  columns: readonly (string | null)[];
  fixes: Corrections;
}

/** One for each tab: with another file the one before is forgotten. */
const waiting = new WeakMap<UploadManager, WaitingFile>();

export function keepWaiting(uploadManager: UploadManager, file: WaitingFile): void {
  waiting.set(uploadManager, file);
}

export function waitingFor(uploadManager: UploadManager, draft: string): WaitingFile | undefined {
  const file = waiting.get(uploadManager);
  return file?.draft === draft ? file : undefined;
}

/** Opens the file for its collection, with its columns matched. False while another file is open in this tab, which stays. */
export function openWaiting(uploadManager: UploadManager, { file, choices, header, columns, fixes }: WaitingFile, to: Collection): boolean {
  const { upload } = uploadManager.state();
  if (upload && !hasEnded(upload)) return false;
  const isThere = (name: string | null) => name !== null && to.byName.has(name);
  const stop = uploadManager.subscribe(() => {
    const { upload: now, plan, file: open } = uploadManager.state();
    const isRead = now?.step === "columns" && plan !== undefined;
    if (open === file && !isRead && now?.step !== "refused") return;
    stop();
    if (open !== file || !isRead || JSON.stringify(now.inspection.header) !== JSON.stringify(header)) return;
    const known = { ...fixes, autoFixes: fixes.autoFixes.filter((fix) => isThere(fix.field)) };
    uploadManager.choose({ ...plan, columns: columns.map((name) => (isThere(name) ? name : null)), fixes: known });
  });
  uploadManager.inspect(file, to, choices);
  waiting.delete(uploadManager);
  return true;
}

interface WaitingSamples {
  /** The name of the collection in the draft. */
  collection: string;
  records: readonly unknown[];
}

/** Keeps them by draft: each package that is added brings its own. */
const samples = new WeakMap<UploadManager, Map<string, readonly WaitingSamples[]>>();

export function keepSamples(uploadManager: UploadManager, draft: string, more: readonly WaitingSamples[]): void {
  const all = samples.get(uploadManager) ?? new Map<string, readonly WaitingSamples[]>();
  samples.set(uploadManager, all.set(draft, [...(all.get(draft) ?? []), ...more]));
}

/** Returns the sample records of a draft that was applied, for the collections that are there. They are given once. */
export function takeSamples(uploadManager: UploadManager, draft: string, there: readonly Collection[]) {
  const waitingSamples = samples.get(uploadManager)?.get(draft) ?? [];
  samples.get(uploadManager)?.delete(draft);
  return waitingSamples.flatMap(({ collection: name, records }) => {
    const collection = there.find((one) => one.name === name);
    return collection ? [{ collection, records }] : [];
  });
}
