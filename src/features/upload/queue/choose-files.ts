import type { Collection } from "../../../../core/dictionary/collections.ts";
import { fileQueueOf } from "../../../state/file-queue.ts";
import type { UploadManager } from "../../../state/upload-manager.ts";

/** One file is opened at once. Several, or one more while others wait, are queued. */
export function chooseFiles(manager: UploadManager, files: readonly File[], collection: Collection): void {
  const [file] = files;
  const { queue } = manager.state();
  if (files.length === 1 && file && queue?.collection.name !== collection.name) manager.inspect(file, collection);
  else if (file) fileQueueOf(manager).add(files, collection);
}
