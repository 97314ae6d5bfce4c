// The files that were chosen together, and what is known of each.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { RecipeContent } from "../../../pipeline/mapping/recipe.ts";
import type { Report } from "../../../pipeline/model/outcomes.ts";
import type { UploadManager } from "./upload-manager.ts";

export interface FileQueue {
  collection: Collection;
  files: readonly QueuedFile[];
  /** The file that the manager has open. */
  openId?: number | undefined;
  /** Files like the first are checked and uploaded by themselves, as long as nothing has to be decided. */
  isAutomatic: boolean;
  /** Holds what was decided last, for the files like it. */
  decided?: Decided | undefined;
}

export interface QueuedFile {
  id: number;
  name: string;
  size: number;
  /** undefined when the browser has it no more. */
  file?: File | undefined;
  /** absent: it waits, and must be chosen again. */
  is: "unread" | "waiting" | "absent" | "refused" | "done";
  /** Says whether it comes back after a reload; undefined until that is known. */
  copy?: "kept" | "none" | undefined;
  /** Is there once it was looked at. */
  header?: readonly string[] | undefined;
  /** Says, with refused, why. */
  title?: string | undefined;
  detail?: string | undefined;
  /** Is there once it was opened: the id under which it is corrected and uploaded. */
  uploadId?: string;
  /** Says, with done, what became of its rows. */
  report?: Report;
}

/** Says whether the file is still to be uploaded. */
export function isWaiting({ is }: Pick<QueuedFile, "is">): boolean {
  return is !== "done" && is !== "refused";
}

/** Belongs to the file with this name. */
export interface Decided {
  fileName: string;
  headings: readonly string[];
  content: RecipeContent;
  /** The name of the recipe that it began with. */
  recipe?: string | undefined;
}

/** Returns the file as it stands in the queue until it is looked at. */
export function unread(file: File): Omit<QueuedFile, "id"> {
  return { name: file.name, size: file.size, file, is: "unread", header: undefined, title: undefined, copy: undefined };
}

export interface List {
  queue(): FileQueue | undefined;
  change(part: Partial<FileQueue>): void;
  changeFile(id: number, part: Partial<QueuedFile>): void;
}

export function createList(manager: UploadManager): List {
  const queue = () => manager.state().queue;
  const change: List["change"] = (part) => {
    const now = queue();
    if (now) manager.setQueue({ ...now, ...part });
  };
  return {
    queue,
    change,
    changeFile: (id, part) => change({ files: (queue()?.files ?? []).map((one) => (one.id === id ? { ...one, ...part } : one)) }),
  };
}
