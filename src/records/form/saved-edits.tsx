// Takes back what a form or a row has saved, as long as nobody has changed the record since.

import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../../client/errors.ts";
import type { Client } from "../../../client/http-client.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { cacheSavedRecord, refetchRecord } from "../../service/cache-updates.ts";
import { restoreVersion } from "../../service/history.ts";
import { idOf } from "../../service/records.ts";
import type { ToastAction, Toasts } from "../../ui/toasts.tsx";
import { whoChanged } from "../../values/change-words.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nameOf } from "../../values/record-name.ts";
import { changedMeanwhile } from "./diff.ts";

interface Tools {
  client: Client;
  toasts: Toasts;
  queries: QueryClient;
}

/** Belongs to one tab's toasts. */
interface Undone {
  /** The version that an undo made, by the record and the version whose values it has. */
  versions: Map<string, number>;
  /** One undo follows the other: the second one needs the version that the first one makes. */
  last: Promise<void>;
}

const undoneIn = new WeakMap<Toasts, Undone>();
const actions = new WeakMap<WireRecord, ToastAction>();

/** Returns the undo that was offered with `saved`, as the part of a toast that offers it, too. */
export function undoOf(saved: WireRecord): { action?: ToastAction } {
  const action = actions.get(saved);
  return action ? { action } : {};
}

/** The key for Undo and the palette offer to take back the edit that made `saved` out of `was`. It says what became of it. */
export function offerUndo(tools: Tools, collection: Collection, was: WireRecord, saved: WireRecord): void {
  if (saved.version !== was.version + 1) return; // nothing was changed, or others changed it as well
  const { toasts } = tools;
  const undone = undoneIn.get(toasts) ?? { versions: new Map(), last: Promise.resolve() };
  undoneIn.set(toasts, undone);
  const action: ToastAction = {
    label: t("Undo"),
    isUndo: true,
    undoes: t("{name} is changed.", { name: nameOf(collection, saved) }),
    run() {
      undone.last = undone.last.then(() => takeBack(tools, collection, { was, saved, action, versions: undone.versions }));
    },
  };
  actions.set(saved, action);
  toasts.offer(action);
}

interface Edit {
  was: WireRecord;
  saved: WireRecord;
  action: ToastAction;
  versions: Undone["versions"];
}

/** Never rejects: its result is shown. */
async function takeBack(tools: Tools, collection: Collection, { was, saved, action, versions }: Edit): Promise<void> {
  const { client, queries, toasts } = tools;
  const id = idOf(collection, saved);
  const nameVersion = (version: number) => `${collection.name} ${id} ${version}`;
  const seen = latestOf(saved.version, (version) => versions.get(nameVersion(version)));
  try {
    const record = await restoreVersion(client, collection, id, was.version, seen).catch((error: Error) =>
      foundRestored(tools, collection, was, seen, error),
    );
    versions.set(nameVersion(was.version), record.version);
    await cacheSavedRecord(queries, collection, record);
    const name = nameOf(collection, record);
    toasts.show({ message: <NameInSentence name={name} text={t("{name} is as it was before.")} /> });
  } catch (error) {
    const isChanged = error instanceof ApiError && error.status === 412;
    const why = isChanged ? whoChanged(error.current) : (error as Error).message;
    const mayTryAgain = !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
    toasts.show({ message: `${t("Not undone.")} ${why}`, ...(mayTryAgain && { action }) });
    if (isChanged) await refetchRecord(queries, client, collection, id).catch(() => {}); // the sentence stands, whatever is read
  }
}

/** Returns the version that has the same values by now: an undo of a later edit brings them back as a new one. */
function latestOf(version: number, next: (version: number) => number | undefined): number {
  const later = next(version);
  return later === undefined ? version : latestOf(later, next);
}

/** Returns the record, if the undo was done although no answer came. Throws `error` otherwise. */
async function foundRestored(
  { client, queries }: Tools,
  collection: Collection,
  was: WireRecord,
  seen: number,
  error: Error,
): Promise<WireRecord> {
  if (error instanceof ApiError && error.status < 500) throw error;
  const stored = await refetchRecord(queries, client, collection, idOf(collection, was)).catch(() => null);
  if (stored?.version !== seen + 1 || changedMeanwhile(collection, was, stored, was).length > 0) throw error;
  return stored;
}
